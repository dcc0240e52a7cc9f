//! JPEG in the worker's decoder, against the `image` crate's decoder.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use fumikura_codecs::Jpeg;
use fumikura_image::{Decode, DecodeError, InProcess, Variant};
use fumikura_tests::similarity::ssim;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GenericImageView, ImageEncoder, Rgb, RgbImage};
use proptest::prelude::*;

fn ours() -> InProcess {
    InProcess {
        codecs: vec![Arc::new(Jpeg)],
        ..InProcess::default()
    }
}

/// Parses a variant as it is written in a file's name.
fn variant(text: &str) -> Variant {
    let (size, rest) = text.split_once('-').unwrap();
    let (mode, format) = rest.split_once('.').unwrap();
    Variant {
        size: size.parse().unwrap(),
        mode: mode.parse().unwrap(),
        format: format.parse().unwrap(),
        ..Variant::default()
    }
}

fn thumbnail(decoder: &InProcess, bytes: &[u8], wanted: &str) -> Result<DynamicImage, DecodeError> {
    let path = tempfile::NamedTempFile::new().unwrap();
    path.as_file().write_all(bytes).unwrap();
    let file = File::open(path.path()).unwrap();
    let made = decoder.thumbnail(file, bytes.len() as u64, variant(wanted))?;
    Ok(image::load_from_memory(&made.bytes).unwrap())
}

fn fixture(name: &str) -> Vec<u8> {
    let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/images");
    std::fs::read(images.join(name)).unwrap()
}

/// Creates waves of different lengths in each channel. A shift, a rotation or swapped channels make a large
/// difference.
fn waves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let wave = |length: f64, at: f64| (127.5 + 120.0 * (at / length).sin()) as u8;
        let (x, y) = (f64::from(x), f64::from(y));
        Rgb([wave(90.0, x), wave(70.0, y), wave(110.0, x + y)])
    })
}

fn jpeg(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 92)
        .write_image(
            image.as_bytes(),
            image.width(),
            image.height(),
            image.color().into(),
        )
        .unwrap();
    bytes
}

/// Returns the peak signal-to-noise ratio, in dB.
fn psnr(a: &DynamicImage, b: &DynamicImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let (a, b) = (a.to_rgb8(), b.to_rgb8());
    let sum: f64 = a
        .as_raw()
        .iter()
        .zip(b.as_raw())
        .map(|(x, y)| f64::from(x.abs_diff(*y)).powi(2))
        .sum();
    let mean = sum / a.as_raw().len() as f64;
    10.0 * (255.0_f64.powi(2) / mean.max(1e-9)).log10()
}

#[track_caller]
fn check_like_the_other_decoder(bytes: &[u8], wanted: &str) {
    let shown = thumbnail(&ours(), bytes, wanted).unwrap();
    let expected = thumbnail(&InProcess::default(), bytes, wanted).unwrap();
    let psnr = psnr(&shown, &expected);
    assert!(psnr > 36.0, "{wanted}: {psnr} dB");
}

#[test]
fn reduced_decoding_matches_the_reference_decoder() {
    // The sides are not divisible by a power of two.
    let picture = jpeg(&waves(1_203, 901).into());
    for wanted in [
        "1000x1000-shrink.png",
        "500x500-shrink.png",
        "150x150-shrink.png",
        "64x64-shrink.png",
        "64x64-crop.png",
        "200x30-stretch.png",
        "30x300-crop.png",
    ] {
        check_like_the_other_decoder(&picture, wanted);
    }
}

/// Returns the waves in successively finer scans.
fn progressive() -> Vec<u8> {
    let (width, height) = (1_203, 901);
    let mut bytes = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 92);
    encoder.set_progressive_scans(8);
    let picture = waves(u32::from(width), u32::from(height));
    encoder
        .encode(&picture, width, height, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    bytes
}

/// Returns the last position of the marker. Encoded data never looks like one.
fn last(marker: u8, jpeg: &[u8]) -> usize {
    let is_it = |pair: &[u8]| pair == [0xff, marker];
    jpeg.windows(2).rposition(is_it).unwrap()
}

/// Returns the segment with the size of the picture. A second one makes every decoder stop.
fn frame(jpeg: &[u8]) -> Vec<u8> {
    let at = last(0xc2, jpeg);
    let length = usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
    jpeg[at..at + 2 + length].to_vec()
}

#[test]
fn progressive_decoding_stops_after_the_needed_scans() {
    let picture = progressive();
    for wanted in [
        "1000x1000-shrink.png",
        "500x500-shrink.png",
        "150x150-shrink.png",
        "64x64-shrink.png",
    ] {
        check_like_the_other_decoder(&picture, wanted);
    }
    let mut broken = picture.clone();
    let scan = last(0xda, &broken);
    broken.splice(scan..scan, frame(&picture));
    let small = thumbnail(&ours(), &broken, "64x64-shrink.png").unwrap();
    let whole = thumbnail(&ours(), &picture, "64x64-shrink.png").unwrap();
    assert!(small == whole);
    let large = thumbnail(&ours(), &broken, "1000x1000-shrink.png");
    assert!(matches!(large, Err(DecodeError::Damaged(_))));
}

/// Each scan could be made to take as long as the whole picture.
#[test]
fn only_the_first_hundred_scans_are_read() {
    let picture = progressive();
    let scan = picture.windows(2).position(|pair| pair == [0xff, 0xda]);
    let scan = scan.unwrap();
    // The first scan ends at the next marker. Encoded data has zeros behind the marker byte.
    let is_end = |pair: &[u8]| pair[0] == 0xff && pair[1] != 0;
    let length = picture[scan + 2..].windows(2).position(is_end).unwrap() + 2;
    let with = |scans: usize| {
        let mut many = picture[..scan].to_vec();
        (0..scans).for_each(|_| many.extend(&picture[scan..scan + length]));
        many.extend(frame(&picture));
        many.extend(b"\xff\xd9");
        thumbnail(&ours(), &many, "1000x1000-shrink.png").map(|_| ())
    };
    with(101).unwrap();
    assert!(matches!(with(99), Err(DecodeError::Damaged(_))));
}

#[test]
fn reduced_decoding_keeps_photos_sharp() {
    for name in ["Landscape_1.jpg", "Portrait_1.jpg"] {
        let photo = fixture(&format!("orientation/{name}"));
        // The sides are divided by 2, 4 and 8.
        for wanted in [
            "400x400-shrink.png",
            "200x200-shrink.png",
            "100x100-shrink.png",
        ] {
            let shown = thumbnail(&ours(), &photo, wanted).unwrap();
            let expected = thumbnail(&InProcess::default(), &photo, wanted).unwrap();
            let ssim = ssim(&shown, &expected);
            assert!(ssim > 0.97, "{name}, {wanted}: {ssim}");
            let psnr = psnr(&shown, &expected);
            assert!(psnr > 36.0, "{name}, {wanted}: {psnr} dB");
        }
    }
}

#[test]
fn grey_stays_grey() {
    let grey: DynamicImage = DynamicImage::from(waves(801, 603)).to_luma8().into();
    check_like_the_other_decoder(&jpeg(&grey), "90x90-shrink.png");
}

#[test]
fn every_orientation_is_upright() {
    for series in ["Landscape", "Portrait"] {
        let show = |orientation: u8| {
            let bytes = fixture(&format!("orientation/{series}_{orientation}.jpg"));
            thumbnail(&ours(), &bytes, "180x180-shrink.png").unwrap()
        };
        // The files with orientation 0 and 1 are stored upright.
        let upright = show(1);
        for orientation in [0, 2, 3, 4, 5, 6, 7, 8] {
            let psnr = psnr(&show(orientation), &upright);
            // The files were turned and compressed again, which alone makes them differ as much.
            assert!(psnr > 30.0, "{series} {orientation}: {psnr} dB");
        }
    }
}

#[test]
fn truncated_file_shows_its_decodable_part() {
    let bytes = fixture("broken/truncated.jpg");
    let shown = thumbnail(&ours(), &bytes, "290x442-stretch.png").unwrap();
    let shown = shown.to_rgb8();
    assert_ne!(shown.get_pixel(20, 20), shown.get_pixel(200, 20));
    let is_grey = |pixel: &Rgb<u8>| pixel.0.iter().all(|channel| channel.abs_diff(128) < 4);
    assert!((0..290).all(|x| is_grey(shown.get_pixel(x, 430))));
}

#[test]
fn oversized_header_is_refused() {
    let mut bytes = jpeg(&waves(8, 8).into());
    let frame = bytes
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    bytes[frame + 5..frame + 9].fill(0xff);
    // The library itself refuses more than 65,500 pixels on a side.
    assert!(matches!(
        thumbnail(&ours(), &bytes, "85x85-crop.jpg"),
        Err(DecodeError::TooManyPixels { .. } | DecodeError::Damaged(_))
    ));
    bytes[frame + 5..frame + 9].copy_from_slice(&[0x80, 0, 0x80, 0]);
    assert!(matches!(
        thumbnail(&ours(), &bytes, "85x85-crop.jpg"),
        Err(DecodeError::TooManyPixels {
            width: 32_768,
            height: 32_768,
            limit: 150_000_000
        })
    ));
}

#[test]
fn message_of_the_decoder_is_reported() {
    let mut bytes = jpeg(&waves(8, 8).into());
    let frame = bytes
        .windows(2)
        .position(|marker| marker == [0xff, 0xc0])
        .unwrap();
    bytes[frame + 1] = 0xc3;
    match thumbnail(&ours(), &bytes, "85x85-crop.jpg") {
        Err(DecodeError::Damaged(message)) => assert!(message.contains("0xc3"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn file_cut_anywhere_is_damaged_or_a_picture() {
    let whole = jpeg(&waves(40, 30).into());
    for length in 3..whole.len() {
        match thumbnail(&ours(), &whole[..length], "20x20-shrink.png") {
            Ok(shown) => assert_eq!(shown.dimensions(), (20, 15)),
            Err(error) => assert!(matches!(error, DecodeError::Damaged(_)), "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any change of a file gives a picture or an error about the picture.
    #[test]
    fn damage_causes_at_most_an_error(changes in prop::collection::vec((3..2_000_usize, any::<u8>()), 1..12)) {
        let mut bytes = jpeg(&waves(120, 90).into());
        for (at, byte) in changes {
            let length = bytes.len();
            bytes[3 + at % (length - 3)] = byte;
        }
        if let Err(error) = thumbnail(&ours(), &bytes, "20x20-shrink.png") {
            prop_assert!(error.is_lasting(), "{}", error);
            prop_assert!(!matches!(error, DecodeError::Panicked), "{}", error);
        }
    }
}
