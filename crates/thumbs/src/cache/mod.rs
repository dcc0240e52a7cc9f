//! The cache on disk: where thumbnails lie, how they get there, and how the folder is kept ours.
//!
//! Nothing in it is needed: a thumbnail that is missing is made again. So files are placed
//! atomically but not synced; a file that a power cut left empty counts as missing.

mod layout;
mod sweep;
mod tag;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use fumikura_base::clock::Clock;

pub use tag::CacheFolderError;

use crate::fingerprint::ThumbId;
use crate::platform;
use crate::variant::Variant;

/// The folder of the thumbnails.
#[derive(Debug)]
pub(crate) struct Cache {
    top: PathBuf,
}

impl Cache {
    /// Takes the folder: makes and marks it, or recognises it.
    pub(crate) fn open(top: PathBuf) -> Result<Self, CacheFolderError> {
        tag::claim(&top)?;
        Ok(Self { top })
    }

    /// The file of a thumbnail, if it is there.
    pub(crate) fn find(&self, id: ThumbId, variant: Variant) -> Option<PathBuf> {
        let path = layout::path_of(&self.top, id, variant);
        // Any failure means that the thumbnail can't be used; making it again tells why.
        let metadata = fs::metadata(&path).ok()?;
        (metadata.is_file() && metadata.len() > 0).then_some(path)
    }

    /// Puts a thumbnail into its place, at once and as a whole.
    pub(crate) fn place(&self, id: ThumbId, variant: Variant, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = layout::path_of(&self.top, id, variant);
        let leaf = path.parent().expect("BUG: a thumbnail lies in a shard");
        match write(leaf, &path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.make_leaf(leaf)?;
                write(leaf, &path, bytes)?;
            }
            result => result?,
        }
        Ok(path)
    }

    /// Makes a shard on demand. Where the whole folder has gone it is taken anew, mark and all.
    fn make_leaf(&self, leaf: &Path) -> io::Result<()> {
        tag::claim(&self.top).map_err(io::Error::other)?;
        platform::create_private_folder(leaf)
    }

    /// Deletes what a crash left unfinished more than an hour ago.
    pub(crate) fn sweep(&self, clock: &dyn Clock, stop: &AtomicBool) {
        let swept = sweep::sweep(&self.top, clock.now(), stop);
        if swept.failed > 0 {
            tracing::warn!(
                failed = swept.failed,
                "unfinished thumbnails could not all be swept up"
            );
        }
        if swept.deleted > 0 {
            tracing::info!(deleted = swept.deleted, "unfinished thumbnails swept up");
        }
    }
}

fn write(leaf: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(layout::UNFINISHED_PREFIX)
        .suffix(layout::UNFINISHED_SUFFIX)
        .rand_bytes(layout::UNFINISHED_RANDOM)
        .tempfile_in(leaf)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> ThumbId {
        ThumbId::from_bytes([0xa3; 20])
    }

    #[test]
    fn what_is_placed_is_found_and_nothing_lies_beside_it() {
        let outer = tempfile::tempdir().unwrap();
        let cache = Cache::open(outer.path().join("thumbs")).unwrap();
        let variant = Variant::default();
        assert_eq!(cache.find(id(), variant), None);
        let path = cache.place(id(), variant, b"bytes").unwrap();
        assert_eq!(cache.find(id(), variant), Some(path.clone()));
        assert_eq!(fs::read(&path).unwrap(), b"bytes");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn an_empty_file_counts_as_missing() {
        let outer = tempfile::tempdir().unwrap();
        let cache = Cache::open(outer.path().join("thumbs")).unwrap();
        let path = cache.place(id(), Variant::default(), b"bytes").unwrap();
        fs::write(path, b"").unwrap();
        assert_eq!(cache.find(id(), Variant::default()), None);
    }

    #[test]
    fn a_folder_that_was_deleted_is_taken_anew() {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path().join("thumbs");
        let cache = Cache::open(top.clone()).unwrap();
        fs::remove_dir_all(&top).unwrap();
        cache.place(id(), Variant::default(), b"bytes").unwrap();
        assert!(top.join("CACHEDIR.TAG").is_file());
    }

    #[test]
    fn a_foreign_folder_that_took_its_place_is_left_alone() {
        let outer = tempfile::tempdir().unwrap();
        let top = outer.path().join("thumbs");
        let cache = Cache::open(top.clone()).unwrap();
        fs::remove_dir_all(&top).unwrap();
        fs::create_dir(&top).unwrap();
        fs::write(top.join("thesis.odt"), "dear").unwrap();
        assert!(cache.place(id(), Variant::default(), b"bytes").is_err());
        assert_eq!(fs::read_dir(&top).unwrap().count(), 1);
    }
}
