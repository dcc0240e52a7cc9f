//! The formats of pictures: how each is read and shown, as `docs/FORMATS.md` has it.

mod document;
mod facts;

pub use document::formats_document;
pub use facts::FormatFacts;
