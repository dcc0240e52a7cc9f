//! The frames of animated AVIF pictures.

use std::fs::File;
use std::io::{Cursor, Seek, Write};

use fumikura_codecs::in_process;
use fumikura_image::{Decode, DecodeError, Limits};
use image::codecs::webp::WebPDecoder;
use image::{AnimationDecoder, Rgba, RgbaImage};

use crate::harness::{fixture, sample};

fn frames_of(bytes: &[u8], from: u32) -> Result<Vec<u8>, DecodeError> {
    let mut file: File = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    in_process(Limits::default()).frames(file, bytes.len() as u64, from)
}

fn decoded(webp: &[u8]) -> Vec<(u32, RgbaImage)> {
    let decoder = WebPDecoder::new(Cursor::new(webp)).unwrap();
    let frames = decoder.into_frames().collect_frames().unwrap();
    let frame = |frame: image::Frame| {
        let (milliseconds, parts) = frame.delay().numer_denom_ms();
        (milliseconds / parts, frame.into_buffer())
    };
    frames.into_iter().map(frame).collect()
}

/// Returns the table of the whole animation: the index of the first frame, and the durations.
fn table(webp: &[u8]) -> Vec<u32> {
    let at = webp.windows(4).position(|kind| kind == b"FRMS").unwrap();
    let numbers = webp[at + 4..].chunks_exact(4).map(|number| {
        let [a, b, c, d] = *number else {
            unreachable!()
        };
        u32::from_le_bytes([a, b, c, d])
    });
    let mut numbers = numbers;
    let length = numbers.next().unwrap() as usize;
    numbers.take(length / 4).collect()
}

#[track_caller]
fn check_near(actual: Rgba<u8>, expected: [u8; 4]) {
    let far = actual.0.iter().zip(expected);
    let most = far.map(|(one, other)| one.abs_diff(other)).max();
    assert!(most <= Some(16), "{actual:?} is not {expected:?}");
}

/// The square of the n-th frame, at a place of its own.
const SQUARES: [(u32, [u8; 4]); 3] = [
    (8, [220, 30, 30, 255]),
    (18, [30, 180, 40, 255]),
    (28, [30, 60, 220, 255]),
];

#[track_caller]
fn check_frames(webp: &[u8], from: usize, ground: [u8; 4]) {
    let frames = decoded(webp);
    assert_eq!(frames.len(), SQUARES.len() - from);
    for (number, (_, frame)) in frames.iter().enumerate() {
        for (other, (x, colour)) in SQUARES.into_iter().enumerate() {
            let expected = if other == number + from {
                colour
            } else {
                ground
            };
            let pixel = *frame.get_pixel(x, 12);
            match expected {
                [.., 0] => assert_eq!(pixel.0[3], 0),
                expected => check_near(pixel, expected),
            }
        }
    }
}

#[test]
fn frames_have_durations_and_colours() {
    let webp = frames_of(&fixture("animated/d-moving.avif"), 0).unwrap();
    assert_eq!(table(&webp), [0, 200, 300, 400]);
    check_frames(&webp, 0, [240, 230, 200, 255]);
    let durations = decoded(&webp).into_iter().map(|(duration, _)| duration);
    assert_eq!(durations.collect::<Vec<_>>(), [200, 300, 400]);
}

#[test]
fn frames_from_the_middle_are_whole() {
    let webp = frames_of(&fixture("animated/d-moving.avif"), 2).unwrap();
    assert_eq!(table(&webp), [2, 200, 300, 400]);
    check_frames(&webp, 2, [240, 230, 200, 255]);
}

#[test]
fn transparent_frames_stay_transparent() {
    let webp = frames_of(&fixture("animated/e-clear.avif"), 0).unwrap();
    check_frames(&webp, 0, [0, 0, 0, 0]);
}

#[test]
fn frame_behind_the_last_is_refused() {
    assert!(matches!(
        frames_of(&fixture("animated/d-moving.avif"), 3),
        Err(DecodeError::Damaged(_))
    ));
    for single in ["scene.avif", "clear.jxl"] {
        assert!(matches!(
            frames_of(&sample(single), 0),
            Err(DecodeError::UnsupportedKind(_))
        ));
    }
}

#[test]
fn damaged_animation_causes_at_most_an_error() {
    let whole = fixture("animated/e-clear.avif");
    for end in (0..whole.len()).step_by(37) {
        let _ends = frames_of(&whole[..end], 0);
    }
    for at in (0..whole.len()).step_by(11) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        let _ends = frames_of(&damaged, 0);
    }
}

/// The table may claim any size.
#[test]
fn huge_frames_are_refused() {
    let mut bytes = fixture("animated/d-moving.avif");
    let entry = bytes.windows(4).rposition(|kind| kind == b"av01").unwrap();
    bytes[entry + 28..entry + 32].copy_from_slice(&[0x20, 0, 0x20, 0]);
    assert!(matches!(
        frames_of(&bytes, 0),
        Err(DecodeError::TooManyPixels { .. })
    ));
}
