//! Picture decoders that only the decoding program links: they export the names of C libraries, which the
//! libraries of the desktop window export as well. A process with two of a name calls either.
//!
//! [`all`] is what a decoding process passes to [`fumikura_image::InProcess`].

mod avif;
mod colour;
mod heif;
mod jpeg;
mod jxl;
mod raw;
mod reduce;
mod svg;
mod tiff;
mod webp;

use std::sync::Arc;

use fumikura_image::Codec;

pub use avif::Avif;
pub use heif::Heif;
pub use jpeg::Jpeg;
pub use jxl::Jxl;
pub use raw::Raw;
pub use svg::Svg;
pub use tiff::Tiff;
pub use webp::Webp;

/// Returns every codec of this crate.
#[must_use]
pub fn all() -> Vec<Arc<dyn Codec>> {
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
