//! Limits for the cost of a picture. They are checked against the header alone, before anything is
//! decoded.

use image::{ImageDecoder, Limits as DecoderLimits};

use crate::DecodeError;

/// The limits for one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Width × height, as stated in the header.
    pub pixels: u64,
    /// The longest side, in pixels.
    pub side: u32,
    /// The length of the file, in bytes: some decoders hold the whole file in memory.
    pub file_bytes: u64,
}

impl Default for Limits {
    /// Allows 150 megapixels, 65,535 pixels on a side, files of 512 MiB.
    fn default() -> Self {
        Self {
            pixels: 150_000_000,
            side: 65_535,
            file_bytes: 512 << 20,
        }
    }
}

/// The memory that a decoder may use besides the picture itself, in bytes: for tables, rows and a
/// previous frame.
const WORKING_BYTES: u64 = 64 << 20;
/// The memory that is allowed for a pixel, in bytes: RGBA with 8 bits each. Pictures with 16 bits a
/// channel therefore reach half the number of pixels.
const BYTES_PER_PIXEL: u64 = 4;

impl Limits {
    /// Returns the same limits in the decoders' terms.
    pub(super) fn for_decoder(self) -> DecoderLimits {
        let mut limits = DecoderLimits::no_limits();
        limits.max_image_width = Some(self.side);
        limits.max_image_height = Some(self.side);
        limits.max_alloc = Some(self.pixels * BYTES_PER_PIXEL + WORKING_BYTES);
        limits
    }

    /// Returns the limits for reading a header. Some formats have compressed metadata in front of
    /// the pixels.
    pub(super) fn for_header(self) -> DecoderLimits {
        let mut limits = self.for_decoder();
        limits.max_alloc = Some(WORKING_BYTES);
        limits
    }

    /// Checks that a picture with this many pixels, by its header, may be decoded.
    ///
    /// # Errors
    /// [`DecodeError`] for too many pixels, and for none.
    pub fn allow(self, width: u32, height: u32) -> Result<(), DecodeError> {
        if width == 0 || height == 0 {
            return Err(DecodeError::Damaged("it claims to have no pixels".into()));
        }
        if u64::from(width) * u64::from(height) > self.pixels {
            return Err(DecodeError::TooManyPixels {
                width,
                height,
                limit: self.pixels,
            });
        }
        if width.max(height) > self.side {
            let (side, limit) = (width.max(height), self.side);
            let error = format!("a side has {side} pixels; at most {limit} are decoded");
            return Err(DecodeError::TooLarge(error));
        }
        Ok(())
    }

    /// Refuses a picture whose header claims too much, and limits its decoder to the memory that is
    /// left.
    pub(super) fn apply(self, decoder: &mut impl ImageDecoder) -> Result<(), DecodeError> {
        let (width, height) = decoder.dimensions();
        self.allow(width, height)?;
        let mut limits = self.for_decoder();
        limits.reserve(decoder.total_bytes())?;
        decoder.set_limits(limits)?;
        Ok(())
    }
}
