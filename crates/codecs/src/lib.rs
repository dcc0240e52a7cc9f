//! Picture decoders, which only the decoding processes run: they have the names of C libraries, and so do the libraries of
//! the desktop window. In a process with two exported functions of one name, either may be called.
//!
//! [`in_process`] returns the decoder with all of them.

mod avif;
mod colour;
mod heif;
mod jpeg;
mod jxl;
mod raw;
mod reduce;
mod svg;
mod tiff;
mod video;
mod webp;

use std::sync::Arc;

use fumikura_image::{Codec, DecodeError, Encoders, InProcess, Limits};
use image::DynamicImage;

pub use avif::Avif;
pub use heif::Heif;
pub use jpeg::Jpeg;
pub use jxl::Jxl;
pub use raw::Raw;
pub use svg::Svg;
pub use tiff::Tiff;
pub use video::Video;
pub use webp::Webp;

/// Returns a decoder with every codec and encoder of this crate.
#[must_use]
pub fn in_process(limits: Limits) -> InProcess {
    InProcess {
        limits,
        codecs: all(),
        encoders: Some(Arc::new(AllEncoders)),
    }
}

#[derive(Debug)]
struct AllEncoders;

impl Encoders for AllEncoders {
    fn webp(&self, image: &DynamicImage, quality: u8) -> Result<Vec<u8>, DecodeError> {
        webp::encode(image, quality)
    }

    fn avif(
        &self,
        image: &DynamicImage,
        quality: u8,
        exif: Option<&[u8]>,
    ) -> Result<Vec<u8>, DecodeError> {
        avif::encode(image, quality, exif)
    }
}

/// Returns a decoder of videos alone.
#[must_use]
pub fn videos_in_process(video: Video, limits: Limits) -> InProcess {
    InProcess {
        codecs: vec![Arc::new(video)],
        ..InProcess::new(limits)
    }
}

/// Returns every codec of pictures.
fn all() -> Vec<Arc<dyn Codec>> {
    vec![
        Arc::new(Jpeg),
        Arc::new(Jxl),
        Arc::new(Heif),
        Arc::new(Avif),
        Arc::new(Svg),
        Arc::new(Webp),
        Arc::new(Tiff),
        Arc::new(Raw),
    ]
}
