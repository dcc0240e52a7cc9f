//! Lookup of thumbnails in memory and on disk, which also marks them as used.

use std::fs::{self, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fumikura_base::own_file;
use fumikura_fs::{PictureVersion, ThumbId, platform};
use fumikura_image::Variant;

use super::key::{stored_key, stored_version};
use super::layout::Shard;
use super::{Cache, layout};

/// The age of a mark of use below which it is not renewed (docs/spec/thumbnails.md, Last use): the order of
/// eviction needs no more precision, and each mark is a write.
const TOUCH_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

impl Cache {
    /// Returns the file of a thumbnail if it exists, and marks it as used.
    pub(crate) fn find(&self, version: PictureVersion, variant: Variant) -> Option<PathBuf> {
        let (version, variant) = stored_version(version, variant);
        let path = layout::path_of(&self.top, version.id, variant);
        // Any failure means that the thumbnail can't be used. Making it again reports the cause.
        let metadata = usable(&path, version).ok().flatten()?;
        self.touch((version.id, variant), &metadata);
        Some(path)
    }

    /// Returns the size of a thumbnail's file in bytes, or `None` if it does not exist. A deletion that has begun comes
    /// first.
    pub(crate) fn size(&self, id: ThumbId, variant: Variant) -> Option<u64> {
        let (id, variant) = stored_key(id, variant);
        let path = layout::path_of(&self.top, id, variant);
        // Any failure means that the thumbnail can't be used.
        let found = self.ledger.hold(|| fs::symlink_metadata(&path)).ok();
        let found = found.filter(fs::Metadata::is_file);
        found
            .map(|metadata| metadata.len())
            .filter(|size| *size > 0)
    }

    /// Returns the bytes of a thumbnail if it exists, and marks it as used.
    ///
    /// # Errors
    /// If it exists but can't be read.
    pub(crate) fn load(
        &self,
        version: PictureVersion,
        variant: Variant,
    ) -> io::Result<Option<Arc<[u8]>>> {
        let (version, variant) = stored_version(version, variant);
        match self.load_from_memory(version, variant) {
            Some(bytes) => Ok(Some(bytes)),
            None => self.load_from_disk(version, variant),
        }
    }

    /// Returns a thumbnail from memory. Once a day the disk is accessed, because the file is marked as used there.
    fn load_from_memory(&self, version: PictureVersion, variant: Variant) -> Option<Arc<[u8]>> {
        let key = (version.id, variant);
        let (bytes, marked) = self.memory.get(key, version.ctime)?;
        if !self.is_due(marked) {
            return Some(bytes);
        }
        let path = layout::path_of(&self.top, version.id, variant);
        match usable(&path, version) {
            Ok(Some(metadata)) => {
                let marked = self.touch((version.id, variant), &metadata);
                self.memory.mark(key, marked);
                Some(bytes)
            }
            // Another process has deleted the file. The thumbnail has to be on disk as well.
            Ok(None) => {
                self.memory.forget(key);
                None
            }
            Err(_) => Some(bytes),
        }
    }

    fn load_from_disk(
        &self,
        version: PictureVersion,
        variant: Variant,
    ) -> io::Result<Option<Arc<[u8]>>> {
        let key = (version.id, variant);
        let path = layout::path_of(&self.top, version.id, variant);
        let Some(metadata) = usable(&path, version)? else {
            return Ok(None);
        };
        let marked = self.touch((version.id, variant), &metadata);
        let bytes: Arc<[u8]> = match own_file::read(&path, own_file::ITEM) {
            Ok(bytes) if bytes.is_empty() => return Ok(None),
            Ok(bytes) => bytes.into(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        self.memory
            .put(key, version.ctime, Arc::clone(&bytes), marked);
        // The file may have been deleted or replaced since it was examined, and forgotten before it was put
        // into memory.
        if usable(&path, version).ok().flatten().is_none() {
            self.memory.forget(key);
            return Ok(None);
        }
        Ok(Some(bytes))
    }

    /// Marks a thumbnail as used if its last mark is too old. Returns the time of the current mark.
    fn touch(&self, (id, variant): (ThumbId, Variant), metadata: &fs::Metadata) -> SystemTime {
        let now = SystemTime::from(self.clock.now());
        let touched = platform::last_used(metadata).and_then(|marked| {
            if !self.is_due(marked) {
                return Ok(marked);
            }
            let times = platform::used_at(FileTimes::new(), now);
            let folder = Shard::of(id).open(&self.top)?;
            let file = folder.file(Path::new(&layout::name_of(id, variant)))?;
            file.set_times(times).map(|()| now)
        });
        touched.unwrap_or_else(|error| {
            // The thumbnail is still usable. Only its time of last use is less exact.
            tracing::debug!(%error, "a thumbnail can't be marked as used");
            now
        })
    }

    fn is_due(&self, marked: SystemTime) -> bool {
        let now = SystemTime::from(self.clock.now());
        // A time in the future was written before the clock was set back.
        let ago = now.duration_since(marked);
        ago.is_err() || ago.is_ok_and(|ago| ago >= TOUCH_INTERVAL)
    }
}

/// Returns the metadata of a thumbnail's file if it is usable. A file left empty by a power cut is not, and
/// neither is one made of another state of the picture.
fn usable(path: &Path, version: PictureVersion) -> io::Result<Option<fs::Metadata>> {
    let is_usable = |found: &fs::Metadata| {
        let is_of_length = (1..=own_file::ITEM).contains(&found.len());
        found.is_file() && is_of_length && platform::has_source_ctime(found, version.ctime)
    };
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata).filter(is_usable)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
