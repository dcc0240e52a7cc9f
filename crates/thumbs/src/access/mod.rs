//! Access to files that are named by a root and a relative path. They are opened beneath the root's handle
//! and nowhere else (docs/spec/thumbnails.md, Access).

mod beneath;
mod error;
mod source;

pub(crate) use beneath::Beneath;
pub use error::AccessError;
pub use source::{Found, Source};
