//! Lossy WebP and AVIF as formats of exports.

use std::fs::File;
use std::io::{Cursor, Seek, Write};

use fumikura_codecs::in_process;
use fumikura_image::{
    Decode, DecodeError, KeptMetadata, Limits, PictureInfo, PictureKind, Rendition,
    RenditionFormat, TextMetadata, Turn, embed_xmp,
};
use image::codecs::webp::WebPDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, Rgba, RgbaImage};

fn export(bytes: &[u8], format: RenditionFormat, quality: u8) -> Result<Vec<u8>, DecodeError> {
    let rendition = Rendition {
        turn: Turn::NONE,
        crop: None,
        edge: None,
        format,
        quality,
        sharpens: false,
        metadata: KeptMetadata::All,
        taken: None,
    };
    in_process(Limits::default()).render(file_of(bytes), bytes.len() as u64, rendition)
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

/// Returns a JPEG with one note: the maker of the camera, "Fuj".
fn photo() -> Vec<u8> {
    let notes = b"MM\0*\0\0\0\x08\0\x01\x01\x0f\0\x02\0\0\0\x04Fuj\0\0\0\0\0";
    let mut photo = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut photo, 90);
    encoder.add_exif_metadata(notes).unwrap();
    let colours = jpeg_encoder::ColorType::Rgb;
    encoder.encode(&[99; 24], 4, 2, colours).unwrap();
    photo
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
    for (format, greatest) in [
        (RenditionFormat::Webp, [40, 6]),
        (RenditionFormat::Avif, [20, 3]),
    ] {
        let [coarse, fine] = [10, 95].map(|quality| export(&png, format, quality).unwrap());
        assert!(coarse.len() * 2 < fine.len());
        for (file, greatest) in [coarse, fine].into_iter().zip(greatest) {
            assert_eq!(PictureKind::of(&file), Some(format.kind()));
            // AVIF is compared by its decoder's own lossless copy.
            let made = if format == RenditionFormat::Avif {
                export(&file, RenditionFormat::Png, 100).unwrap()
            } else {
                file
            };
            let made = image::load_from_memory(&made).unwrap().into_rgba8();
            assert_eq!(made.dimensions(), original.dimensions());
            let pairs = made.as_raw().iter().zip(original.as_raw());
            let sum: u32 = pairs.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            let mean = sum / u32::try_from(original.as_raw().len()).unwrap();
            assert!(mean <= greatest, "{format:?}: {mean}");
        }
    }
}

#[test]
fn opacity_of_webp_is_kept_without_loss() {
    let original = RgbaImage::from_fn(16, 12, |x, y| Rgba([9, 9, 9, (x * y) as u8]));
    let file = export(&png(&original.clone().into()), RenditionFormat::Webp, 10).unwrap();
    let made = image::load_from_memory(&file).unwrap().into_rgba8();
    let opacities = |image: &RgbaImage| image.pixels().map(|pixel| pixel[3]).collect::<Vec<_>>();
    assert_eq!(opacities(&made), opacities(&original));
}

#[test]
fn file_has_metadata_and_profile() {
    let file = export(&photo(), RenditionFormat::Webp, 80).unwrap();
    let mut decoder = WebPDecoder::new(Cursor::new(&file)).unwrap();
    assert_eq!(decoder.dimensions(), (4, 2));
    let exif = decoder.exif_metadata().unwrap().unwrap();
    assert!(exif.windows(4).any(|part| part == b"Fuj\0"));
    assert!(decoder.icc_profile().unwrap().is_some());
}

#[test]
fn avif_has_metadata_of_both_kinds() {
    let opaque = photo();
    let transparent = png(&RgbaImage::from_pixel(4, 2, Rgba([9, 9, 9, 9])).into());
    for (picture, has_notes) in [(opaque, true), (transparent, false)] {
        let format = RenditionFormat::Avif;
        let file = export(&picture, format, 100).unwrap();
        let with_xmp = embed_xmp(file.clone(), format, b"<x:xmpmeta/>").unwrap();
        let length = with_xmp.len() as u64;
        let texts = TextMetadata::read(file_of(&with_xmp), length);
        assert_eq!(texts.xmp.as_deref(), Some(&b"<x:xmpmeta/>"[..]));
        let info = PictureInfo::read(&file_of(&with_xmp), length, PictureKind::Avif).unwrap();
        let maker = info.camera.make;
        assert_eq!(maker.as_deref(), has_notes.then_some("Fuj"));
        let [before, after] =
            [file, with_xmp].map(|file| export(&file, RenditionFormat::Tiff, 100).unwrap());
        let [before, after] = [before, after].map(|file| image::load_from_memory(&file).unwrap());
        assert_eq!(before, after);
    }
}

#[test]
fn too_wide_picture_is_refused() {
    let wide = png(&DynamicImage::new_rgb8(16_384, 1));
    let refused = export(&wide, RenditionFormat::Webp, 80);
    assert!(matches!(refused, Err(DecodeError::TooLarge(_))));
}
