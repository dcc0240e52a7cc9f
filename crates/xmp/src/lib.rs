//! Ratings and tags of a picture, in an XMP sidecar beside it (ISO 16684-1), as digiKam and darktable read and write
//! them. The picture's own file is never changed.

mod aside;
mod beside;
mod bounds;
mod categories;
mod disk;
mod encoding;
mod error;
mod marks;
mod packet;
mod properties;
mod read;
mod schema;
mod splice;
mod tag;
#[cfg(test)]
mod tests;
mod write;

pub use beside::{ENDINGS, ending_rank, stem};
pub use disk::MarksOutcome;
pub use disk::{Written, marks, read_file, set_marks};
use encoding::Encoding;
pub use error::SidecarError;
pub use marks::{CaptionChange, Marks, MarksChange, Rating, RatingChange, TagsChange};
pub use read::read;
pub use tag::{Tag, TagError};
pub use write::edit;
