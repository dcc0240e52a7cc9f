//! A look at a folder that is watched: whether it is there, is the same one, and holds the same. Each may take for ever,
//! on a disk that never answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use crate::access::{AccessError, Source};
use crate::platform::{self, Identity};
use crate::stat::Stat;

/// A folder as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct There {
    /// Where it really is, symbolic links resolved.
    pub(super) place: PathBuf,
    pub(super) identity: Identity,
    /// Whether it may change without this machine's knowing, or the way to it leads through such a folder.
    pub(super) is_remote: bool,
}

/// What a folder holds, in a number: names, sizes and times of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature(u64);

impl Signature {
    #[cfg(test)]
    pub(super) const fn of(number: u64) -> Self {
        Self(number)
    }
}

/// Whoever looks at folders.
pub(super) trait Eyes: Send + Sync {
    /// Finds the folder.
    ///
    /// # Errors
    /// When there is none that may be read.
    fn find(&self, source: &Source) -> Result<There, AccessError>;

    /// Looks at all that is in the folder.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    fn signature(&self, source: &Source) -> Result<Signature, AccessError>;
}

/// Eyes that look at the disk.
pub(super) struct SystemEyes;

impl Eyes for SystemEyes {
    fn find(&self, source: &Source) -> Result<There, AccessError> {
        let dir = source.beneath()?.open_folder(source.path())?;
        let dir = dir.into_std_file();
        let absolute = source.absolute();
        // May by now be another folder than the one that was opened: what is heard of it is only a hint.
        let place = platform::path_of(&absolute).canonicalize()?;
        Ok(There {
            identity: Identity::of(&dir)?,
            is_remote: platform::is_remote(&dir)? || platform::leads_far(&place)?,
            place,
        })
    }

    /// One `stat` for each.
    fn signature(&self, source: &Source) -> Result<Signature, AccessError> {
        let dir = source.beneath()?.open_folder(source.path())?;
        let mut sum = 0_u64;
        for entry in dir.entries()? {
            let entry = entry?;
            // It vanished in between.
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let Stat { size, mtime, .. } = Stat::from(&metadata);
            let mut hasher = DefaultHasher::new();
            (entry.file_name(), size, mtime.seconds, mtime.nanoseconds).hash(&mut hasher);
            // In whatever order they come.
            sum = sum.wrapping_add(hasher.finish());
        }
        Ok(Signature(sum))
    }
}
