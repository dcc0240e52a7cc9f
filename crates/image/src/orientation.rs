//! The orientation in which a picture is shown.

use image::ImageDecoder;
use image::metadata::Orientation;

use crate::tiff::orientation_in;

/// Returns the orientation of the picture. Unreadable metadata counts as none: the picture is worth more than its
/// metadata.
pub(crate) fn orientation_of(decoder: &mut impl ImageDecoder) -> Orientation {
    let notes = decoder.exif_metadata().unwrap_or(None);
    let stated = match notes {
        Some(notes) => orientation_in(&notes),
        None => decoder.orientation().ok(),
    };
    stated.unwrap_or(Orientation::NoTransforms)
}

/// Returns true if the orientation swaps width and height.
pub(crate) fn turns_sideways(orientation: Orientation) -> bool {
    match orientation {
        Orientation::Rotate90
        | Orientation::Rotate270
        | Orientation::Rotate90FlipH
        | Orientation::Rotate270FlipH => true,
        Orientation::NoTransforms
        | Orientation::Rotate180
        | Orientation::FlipHorizontal
        | Orientation::FlipVertical => false,
    }
}
