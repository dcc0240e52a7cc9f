//! Lossy WebP by libwebp.
#![expect(
    unsafe_code,
    reason = "libwebp is a C library; each call states why it is sound"
)]

use std::ffi::c_int;
use std::slice;

use fumikura_image::DecodeError;
use image::DynamicImage;
use libwebp_sys::{
    WEBP_MAX_DIMENSION, WebPConfig, WebPEncode, WebPMemoryWrite, WebPMemoryWriter,
    WebPMemoryWriterClear, WebPMemoryWriterInit, WebPPicture, WebPPictureFree,
    WebPPictureImportRGB, WebPPictureImportRGBA,
};

/// The work to make a file small, 0 to 6.
const THOROUGH: c_int = 4;
const FAST: c_int = 0;

pub(crate) fn encode(image: &DynamicImage, quality: u8) -> Result<Vec<u8>, DecodeError> {
    encode_with(image, quality, THOROUGH)
}

/// Encodes in a quarter of the time, into a larger file.
pub(crate) fn encode_fast(image: &DynamicImage, quality: u8) -> Result<Vec<u8>, DecodeError> {
    encode_with(image, quality, FAST)
}

fn encode_with(image: &DynamicImage, quality: u8, method: c_int) -> Result<Vec<u8>, DecodeError> {
    let size = (image.width(), image.height());
    if size.0.max(size.1) > WEBP_MAX_DIMENSION {
        let words = format!("a WebP has at most {WEBP_MAX_DIMENSION} pixels on a side");
        return Err(DecodeError::TooLarge(words));
    }
    let encoded = match image.color().has_alpha() {
        true => encoded(&image.to_rgba8(), size, 4, (quality, method)),
        false => encoded(&image.to_rgb8(), size, 3, (quality, method)),
    };
    encoded.ok_or_else(|| DecodeError::TooLarge("libwebp has too little memory".to_owned()))
}

/// Encodes pixels of three or four channels, which lie row by row without gaps.
fn encoded(
    pixels: &[u8],
    (width, height): (u32, u32),
    channels: u32,
    (quality, method): (u8, c_int),
) -> Option<Vec<u8>> {
    let side = |pixels: u32| c_int::try_from(pixels).ok();
    let (columns, rows, stride) = (side(width)?, side(height)?, side(width * channels)?);
    assert!(pixels.len() as u64 == u64::from(width * channels) * u64::from(height));
    let mut config = WebPConfig::new().ok()?;
    (config.quality, config.method) = (f32::from(quality), method);
    let import = match channels {
        4 => WebPPictureImportRGBA,
        _ => WebPPictureImportRGB,
    };
    let mut output = Output::new();
    let mut picture = Imported(WebPPicture::new().ok()?);
    (picture.0.width, picture.0.height) = (columns, rows);
    picture.0.writer = Some(WebPMemoryWrite);
    picture.0.custom_ptr = (&raw mut output.0).cast();
    // SAFETY: the library reads `rows` rows of `stride` bytes, which is the length of `pixels`, and copies them.
    let is_imported = unsafe { import(&raw mut picture.0, pixels.as_ptr(), stride) } != 0;
    // SAFETY: both structures were initialized; the library calls the writer with `output`, which outlives the picture.
    let is_encoded =
        is_imported && unsafe { WebPEncode(&raw const config, &raw mut picture.0) } != 0;
    (is_encoded && output.0.size > 0).then(|| output.bytes().to_vec())
}

/// A picture in the library's memory.
struct Imported(WebPPicture);

impl Drop for Imported {
    fn drop(&mut self) {
        // SAFETY: the picture was initialized, and is freed once.
        unsafe { WebPPictureFree(&raw mut self.0) };
    }
}

/// The bytes that the library writes.
struct Output(WebPMemoryWriter);

impl Output {
    fn new() -> Self {
        let mut writer = std::mem::MaybeUninit::uninit();
        // SAFETY: the library writes the whole structure.
        unsafe { WebPMemoryWriterInit(writer.as_mut_ptr()) };
        // SAFETY: the call has initialized it.
        Self(unsafe { writer.assume_init() })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the library has allocated and written as many bytes there. Callers have checked that there are some.
        unsafe { slice::from_raw_parts(self.0.mem, self.0.size) }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // SAFETY: the writer was initialized, and is cleared once.
        unsafe { WebPMemoryWriterClear(&raw mut self.0) };
    }
}
