//! The errors of a TIFF.

use fumikura_image::DecodeError;

pub(super) fn damaged(what: &str) -> DecodeError {
    DecodeError::Damaged(what.into())
}

pub(super) fn unsupported(what: &str) -> DecodeError {
    DecodeError::UnsupportedKind(format!("image/tiff ({what})").into())
}
