//! The inverse transform (ITU-T T.81, A.3.3) of the lowest coefficients of a block to a few pixels. Each
//! pixel gets the mean over the area that it covers.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::zigzag::{BLOCK, COEFFICIENTS, zigzag};

/// The stored coefficients of a block, row by row, followed by a slot for all others.
pub(crate) type Block = [i32; 8];
/// The slot for coefficients that are not kept.
const DISCARD_SLOT: u8 = 7;

/// Returns the last coefficient that `SIDE` × `SIDE` pixels need, in zigzag order.
pub(crate) const fn last_of<const SIDE: usize>() -> u32 {
    match SIDE {
        1 => 0,
        _ => 4,
    }
}

/// Returns the index in a [`Block`] of each coefficient, in zigzag order.
pub(crate) fn places<const SIDE: usize>() -> [u8; COEFFICIENTS] {
    let mut places = [DISCARD_SLOT; COEFFICIENTS];
    for (place, (row, column)) in places.iter_mut().zip(zigzag()) {
        if row < SIDE && column < SIDE {
            *place = (row * SIDE + column) as u8;
        }
    }
    places
}

/// The number of bits behind the binary point.
const BITS: u32 = 12;
/// The middle of the samples' range, to which the coefficients are relative, and half a step for rounding.
const MIDDLE: i32 = (128 << BITS) + (1 << (BITS - 1));

/// The inverse transform of a component's blocks.
pub(crate) struct Transform {
    /// The factors of the coefficients: their steps, multiplied by their weight in the first pixel. The other
    /// pixels use the same factor, or its opposite.
    factors: Block,
}

impl Transform {
    pub(crate) fn new<const SIDE: usize>(quantization: &[u16; COEFFICIENTS]) -> Self {
        let mut factors = Block::default();
        let places = places::<SIDE>();
        for ((&place, &step), (row, column)) in places.iter().zip(quantization).zip(zigzag()) {
            if place != DISCARD_SLOT {
                let factor = f64::from(step) * weight::<SIDE>(row) * weight::<SIDE>(column);
                factors[usize::from(place)] = (factor * f64::from(1 << BITS)).round() as i32;
            }
        }
        Self { factors }
    }

    /// Returns the pixels of a block. Its numbers have at most 11 bits and a sign, and steps have 8, so
    /// nothing overflows.
    #[inline(always)]
    pub(crate) fn pixels<const SIDE: usize>(&self, block: &Block) -> [[u8; SIDE]; SIDE] {
        let mut pixels = [[0; SIDE]; SIDE];
        let value = |place: usize| block[place] * self.factors[place];
        let sample = |value: i32| (value >> BITS).clamp(0, 255) as u8;
        let mean = value(0) + MIDDLE;
        if SIDE == 1 {
            pixels[0][0] = sample(mean);
        } else {
            let (left, right) = (mean + value(1), mean - value(1));
            let (left_more, right_more) = (value(2) + value(3), value(2) - value(3));
            pixels[0][0] = sample(left + left_more);
            pixels[0][1] = sample(right + right_more);
            pixels[1][0] = sample(left - left_more);
            pixels[1][1] = sample(right - right_more);
        }
        pixels
    }
}

/// Returns the weight of a coefficient in the first of `SIDE` pixels, along one direction: the mean of the
/// cosine over the samples that the pixel covers.
fn weight<const SIDE: usize>(coefficient: usize) -> f64 {
    let samples = BLOCK / SIDE;
    let sum: f64 = (0..samples)
        .map(|sample| ((2 * sample + 1) as f64 * coefficient as f64 * PI / 16.0).cos())
        .sum();
    let scale = if coefficient == 0 { FRAC_1_SQRT_2 } else { 1.0 };
    scale / 2.0 * sum / samples as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mean of those samples of a block that a pixel of `side` × `side` covers, by the transform's
    /// formula (ITU-T T.81, A.3.3), from the coefficients that a decoder of such pixels uses.
    fn mean(coefficients: &[i32; COEFFICIENTS], side: usize, row: usize, column: usize) -> f64 {
        let samples = BLOCK / side;
        let scale = |at: usize| if at == 0 { FRAC_1_SQRT_2 } else { 1.0 };
        let along = |pixel: usize, at: usize| {
            let cosine = |sample: usize| (((2 * sample + 1) * at) as f64 * PI / 16.0).cos();
            let sum: f64 = (pixel * samples..(pixel + 1) * samples).map(cosine).sum();
            scale(at) / 2.0 * sum / samples as f64
        };
        let mut sum = 128.0;
        for v in 0..side {
            for u in 0..side {
                sum += f64::from(coefficients[v * BLOCK + u]) * along(row, v) * along(column, u);
            }
        }
        sum.clamp(0.0, 255.0)
    }

    fn check<const SIDE: usize>(low: [i32; 4]) {
        let quantization = std::array::from_fn(|at| 3 + at as u16);
        let transform = Transform::new::<SIDE>(&quantization);
        let mut block = Block::default();
        let mut coefficients = [0; COEFFICIENTS];
        for ((&place, step), (row, column)) in
            places::<SIDE>().iter().zip(quantization).zip(zigzag())
        {
            if place != DISCARD_SLOT {
                let value = low[row * 2 + column];
                block[usize::from(place)] = value;
                coefficients[row * BLOCK + column] = value * i32::from(step);
            }
        }
        for (row, line) in transform.pixels::<SIDE>(&block).iter().enumerate() {
            for (column, &pixel) in line.iter().enumerate() {
                let expected = mean(&coefficients, SIDE, row, column);
                assert!(
                    (f64::from(pixel) - expected).abs() < 0.6,
                    "{SIDE}: {row}, {column}: {pixel}, not {expected}"
                );
            }
        }
    }

    #[test]
    fn pixels_are_the_means_of_the_full_transform() {
        let blocks = [
            [0; 4],
            [90, 0, 0, 0],
            [30, 20, -14, 8],
            [-60, -13, 22, -3],
            // Values far out of range.
            [2047, 1023, -1023, 1023],
        ];
        for block in blocks {
            check::<1>(block);
            check::<2>(block);
        }
    }

    #[test]
    fn last_coefficient_is_the_last_stored() {
        fn last<const SIDE: usize>() -> Option<usize> {
            places::<SIDE>().iter().rposition(|&at| at != DISCARD_SLOT)
        }
        assert_eq!(last::<1>(), Some(last_of::<1>() as usize));
        assert_eq!(last::<2>(), Some(last_of::<2>() as usize));
    }
}
