//! Picture folders as one: the roots, their listings, file operations, sidecars and thumbnails
//! (docs/spec/thumbnails.md).
//!
//! The parts are crates of their own and do not know each other; [`Pictures`] opens them together and passes what one
//! learns to the others.

mod cache_files;
mod config;
mod events;
mod pictures;

pub use cache_files::CacheFile;
pub use config::Config;
pub use events::{CacheEvent, PicturesEvent};
pub use pictures::{OpenError, Pictures};
