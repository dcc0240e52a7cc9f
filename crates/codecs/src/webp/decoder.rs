//! A safe interface to libwebp.
#![expect(
    unsafe_code,
    reason = "libwebp is a C library; each call states why it is sound"
)]

use std::ffi::c_int;
use std::mem;
use std::ptr;

use fumikura_image::DecodeError;
use libwebp_sys::{
    VP8StatusCode, WEBP_CSP_MODE, WebPBitstreamFeatures, WebPDecode, WebPDecoderConfig,
    WebPGetFeatures, WebPIDecode, WebPIDecodedArea, WebPIDelete, WebPIUpdate, WebPRGBABuffer,
    WebPYUVABuffer,
};

/// A channel of a grey pixel, which is shown if the file ends before its picture does.
const GREY: u8 = 128;
/// The reduction from which deblocking is skipped: its changes are invisible once this many pixels become one.
const UNFILTERED_FROM: u32 = 4;

/// The contents of a file's head.
#[derive(Debug, Clone, Copy)]
pub(super) struct Features {
    /// The width in pixels.
    pub(super) width: u32,
    /// The height in pixels.
    pub(super) height: u32,
    pub(super) is_animated: bool,
    has_opacity: bool,
    is_lossy: bool,
}

/// The size in which a picture is decoded.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputSize {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A decoded picture, row by row without gaps.
pub(super) enum Output {
    /// Luma, and chroma of half as many samples along each side, in the narrow range.
    Planes {
        luma: Vec<u8>,
        chroma: [Vec<u8>; 2],
    },
    Rgb(Vec<u8>),
    Rgba(Vec<u8>),
}

impl Features {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        const LOSSY: c_int = 1;
        // SAFETY: a plain structure of numbers, for which zeros are valid.
        let mut features: WebPBitstreamFeatures = unsafe { mem::zeroed() };
        // SAFETY: the library reads the bytes within their length, and writes the structure.
        let status = unsafe { WebPGetFeatures(bytes.as_ptr(), bytes.len(), &raw mut features) };
        if status != VP8StatusCode::VP8_STATUS_OK {
            return Err(DecodeError::Damaged("its head is damaged".into()));
        }
        let side = |pixels| u32::try_from(pixels).unwrap_or(0);
        Ok(Self {
            width: side(features.width),
            height: side(features.height),
            is_animated: features.has_animation != 0,
            has_opacity: features.has_alpha != 0,
            is_lossy: features.format == LOSSY,
        })
    }

    /// Returns a buffer for the picture, filled with the colour that is shown if the file ends too early.
    fn output(self, output_size: OutputSize) -> Output {
        let samples = |width: u32, height: u32| width as usize * height as usize;
        let pixels = samples(output_size.width, output_size.height);
        if self.has_opacity {
            return Output::Rgba(vec![0; pixels * 4]);
        }
        if !self.is_lossy {
            return Output::Rgb(vec![GREY; pixels * 3]);
        }
        let half = samples(
            output_size.width.div_ceil(2),
            output_size.height.div_ceil(2),
        );
        Output::Planes {
            luma: vec![GREY; pixels],
            chroma: [vec![GREY; half], vec![GREY; half]],
        }
    }
}

/// Decodes the picture, as far as the file reaches. Returns `None` if nothing can be decoded.
pub(super) fn decode(
    bytes: &[u8],
    features: Features,
    output_size: OutputSize,
    is_reduced: bool,
) -> Option<Output> {
    let mut output = features.output(output_size);
    let mut config = WebPDecoderConfig::new().ok()?;
    let side = |pixels: u32| c_int::try_from(pixels).ok();
    if is_reduced {
        config.options.use_scaling = 1;
        config.options.scaled_width = side(output_size.width)?;
        config.options.scaled_height = side(output_size.height)?;
    }
    let is_small = features.width / output_size.width >= UNFILTERED_FROM;
    config.options.bypass_filtering = is_small.into();
    point_at(&mut config, &mut output, output_size.width)?;
    // SAFETY: the library reads the bytes within their length; it writes within the buffers of `output`,
    // whose lengths it knows, and which outlive the call.
    let status = unsafe { WebPDecode(bytes.as_ptr(), bytes.len(), &raw mut config) };
    let is_decoded = match status {
        VP8StatusCode::VP8_STATUS_OK => true,
        VP8StatusCode::VP8_STATUS_OUT_OF_MEMORY
        | VP8StatusCode::VP8_STATUS_INVALID_PARAM
        | VP8StatusCode::VP8_STATUS_UNSUPPORTED_FEATURE
        | VP8StatusCode::VP8_STATUS_USER_ABORT => false,
        VP8StatusCode::VP8_STATUS_BITSTREAM_ERROR
        | VP8StatusCode::VP8_STATUS_SUSPENDED
        | VP8StatusCode::VP8_STATUS_NOT_ENOUGH_DATA => {
            output = features.output(output_size);
            point_at(&mut config, &mut output, output_size.width)?;
            decode_beginning(bytes, &mut config)
        }
    };
    is_decoded.then_some(output)
}

/// Decodes the available rows of a file that ends too early or is damaged. Returns `false` if there are none.
fn decode_beginning(bytes: &[u8], config: &mut WebPDecoderConfig) -> bool {
    let config: *mut WebPDecoderConfig = config;
    // SAFETY: the library reads the bytes within their length. It keeps a pointer to the configuration, which
    // outlives the decoder: that is deleted below.
    let decoder = unsafe { WebPIDecode(bytes.as_ptr(), bytes.len(), config) };
    if decoder.is_null() {
        return false;
    }
    let mut rows = 0;
    // SAFETY: the decoder is valid until it is deleted, which happens once. The library allows null for
    // unused results, and writes the rows within the buffers that the configuration names.
    unsafe {
        WebPIUpdate(decoder, bytes.as_ptr(), bytes.len());
        let (unwanted, height) = (ptr::null_mut(), &raw mut rows);
        WebPIDecodedArea(decoder, unwanted, unwanted, unwanted, height);
        WebPIDelete(decoder);
    }
    rows > 0
}

/// Makes the library write into the buffers. Returns `None` if those are longer than its numbers reach.
fn point_at(config: &mut WebPDecoderConfig, output: &mut Output, width: u32) -> Option<()> {
    let width = c_int::try_from(width).ok()?;
    let buffer = &mut config.output;
    buffer.is_external_memory = 1;
    match output {
        Output::Planes { luma, chroma } => {
            let [blue, red] = chroma;
            let half = width / 2 + width % 2;
            buffer.colorspace = WEBP_CSP_MODE::MODE_YUV;
            buffer.u.YUVA = WebPYUVABuffer {
                y: luma.as_mut_ptr(),
                u: blue.as_mut_ptr(),
                v: red.as_mut_ptr(),
                a: ptr::null_mut(),
                y_stride: width,
                u_stride: half,
                v_stride: half,
                a_stride: 0,
                y_size: luma.len(),
                u_size: blue.len(),
                v_size: red.len(),
                a_size: 0,
            };
        }
        Output::Rgb(pixels) => {
            buffer.colorspace = WEBP_CSP_MODE::MODE_RGB;
            buffer.u.RGBA = interleaved(pixels, width.checked_mul(3)?);
        }
        Output::Rgba(pixels) => {
            buffer.colorspace = WEBP_CSP_MODE::MODE_RGBA;
            buffer.u.RGBA = interleaved(pixels, width.checked_mul(4)?);
        }
    }
    Some(())
}

fn interleaved(pixels: &mut [u8], stride: c_int) -> WebPRGBABuffer {
    WebPRGBABuffer {
        rgba: pixels.as_mut_ptr(),
        stride,
        size: pixels.len(),
    }
}
