//! Reads the pixels from a decoder of the `image` crate. A damaged picture yields the pixels that can be read.

use image::{ColorType, ImageDecoder};

use super::{Channels, Pixels};
use crate::DecodeError;
use crate::cicp::Hdr;

/// The sample values of unreadable pixels: grey, or transparent if there is opacity.
const MISSING_SAMPLE: u8 = 128;
const CLEAR: u8 = 0;

/// The samples of a picture as a decoder delivers them.
pub(super) struct Samples {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) colour: ColorType,
    /// The samples in the byte order of the machine.
    bytes: Vec<u8>,
}

impl Samples {
    /// Reads all that can be read. `is_png` marks a decoder that, when it fails, leaves the bytes of 16-bit samples
    /// in the order of the file.
    ///
    /// # Errors
    /// [`DecodeError`], also for a damaged picture of which nothing can be read.
    pub(super) fn read(decoder: impl ImageDecoder, is_png: bool) -> Result<Self, DecodeError> {
        let (width, height) = decoder.dimensions();
        let colour = decoder.color_type();
        let missing = if colour.has_alpha() {
            CLEAR
        } else {
            MISSING_SAMPLE
        };
        let length = usize::try_from(decoder.total_bytes())
            .map_err(|_| DecodeError::TooLarge("it needs too much memory".into()))?;
        let mut bytes = vec![missing; length];
        if let Err(error) = decoder.read_image(&mut bytes) {
            let error = DecodeError::from(error);
            let is_empty = bytes.iter().all(|&byte| byte == missing);
            if is_empty || !matches!(error, DecodeError::Damaged(_)) {
                return Err(error);
            }
            if is_png && bits(colour) == 16 {
                let (pairs, _) = bytes.as_chunks_mut();
                for pair in pairs {
                    *pair = u16::from_be_bytes(*pair).to_ne_bytes();
                }
            }
        }
        Ok(Self {
            width,
            height,
            colour,
            bytes,
        })
    }

    /// Converts the samples to 8 bits.
    pub(super) fn into_pixels(self) -> Result<Pixels, DecodeError> {
        let channels = match self.colour.channel_count() {
            1 => Channels::Gray,
            2 => Channels::GrayAlpha,
            3 => Channels::Rgb,
            _ => Channels::Rgba,
        };
        let bytes = match bits(self.colour) {
            8 => self.bytes,
            16 => self.integers().into_iter().map(upper).collect(),
            _ => self.fractions().into_iter().map(whole).collect(),
        };
        Pixels::new(self.width, self.height, channels, bytes)
            .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
    }

    /// Converts HDR samples, whose colours are named by code points, to sRGB.
    pub(super) fn into_srgb(self, hdr: Hdr) -> Result<Pixels, DecodeError> {
        let (channels, count) = match self.colour.has_alpha() {
            true => (Channels::Rgba, 4),
            false => (Channels::Rgb, 3),
        };
        let samples = match bits(self.colour) {
            16 => self.integers(),
            _ => self
                .bytes
                .iter()
                .map(|&byte| u16::from(byte) * 257)
                .collect(),
        };
        let bytes = hdr.to_srgb(&samples, count);
        Pixels::new(self.width, self.height, channels, bytes)
            .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
    }

    fn integers(&self) -> Vec<u16> {
        let (pairs, _) = self.bytes.as_chunks();
        pairs.iter().map(|&pair| u16::from_ne_bytes(pair)).collect()
    }

    fn fractions(&self) -> Vec<f32> {
        let (words, _) = self.bytes.as_chunks();
        words.iter().map(|&word| f32::from_ne_bytes(word)).collect()
    }
}

fn bits(colour: ColorType) -> u16 {
    colour.bits_per_pixel() / u16::from(colour.channel_count())
}

fn upper(number: u16) -> u8 {
    u8::try_from((u32::from(number) + 128) / 257).unwrap_or(u8::MAX)
}

fn whole(part: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0…255 before; what is no number becomes 0"
    )]
    let whole = (part * 255.0).round().clamp(0.0, 255.0) as u8;
    whole
}
