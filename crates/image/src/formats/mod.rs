//! The formats of pictures, and the way each is read and shown, as documented in `docs/FORMATS.md`.

mod document;
mod facts;
mod recognition;
mod videos;

pub use document::{formats_document, picture_media_types};
pub(crate) use facts::{ExifPlace, Profile, TextPlace};
pub use facts::{FORMATS, FormatFacts, PictureKind};
pub use recognition::{is_picture_name, is_truncated, is_video_name, kind_of};
