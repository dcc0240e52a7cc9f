//! HEIC and other HEIF with pictures in HEVC, decoded with heic-decoder.

use std::fs::File;
use std::io::Read;
use std::sync::OnceLock;

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Pixels, Raster, TargetSize,
    cicp::{Cicp, Hdr},
};
use heic_decoder::{ColorInfo, DecodedImage, HeifError, RgbOptions};
use image::metadata::Orientation;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::colour::divide_by_opacity;
use crate::reduce::divisor;

/// Decodes HEIC.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heif;

impl Codec for Heif {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Heif
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes)?;
        single_thread_pool()?.install(|| decode(&bytes, target, limits))
    }
}

/// Returns a pool of one thread. The decoder would use every processor for each picture, and the number of
/// concurrent pictures already matches the number of useful threads.
fn single_thread_pool() -> Result<&'static ThreadPool, DecodeError> {
    static POOL: OnceLock<ThreadPool> = OnceLock::new();
    if let Some(pool) = POOL.get() {
        return Ok(pool);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| DecodeError::Io(std::io::Error::other(error).into()))?;
    Ok(POOL.get_or_init(|| pool))
}

fn decode(bytes: &[u8], target: TargetSize, limits: Limits) -> Result<Picture, DecodeError> {
    let claimed = heic_decoder::probe(bytes).map_err(decode_error)?;
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    limits.allow(side(claimed.coded_width), side(claimed.coded_height))?;
    limits.allow(side(claimed.width), side(claimed.height))?;
    let mut image = heic_decoder::decode(bytes).map_err(decode_error)?;
    let profile = image.metadata.icc_profile.take();
    let (width, height) = (side(image.width), side(image.height));
    let reduction = target.reduction(width, height, Orientation::NoTransforms);
    let reduced = reduce(&mut image, divisor(reduction));
    let colours = colours(&image);
    let options = RgbOptions {
        color: Some(colours),
        ..RgbOptions::default()
    };
    let cicp = Cicp {
        primaries: number(colours.color_primaries),
        transfer: number(colours.transfer_characteristics),
    };
    let hdr = Hdr::of(cicp).filter(|_| profile.is_none());
    let pixels = match hdr {
        Some(hdr) => bright(&image, &options, hdr)?,
        None => plain(&image, &options)?,
    };
    Ok(Picture {
        reduced,
        width,
        height,
        raster: Raster::Interleaved(pixels),
        // The decoder has applied the container's orientation. Exif beside it is ignored (ISO/IEC 23008-12, A.2.1).
        orientation: Orientation::NoTransforms,
        profile: match hdr {
            Some(_) => None,
            None => profile.or_else(|| cicp.profile()),
        },
    })
}

/// Divides the sides before the numbers are converted to colours, since the conversion takes longer than the
/// means. Returns the divisor, which is 1 if opacity would have to be included.
fn reduce(image: &mut DecodedImage, divisor: u32) -> u32 {
    if divisor == 1 || image.alpha.is_some() {
        return 1;
    }
    let by = divisor as usize;
    let chroma = (image.cb_width, image.cb_height);
    image.y = means(&image.y, (image.width, image.height), by);
    image.cb = means(&image.cb, chroma, by);
    image.cr = means(&image.cr, chroma, by);
    image.width = image.width.div_ceil(by);
    image.height = image.height.div_ceil(by);
    image.cb_width = chroma.0.div_ceil(by);
    image.cb_height = chroma.1.div_ceil(by);
    divisor
}

/// Returns the means of squares of `by` × `by` numbers. At the right and the lower edge they have fewer numbers.
fn means(numbers: &[i32], (width, height): (usize, usize), by: usize) -> Vec<i32> {
    let mut means = Vec::with_capacity(width.div_ceil(by) * height.div_ceil(by));
    if width == 0 {
        return means;
    }
    let mut sums = vec![0; width];
    for rows in numbers.chunks(width * by) {
        sums.fill(0);
        for row in rows.chunks_exact(width) {
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum += number;
            }
        }
        let down = rows.len() / width;
        means.extend(sums.chunks(by).map(|square| {
            let count = i32::try_from(square.len() * down).unwrap_or(1).max(1);
            (square.iter().sum::<i32>() + count / 2) / count
        }));
    }
    means
}

/// Returns the meaning of the numbers in the picture. Unspecified ones have the default of ISO/IEC 23000-22, 7.3.6.4.
fn colours(image: &DecodedImage) -> ColorInfo {
    const BT601: u16 = 6;
    const UNSPECIFIED: u16 = 2;
    let mut colours = image.color_info.unwrap_or(ColorInfo {
        color_primaries: Cicp::SRGB.primaries.into(),
        transfer_characteristics: Cicp::SRGB.transfer.into(),
        matrix_coefficients: BT601,
        full_range: true,
    });
    if colours.matrix_coefficients == UNSPECIFIED {
        colours.matrix_coefficients = BT601;
    }
    colours
}

/// Converts a number. Numbers that need more than a byte are reserved, as is 255.
fn number(of: u16) -> u8 {
    u8::try_from(of).unwrap_or(u8::MAX)
}

fn plain(image: &DecodedImage, options: &RgbOptions) -> Result<Pixels, DecodeError> {
    if image.alpha.is_none() {
        let rgb = image.to_rgb8_with_options(options).map_err(decode_error)?;
        return raster(image, Channels::Rgb, rgb.data);
    }
    let mut rgba = image.to_rgba8_with_options(options).map_err(decode_error)?;
    if rgba.premultiplied {
        divide_by_opacity(&mut rgba.data, Channels::Rgba.count());
    }
    raster(image, Channels::Rgba, rgba.data)
}

fn bright(image: &DecodedImage, options: &RgbOptions, hdr: Hdr) -> Result<Pixels, DecodeError> {
    if image.alpha.is_none() {
        let rgb = image.to_rgb16_with_options(options).map_err(decode_error)?;
        let bytes = hdr.to_srgb(&rgb.data, Channels::Rgb.count());
        return raster(image, Channels::Rgb, bytes);
    }
    let rgba = image
        .to_rgba16_with_options(options)
        .map_err(decode_error)?;
    let mut bytes = hdr.to_srgb(&rgba.data, Channels::Rgba.count());
    if rgba.premultiplied {
        divide_by_opacity(&mut bytes, Channels::Rgba.count());
    }
    raster(image, Channels::Rgba, bytes)
}

fn raster(image: &DecodedImage, channels: Channels, bytes: Vec<u8>) -> Result<Pixels, DecodeError> {
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(0);
    Pixels::new(side(image.width), side(image.height), channels, bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
}

fn decode_error(error: HeifError) -> DecodeError {
    match error {
        HeifError::Unsupported(what) => {
            DecodeError::UnsupportedKind(format!("image/heif ({what})").into())
        }
        HeifError::LimitExceeded(_) => DecodeError::TooLarge(error.to_string()),
        HeifError::Truncated { .. }
        | HeifError::NotHeif(_)
        | HeifError::MalformedBox(_)
        | HeifError::MalformedHevc(_)
        | HeifError::CabacDesync(_) => DecodeError::Damaged(error.to_string()),
    }
}
