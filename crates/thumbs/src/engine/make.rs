//! Making one thumbnail: read, decode, look again whether the file stayed the same, place.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::failures::Failures;
use super::{Outcome, ThumbError, Thumbnail};
use crate::access::Found;
use crate::cache::{Cache, Keeper};
use crate::decode::{Decode, DecodeError, Made};
use crate::fingerprint::PictureVersion;
use crate::platform;
use crate::variant::Variant;

/// How often a thumbnail is made anew because its file changed meanwhile.
const TRIES: usize = 3;

/// Is told of every thumbnail that was made, with what it was made of.
pub(crate) type Notice = Box<dyn Fn(&Found, Variant, &Made) + Send + Sync>;

/// What making needs; shared by the workers.
pub(super) struct Maker {
    pub(super) cache: Arc<Cache>,
    pub(super) keeper: Keeper,
    pub(super) decoder: Arc<dyn Decode>,
    pub(super) failures: Failures,
    pub(super) notice: Notice,
    pub(super) generated: AtomicU64,
    pub(super) failed: AtomicU64,
}

impl Maker {
    /// The thumbnail if it is there, or the failure if it is known that there can be none.
    pub(super) fn known(&self, version: PictureVersion, variant: Variant) -> Option<Outcome> {
        if let Some(path) = self.cache.find(version, variant) {
            return Some(Ok(Arc::new(Thumbnail {
                version,
                variant,
                path,
                made: None,
            })));
        }
        self.failures.get(version).map(|error| Err(error.into()))
    }

    /// Makes the thumbnail of the picture as it is now. A file that is still being written gives
    /// no wrong thumbnail: what was made while it changed is thrown away, also an error.
    pub(super) fn make(&self, found: &Found, variant: Variant) -> Outcome {
        let outcome = self.attempt_until_unchanged(found, variant);
        if outcome.is_err() {
            self.failed.fetch_add(1, Ordering::Relaxed);
            self.cache.tell();
        }
        outcome
    }

    fn attempt_until_unchanged(&self, found: &Found, variant: Variant) -> Outcome {
        for _ in 0..TRIES {
            let (file, before) = found.source().open()?;
            if let Some(outcome) = self.known(before.version(), variant) {
                return outcome;
            }
            let watched = file.try_clone().map_err(io)?;
            let made = self.decoder.thumbnail(file, before.stat().size, variant);
            // Asked by the path, for a file that was replaced; and of what is there now, whether it
            // is the file that was read, since two of one fingerprint may follow each other.
            let (now, after) = found.source().open()?;
            if after == before && platform::is_same_file(&watched, &now).map_err(io)? {
                return self.place(&before, variant, made);
            }
        }
        Err(ThumbError::Changing)
    }

    fn place(&self, found: &Found, variant: Variant, made: Result<Made, DecodeError>) -> Outcome {
        let version = found.version();
        let made = made.inspect_err(|error| self.failures.remember(version, error))?;
        let path = self
            .cache
            .place(version, variant, &made.bytes)
            .map_err(|error| ThumbError::Storage(Arc::new(error)))?;
        if self.cache.is_too_full() {
            self.keeper.make_room();
        }
        self.generated.fetch_add(1, Ordering::Relaxed);
        (self.notice)(found, variant, &made);
        Ok(Arc::new(Thumbnail {
            version,
            variant,
            path,
            made: Some(made.bytes.into()),
        }))
    }
}

fn io(error: std::io::Error) -> ThumbError {
    ThumbError::Access(error.into())
}
