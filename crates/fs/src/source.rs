//! Pictures named by a root and a path beneath it, and their state when they were found.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::{
    AccessError, Ctime, Fingerprint, PictureVersion, Root, RootDir, RootId, Stat, ThumbId,
    path::{self, RelPath, clean_absolute},
    platform,
};

/// A place beneath a root. It need not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    root: Arc<Root>,
    path: RelPath,
}

impl Source {
    /// Creates a place beneath a root.
    #[must_use]
    pub fn new(root: Arc<Root>, path: RelPath) -> Self {
        Self { root, path }
    }

    /// Names a place in the program's own folder, which is not a root: no client can reach it by an id or a path.
    ///
    /// # Errors
    /// [`AccessError`] for paths that are malformed, and one beneath the folder that climbs.
    pub fn own(folder: &Path, relative: &Path) -> Result<Self, AccessError> {
        let folder = std::path::absolute(folder)?;
        let folder = clean_absolute(platform::bytes_of(folder.as_os_str()))?;
        let path = RelPath::parse(platform::bytes_of(relative.as_os_str()))?;
        Ok(Self::new(Arc::new(Root::own(folder)), path))
    }

    /// Returns the root that contains it.
    #[must_use]
    pub fn root(&self) -> RootId {
        self.root.id()
    }

    /// Returns the root with its folder.
    #[must_use]
    pub fn root_ref(&self) -> &Arc<Root> {
        &self.root
    }

    /// Returns the path beneath the root.
    #[must_use]
    pub fn path(&self) -> &RelPath {
        &self.path
    }

    /// Returns the place of an entry of this folder.
    pub fn entry(&self, name: &[u8]) -> Self {
        Self::new(Arc::clone(&self.root), self.path.join(name))
    }

    /// Returns the absolute path, lexically cleaned and not resolved. The fingerprint contains this path.
    #[must_use]
    pub fn absolute(&self) -> Vec<u8> {
        path::join(self.root.path_bytes(), &self.path)
    }

    /// Returns the status of the file or folder at this place.
    ///
    /// # Errors
    /// [`AccessError`] if nothing is there, or nothing that may be read.
    pub fn stat(&self) -> Result<Stat, AccessError> {
        self.open_root()?.stat(&self.path)
    }

    /// Returns the time at which the file was created; `None` if it is not recorded, or can't be read.
    #[must_use]
    pub fn created(&self) -> Option<Ctime> {
        let (folder, name) = self.path.split_last()?;
        let folder = self.open_root().ok()?.open_folder(&folder).ok()?;
        platform::birth_time(&folder, name)
    }

    /// Returns the file with its status, read by one `stat`.
    ///
    /// # Errors
    /// [`AccessError`] if there is no regular file that may be read.
    pub fn find(&self) -> Result<SourceFile, AccessError> {
        let stat = self.open_root()?.stat_file(&self.path)?;
        Ok(self.file(stat))
    }

    /// Opens the file. The state is that of the opened file.
    pub fn open(&self) -> Result<(File, SourceFile), AccessError> {
        let (file, stat) = self.open_root()?.open_file(&self.path)?;
        Ok((file, self.file(stat)))
    }

    /// Opens the root's folder.
    ///
    /// # Errors
    /// [`AccessError`] if it can't be opened.
    pub fn open_root(&self) -> Result<RootDir, AccessError> {
        self.root.open()
    }

    fn file(&self, stat: Stat) -> SourceFile {
        SourceFile {
            source: self.clone(),
            id: Fingerprint::new(self.absolute(), stat).id(),
            stat,
        }
    }
}

/// A file, in the state in which it was found. Thumbnails are requested for it and made from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    source: Source,
    stat: Stat,
    id: ThumbId,
}

impl SourceFile {
    /// Returns the place.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the kind, size and time of change.
    #[must_use]
    pub fn stat(&self) -> Stat {
        self.stat
    }

    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(self.source.absolute(), self.stat)
    }

    /// Returns the id of the picture in this state.
    #[must_use]
    pub fn id(&self) -> ThumbId {
        self.id
    }

    /// Returns the version of the picture, which is more exact than the id.
    #[must_use]
    pub fn version(&self) -> PictureVersion {
        PictureVersion {
            id: self.id,
            ctime: self.stat.ctime,
        }
    }
}
