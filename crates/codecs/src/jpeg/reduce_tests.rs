//! A comparison of the reducing decoder with libjpeg: it reads the same coefficients, or none.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use proptest::prelude::*;

use fumikura_image::{Plane, Planes};
use fumikura_jpeg_reduce::{BLOCK, COEFFICIENTS};

use super::coefficients;
use super::decode_reduced as decode;

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

/// The samplings that the encoder writes in one scan.
const SAMPLINGS: [SamplingFactor; 4] = [
    SamplingFactor::F_1_1,
    SamplingFactor::F_2_1,
    SamplingFactor::F_1_2,
    SamplingFactor::F_2_2,
];

#[derive(Debug, Clone, Copy)]
struct SampleKind {
    sides: (u16, u16),
    sampling: SamplingFactor,
    is_gray: bool,
    quality: u8,
    restart_interval: u16,
    is_optimized: bool,
    /// The noise, between none and all of a picture's contrast.
    noise: u8,
}

const PLAIN: SampleKind = SampleKind {
    sides: (100, 75),
    sampling: SamplingFactor::F_2_2,
    is_gray: false,
    quality: 90,
    restart_interval: 0,
    is_optimized: false,
    noise: 60,
};

/// Builds a file with waves and noise, the same each time.
fn file(kind: SampleKind) -> Vec<u8> {
    let (width, height) = kind.sides;
    let channels = if kind.is_gray { 1 } else { 3 };
    let mut state = 0x2545_F491_u32;
    let mut samples = Vec::new();
    for y in 0..height {
        for x in 0..width {
            for channel in 0..channels {
                // Marsaglia's xorshift.
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let wave = (f64::from(x) / 17.0 + f64::from(y * (channel + 1)) / 23.0).sin();
                let noise = f64::from(state >> 24) / 127.5 - 1.0;
                let part = f64::from(kind.noise) / 255.0;
                let value = wave * (1.0 - part) + noise * part;
                samples.push((127.5 + 127.0 * value) as u8);
            }
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, kind.quality);
    encoder.set_sampling_factor(kind.sampling);
    encoder.set_restart_interval(kind.restart_interval);
    encoder.set_optimized_huffman_tables(kind.is_optimized);
    let colours = if kind.is_gray {
        ColorType::Luma
    } else {
        ColorType::Rgb
    };
    encoder.encode(&samples, width, height, colours).unwrap();
    bytes
}

fn planes(planes: &Planes) -> &[Plane] {
    match planes {
        Planes::Gray(plane) => std::slice::from_ref(plane),
        Planes::Ycc(planes) => planes,
    }
}

/// Checks that the planes match libjpeg's coefficients.
fn compare(bytes: &[u8], reduced: usize, decoded: &Planes) -> Result<(), String> {
    let side = BLOCK / reduced;
    let expected = coefficients::of(bytes).map_err(|error| error.to_string())?;
    let planes = planes(decoded);
    if planes.len() != expected.len() {
        return Err(format!("{} planes", planes.len()));
    }
    for (number, (plane, component)) in planes.iter().zip(&expected).enumerate() {
        let width = plane.width() as usize;
        for (at, &sample) in plane.samples().iter().enumerate() {
            let (x, y) = (at % width, at / width);
            let block = &component.blocks[y / side * component.blocks_across + x / side];
            let expected = mean(block, side, y % side, x % side);
            if (f64::from(sample) - expected).abs() > 0.6 {
                return Err(format!("{number} at {x}, {y}: {sample}, not {expected}"));
            }
        }
    }
    Ok(())
}

#[track_caller]
fn check(kind: SampleKind) {
    let bytes = file(kind);
    for reduced in [4_u8, 8] {
        let decoded = decode(&bytes, reduced.into());
        let decoded = decoded.unwrap_or_else(|| panic!("{kind:?} is not decoded"));
        if let Err(difference) = compare(&bytes, reduced.into(), &decoded) {
            panic!("{kind:?}, reduced by {reduced}: {difference}");
        }
        let first = &planes(&decoded)[0];
        let side = |pixels: u16| u32::from(pixels).div_ceil(reduced.into());
        let sides = (side(kind.sides.0), side(kind.sides.1));
        assert_eq!((first.width(), first.height()), sides);
    }
}

#[test]
fn every_sampling_and_size_matches_libjpeg() {
    for sampling in SAMPLINGS {
        for sides in [(1, 1), (8, 8), (17, 9), (9, 17), (33, 65), (100, 75)] {
            let kind = SampleKind {
                sampling,
                sides,
                ..PLAIN
            };
            check(kind);
            check(SampleKind {
                is_gray: true,
                ..kind
            });
        }
    }
}

#[test]
fn mcus_of_four_blocks_match_libjpeg() {
    // An MCU of 2 × 2 blocks of luminance has as many blocks as one of 4 × 1, which the changed header states.
    let bytes = file(SampleKind {
        sides: (96, 64),
        ..PLAIN
    });
    let frame = bytes
        .windows(2)
        .position(|marker| marker == [0xFF, 0xC0])
        .unwrap();
    for (sampling, width, height) in [(0x41, 192, 32), (0x14, 48, 128)] {
        let mut bytes = bytes.clone();
        bytes[frame + 5..frame + 9].copy_from_slice(&[0, height, 0, width]);
        bytes[frame + 11] = sampling;
        for reduced in [4, 8] {
            let decoded = decode(&bytes, reduced).unwrap();
            assert_eq!(compare(&bytes, reduced as usize, &decoded), Ok(()));
        }
    }
}

#[test]
fn restart_markers_are_skipped() {
    for restart_interval in [1, 2, 7, 1_000] {
        for sampling in [SamplingFactor::F_1_1, SamplingFactor::F_2_2] {
            check(SampleKind {
                restart_interval,
                sampling,
                ..PLAIN
            });
        }
    }
}

#[test]
fn longest_codes_and_optimized_tables_are_read() {
    // Fine quantization of noise produces the rare codes, which are 16 bits long.
    let noise = SampleKind {
        quality: 100,
        noise: 255,
        ..PLAIN
    };
    check(noise);
    check(SampleKind {
        is_gray: true,
        is_optimized: true,
        ..noise
    });
    check(SampleKind {
        is_gray: true,
        is_optimized: true,
        ..PLAIN
    });
}

#[test]
fn data_longer_than_a_buffer_is_read() {
    check(SampleKind {
        sides: (700, 500),
        noise: 200,
        quality: 95,
        ..PLAIN
    });
}

#[test]
fn truncated_data_is_rejected() {
    for restart_interval in [0, 3] {
        let whole = file(SampleKind {
            restart_interval,
            ..PLAIN
        });
        // Without the end marker nothing is missing.
        let data_end = whole.len() - 2;
        for length in 0..data_end {
            assert!(decode(&whole[..length], 4).is_none(), "{length} bytes");
        }
        assert!(decode(&whole[..data_end], 4).is_some());
    }
}

/// Returns the index of the entropy-coded data, which follows the header of the scan.
fn data_start(bytes: &[u8]) -> usize {
    let scan = bytes
        .windows(2)
        .position(|marker| marker == [0xFF, 0xDA])
        .unwrap()
        + 2;
    scan + usize::from(u16::from_be_bytes([bytes[scan], bytes[scan + 1]]))
}

#[test]
fn flipped_bits_match_libjpeg_or_are_rejected() {
    let (mut read, mut given_up) = (0, 0);
    for restart_interval in [0, 5] {
        let whole = file(SampleKind {
            restart_interval,
            ..PLAIN
        });
        let start = data_start(&whole);
        for bit in (start * 8..whole.len() * 8).step_by(61) {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            match decode(&bytes, 4) {
                None => given_up += 1,
                Some(planes) => {
                    read += 1;
                    if let Err(difference) = compare(&bytes, 4, &planes) {
                        panic!("bit {bit}: {difference}");
                    }
                }
            }
        }
    }
    assert!(read > 0 && given_up > 0, "{read} and {given_up}");
}

/// Builds a grey picture of 8 × 8 pixels per block, whose only codes are 0: for first coefficients a
/// difference of 11 bits, and for the others the end of the block.
fn with_data(blocks: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0];
    bytes.extend([1; 64]);
    bytes.extend([0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8 * blocks, 1, 1, 0x11, 0]);
    for (table, symbol) in [(0x00, 11), (0x10, 0)] {
        bytes.extend([0xFF, 0xC4, 0, 20, table, 1]);
        bytes.extend([0; 15]);
        bytes.push(symbol);
    }
    bytes.extend([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]);
    bytes.extend(data);
    bytes.extend([0xFF, 0xD9]);
    bytes
}

#[test]
fn dc_coefficient_overflow_is_rejected() {
    // Each block is 0, the difference 2047 in 11 bits, 0.
    let one = with_data(1, &[0b0111_1111, 0b1111_0111]);
    assert!(decode(&one, 8).is_some());
    let two = with_data(2, &[0b0111_1111, 0b1111_0011, 0b1111_1111, 0b1011_1111]);
    assert!(decode(&two, 8).is_none());
}

#[test]
fn undefined_code_is_rejected() {
    assert!(decode(&with_data(1, &[0b1111_1110, 0, 0]), 8).is_none());
}

#[test]
fn unusual_headers_are_rejected() {
    let whole = file(PLAIN);
    assert!(decode(&whole, 4).is_some());
    assert!(decode(&whole, 1).is_none());
    assert!(decode(&whole, 2).is_none());
    let frame = whole
        .windows(2)
        .position(|marker| marker == [0xFF, 0xC0])
        .unwrap();
    let changed = |at: usize, to: u8| {
        let mut bytes = whole.clone();
        bytes[frame + at] = to;
        decode(&bytes, 4)
    };
    assert!(changed(1, 0xC1).is_some(), "extended");
    for (what, at, to) in [
        ("progressive", 1, 0xC2),
        ("arithmetic", 1, 0xC9),
        ("12 bits", 4, 12),
        ("four components", 9, 4),
        ("no samples", 11, 0x02),
        ("five samples", 11, 0x15),
        ("more than ten blocks", 11, 0x44),
        ("a quantization table that is not there", 12, 3),
    ] {
        assert!(changed(at, to).is_none(), "{what}");
    }
    // Optimized tables for a picture in colour: this encoder then writes a scan for each component.
    let scans = file(SampleKind {
        is_optimized: true,
        ..PLAIN
    });
    assert!(decode(&scans, 4).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_encoded_picture_matches_libjpeg(
        sides in (1..90_u16, 1..90_u16),
        sampling in prop::sample::select(&SAMPLINGS[..]),
        is_gray: bool,
        quality in 1..=100_u8,
        restart_interval in prop_oneof![Just(0), 1..20_u16],
        noise: u8,
    ) {
        check(SampleKind { sides, sampling, is_gray, quality, restart_interval, is_optimized: false, noise });
    }

    /// Damaged headers and data never make it panic, or read a picture differently from libjpeg.
    #[test]
    fn changed_bytes_match_libjpeg_or_are_rejected(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        restart_interval in 0..3_u16,
    ) {
        let mut bytes = file(SampleKind { sides: (40, 30), restart_interval, ..PLAIN });
        for (at, to) in changes {
            let at = at.index(bytes.len());
            bytes[at] = to;
        }
        if let Some(planes) = decode(&bytes, 4) && coefficients::of(&bytes).is_ok() {
            prop_assert_eq!(compare(&bytes, 4, &planes), Ok(()));
        }
    }
}
