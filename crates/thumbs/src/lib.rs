//! Thumbnails of pictures in folders that the user chose: fingerprints, the cache on disk, decoding, access
//! to the folders and their listings (docs/spec/thumbnails.md).
//!
//! Synchronous, and without knowledge of HTTP. [`Thumbs`] is the facade: name a [`Source`],
//! [`find`](Source::find) it, request a [`Variant`], hold the [`Ticket`].

mod cache;
mod camera;
pub mod cicp;
mod config;
mod decode;
mod engine;
mod files;
mod formats;
mod info;
pub mod isobmff;
mod listing;
mod original;
mod priority;
pub mod raw;
pub mod sidecar;
mod sniff;
mod survey;
mod thumbs;
pub mod tiff;
mod variant;
mod watch;
mod worker;

pub use cache::{
    CacheEvent, CacheFolderError, CacheStats, Candidate, Capacity, FolderKey, Freed, Moved, Pool,
    SAMPLES, can_hold_cache, move_cache,
};
pub use camera::CameraName;
pub use config::Config;
pub use decode::{
    Channels, Codec, Decode, DecodeError, Head, InProcess, Limits, Made, Picture, Pixels, Plane,
    Planes, Raster, ThumbHash, Wanted, decode_from_memory, upright,
};
pub use engine::{Accepted, EngineStats, Outcome, Requested, ThumbError, Thumbnail, Ticket};
pub use files::{
    Done, Existing, FileError, Files, FilesProgress, NameError, NotCopied, Obstacle, Operation,
    OperationId, OperationKind, Stuck, home_bin,
};
pub use formats::{FormatFacts, formats_document};
pub use info::{Camera, Exposure, Note, PictureInfo, Place};
pub use listing::{
    Entry, EntryKind, Group, GroupBy, GroupKey, HeadersRead, InvalidSnapshotId, ListQuery,
    ListQueryError, Listed, Listing, Only, Order, PictureType, Rated, Reach, RootPictures,
    SnapshotId, Sort,
};
pub use original::{Original, OriginalError};
pub use priority::{InvalidPriority, Priority};
pub use sniff::PictureKind;
pub use survey::CacheFile;
pub use thumbs::{OpenError, Thumbs};
pub use variant::{Format, Mode, Size, Variant, VariantError};
pub use watch::{Changed, Lease, Watcher, Watching};
pub use worker::{
    ServeError, WorkerConfig, WorkerError, WorkerLimits, Workers, enter_sandbox, serve,
};
