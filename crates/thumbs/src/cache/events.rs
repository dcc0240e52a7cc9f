//! Events of the cache and of the engine, for their one listener.

use std::sync::OnceLock;

use fumikura_fs::{SourceFile, ThumbId};
use fumikura_image::{PictureHash, Variant};

use super::EvictionStats;

/// A change of the cache or of its statistics.
#[derive(Debug, Clone)]
pub enum ThumbsEvent {
    /// A thumbnail was made.
    Made {
        /// The picture, in the state of which the thumbnail was made.
        source_file: SourceFile,
        variant: Variant,
        /// Its size in bytes.
        bytes: u64,
        /// The hash of the picture, for a variant that has one.
        hash: Option<PictureHash>,
    },
    /// A thumbnail was deleted to make room.
    Evicted {
        /// The id of the picture.
        id: ThumbId,
        variant: Variant,
    },
    /// An eviction run ended.
    EvictionEnded(EvictionStats),
    /// The contents of the cache changed, a count started or ended, or a thumbnail could not be made. Published often.
    StatsChanged,
}

/// The publisher of events, and its listener.
#[derive(Default)]
pub(crate) struct Events(OnceLock<Box<dyn Fn(ThumbsEvent) + Send + Sync>>);

impl Events {
    /// Sets the listener. The first listener is kept.
    pub(crate) fn listen(&self, listener: impl Fn(ThumbsEvent) + Send + Sync + 'static) {
        self.0.get_or_init(|| Box::new(listener));
    }

    pub(crate) fn publish(&self, event: ThumbsEvent) {
        if let Some(listener) = self.0.get() {
            listener(event);
        }
    }
}
