//! The formats of pictures, and the way each is read and shown, as documented in `docs/FORMATS.md`.

mod document;
mod facts;
mod page;
mod recognition;

pub use document::formats_document;
pub(crate) use facts::{ExifPlace, Profile};
pub use facts::{FORMATS, FormatFacts};
pub use page::formats_for_page;
pub use recognition::{is_picture_name, kind_of};
