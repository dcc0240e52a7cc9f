//! Lossy WebP as a format of exports.

use std::fs::File;
use std::io::{Cursor, Write};

use fumikura_codecs::in_process;
use fumikura_image::{
    Decode, DecodeError, KeptMetadata, Limits, PictureKind, Rendition, RenditionFormat, Turn,
};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, Rgba, RgbaImage};

fn export(bytes: &[u8], quality: u8) -> Result<Vec<u8>, DecodeError> {
    let rendition = Rendition {
        turn: Turn::NONE,
        edge: None,
        format: RenditionFormat::Webp,
        quality,
        sharpens: false,
        metadata: KeptMetadata::All,
        taken: None,
    };
    let path = tempfile::NamedTempFile::new().unwrap();
    path.as_file().write_all(bytes).unwrap();
    let file = File::open(path.path()).unwrap();
    in_process(Limits::default()).render(file, bytes.len() as u64, rendition)
}

fn png(image: &DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn quality_decides_about_size_and_likeness() {
    let original = RgbaImage::from_fn(161, 120, |x, y| {
        let [x, y] = [x, y].map(|at| u8::try_from(at).unwrap());
        Rgba([x, y * 2, x ^ y, 255 - y])
    });
    let png = png(&original.clone().into());
    let [coarse, fine] = [10, 95].map(|quality| export(&png, quality).unwrap());
    assert!(coarse.len() * 2 < fine.len());
    for (file, least) in [(coarse, 40), (fine, 6)] {
        assert_eq!(PictureKind::of(&file), Some(PictureKind::Webp));
        let made = image::load_from_memory(&file).unwrap().into_rgba8();
        assert_eq!(made.dimensions(), original.dimensions());
        let pairs = made.as_raw().iter().zip(original.as_raw());
        let sum: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
        assert!(
            sum / u32::try_from(original.len()).unwrap() <= least,
            "{sum}"
        );
        // Opacity is kept without loss.
        let opacities =
            |image: &RgbaImage| image.pixels().map(|pixel| pixel[3]).collect::<Vec<_>>();
        assert_eq!(opacities(&made), opacities(&original));
    }
}

#[test]
fn file_has_metadata_and_profile() {
    // One field: the maker of the camera.
    let notes = b"MM\0*\0\0\0\x08\0\x01\x01\x0f\0\x02\0\0\0\x04Fuj\0\0\0\0\0";
    let mut photo = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut photo, 90);
    encoder.add_exif_metadata(notes).unwrap();
    let colours = jpeg_encoder::ColorType::Rgb;
    encoder.encode(&[99; 24], 4, 2, colours).unwrap();
    let file = export(&photo, 80).unwrap();
    let mut decoder = WebPDecoder::new(Cursor::new(&file)).unwrap();
    assert_eq!(decoder.dimensions(), (4, 2));
    let exif = decoder.exif_metadata().unwrap().unwrap();
    assert!(exif.windows(4).any(|part| part == b"Fuj\0"));
    assert!(decoder.icc_profile().unwrap().is_some());
}

#[test]
fn too_wide_picture_is_refused() {
    let wide = png(&DynamicImage::new_rgb8(16_384, 1));
    assert!(matches!(export(&wide, 80), Err(DecodeError::TooLarge(_))));
}
