//! Rows of samples: conversion of the bytes of a stream to numbers.

use std::io::{self, Read};

use super::layout::{Format, Layout, Predictor};

/// A row of samples, those of a pixel side by side.
#[derive(Debug, Clone, Copy)]
pub(super) enum Row<'a> {
    /// Samples of 8 bits.
    Bytes(&'a [u8]),
    /// Samples of so many bits, at most 16.
    Integers(&'a [u16], u32),
    /// Samples of any range.
    Fractions(&'a [f32]),
}

/// Reads rows of `values` samples each.
pub(super) struct Rows<'a> {
    layout: &'a Layout,
    values: usize,
    bytes: Vec<u8>,
    integers: Vec<u16>,
    fractions: Vec<f32>,
}

impl<'a> Rows<'a> {
    /// Creates a reader for rows of `width` pixels.
    pub(super) fn new(layout: &'a Layout, width: u32) -> Self {
        let values = width as usize * layout.interleaved();
        let length = (values * layout.bits as usize).div_ceil(8);
        Self {
            layout,
            values,
            bytes: vec![0; length],
            integers: Vec::new(),
            fractions: Vec::new(),
        }
    }

    /// Returns the number of bytes of a row.
    pub(super) fn length(layout: &Layout, width: u32) -> u64 {
        let values = u64::from(width) * layout.interleaved() as u64;
        (values * u64::from(layout.bits)).div_ceil(8)
    }

    /// Reads the next row of `input`.
    pub(super) fn next(&mut self, input: &mut impl Read) -> io::Result<Row<'_>> {
        input.read_exact(&mut self.bytes)?;
        let stride = self.layout.interleaved();
        let is_big = self.layout.is_big_endian;
        let predictor = self.layout.predictor;
        let bits = self.layout.bits;
        if predictor == Predictor::FloatingPoint {
            self.bytes = undo_float_predictor(&self.bytes, stride, bits);
        }
        let is_big = is_big || predictor == Predictor::FloatingPoint;
        let stride = match predictor {
            Predictor::Differences => Some(stride),
            Predictor::None | Predictor::FloatingPoint => None,
        };
        if self.layout.format == Format::Unsigned && bits <= 16 {
            return Ok(self.small(bits, is_big, stride));
        }
        match self.layout.format {
            Format::Unsigned => {
                let words = words(&self.bytes, bits, is_big, stride);
                self.integers.clear();
                self.integers.extend(words.map(|word| upper(word, bits)));
                Ok(Row::Integers(&self.integers, 16))
            }
            Format::Signed => {
                let words = words(&self.bytes, bits, is_big, stride);
                self.fractions.clear();
                self.fractions.extend(words.map(|word| signed(word, bits)));
                Ok(Row::Fractions(&self.fractions))
            }
            Format::Float => {
                let words = words(&self.bytes, bits, is_big, stride);
                self.fractions.clear();
                self.fractions.extend(words.map(|word| float(word, bits)));
                Ok(Row::Fractions(&self.fractions))
            }
        }
    }

    /// Reads whole numbers of up to 16 bits.
    fn small(&mut self, bits: u32, is_big: bool, stride: Option<usize>) -> Row<'_> {
        match bits {
            8 => {
                if let Some(stride) = stride {
                    for at in stride..self.bytes.len() {
                        self.bytes[at] = self.bytes[at].wrapping_add(self.bytes[at - stride]);
                    }
                }
                Row::Bytes(&self.bytes)
            }
            16 => {
                let (pairs, _) = self.bytes.as_chunks();
                self.integers.clear();
                self.integers.extend(pairs.iter().map(|&pair| match is_big {
                    true => u16::from_be_bytes(pair),
                    false => u16::from_le_bytes(pair),
                }));
                if let Some(stride) = stride {
                    for at in stride..self.integers.len() {
                        let before = self.integers[at - stride];
                        self.integers[at] = self.integers[at].wrapping_add(before);
                    }
                }
                Row::Integers(&self.integers, 16)
            }
            _ => {
                self.integers.clear();
                let mut packed = PackedIntegers::new(&self.bytes, bits);
                self.integers
                    .extend((0..self.values).map(|_| packed.next()));
                Row::Integers(&self.integers, bits)
            }
        }
    }
}

/// Numbers of up to 16 bits without gaps, the highest bit first.
struct PackedIntegers<'a> {
    bytes: std::slice::Iter<'a, u8>,
    bits: u32,
    buffer: u32,
    filled: u32,
}

impl<'a> PackedIntegers<'a> {
    fn new(bytes: &'a [u8], bits: u32) -> Self {
        Self {
            bytes: bytes.iter(),
            bits,
            buffer: 0,
            filled: 0,
        }
    }

    fn next(&mut self) -> u16 {
        while self.filled < self.bits {
            let byte = self.bytes.next().copied().unwrap_or(0);
            self.buffer = self.buffer << 8 | u32::from(byte);
            self.filled += 8;
        }
        self.filled -= self.bits;
        let number = self.buffer >> self.filled & ((1 << self.bits) - 1);
        u16::try_from(number).unwrap_or(u16::MAX)
    }
}

/// Reads numbers of 8, 16, 24, 32 or 64 bits, and adds up differences to those `stride` before them.
fn words(
    bytes: &[u8],
    bits: u32,
    is_big: bool,
    stride: Option<usize>,
) -> impl Iterator<Item = u64> {
    let size = (bits / 8).max(1) as usize;
    let mask = u64::MAX >> (64 - bits);
    let mut before = vec![0_u64; stride.unwrap_or(0)];
    bytes
        .chunks_exact(size)
        .enumerate()
        .map(move |(at, bytes)| {
            let add = |word: u64, &byte: &u8| word << 8 | u64::from(byte);
            let word = match is_big {
                true => bytes.iter().fold(0, add),
                false => bytes.iter().rev().fold(0, add),
            };
            let count = before.len().max(1);
            match before.get_mut(at % count) {
                Some(before) => {
                    *before = before.wrapping_add(word) & mask;
                    *before
                }
                None => word,
            }
        })
}

/// Undoes the predictor for fractions (Adobe's TIFF Technical Note 3): the bytes of a row are differences,
/// the highest bytes of all samples first.
fn undo_float_predictor(bytes: &[u8], stride: usize, bits: u32) -> Vec<u8> {
    let mut sums = bytes.to_vec();
    for at in stride..sums.len() {
        sums[at] = sums[at].wrapping_add(sums[at - stride]);
    }
    let size = (bits / 8).max(1) as usize;
    let count = sums.len() / size;
    let samples = (0..count).flat_map(|sample| (0..size).map(move |byte| byte * count + sample));
    samples.map(|at| sums[at]).collect()
}

/// Returns the upper 16 bits.
fn upper(word: u64, bits: u32) -> u16 {
    u16::try_from(word >> (bits - 16)).unwrap_or(u16::MAX)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "shown with 8 bits in the end; the wrap is the sign"
)]
fn signed(word: u64, bits: u32) -> f32 {
    let shift = 64 - bits;
    ((word << shift) as i64 >> shift) as f32
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower bits of a word are its number; shown with 8 bits in the end"
)]
fn float(word: u64, bits: u32) -> f32 {
    match bits {
        16 => half(word as u16),
        32 => f32::from_bits(word as u32),
        _ => f64::from_bits(word) as f32,
    }
}

/// Converts IEEE 754's number of 16 bits.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f32::from(bits & 0x3FF) / 1024.0;
    match bits >> 10 & 0x1F {
        0 => sign * fraction * 2_f32.powi(-14),
        31 if fraction == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        exponent => sign * (1.0 + fraction) * 2_f32.powi(i32::from(exponent) - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_bits_are_unpacked() {
        let mut packed = PackedIntegers::new(&[0xAB, 0xCD, 0xEF], 12);
        assert_eq!([packed.next(), packed.next()], [0xABC, 0xDEF]);
        let mut packed = PackedIntegers::new(&[0b1011_0001], 2);
        assert_eq!([0; 4].map(|_| packed.next()), [2, 3, 0, 1]);
    }

    #[test]
    fn differences_are_added_up() {
        let of = |bytes: &[u8], bits, is_big, stride| -> Vec<u64> {
            words(bytes, bits, is_big, stride).collect()
        };
        assert_eq!(of(&[1, 0, 2, 0, 255, 255], 16, false, Some(1)), [1, 3, 2]);
        assert_eq!(of(&[0, 1, 0, 2, 0, 3], 16, true, Some(2)), [1, 2, 4]);
        assert_eq!(of(&[1, 2, 3], 24, true, None), [0x10203]);
    }

    #[test]
    fn fractions_are_regrouped() {
        // 1.0 and 2.0 as 0x3F800000 and 0x40000000, their bytes apart and as differences.
        let planes = [0x3F, 0x40, 0x80, 0x00, 0, 0, 0, 0_u8];
        let mut differences = planes;
        for at in 1..planes.len() {
            differences[at] = planes[at].wrapping_sub(planes[at - 1]);
        }
        let bytes = undo_float_predictor(&differences, 1, 32);
        let found: Vec<f32> = words(&bytes, 32, true, None)
            .map(|word| float(word, 32))
            .collect();
        assert_eq!(found, [1.0, 2.0]);
    }

    #[test]
    fn halves_are_read() {
        let found = [0x3C00, 0xC000, 0x3800, 1, 0x7C00].map(half);
        assert_eq!(found, [1.0, -2.0, 0.5, 2_f32.powi(-24), f32::INFINITY]);
        assert!(half(0x7C01).is_nan());
    }

    #[test]
    fn signs_are_kept() {
        assert_eq!(signed(0xFF, 8), -1.0);
        assert_eq!(signed(0x8000, 16), -32768.0);
        assert_eq!(signed(5, 64), 5.0);
    }
}
