//! Ratings, tags, captions, orientations, crops and dates of a picture, in an XMP sidecar beside it (ISO 16684-1), as digiKam and
//! darktable read and write them; and those in its own file, which is never changed.

mod bounds;
mod categories;
mod crop;
mod disk;
mod embedded;
mod encoding;
mod error;
mod location;
mod marks;
mod packet;
mod properties;
mod read;
mod schema;
mod splice;
mod tag;
mod tag_rename;
mod temp_file;
#[cfg(test)]
mod tests;
mod write;

pub use crop::CameraRawCrop;
pub use disk::MarksOutcome;
pub use disk::{SidecarFile, marks, read_file, set_marks, sidecar_name};
pub use embedded::{EmbeddedMarks, EmbeddedPlace, EmbeddedText, ExifText};
use encoding::Encoding;
pub use error::SidecarError;
pub use location::{EXTENSIONS, extension_rank, stem};
pub use marks::{
    CaptionChange, CropChange, Marks, MarksChange, OrientationChange, Rating, RatingChange,
    SidecarMarks, StatedMarks, TagsChange, TakenChange,
};
pub use read::read;
pub use tag::{Tag, TagError};
pub use tag_rename::TagRename;
pub use write::edit;
