//! SVG.

use fumikura_image::{DecodeError, Limits};

use crate::harness::{sample, thumbnail, thumbnail_within};
use crate::{damage, scene};

#[test]
fn the_scene_is_shown() {
    scene::check("japanese.svg", 3);
}

/// The words are right of the middle, on a light ground.
#[test]
fn japanese_words_are_shown() {
    let shown = thumbnail(&sample("japanese.svg"), "120x80-stretch.png").unwrap();
    let shown = shown.to_luma8();
    let is_dark = |left: u32| {
        let places = (left..left + 16).flat_map(|x| (32..52).map(move |y| (x, y)));
        places
            .filter(|&(x, y)| shown.get_pixel(x, y).0[0] < 128)
            .count()
    };
    // 日, 本 and 語 have more strokes each than a placeholder, and different numbers of them.
    let ink = [68, 84, 100].map(is_dark);
    assert!(ink.iter().all(|&dots| dots > 20), "{ink:?}");
    assert!(ink[0] != ink[1] && ink[1] != ink[2], "{ink:?}");
}

#[test]
fn a_drawing_is_sharp_at_every_size() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>\
                <rect width='4' height='8' fill='#123456'/></svg>";
    let large = thumbnail(text.as_bytes(), "256x256-crop.png")
        .unwrap()
        .to_rgba8();
    assert_eq!(large.get_pixel(124, 100).0, [0x12, 0x34, 0x56, 255]);
    assert_eq!(large.get_pixel(131, 100).0[3], 0);
    let small = thumbnail(text.as_bytes(), "256x256-shrink.png").unwrap();
    assert_eq!((small.width(), small.height()), (8, 8));
}

/// Resources that a drawing names are not read, wherever they are.
#[test]
fn no_file_is_shown_in_a_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.png");
    image::RgbImage::from_pixel(8, 8, image::Rgb([255, 0, 0]))
        .save(&path)
        .unwrap();
    let path = path.display();
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>\
         <image width='8' height='8' href='{path}'/>\
         <image width='8' height='8' href='file://{path}'/></svg>"
    );
    let shown = thumbnail(text.as_bytes(), "8x8-crop.png")
        .unwrap()
        .to_rgba8();
    assert!(shown.pixels().all(|pixel| pixel.0[3] == 0));
}

#[test]
fn exponential_or_deep_drawing_is_refused() {
    let uses = |depth: usize| {
        let levels: String = (1..depth)
            .map(|level| {
                let again = format!("<use href='#a{}'/>", level - 1).repeat(10);
                format!("<g id='a{level}'>{again}</g>")
            })
            .collect();
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><defs>\
             <g id='a0'><rect width='1' height='1'/></g>{levels}</defs><use href='#a{}'/></svg>",
            depth - 1
        )
    };
    assert!(thumbnail(uses(2).as_bytes(), "8x8-crop.png").is_ok());
    let deep = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>{}{}</svg>",
        "<g>".repeat(100_000),
        "</g>".repeat(100_000)
    );
    for text in [uses(9), deep] {
        let outcome = thumbnail(text.as_bytes(), "8x8-crop.png");
        assert!(
            matches!(outcome, Err(DecodeError::TooLarge(_))),
            "{outcome:?}"
        );
    }
}

/// A drawing has no inherent pixels, so an unreasonable size is ignored.
#[test]
fn drawing_is_rendered_at_thumbnail_size() {
    for (size, shown) in [
        ("width='960000' height='640000'", (256, 171)),
        ("width='0.0048mm' height='0.0032mm'", (256, 171)),
        ("width='3' height='2'", (256, 171)),
        ("width='48' height='32'", (48, 32)),
    ] {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' {size} viewBox='0 0 3 2' \
             preserveAspectRatio='none'><rect width='1' height='2' fill='#123456'/></svg>"
        );
        let image = thumbnail(text.as_bytes(), "256x256-shrink.png").unwrap();
        assert_eq!((image.width(), image.height()), shown, "{size}");
        let image = image.to_rgba8();
        let (width, height) = image.dimensions();
        // The edge is sharp: the opacity falls from full to zero within four pixels.
        let opacity = |x: u32| image.get_pixel(x, height / 2).0[3];
        assert!(
            opacity(width / 3 - 2) > 235 && opacity(width / 3 + 2) < 20,
            "{size}"
        );
    }
}

#[test]
fn endless_width_becomes_a_strip() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='1e30' height='5'/>";
    let shown = thumbnail(text.as_bytes(), "256x256-shrink.png").unwrap();
    assert_eq!((shown.width(), shown.height()), (256, 1));
}

#[test]
fn drawing_is_never_larger_than_allowed() {
    let limits = Limits {
        pixels: 120 * 80 - 1,
        ..Limits::default()
    };
    let shown = thumbnail_within(limits, &sample("japanese.svg"), "20x20-shrink.png");
    assert!(matches!(shown, Err(DecodeError::TooManyPixels { .. })));
}

/// Elements that draw each other in a circle draw nothing. The rest is shown.
#[test]
fn cyclic_references_are_left_out() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'>\
                <rect width='8' height='8' fill='#123456'/>\
                <g id='a'><use href='#b'/></g><g id='b'><use href='#c'/></g>\
                <g id='c'><use href='#a'/></g><use href='#a'/></svg>";
    let shown = thumbnail(text.as_bytes(), "8x8-crop.png")
        .unwrap()
        .to_rgba8();
    assert_eq!(shown.get_pixel(4, 4).0, [0x12, 0x34, 0x56, 255]);
}

#[test]
fn text_in_utf_16_is_drawn() {
    let text = "<?xml version='1.0' encoding='UTF-16'?><svg xmlns='http://www.w3.org/2000/svg' \
                width='8' height='8'><rect width='8' height='8' fill='#123456'/></svg>";
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_be_bytes).collect();
    let shown = thumbnail(&bytes, "8x8-crop.png").unwrap().to_rgba8();
    assert_eq!(shown.get_pixel(4, 4).0, [0x12, 0x34, 0x56, 255]);
}

/// All pictures of a drawing together have no more pixels than one may have.
#[test]
fn embedded_pictures_obey_the_limits() {
    let png = crate::harness::fixture("cases/embedded_png.svg");
    let text = String::from_utf8(png).unwrap();
    let limits = Limits {
        pixels: 96 * 64,
        ..Limits::default()
    };
    let shown = thumbnail_within(limits, text.as_bytes(), "96x64-stretch.png").unwrap();
    assert_eq!(shown.to_rgba8().get_pixel(9, 9).0[3], 255);
    let start = text.find("<image").unwrap();
    let end = start + text[start..].find("/>").unwrap() + 2;
    let twice = format!("{}{}{}", &text[..end], &text[start..end], &text[end..]);
    let twice = twice.replacen("<image", "<image opacity='0'", 1);
    let shown = thumbnail_within(limits, twice.as_bytes(), "96x64-stretch.png").unwrap();
    assert_eq!(shown.to_rgba8().get_pixel(9, 9).0[3], 0);
}

#[test]
fn damage_causes_at_most_an_error() {
    damage::check_every_length("japanese.svg");
    damage::check_flips("japanese.svg", 300);
}
