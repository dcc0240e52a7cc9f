//! Pictures: their formats, and everything that is read from their files.
//!
//! - [`PictureKind`]: the format, by the first bytes ([`kind_of`]); [`FormatFacts`]: how each format is read.
//! - [`Head`], [`PictureInfo`]: facts that are read from headers and metadata, without decoding.
//! - [`isobmff`], [`tiff`], [`raw`], [`cicp`]: containers and colour descriptions that formats share.
//! - [`Decode`]: from a file to a thumbnail of a [`Variant`]. [`Codec`]s in other crates decode the formats
//!   that this crate does not.
//!
//! Files are read within bounds that do not depend on what they claim.

mod camera;
pub mod cicp;
mod companions;
mod crop;
mod decode;
mod error;
mod exif_metadata;
mod formats;
mod guard;
mod header;
mod info;
pub mod isobmff;
mod limits;
mod orientation;
mod profile;
pub mod raw;
mod sniff;
mod text_metadata;
pub mod tiff;
mod turn;
mod variant;
mod video;
mod window;

pub use camera::{CameraName, LensName};
pub use companions::{CompanionKind, JoinedFiles, companion_stem, join_files, still_stem};
pub use crop::{Crop, CropArea, CropCorners, InvalidCrop};
pub use decode::{
    Channels, Codec, Decode, EncodedThumbnail, Encoders, InProcess, KeptMetadata, Picture,
    PictureHash, Pixels, Plane, Planes, Raster, Rendition, RenditionFormat, TargetSize,
    decode_from_memory, embed_xmp, upright,
};
pub use error::DecodeError;
pub use exif_metadata::{ExifMetadata, embedded_jpeg};
pub use formats::{
    FORMATS, FormatFacts, PictureKind, formats_document, is_picture_name, is_truncated,
    is_video_name, kind_of, picture_media_types,
};
pub use header::Head;
pub use info::{Camera, ExifField, Exposure, GpsPosition, PictureInfo};
pub use limits::Limits;
pub use sniff::SNIFFED;
pub use text_metadata::{ExifTexts, TextMetadata};
pub use turn::{InvalidTurn, Turn};
pub use variant::{Format, Mode, Size, Variant, VariantError};
pub use video::{VideoTimes, video_times};
