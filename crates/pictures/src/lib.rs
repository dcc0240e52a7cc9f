//! Picture folders: the roots, their listings, file operations, sidecars and thumbnails behind one facade
//! (docs/spec/thumbnails.md).
//!
//! Each part is a crate of its own and knows nothing of the others. [`Pictures`] opens them together and
//! forwards events between them.

mod cache_files;
mod config;
mod covers;
mod duplicates;
mod events;
mod export;
mod jpeg_orientation;
mod pictures;
mod rotation;
mod tags;

pub use cache_files::CacheFile;
pub use config::Config;
pub use duplicates::{
    ComparedFile, ContentHash, ContentHasher, DuplicatePicture, Duplicates, DuplicatesProgress,
    Look, MemberFacts, Proposal, SearchCancelled, propose,
};
pub use events::{CacheEvent, PicturesEvent};
pub use export::{ExportError, PictureFacts};
pub use pictures::{MarkError, OpenError, PictureChange, PictureMarks, Pictures};
pub use rotation::RotationError;
pub use tags::{AllTags, TagTargets, TagsOutcome, TagsRequest};
