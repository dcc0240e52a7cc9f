//! Opens files beneath the handle of a folder. No path and no link reaches anything outside it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::{
    AccessError, NodeKind, Stat,
    path::{RelPath, display_path},
    platform,
};

/// A handle on a root's folder. The kernel resolves every path beneath it (`openat2`, or step by step if the
/// kernel is too old), so a check and its use can't diverge.
pub struct RootDir {
    dir: Dir,
    path: PathBuf,
}

impl RootDir {
    /// Opens a folder that the user chose. Its own path may contain symbolic links.
    pub fn open(path: &[u8]) -> Result<Self, AccessError> {
        let folder = platform::path_of(path);
        let dir = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|source| {
            AccessError::FolderUnavailable {
                path: display_path(path),
                source: Arc::new(source),
            }
        })?;
        Ok(Self::from_dir(dir, path))
    }

    /// Wraps a folder that is already open.
    pub fn from_dir(dir: Dir, path: &[u8]) -> Self {
        Self {
            dir,
            path: platform::path_of(path).to_owned(),
        }
    }

    /// Returns the status of a path. Symbolic links are followed as long as they stay inside.
    pub fn stat(&self, path: &RelPath) -> Result<Stat, AccessError> {
        let metadata = self.resolve(path, |path| self.dir.metadata(path))?;
        Ok(Stat::from(&metadata))
    }

    /// Returns the status of a path if it is a regular file.
    pub fn stat_file(&self, path: &RelPath) -> Result<Stat, AccessError> {
        require_file(self.stat(path)?)
    }

    /// Opens a regular file for reading. Anything else is refused before it is opened, because opening alone
    /// can block (a FIFO) or have effects (a tape).
    pub fn open_file(&self, path: &RelPath) -> Result<(File, Stat), AccessError> {
        self.stat_file(path)?;
        self.open_listed_file(path)
    }

    /// Opens a file like [`open_file`](Self::open_file), but without checking its kind first: for a path that
    /// was a regular file a moment ago.
    pub fn open_listed_file(&self, path: &RelPath) -> Result<(File, Stat), AccessError> {
        let options = platform::nonblocking_read_options();
        let file = self.resolve(path, |path| self.dir.open_with(path, &options))?;
        // The opened file is checked, not the path: the file may have been replaced since the path was checked.
        let stat = require_file(Stat::from(&file.metadata()?))?;
        Ok((file.into_std(), stat))
    }

    pub fn open_folder(&self, path: &RelPath) -> Result<Dir, AccessError> {
        if self.stat(path)?.kind != NodeKind::Folder {
            return Err(AccessError::NotAFolder);
        }
        self.resolve(path, |path| self.dir.open_dir(path))
    }

    fn resolve<T>(
        &self,
        path: &RelPath,
        open: impl Fn(&Path) -> io::Result<T>,
    ) -> Result<T, AccessError> {
        let path = path.as_path();
        match open(path) {
            Err(error) if is_escape(&error) => {
                let inside = self.resolve_inside(path)?;
                open(&inside).map_err(|error| {
                    if is_escape(&error) {
                        AccessError::OutsideRoots
                    } else {
                        error.into()
                    }
                })
            }
            result => Ok(result?),
        }
    }

    /// Returns the target of a path. The kernel refuses every link with an absolute target, even one that stays
    /// inside. Therefore the path is resolved as the system would do it; if the result is inside, it is opened
    /// again beneath the handle, and that decides.
    fn resolve_inside(&self, path: &Path) -> Result<PathBuf, AccessError> {
        // Every failure gives the same answer, so that it does not reveal what exists outside.
        let outside = |_| AccessError::OutsideRoots;
        let end = self.path.join(path).canonicalize().map_err(outside)?;
        let top = self.path.canonicalize().map_err(outside)?;
        match end.strip_prefix(top) {
            Ok(inside) if inside.as_os_str().is_empty() => Ok(PathBuf::from(".")),
            Ok(inside) => Ok(inside.to_owned()),
            Err(_) => Err(AccessError::OutsideRoots),
        }
    }
}

fn require_file(stat: Stat) -> Result<Stat, AccessError> {
    if stat.kind == NodeKind::File {
        Ok(stat)
    } else {
        Err(AccessError::NotAFile(stat.kind))
    }
}

/// True if the error means that a path leads outside: cap-std reports that as "permission denied" without an
/// error code of the system.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
