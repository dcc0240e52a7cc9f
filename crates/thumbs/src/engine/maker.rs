//! Makes one thumbnail: reads, decodes, checks that the file did not change, places the result.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fumikura_fs::{PictureVersion, Source, SourceFile, platform};
use fumikura_image::{Decode, DecodeError, EncodedThumbnail, Variant};

use super::failures::Failures;
use super::{Outcome, ThumbError, Thumbnail};
use crate::cache::{Cache, Maintenance};

/// The number of attempts to make a thumbnail whose file changes meanwhile.
const MAX_ATTEMPTS: usize = 3;

/// A callback for every thumbnail that was made, with the file it was made of.
pub(crate) type MadeCallback = Box<dyn Fn(&SourceFile, Variant, &EncodedThumbnail) + Send + Sync>;

/// The state for making thumbnails, shared by the workers.
pub(super) struct Maker {
    pub(super) cache: Arc<Cache>,
    pub(super) maintenance: Maintenance,
    pub(super) decoder: Arc<dyn Decode>,
    pub(super) failures: Failures,
    pub(super) on_made: MadeCallback,
    pub(super) generated: AtomicU64,
    pub(super) failed: AtomicU64,
}

impl Maker {
    /// Returns the thumbnail if it exists, or the failure if it is known to be impossible.
    pub(super) fn lookup(&self, version: PictureVersion, variant: Variant) -> Option<Outcome> {
        if let Some(path) = self.cache.find(version, variant) {
            return Some(Ok(Arc::new(Thumbnail {
                version,
                variant,
                path,
                made: None,
                hash: None,
            })));
        }
        self.failures.get(version).map(|error| Err(error.into()))
    }

    /// Makes the thumbnail of the picture as it is now. A file that is still being written gives no wrong
    /// thumbnail: a result made while it changed is discarded, even an error.
    pub(super) fn make(&self, source_file: &SourceFile, variant: Variant) -> Outcome {
        let outcome = self.attempt_until_unchanged(source_file, variant);
        if outcome.is_err() {
            self.failed.fetch_add(1, Ordering::Relaxed);
            self.cache.publish_failure();
        }
        outcome
    }

    fn attempt_until_unchanged(&self, source_file: &SourceFile, variant: Variant) -> Outcome {
        for _ in 0..MAX_ATTEMPTS {
            let (file, before) = source_file.source().open()?;
            if let Some(outcome) = self.lookup(before.version(), variant) {
                return outcome;
            }
            let handle = file.try_clone().map_err(io)?;
            let made = self.decoder.thumbnail(file, before.stat().size, variant);
            // The path is opened again, to detect a replaced file. The identity of the file is compared too,
            // since two files of one fingerprint may follow each other.
            let (now, after) = source_file.source().open()?;
            if after == before && platform::is_same_file(&handle, &now).map_err(io)? {
                return self.place(&before, variant, made);
            }
        }
        Err(ThumbError::Changing)
    }

    /// Makes a file of the picture as it is now, which is not cached.
    pub(super) fn produce(
        &self,
        source: &Source,
        produced_by: impl Fn(&dyn Decode, File, u64) -> Result<Vec<u8>, DecodeError>,
    ) -> Result<Vec<u8>, ThumbError> {
        for _ in 0..MAX_ATTEMPTS {
            let (file, before) = source.open()?;
            let handle = file.try_clone().map_err(io)?;
            let made = produced_by(&*self.decoder, file, before.stat().size);
            let (now, after) = source.open()?;
            if after == before && platform::is_same_file(&handle, &now).map_err(io)? {
                return Ok(made?);
            }
        }
        Err(ThumbError::Changing)
    }

    fn place(
        &self,
        source_file: &SourceFile,
        variant: Variant,
        made: Result<EncodedThumbnail, DecodeError>,
    ) -> Outcome {
        let version = source_file.version();
        let made = made.inspect_err(|error| self.failures.remember(version, error))?;
        let path = self
            .cache
            .place(version, variant, &made.bytes)
            .map_err(|error| ThumbError::Storage(Arc::new(error)))?;
        if self.cache.is_too_full() {
            self.maintenance.make_room();
        }
        self.generated.fetch_add(1, Ordering::Relaxed);
        (self.on_made)(source_file, variant, &made);
        Ok(Arc::new(Thumbnail {
            version,
            variant,
            path,
            made: Some(made.bytes.into()),
            hash: made.hash,
        }))
    }
}

fn io(error: std::io::Error) -> ThumbError {
    ThumbError::Access(error.into())
}
