//! Access: files named by a root and a relative path, opened beneath the root's handle and nowhere
//! else (thumbnail-server.md §3.4).

mod beneath;
mod error;
mod source;

pub(crate) use beneath::Beneath;
pub use error::AccessError;
pub use source::{Found, Source};
