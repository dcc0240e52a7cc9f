//! The shape and the colours of a placeholder (ThumbHash).
//!
//! `thumbhash` needs 50 to 160 µs for a placeholder, since it computes the cosines of each pixel again. With 200,000
//! pictures that is half a minute. Here they are computed once, and the waves are added by rows and then by columns.

use std::f32::consts::PI;
use std::ops::Range;
use std::sync::LazyLock;

/// The columns and rows of the parts of a picture.
pub(super) const PARTS: usize = 4;
/// The longer side of a placeholder, in pixels.
const SIDE: usize = 32;
/// The greatest number of waves along a side.
const WAVES: usize = 7;

/// The contents of a placeholder.
pub(super) struct Placeholder {
    /// The width and height in pixels, which have the shape of the picture.
    pub(super) shape: (usize, usize),
    /// The mean colours of the parts on white, row by row.
    pub(super) colours: [[u8; 3]; PARTS * PARTS],
}

/// The pixels of a row.
type Row = [f32; SIDE];
/// The values of each wave along a side.
type Cosines = [Row; WAVES];

/// The waves along sides of each length.
static COSINES: LazyLock<Vec<Cosines>> = LazyLock::new(|| {
    let value = |length: usize, wave: usize, at: usize| {
        (PI / length as f32 * (at as f32 + 0.5) * wave as f32).cos()
    };
    let along =
        |length| std::array::from_fn(|wave| std::array::from_fn(|at| value(length, wave, at)));
    (0..=SIDE).map(along).collect()
});

/// A channel: its mean, and the amplitudes of its waves, by row and column.
struct Channel {
    mean: f32,
    waves: [[f32; WAVES]; WAVES],
}

impl Channel {
    /// Reads the amplitudes of the channel with this many waves along the sides.
    fn read(
        mean: f32,
        scale: f32,
        (columns, rows): (usize, usize),
        steps: &mut impl Iterator<Item = u8>,
    ) -> Option<Self> {
        let mut waves = [[0.0; WAVES]; WAVES];
        for (row, waves) in waves.iter_mut().enumerate().take(rows) {
            let all = waves.iter_mut().enumerate().skip(usize::from(row == 0));
            // Only low frequencies are stored.
            for (_, wave) in all.take_while(|(column, _)| column * rows < columns * (rows - row)) {
                *wave = (f32::from(steps.next()?) / 7.5 - 1.0) * scale;
            }
        }
        Some(Self { mean, waves })
    }

    fn constant(mean: f32) -> Self {
        Self {
            mean,
            waves: [[0.0; WAVES]; WAVES],
        }
    }

    /// Returns the values of a row of pixels.
    fn row(&self, y: usize, rows: &Cosines, columns: &Cosines) -> Row {
        let mut values = [self.mean; SIDE];
        for (column, cosines) in columns.iter().enumerate() {
            let waves = self.waves.iter().zip(rows);
            let amplitude: f32 = waves.map(|(wave, row)| wave[column] * row[y] * 2.0).sum();
            for (value, cosine) in values.iter_mut().zip(cosines) {
                *value += amplitude * cosine;
            }
        }
        values
    }
}

impl Placeholder {
    /// Decodes a placeholder. `None` if it is damaged.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (header, mut rest) = bytes.split_first_chunk::<5>()?;
        let [first, second, third, fourth, fifth] = *header;
        let colour = u32::from_le_bytes([first, second, third, 0]);
        let form = u32::from(u16::from_le_bytes([fourth, fifth]));
        let field =
            |header: u32, start: u32, bits: u32| (header >> start & ((1 << bits) - 1)) as f32;
        let has_alpha = field(colour, 23, 1) > 0.0;
        let longest = if has_alpha { 5 } else { WAVES };
        let shortest = (form & 7) as usize;
        let (columns, rows) = match form >> 15 {
            0 => (shortest, longest),
            _ => (longest, shortest),
        };
        let shape = shape_of(columns, rows)?;
        let mut alpha = None;
        if has_alpha {
            let (&byte, after) = rest.split_first()?;
            alpha = Some((f32::from(byte & 15) / 15.0, f32::from(byte >> 4) / 15.0));
            rest = after;
        }
        let mut steps = rest.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        let steps = &mut steps;
        let light = (field(colour, 0, 6) / 63.0, field(colour, 18, 5) / 31.0);
        // Saturation is raised, since it is lost by rounding.
        let yellow = (
            field(colour, 6, 6) / 31.5 - 1.0,
            field(form, 3, 6) / 63.0 * 1.25,
        );
        let red = (
            field(colour, 12, 6) / 31.5 - 1.0,
            field(form, 9, 6) / 63.0 * 1.25,
        );
        let channels = [
            Channel::read(light.0, light.1, (columns.max(3), rows.max(3)), steps)?,
            Channel::read(yellow.0, yellow.1, (3, 3), steps)?,
            Channel::read(red.0, red.1, (3, 3), steps)?,
            match alpha {
                Some((mean, scale)) => Channel::read(mean, scale, (5, 5), steps)?,
                None => Channel::constant(1.0),
            },
        ];
        Some(Self {
            shape,
            colours: colours_of(&channels, shape),
        })
    }
}

/// Returns the size of a picture with this many waves along its sides. `None` if a side has none.
fn shape_of(columns: usize, rows: usize) -> Option<(usize, usize)> {
    let shorter =
        |less: usize, more: usize| (SIDE as f32 * less as f32 / more as f32).round() as usize;
    let shape = match columns > rows {
        true => (SIDE, shorter(rows, columns)),
        false => (shorter(columns, rows), SIDE),
    };
    (shape.0 > 0 && shape.1 > 0).then_some(shape)
}

/// Returns the mean colours of the parts.
fn colours_of(
    channels: &[Channel; 4],
    (width, height): (usize, usize),
) -> [[u8; 3]; PARTS * PARTS] {
    let (along_rows, along_columns) = (&COSINES[height], &COSINES[width]);
    std::array::from_fn::<_, PARTS, _>(|part_row| {
        let rows = part(part_row, height);
        let mut sums = [[0.0_f32; 3]; PARTS];
        for y in rows.clone() {
            let [light, yellow, red, alpha] = channels
                .each_ref()
                .map(|channel| channel.row(y, along_rows, along_columns));
            let colours: [[f32; 3]; SIDE] =
                std::array::from_fn(|x| on_white([light[x], yellow[x], red[x], alpha[x]]));
            for (column, sum) in sums.iter_mut().enumerate() {
                for colour in &colours[part(column, width)] {
                    for (sum, channel) in sum.iter_mut().zip(colour) {
                        *sum += channel;
                    }
                }
            }
        }
        std::array::from_fn::<_, PARTS, _>(|column| {
            let pixels = rows.len() * part(column, width).len();
            sums[column].map(|sum| (sum * 255.0 / pixels as f32) as u8)
        })
    })
    .as_flattened()
    .try_into()
    .expect("BUG: it has as many parts")
}

/// Returns the colour of a pixel on white, whose channels are at most 1.
fn on_white([light, yellow, red, alpha]: [f32; 4]) -> [f32; 3] {
    let blue = light - 2.0 / 3.0 * yellow;
    let first = f32::midpoint(3.0 * light - blue, red);
    let alpha = alpha.clamp(0.0, 1.0);
    [first, first - red, blue].map(|channel| 1.0 + (channel.clamp(0.0, 1.0) - 1.0) * alpha)
}

/// Returns the pixels of a part of a row or column, which has at least five.
fn part(at: usize, pixels: usize) -> Range<usize> {
    at * pixels / PARTS..(at + 1) * pixels / PARTS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the mean colours of the parts of a picture that `thumbhash` has decoded.
    fn expected(width: usize, height: usize, pixels: &[u8]) -> Vec<[u8; 3]> {
        let part_of = |row, column| {
            let places =
                part(row, height).flat_map(|y| part(column, width).map(move |x| y * width + x));
            let (mut sum, mut count) = ([0_u32; 3], 0);
            for pixel in places.map(|place| &pixels[4 * place..4 * place + 4]) {
                let alpha = u32::from(pixel[3]);
                for (sum, &channel) in sum.iter_mut().zip(pixel) {
                    *sum += (u32::from(channel) * alpha + 255 * (255 - alpha)) / 255;
                }
                count += 1;
            }
            sum.map(|sum| u8::try_from(sum / count).unwrap())
        };
        let parts = (0..PARTS).flat_map(|row| (0..PARTS).map(move |column| (row, column)));
        parts.map(|(row, column)| part_of(row, column)).collect()
    }

    proptest! {
        #[test]
        fn colours_are_those_of_the_picture(
            (shorter, is_wide) in (1..=32_usize, any::<bool>()),
            is_opaque: bool,
            pixels in prop::collection::vec(any::<u8>(), 64),
            period in 1..64_usize,
        ) {
            let (width, height) = if is_wide { (32, shorter) } else { (shorter, 32) };
            let value = |at: usize| match at % 4 == 3 && is_opaque {
                true => 255,
                false => pixels[(at / period + at % 7) % 64],
            };
            let picture: Vec<u8> = (0..4 * width * height).map(value).collect();
            let bytes = thumbhash::rgba_to_thumb_hash(width, height, &picture);
            let (width, height, decoded) = thumbhash::thumb_hash_to_rgba(&bytes).unwrap();
            let found = Placeholder::decode(&bytes).unwrap();
            prop_assert_eq!(found.shape, (width, height));
            let expected = expected(width, height, &decoded);
            for (found, expected) in found.colours.as_flattened().iter().zip(expected.as_flattened()) {
                prop_assert!(found.abs_diff(*expected) <= 2, "{found} is not {expected}");
            }
        }

        #[test]
        fn damaged_placeholders_are_refused_as_by_thumbhash(bytes in prop::collection::vec(any::<u8>(), 0..28)) {
            let decoded = thumbhash::thumb_hash_to_rgba(&bytes);
            let shape = decoded.ok().map(|(width, height, _)| (width, height));
            let shape = shape.filter(|(width, height)| *width > 0 && *height > 0);
            prop_assert_eq!(Placeholder::decode(&bytes).map(|found| found.shape), shape);
        }
    }
}
