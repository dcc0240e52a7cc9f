//! Picture decoders that are linked only into the decoding program: they export the names of C libraries, and
//! so do the libraries of the desktop window. In a process with two functions of one name, either may be
//! called.
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
mod webp;

use std::sync::Arc;

use fumikura_image::{Codec, InProcess, Limits};

pub use avif::Avif;
pub use heif::Heif;
pub use jpeg::Jpeg;
pub use jxl::Jxl;
pub use raw::Raw;
pub use svg::Svg;
pub use tiff::Tiff;
pub use webp::{Webp, WebpEncoder};

/// Returns a decoder with every codec and encoder of this crate.
#[must_use]
pub fn in_process(limits: Limits) -> InProcess {
    InProcess {
        limits,
        codecs: all(),
        lossy_webp: Some(Arc::new(WebpEncoder)),
    }
}

/// Returns every codec of this crate.
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
