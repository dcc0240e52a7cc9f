//! Thumbnails: the cache in memory and on the disk, requests that share the work, and the processes that decode
//! (docs/spec/thumbnails.md).
//!
//! Synchronous, and without knowledge of HTTP. Request a [`Variant`](fumikura_image::Variant) of a
//! [`SourceFile`](fumikura_fs::SourceFile) from [`Thumbs`], and hold the [`Ticket`].

mod cache;
mod engine;
mod priority;
mod thumbs;
mod worker;

pub use cache::{
    CacheFolderError, CacheStats, Candidate, Capacity, EvictionPool, EvictionStats, MoveOutcome,
    SAMPLES, ThumbsEvent, can_hold_cache, move_cache, stored_key,
};
pub use engine::{
    BytesResponse, EngineStats, Outcome, QueueResponse, ThumbError, Thumbnail, Ticket,
};
pub use priority::{InvalidPriority, Priority};
pub use thumbs::{OpenThumbsError, Thumbs, ThumbsConfig};
pub use worker::{
    ServeError, WorkerConfig, WorkerError, WorkerLimits, Workers, enter_sandbox, serve,
    serve_videos,
};
