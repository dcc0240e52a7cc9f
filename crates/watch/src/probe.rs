//! A probe of watched folders: it finds a folder, identifies it, and computes a signature of its contents. Each call
//! may block forever, on a disk that never answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use cap_std::fs::{DirEntry, MetadataExt};
use fumikura_fs::{
    AccessError, MAX_FOLDERS, NodeKind, Reach, RelPath, Source, Stat,
    platform::{self, Identity},
};

use super::walk::{Opened, Start, Visitor, walk};

/// A folder as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Observation {
    /// The real path, with symbolic links resolved.
    pub(super) place: PathBuf,
    pub(super) identity: Identity,
    /// True if the folder, or one on the path to it, may change without this machine's knowledge.
    pub(super) is_remote: bool,
}

/// A hash of a folder's contents: names, sizes and times of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature(u64);

impl Signature {
    /// The signature of nothing at all.
    pub(super) const NOTHING: Self = Self(0);

    /// Adds a part. The order of parts does not matter.
    fn add(&mut self, part: impl Hash) {
        let mut hasher = DefaultHasher::new();
        part.hash(&mut hasher);
        self.0 = self.0.wrapping_add(hasher.finish());
    }

    #[cfg(test)]
    pub(super) const fn of(number: u64) -> Self {
        Self(number)
    }
}

/// A probe of the file system.
pub(super) trait FsProbe: Send + Sync {
    /// Finds the folder.
    ///
    /// # Errors
    /// If there is none that may be read.
    fn find(&self, source: &Source) -> Result<Observation, AccessError>;

    /// Opens a folder beneath the watched one. `above` is the file system of the folder that contains it.
    ///
    /// # Errors
    /// See [`find`](Self::find).
    fn open(
        &self,
        source: &Source,
        folder: &RelPath,
        above: Option<u64>,
    ) -> Result<Opened, AccessError>;

    /// Returns the signature of the mounts beneath a place, without disk access.
    fn mounts(&self, place: &Path) -> Signature;
}

/// Computes the signature of a folder's entries, or of everything beneath it in as many folders as are listed, however
/// many entries these have: one `stat` for each.
///
/// # Errors
/// If the folder itself can't be read.
pub(super) fn signature(
    probe: &dyn FsProbe,
    source: &Source,
    reach: Reach,
) -> Result<Signature, AccessError> {
    struct Summing(Signature, Reach);

    impl Visitor for Summing {
        fn see(&mut self, folder: &RelPath, entry: &DirEntry) {
            // Entries that have vanished are left out.
            if let Ok(metadata) = entry.metadata() {
                let stat = Stat::from(&metadata);
                // A folder's times change with its entries, which are seen themselves, or hidden.
                let counts = self.1 == Reach::Folder || stat.kind != NodeKind::Folder;
                let state = counts.then_some(state(stat));
                self.0.add((folder.as_bytes(), entry.file_name(), state));
            }
        }
    }

    let most = match reach {
        Reach::Folder => 1,
        Reach::Beneath => MAX_FOLDERS,
    };
    let mut sum = Summing(Signature::NOTHING, reach);
    let start = Start {
        folder: source.path().clone(),
        above: None,
    };
    walk(probe, source, start, most, &mut sum)?;
    Ok(sum.0)
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
    fn find(&self, source: &Source) -> Result<Observation, AccessError> {
        let dir = source.open_root()?.open_folder(source.path())?;
        let dir = dir.into_std_file();
        let absolute = source.absolute();
        // The path may lead to another folder by now than the one that was opened: its events are only hints.
        let place = platform::path_of(&absolute).canonicalize()?;
        Ok(Observation {
            identity: Identity::of(&dir)?,
            is_remote: platform::is_remote(&dir)? || platform::crosses_remote_mount(&place)?,
            place,
        })
    }

    fn open(
        &self,
        source: &Source,
        folder: &RelPath,
        above: Option<u64>,
    ) -> Result<Opened, AccessError> {
        let dir = source.open_root()?.open_folder(folder)?;
        let metadata = dir.dir_metadata()?;
        let identity = Identity::from_numbers(metadata.dev(), metadata.ino());
        let is_another = above.is_some_and(|above| above != identity.device());
        Ok(Opened {
            is_remote: is_another && platform::is_remote(&dir)?,
            identity,
            dir,
        })
    }

    fn mounts(&self, place: &Path) -> Signature {
        let mut signature = Signature::NOTHING;
        // Without that table, no mounts are known.
        for mount in platform::mounts_beneath(place).unwrap_or_default() {
            signature.add(mount);
        }
        signature
    }
}
