//! A probe of watched folders: it finds a folder, identifies it, and computes a signature of its contents. Each call
//! may block forever, on a disk that never answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use cap_std::fs::{Dir, DirEntry};
use fumikura_fs::{
    AccessError, FolderScope, MAX_FOLDERS, NodeKind, RelPath, Source, Stat,
    platform::{self, Identity},
};

use super::walk::{Next, walk};

/// A folder as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Observation {
    /// The real path, with symbolic links resolved.
    pub(super) place: PathBuf,
    pub(super) identity: Identity,
    /// True if the folder, or one on the path to it, may change without this machine's knowledge.
    pub(super) is_remote: bool,
    /// The mounts beneath it, if all of that is watched: a disk that is mounted there causes no event.
    pub(super) mounts: Vec<Vec<u8>>,
}

/// A hash of a folder's contents: names, sizes and times of change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signature(u64);

impl Signature {
    /// Adds a part. The order of parts does not matter.
    fn add(&mut self, part: impl Hash) {
        let mut hasher = DefaultHasher::new();
        part.hash(&mut hasher);
        self.0 = self.0.wrapping_add(hasher.finish());
    }
}

/// A probe of the file system.
pub(super) trait FsProbe: Send + Sync {
    /// Finds the folder.
    ///
    /// # Errors
    /// If there is none that may be read.
    fn find(&self, source: &Source, scope: FolderScope) -> Result<Observation, AccessError>;

    /// Opens a folder beneath the watched one.
    ///
    /// # Errors
    /// See [`find`](Self::find).
    fn open(&self, source: &Source, folder: &RelPath) -> Result<Dir, AccessError>;

    /// True if a folder is on a file system whose changes are not reported to this machine.
    fn is_remote(&self, folder: &RelPath, dir: &Dir) -> bool;
}

/// Computes the signature of a folder's entries, or of everything beneath it in as many folders as are listed, however
/// many entries these have: one `stat` for each.
///
/// # Errors
/// If the folder itself can't be read.
pub(super) fn signature(
    probe: &dyn FsProbe,
    source: &Source,
    scope: FolderScope,
) -> Result<Signature, AccessError> {
    let most = match scope {
        FolderScope::Direct => 1,
        FolderScope::Recursive => MAX_FOLDERS,
    };
    let mut sum = Signature::default();
    let add = |folder: &RelPath, entry: &DirEntry| {
        // Entries that have vanished are left out.
        if let Ok(metadata) = entry.metadata() {
            let stat = Stat::from(&metadata);
            // A folder's times change with its entries, which are seen themselves, or hidden.
            let counts = scope == FolderScope::Direct || stat.kind != NodeKind::Folder;
            let state = counts.then_some(state(stat));
            sum.add((folder.as_bytes(), entry.file_name(), state));
        }
    };
    walk(probe, source, most, |_, _| Next::Read, add)?;
    Ok(sum)
}

/// Returns the values that distinguish the states of a file.
fn state(stat: Stat) -> (u64, [(i64, u32); 2]) {
    let Stat { mtime, ctime, .. } = stat;
    let times = [
        (mtime.seconds, mtime.nanoseconds),
        (ctime.seconds, ctime.nanoseconds),
    ];
    (stat.size, times)
}

/// A probe of the disk.
pub(super) struct SystemProbe;

impl FsProbe for SystemProbe {
    fn find(&self, source: &Source, scope: FolderScope) -> Result<Observation, AccessError> {
        let dir = source.open_root()?.open_folder(source.path())?;
        let dir = dir.into_std_file();
        let absolute = source.absolute();
        // The path may lead to another folder by now than the one that was opened: its events are only hints.
        let place = platform::path_of(&absolute).canonicalize()?;
        Ok(Observation {
            identity: Identity::of(&dir)?,
            is_remote: platform::is_remote(&dir)? || platform::crosses_remote_mount(&place)?,
            // Mounts are read before the contents.
            mounts: match scope {
                FolderScope::Direct => Vec::new(),
                // Without the table of mounts, none are known.
                FolderScope::Recursive => platform::mounts_beneath(&place).unwrap_or_default(),
            },
            place,
        })
    }

    fn open(&self, source: &Source, folder: &RelPath) -> Result<Dir, AccessError> {
        source.open_root()?.open_folder(folder)
    }

    fn is_remote(&self, _folder: &RelPath, dir: &Dir) -> bool {
        platform::is_remote(dir).unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use fumikura_fs::Root;

    use super::*;

    #[test]
    fn signature_covers_what_is_not_hidden() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        fs::create_dir_all(at("a")).unwrap();
        fs::create_dir(at(".git")).unwrap();
        let root = Root::own(home.path().as_os_str().as_encoded_bytes().to_vec());
        let source = Source::new(Arc::new(root), RelPath::default());
        let poll = || signature(&SystemProbe, &source, FolderScope::Recursive).unwrap();
        let before = poll();
        fs::write(at(".git/x.jpg"), "").unwrap();
        fs::write(at("a/.x.jpg.part"), "").unwrap();
        let hidden = poll();
        fs::write(at("a/x.jpg"), "").unwrap();
        let visible = poll();
        fs::write(at("a/x.jpg"), "longer").unwrap();
        assert_eq!(
            [before == hidden, hidden == visible, visible == poll()],
            [true, false, false]
        );
    }
}
