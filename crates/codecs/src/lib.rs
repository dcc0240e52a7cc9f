//! Picture decoders that are linked only into the decoding program: they export the names of C libraries, and
//! so do the libraries of the desktop window. In a process with two functions of one name, either may be
//! called.
//!
//! [`all`] returns the codecs to pass to [`fumikura_image::InProcess`].

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
