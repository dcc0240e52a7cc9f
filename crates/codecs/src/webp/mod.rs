//! WebP with libwebp, which reduces a picture while it decodes it. Animations are left to the `image` crate,
//! which draws their first frame on its canvas.

mod animation;
mod chunks;
mod decoder;
mod encoder;

use std::fs::File;
use std::io::Read;

use fumikura_image::{
    Channels, Codec, DecodeError, Limits, Picture, PictureKind, Pixels, Plane, Planes, Raster,
    TargetSize, decode_from_memory, tiff::orientation_in,
};
use image::metadata::Orientation;

use crate::reduce::divisor;
use decoder::{Features, Output, OutputSize};

pub(crate) use animation::Animation;
pub(crate) use encoder::{encode, encode_fast};

/// Decodes WebP.
#[derive(Debug, Clone, Copy, Default)]
pub struct Webp;

impl Codec for Webp {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind == PictureKind::Webp
    }

    fn decode(
        &self,
        file: File,
        length: u64,
        target: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.take(length).read_to_end(&mut bytes)?;
        decode(&bytes, target, limits)
    }
}

fn decode(bytes: &[u8], target: TargetSize, limits: Limits) -> Result<Picture, DecodeError> {
    let features = Features::read(bytes)?;
    if features.is_animated {
        return decode_from_memory(bytes, PictureKind::Webp, limits);
    }
    let Features { width, height, .. } = features;
    limits.allow(width, height)?;
    let notes = chunks::find(bytes, *b"EXIF");
    let orientation = notes
        .and_then(orientation_in)
        .unwrap_or(Orientation::NoTransforms);
    let reduced = divisor(target.reduction(width, height, orientation));
    let output_size = OutputSize {
        width: width.div_ceil(reduced),
        height: height.div_ceil(reduced),
    };
    let raster = raster(bytes, features, output_size)
        .ok_or_else(|| DecodeError::Damaged("nothing of its picture can be decoded".into()))?;
    Ok(Picture {
        raster,
        reduced,
        width,
        height,
        orientation,
        profile: chunks::find(bytes, *b"ICCP").map(<[u8]>::to_vec),
    })
}

/// Returns `None` if nothing can be decoded.
fn raster(bytes: &[u8], features: Features, output_size: OutputSize) -> Option<Raster> {
    let (width, height) = (output_size.width, output_size.height);
    let is_reduced = (width, height) != (features.width, features.height);
    match decoder::decode(bytes, features, output_size, is_reduced)? {
        Output::Planes { luma, chroma } => {
            let full = ((1, 1), (1, 1));
            let half = ((2, 1), (2, 1));
            let luma = Plane::new((width, height), full, expanded(luma, &LUMA))?;
            let [blue, red] = chroma.map(|plane| {
                let size = (width.div_ceil(2), height.div_ceil(2));
                Plane::new(size, half, expanded(plane, &CHROMA))
            });
            Some(Raster::Planar(Planes::Ycc([luma, blue?, red?])))
        }
        Output::Rgb(bytes) => Raster::new(width, height, Channels::Rgb, bytes),
        Output::Rgba(bytes) => {
            Pixels::new(width, height, Channels::Rgba, bytes).map(Raster::Interleaved)
        }
    }
}

/// The map of VP8's narrow range of luma to the full range (RFC 6386, 9.2).
const LUMA: [u8; 256] = table(16, 219, 0);
/// The same map for chroma, around its middle.
const CHROMA: [u8; 256] = table(128, 224, 128);

/// Maps `from` and a range of `steps` to `to` and a range of 255.
const fn table(from: i32, steps: i32, to: i32) -> [u8; 256] {
    let mut table = [0; 256];
    let mut value = 0;
    while value < 256 {
        let doubled = (value - from) * 510;
        let half = if doubled < 0 { -steps } else { steps };
        let expanded = (doubled + half) / (2 * steps) + to;
        table[value as usize] = match expanded {
            ..0 => 0,
            256.. => 255,
            _ => expanded as u8,
        };
        value += 1;
    }
    table
}

fn expanded(mut samples: Vec<u8>, table: &[u8; 256]) -> Vec<u8> {
    for sample in &mut samples {
        *sample = table[usize::from(*sample)];
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_range_expands_to_full_range() {
        assert_eq!(
            [0, 16, 17, 125, 235, 255].map(|y: usize| LUMA[y]),
            [0, 0, 1, 127, 255, 255]
        );
        assert_eq!(
            [0, 16, 127, 128, 129, 240, 255].map(|c: usize| CHROMA[c]),
            [0, 0, 127, 128, 129, 255, 255]
        );
    }
}
