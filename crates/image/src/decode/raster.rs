//! Pixels in memory, 8 bits a channel.

use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};

use super::Planes;

/// The meaning of the bytes of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    /// Grey.
    Gray,
    /// Grey and opacity.
    GrayAlpha,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue and opacity.
    Rgba,
    /// Cyan, magenta, yellow, black; 255 is full ink.
    Cmyk,
}

impl Channels {
    /// Returns the number of bytes of a pixel.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
        }
    }
}

/// A decoded picture in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raster {
    /// The channels of a pixel are adjacent.
    Interleaved(Pixels),
    /// Each channel is a separate plane.
    Planar(Planes),
}

impl Raster {
    /// Creates a raster of interleaved pixels. `None` unless there are pixels, and exactly as many
    /// bytes as they take.
    #[must_use]
    pub fn new(width: u32, height: u32, channels: Channels, bytes: Vec<u8>) -> Option<Self> {
        Pixels::new(width, height, channels, bytes).map(Self::Interleaved)
    }
}

impl From<DynamicImage> for Raster {
    fn from(image: DynamicImage) -> Self {
        Self::Interleaved(image.into())
    }
}

/// Pixels in memory, row by row from the top, without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    channels: Channels,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Creates pixels. `None` unless there are pixels, and exactly as many bytes as they take.
    #[must_use]
    pub fn new(width: u32, height: u32, channels: Channels, bytes: Vec<u8>) -> Option<Self> {
        let pixels = u64::from(width) * u64::from(height);
        let fits = pixels > 0 && pixels.checked_mul(channels.count() as u64)? == bytes.len() as u64;
        fits.then_some(Self {
            width,
            height,
            channels,
            bytes,
        })
    }

    /// The number of pixels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The meaning of the bytes.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Returns the channels of all pixels.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the channels of all pixels without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Converts the pixels to the types of the `image` crate. Ink is converted to light in the
    /// simplest way; a caller with a profile converts the pixels first.
    pub(super) fn into_image(self) -> DynamicImage {
        let Self {
            width,
            height,
            channels,
            bytes,
        } = self;
        let image = match channels {
            Channels::Gray => GrayImage::from_raw(width, height, bytes).map(Into::into),
            Channels::GrayAlpha => GrayAlphaImage::from_raw(width, height, bytes).map(Into::into),
            Channels::Rgb => RgbImage::from_raw(width, height, bytes).map(Into::into),
            Channels::Rgba => RgbaImage::from_raw(width, height, bytes).map(Into::into),
            Channels::Cmyk => {
                RgbImage::from_raw(width, height, without_ink(&bytes)).map(Into::into)
            }
        };
        image.expect("BUG: there are width × height × channels bytes")
    }
}

impl From<DynamicImage> for Pixels {
    /// Keeps the upper 8 bits of channels with more.
    fn from(image: DynamicImage) -> Self {
        let (width, height) = (image.width(), image.height());
        let (channels, bytes) = match image.color().channel_count() {
            1 => (Channels::Gray, image.into_luma8().into_raw()),
            2 => (Channels::GrayAlpha, image.into_luma_alpha8().into_raw()),
            3 => (Channels::Rgb, image.into_rgb8().into_raw()),
            _ => (Channels::Rgba, image.into_rgba8().into_raw()),
        };
        Self {
            width,
            height,
            channels,
            bytes,
        }
    }
}

/// Converts CMYK to RGB: each ink absorbs its own light, and black absorbs all three.
fn without_ink(cmyk: &[u8]) -> Vec<u8> {
    let light = |ink: u8| u16::from(255 - ink);
    cmyk.chunks_exact(4)
        .flat_map(|pixel| {
            let [c, m, y, k] = [pixel[0], pixel[1], pixel[2], pixel[3]];
            [c, m, y].map(|ink| {
                u8::try_from((light(ink) * light(k) + 127) / 255)
                    .expect("BUG: a product of two parts is no more than the whole")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_count_must_match_the_pixels() {
        assert!(Pixels::new(2, 3, Channels::Rgb, vec![0; 18]).is_some());
        assert!(Pixels::new(2, 3, Channels::Rgb, vec![0; 17]).is_none());
        assert!(Pixels::new(2, 3, Channels::Rgba, vec![0; 18]).is_none());
        assert!(Pixels::new(0, 3, Channels::Rgb, Vec::new()).is_none());
        assert!(Pixels::new(u32::MAX, u32::MAX, Channels::Rgba, Vec::new()).is_none());
    }

    #[test]
    fn cmyk_becomes_rgb() {
        assert_eq!(without_ink(&[0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(without_ink(&[255, 0, 0, 0]), [0, 255, 255]);
        assert_eq!(without_ink(&[0, 0, 0, 255]), [0, 0, 0]);
        assert_eq!(without_ink(&[0, 255, 255, 127]), [128, 0, 0]);
    }
}
