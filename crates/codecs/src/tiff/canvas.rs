//! The canvas on which the parts of a picture are put together.

use fumikura_image::{Channels, DecodeError, Limits};

use super::layout::{Format, Layout, Photometric};
use super::parts::Part;
use super::rows::Row;
use crate::reduce::Reducer;

/// The shown samples of a picture, each pixel's side by side.
pub(super) struct Canvas {
    width: u32,
    channels: usize,
    samples: CanvasSamples,
    has_signs: bool,
    palette: Option<Vec<[u8; 3]>>,
}

enum CanvasSamples {
    Bytes(Vec<u8>),
    /// The samples of a picture that is reduced while its rows arrive. A painted row is assembled first.
    Reduced(Reducer, Vec<u8>),
    /// Numbers of any range, which is known when all have been read.
    Fractions(Vec<f32>),
}

/// The channel of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChannelRoute {
    pub(super) sample: usize,
    pub(super) channel: usize,
}

/// The samples of pixels that were not read: grey.
const MISSING_SAMPLE: u8 = 128;
/// The memory that a picture may take besides its pixels.
const WORKING_BYTES: u64 = 64 << 20;
/// The bytes of a pixel that the limits assume.
const BYTES_PER_PIXEL: u64 = 4;

impl Canvas {
    pub(super) fn new(
        layout: &Layout,
        palette: Option<Vec<[u8; 3]>>,
        divisor: u32,
        limits: Limits,
    ) -> Result<Self, DecodeError> {
        let channels = layout.channels();
        let count = channels.count();
        let (width, height) = (
            layout.width.div_ceil(divisor),
            layout.height.div_ceil(divisor),
        );
        let values = u64::from(width) * u64::from(height) * count as u64;
        let is_exact = layout.format == Format::Unsigned;
        let bytes = values * if is_exact { 1 } else { 4 };
        let length = usize::try_from(values).map_err(|_| too_large())?;
        if bytes > limits.pixels.saturating_mul(BYTES_PER_PIXEL) + WORKING_BYTES {
            return Err(too_large());
        }
        let samples = match (is_exact, divisor) {
            (true, 1) => CanvasSamples::Bytes(empty(channels, layout.photometric, length)),
            (true, _) => {
                let row = layout.width as usize * count;
                let empty = empty(channels, layout.photometric, length);
                CanvasSamples::Reduced(Reducer::new(row, count, divisor, empty), vec![0; row])
            }
            (false, _) => CanvasSamples::Fractions(vec![0.0; length]),
        };
        Ok(Self {
            width: layout.width,
            channels: count,
            samples,
            has_signs: layout.has_signs(),
            palette,
        })
    }

    /// Paints a row of a part, as far as it is in the picture. `y` counts from the top of the part.
    pub(super) fn paint(&mut self, part: &Part, y: u32, row: Row<'_>, per_pixel: usize) {
        if let Some(palette) = &self.palette {
            let coloured = apply_palette(row, palette, part, per_pixel);
            let routes: Vec<ChannelRoute> =
                (0..self.channels).map(ChannelRoute::straight).collect();
            let target = Target::of(self.width, self.channels, part, y);
            target.paint(
                &mut self.samples,
                Row::Bytes(&coloured),
                self.channels,
                &routes,
            );
            return;
        }
        let upper: Vec<u8>;
        let row = if let Row::Integers(row, bits @ 8..) = row
            && self.has_signs
        {
            upper = row
                .iter()
                .map(|&it| (it >> (bits - 8)).to_le_bytes()[0])
                .collect();
            Row::Bytes(&upper)
        } else {
            row
        };
        let target = Target::of(self.width, self.channels, part, y);
        target.paint(&mut self.samples, row, per_pixel, &part.routes);
    }

    /// Paints zeros for a part without content of its own.
    pub(super) fn clear(&mut self, part: &Part) {
        let zeros = vec![0_u8; part.width as usize * part.per_pixel];
        for y in 0..part.height {
            self.paint(part, y, Row::Bytes(&zeros), part.per_pixel);
        }
    }

    /// Returns all samples with 8 bits.
    pub(super) fn into_bytes(self, layout: &Layout) -> Vec<u8> {
        match self.samples {
            CanvasSamples::Bytes(bytes) => bytes,
            CanvasSamples::Reduced(reducer, _) => reducer.finish(),
            CanvasSamples::Fractions(fractions) if layout.photometric == Photometric::CieLab => {
                let pixels = fractions.chunks_exact(self.channels);
                pixels.flat_map(lab).collect()
            }
            CanvasSamples::Fractions(fractions) => {
                let colours = layout.photometric.colours().min(self.channels);
                stretch_to_bytes(&fractions, layout, self.channels, colours)
            }
        }
    }
}

impl ChannelRoute {
    fn straight(channel: usize) -> Self {
        Self {
            sample: channel,
            channel,
        }
    }
}

fn too_large() -> DecodeError {
    DecodeError::TooLarge("it needs too much memory".into())
}

/// Returns a grey picture, which is transparent if there is opacity.
fn empty(channels: Channels, photometric: Photometric, length: usize) -> Vec<u8> {
    let grey = match photometric {
        Photometric::CieLab => [MISSING_SAMPLE, 0, 0, 0],
        Photometric::Inks => [0, 0, 0, MISSING_SAMPLE],
        Photometric::WhiteIsZero
        | Photometric::BlackIsZero
        | Photometric::Rgb
        | Photometric::Palette
        | Photometric::Ycc
        | Photometric::IccLab => [MISSING_SAMPLE, MISSING_SAMPLE, MISSING_SAMPLE, 0],
    };
    match channels {
        Channels::Gray => vec![MISSING_SAMPLE; length],
        Channels::GrayAlpha => [MISSING_SAMPLE, 0].repeat(length / 2),
        Channels::Rgb => grey[..3].repeat(length / 3),
        Channels::Rgba | Channels::Cmyk => grey.repeat(length / 4),
    }
}

/// The place of a row in the picture.
struct Target {
    /// The first sample, and the number of pixels.
    first: usize,
    pixels: usize,
    channels: usize,
}

impl Target {
    fn of(width: u32, channels: usize, part: &Part, y: u32) -> Self {
        let pixels = width.saturating_sub(part.left).min(part.width) as usize;
        let row = (part.top as usize + y as usize) * width as usize;
        Self {
            first: (row + part.left as usize) * channels,
            pixels,
            channels,
        }
    }

    fn paint(
        &self,
        samples: &mut CanvasSamples,
        row: Row<'_>,
        per_pixel: usize,
        routes: &[ChannelRoute],
    ) {
        let end = self.first + self.pixels * self.channels;
        match samples {
            CanvasSamples::Bytes(bytes) => {
                if let Some(target) = bytes.get_mut(self.first..end) {
                    self.paint_bytes(target, row, per_pixel, routes);
                }
            }
            CanvasSamples::Reduced(reducer, whole) => {
                self.paint_bytes(whole, row, per_pixel, routes);
                reducer.take(self.first / whole.len().max(1), whole);
            }
            CanvasSamples::Fractions(fractions) => {
                let Some(target) = fractions.get_mut(self.first..end) else {
                    return;
                };
                match row {
                    Row::Fractions(row) => self.spread(target, row, per_pixel, routes, |it| it),
                    Row::Bytes(row) => self.spread(target, row, per_pixel, routes, f32::from),
                    Row::Integers(row, _) => self.spread(target, row, per_pixel, routes, f32::from),
                }
            }
        }
    }

    fn paint_bytes(
        &self,
        target: &mut [u8],
        row: Row<'_>,
        per_pixel: usize,
        routes: &[ChannelRoute],
    ) {
        let is_straight = per_pixel == self.channels
            && routes.len() == self.channels
            && routes.iter().all(|route| route.sample == route.channel);
        match row {
            Row::Bytes(row) if is_straight => {
                let length = target.len().min(row.len());
                target[..length].copy_from_slice(&row[..length]);
            }
            Row::Bytes(row) => self.spread(target, row, per_pixel, routes, |byte| byte),
            Row::Integers(row, bits) => {
                self.spread(target, row, per_pixel, routes, |number| byte(number, bits));
            }
            Row::Fractions(_) => {}
        }
    }

    fn spread<S: Copy, T>(
        &self,
        target: &mut [T],
        row: &[S],
        per_pixel: usize,
        routes: &[ChannelRoute],
        of: impl Fn(S) -> T,
    ) {
        let pixels = target.chunks_exact_mut(self.channels);
        for (target, source) in pixels.zip(row.chunks_exact(per_pixel)) {
            for route in routes {
                if let (Some(target), Some(&source)) =
                    (target.get_mut(route.channel), source.get(route.sample))
                {
                    *target = of(source);
                }
            }
        }
    }
}

/// Converts a number of this many bits to one of 8.
fn byte(number: u16, bits: u32) -> u8 {
    let max = (1_u32 << bits) - 1;
    let scaled = (u32::from(number) * 255 + max / 2) / max;
    u8::try_from(scaled).unwrap_or(u8::MAX)
}

/// Looks up the numbers of a row in a palette. The opacity behind them is kept, if there is one.
fn apply_palette(row: Row<'_>, palette: &[[u8; 3]], part: &Part, per_pixel: usize) -> Vec<u8> {
    let opacity = part.routes.iter().find(|route| route.channel > 0);
    let opacity = opacity.map(|route| route.sample);
    let colour = |number: u16| {
        palette
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    };
    let mut bytes = Vec::new();
    match row {
        Row::Bytes(row) => {
            for pixel in row.chunks_exact(per_pixel) {
                bytes.extend(colour(pixel[0].into()));
                bytes.extend(opacity.and_then(|at| pixel.get(at)));
            }
        }
        Row::Integers(row, bits) => {
            for pixel in row.chunks_exact(per_pixel) {
                bytes.extend(colour(pixel[0]));
                bytes.extend(
                    opacity
                        .and_then(|at| pixel.get(at))
                        .map(|&it| byte(it, bits)),
                );
            }
        }
        Row::Fractions(_) => {}
    }
    bytes
}

/// Converts L*a*b* to the numbers of samples of 8 bits. The opacity behind them is kept, if there is one.
fn lab(pixel: &[f32]) -> impl Iterator<Item = u8> {
    let bytes = pixel
        .iter()
        .enumerate()
        .map(|(channel, number)| match channel {
            0 => whole(number / 100.0),
            1 | 2 => signed_byte(*number),
            _ => whole(*number),
        });
    bytes.collect::<Vec<_>>().into_iter()
}

/// Converts numbers of any range to 8 bits.
fn stretch_to_bytes(
    fractions: &[f32],
    layout: &Layout,
    channels: usize,
    colours: usize,
) -> Vec<u8> {
    let colours_only = fractions
        .chunks_exact(channels)
        .flat_map(|pixel| &pixel[..colours]);
    let (zero, range) = scale(colours_only.copied(), layout.format, colours);
    let opaque = match layout.format {
        Format::Float => 1.0,
        Format::Signed | Format::Unsigned => signed_most(layout.bits),
    };
    let pixels = fractions.chunks_exact(channels);
    let scaled = pixels.flat_map(|pixel| {
        pixel
            .iter()
            .enumerate()
            .map(move |(channel, number)| match channel < colours {
                true => (number - zero) / range,
                false => number / opaque,
            })
    });
    scaled.map(whole).collect()
}

/// Returns the number for black, and the distance from it to white. Fractions from 0 to 1 are light as they
/// are; colours beyond that are brighter than white. Numbers from 0 to 255 are those of 8 bits in a larger
/// type. Others are measurements, of which the least is black and the greatest white.
fn scale(numbers: impl Iterator<Item = f32>, format: Format, colours: usize) -> (f32, f32) {
    let finite = numbers.filter(|number| number.is_finite());
    let (least, greatest) = finite.fold((f32::MAX, f32::MIN), |(least, greatest), number| {
        (least.min(number), greatest.max(number))
    });
    let is_light = least >= 0.0 && greatest <= 1.0;
    if format == Format::Float && (is_light || colours > 1) {
        (0.0, 1.0)
    } else if least >= 0.0 && greatest <= 255.0 {
        (0.0, 255.0)
    } else {
        (least, greatest - least)
    }
}

fn signed_byte(number: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "clamped to -128…127 before; what is no number becomes 0"
    )]
    let whole = number.round().clamp(-128.0, 127.0) as i8;
    whole.cast_unsigned()
}

#[expect(clippy::cast_precision_loss, reason = "a power of two, nearly")]
fn signed_most(bits: u32) -> f32 {
    (u64::MAX >> (65 - bits.clamp(1, 64))) as f32
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_spans_black_to_white() {
        for bits in 1..=16 {
            let max = u16::try_from((1_u32 << bits) - 1).unwrap();
            assert_eq!([byte(0, bits), byte(max, bits)], [0, 255], "{bits}");
        }
        assert_eq!([byte(1, 2), byte(2, 2), byte(7, 4)], [85, 170, 119]);
    }

    #[test]
    fn numbers_without_a_range_are_stretched() {
        let found =
            |numbers: &[f32], format, colours| scale(numbers.iter().copied(), format, colours);
        assert_eq!(found(&[0.25, 1.0], Format::Float, 1), (0.0, 1.0));
        assert_eq!(found(&[0.25, 9.0], Format::Float, 3), (0.0, 1.0));
        assert_eq!(found(&[3.0, 200.0], Format::Signed, 1), (0.0, 255.0));
        assert_eq!(
            found(&[-5.0, f32::NAN, 15.0], Format::Float, 1),
            (-5.0, 20.0)
        );
        assert_eq!(found(&[500.0, 900.0], Format::Signed, 1), (500.0, 400.0));
    }
}
