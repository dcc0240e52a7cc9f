//! From a picture's file to the bytes of a thumbnail.
//!
//! The engine knows only [`Decode`]; where and how the work is done is behind it. [`InProcess`]
//! does it in the calling thread with the `image` crate's decoders: JPEG, PNG, GIF and WebP, of
//! animations the first frame.
//!
//! Damaged files: what the decoders can still read is shown, the way browsers do it. A JPEG that
//! ends too early keeps its upper part and is grey below; a GIF or PNG that ends too early is an
//! error.

mod channels;
mod colour;
mod encode;
mod error;
mod head;
mod limits;
mod scale;
mod source;
mod window;

use std::fs::File;

pub use error::DecodeError;
pub use head::Head;
pub(crate) use head::head;
pub use limits::Limits;

use crate::variant::Variant;
use scale::Plan;

/// Makes thumbnails.
pub trait Decode: Send + Sync + 'static {
    /// The bytes of the thumbnail `variant` of the picture in `file`, which stands at its start and
    /// is `length` bytes long. Upright, in sRGB, without metadata.
    ///
    /// # Errors
    /// [`DecodeError`]; a hostile picture may cost an error, and nothing else.
    fn thumbnail(&self, file: File, length: u64, variant: Variant) -> Result<Vec<u8>, DecodeError>;
}

/// Decodes in the calling thread.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess {
    /// What one picture may cost.
    pub limits: Limits,
}

impl Decode for InProcess {
    fn thumbnail(&self, file: File, length: u64, variant: Variant) -> Result<Vec<u8>, DecodeError> {
        let decoded = source::decode(file, length, self.limits)?;
        source::guarded(|| {
            // Scaled as the file stores it and turned afterwards: turning costs by the pixel.
            let (width, height) = (decoded.image.width(), decoded.image.height());
            let plan = if head::turns_sideways(decoded.orientation) {
                Plan::new(height, width, variant.size, variant.mode).transposed()
            } else {
                Plan::new(width, height, variant.size, variant.mode)
            };
            let scaled = scale::scale(decoded.image, plan)?;
            let mut image = colour::to_srgb(scaled, decoded.profile.as_deref());
            image.apply_orientation(decoded.orientation);
            encode::encode(image, variant.format)
        })
    }
}
