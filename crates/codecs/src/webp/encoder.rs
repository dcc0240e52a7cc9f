//! Lossy WebP by libwebp.
#![expect(
    unsafe_code,
    reason = "libwebp is a C library; each call states why it is sound"
)]

use std::ffi::c_int;
use std::ptr;
use std::slice;

use fumikura_image::DecodeError;
use image::DynamicImage;
use libwebp_sys::{WEBP_MAX_DIMENSION, WebPEncodeRGB, WebPEncodeRGBA, WebPFree};

pub(crate) fn encode(image: &DynamicImage, quality: u8) -> Result<Vec<u8>, DecodeError> {
    let (width, height) = (image.width(), image.height());
    if width.max(height) > WEBP_MAX_DIMENSION {
        let words = format!("a WebP has at most {WEBP_MAX_DIMENSION} pixels on a side");
        return Err(DecodeError::TooLarge(words));
    }
    let encoded = match image.color().has_alpha() {
        true => encoded(&image.to_rgba8(), (width, height), 4, quality),
        false => encoded(&image.to_rgb8(), (width, height), 3, quality),
    };
    encoded.ok_or_else(|| DecodeError::TooLarge("libwebp has too little memory".to_owned()))
}

/// Encodes pixels of three or four channels, which lie row by row without gaps.
fn encoded(
    pixels: &[u8],
    (width, height): (u32, u32),
    channels: u32,
    quality: u8,
) -> Option<Vec<u8>> {
    let side = |pixels: u32| c_int::try_from(pixels).ok();
    let (columns, rows, stride) = (side(width)?, side(height)?, side(width * channels)?);
    assert!(pixels.len() as u64 == u64::from(width * channels) * u64::from(height));
    let encode = match channels {
        4 => WebPEncodeRGBA,
        _ => WebPEncodeRGB,
    };
    let mut output = ptr::null_mut();
    // SAFETY: the library reads `rows` rows of `stride` bytes, which is the length of `pixels`, and writes the pointer.
    let length = unsafe {
        encode(
            pixels.as_ptr(),
            columns,
            rows,
            stride,
            f32::from(quality),
            &raw mut output,
        )
    };
    if output.is_null() {
        return None;
    }
    // SAFETY: the library has allocated and written `length` bytes there.
    let bytes = unsafe { slice::from_raw_parts(output, length) }.to_vec();
    // SAFETY: the buffer is the library's, and not used again.
    unsafe { WebPFree(output.cast()) };
    (!bytes.is_empty()).then_some(bytes)
}
