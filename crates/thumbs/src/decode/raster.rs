//! Pixels in memory, 8 bits a channel.

use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};

use super::Planes;

/// What the bytes of a pixel mean.
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
    /// How many bytes a pixel takes.
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
    /// Each pixel's channels lie side by side.
    Interleaved(Pixels),
    /// Each channel is a plane of its own.
    Planar(Planes),
}

impl Raster {
    /// Of interleaved pixels. `None` unless there are pixels, and exactly as many bytes as they take.
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
    /// `None` unless there are pixels, and exactly as many bytes as they take.
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

    /// Pixels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// What the bytes mean.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// The channels of all pixels.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The channels of all pixels, as they are in memory.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The same pixels in the terms of the `image` crate. Ink becomes light in the plainest way;
    /// who has a profile converts before.
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
    /// Of more than 8 bits a channel, the upper 8.
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

/// Each ink takes its light away, and black takes all three.
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
    fn there_are_exactly_the_bytes_that_the_pixels_take() {
        assert!(Pixels::new(2, 3, Channels::Rgb, vec![0; 18]).is_some());
        assert!(Pixels::new(2, 3, Channels::Rgb, vec![0; 17]).is_none());
        assert!(Pixels::new(2, 3, Channels::Rgba, vec![0; 18]).is_none());
        assert!(Pixels::new(0, 3, Channels::Rgb, Vec::new()).is_none());
        assert!(Pixels::new(u32::MAX, u32::MAX, Channels::Rgba, Vec::new()).is_none());
    }

    #[test]
    fn ink_becomes_light() {
        assert_eq!(without_ink(&[0, 0, 0, 0]), [255, 255, 255]);
        assert_eq!(without_ink(&[255, 0, 0, 0]), [0, 255, 255]);
        assert_eq!(without_ink(&[0, 0, 0, 255]), [0, 0, 0]);
        assert_eq!(without_ink(&[0, 255, 255, 127]), [128, 0, 0]);
    }
}
