//! Exported pictures: turned, in other sizes and formats, as new files.

use std::fs;

use fumikura_fileops::FileError;
use fumikura_image::{KeptMetadata, PictureKind, Rendition, RenditionFormat, Turn};
use fumikura_pictures::{ExportError, PictureChange};
use fumikura_thumbs::ThumbError;
use fumikura_xmp::{
    CaptionChange, Marks, MarksChange, Rating, RatingChange, Tag, TagsChange, TakenChange,
};

use crate::test_app::{TestApp, fixture, png, sized_png};

fn rendition(format: RenditionFormat, edge: Option<u32>) -> Rendition {
    Rendition {
        turn: Turn::NONE,
        crop: None,
        edge,
        format,
        quality: 90,
        sharpens: false,
        metadata: KeptMetadata::All,
        taken: None,
    }
}

fn export(
    app: &TestApp,
    (name, rendition): (&str, Rendition),
    to: &str,
    new: (&str, bool),
) -> Result<String, ExportError> {
    let target = app.pictures.files().new_files(&app.source(to))?;
    let picture = app.source(name);
    let made = app.pictures.export(&picture, rendition, &target, new)?;
    Ok(String::from_utf8(made).unwrap())
}

#[test]
fn each_format_has_the_picture_turned_and_reduced() {
    let app = TestApp::new();
    let original = fixture("orientation/Landscape_6.jpg");
    app.write("a.jpg", &original);
    fs::create_dir(app.root_dir().join("out")).unwrap();
    let right = PictureChange {
        turn: Turn::of_number(6).unwrap(),
        ..PictureChange::default()
    };
    app.pictures.change(&app.source("a.jpg"), &right).unwrap();
    for format in [
        RenditionFormat::Jpeg,
        RenditionFormat::Png,
        RenditionFormat::WebpLossless,
        RenditionFormat::Tiff,
    ] {
        let new = format!("b.{}", format.extension());
        let reduced = ("a.jpg", rendition(format, Some(90)));
        assert_eq!(export(&app, reduced, "out", (&new, false)).unwrap(), new);
        let bytes = fs::read(app.root_dir().join("out").join(&new)).unwrap();
        assert_eq!(PictureKind::of(&bytes), Some(format.kind()));
        let picture = image::load_from_memory(&bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (60, 90), "{new}");
    }
    let whole = ("a.jpg", rendition(RenditionFormat::Jpeg, None));
    export(&app, whole, "out", ("c.jpg", false)).unwrap();
    let picture = image::open(app.root_dir().join("out/c.jpg")).unwrap();
    assert_eq!((picture.width(), picture.height()), (1200, 1800));
    assert_eq!(fs::read(app.root_dir().join("a.jpg")).unwrap(), original);
}

#[test]
fn copies_have_marks_and_changed_date() {
    let app = TestApp::new();
    app.write("a.jpg", &fixture("orientation/Landscape_6.jpg"));
    let taken = "2026-11-30T09:08:07".parse().unwrap();
    let tags = ["Places|Norway|Oslo", "文庫"].map(|tag| Tag::parse(tag).unwrap());
    let change = PictureChange {
        marks: MarksChange {
            rating: RatingChange::Set(Rating::Four),
            tags: TagsChange::Set(tags.to_vec()),
            caption: CaptionChange::Set("港の朝".to_owned()),
            taken: TakenChange::Set(taken),
            ..MarksChange::default()
        },
        ..PictureChange::default()
    };
    app.pictures.change(&app.source("a.jpg"), &change).unwrap();
    let of_original = app.pictures.marks_joined(&app.source("a.jpg")).unwrap();
    for format in [
        RenditionFormat::Jpeg,
        RenditionFormat::Png,
        RenditionFormat::WebpLossless,
        RenditionFormat::Tiff,
    ] {
        let name = format!("b.{}", format.extension());
        let plain = Rendition {
            metadata: KeptMetadata::None,
            ..rendition(format, Some(91))
        };
        for (of, expected) in [
            (rendition(format, Some(91)), of_original.shown()),
            (plain, Marks::default()),
        ] {
            let made = export(&app, ("a.jpg", of), "", (&name, false)).unwrap();
            let path = app.root_dir().join(&made);
            let bytes = fs::read(&path).unwrap();
            let picture = image::load_from_memory(&bytes).unwrap();
            assert_eq!(picture.width(), 91, "{made}");
            let copy = app.source(&made);
            let embedded = app.pictures.marks_joined(&copy).unwrap().embedded.marks;
            let (_, info) = app.pictures.info(&copy).unwrap();
            assert_eq!(info.taken, expected.taken, "{made}");
            let without_date = Marks {
                taken: None,
                ..expected
            };
            assert_eq!(embedded, without_date, "{made}");
            fs::remove_file(path).unwrap();
        }
    }
    let long = PictureChange {
        marks: MarksChange {
            caption: CaptionChange::Set("𩸽".repeat(20_000)),
            ..MarksChange::default()
        },
        ..PictureChange::default()
    };
    app.pictures.change(&app.source("a.jpg"), &long).unwrap();
    let as_jpeg = ("a.jpg", rendition(RenditionFormat::Jpeg, Some(9)));
    let refused = export(&app, as_jpeg, "", ("c.jpg", false));
    assert!(matches!(
        refused,
        Err(ExportError::Rendition(ThumbError::Decode(_)))
    ));
    let as_png = ("a.jpg", rendition(RenditionFormat::Png, Some(9)));
    export(&app, as_png, "", ("c.png", false)).unwrap();
}

#[test]
fn existing_file_is_never_replaced() {
    let app = TestApp::new();
    let original = png([1, 2, 3]);
    app.write("a.png", &original);
    // A sidecar that a new file would take over.
    app.write("b.png.xmp", b"of another");
    let as_png = || ("a.png", rendition(RenditionFormat::Png, None));
    for name in ["a.png", "b.png"] {
        let refused = export(&app, as_png(), "", (name, false));
        assert!(matches!(
            refused,
            Err(ExportError::File(FileError::Taken(_)))
        ));
    }
    let made = export(&app, as_png(), "", ("a.png", true)).unwrap();
    assert_eq!(made, "a (2).png");
    let made = export(&app, as_png(), "", ("b.png", true)).unwrap();
    assert_eq!(made, "b (2).png");
    assert_eq!(fs::read(app.root_dir().join("a.png")).unwrap(), original);
    assert_eq!(fs::read_dir(app.root_dir()).unwrap().count(), 4);
}

#[test]
fn new_file_joins_no_other_picture() {
    let app = TestApp::new();
    app.write("a.png", &png([1, 2, 3]));
    // The JPEG would be shown as one with the raw file, and turned again by the sidecar.
    app.write("a.CR2", b"raw");
    app.write("b.xmp", b"of another");
    let as_jpeg = || ("a.png", rendition(RenditionFormat::Jpeg, None));
    for (name, other) in [("a.jpg", "a (2).jpg"), ("b.jpg", "b (2).jpg")] {
        let refused = export(&app, as_jpeg(), "", (name, false));
        assert!(matches!(
            refused,
            Err(ExportError::File(FileError::Taken(_)))
        ));
        assert_eq!(export(&app, as_jpeg(), "", (name, true)).unwrap(), other);
    }
    let as_tiff = ("a.png", rendition(RenditionFormat::Tiff, None));
    export(&app, as_tiff, "", ("a.tif", false)).unwrap();
}

#[test]
fn failed_export_leaves_no_file() {
    let app = TestApp::new();
    app.write("a.png", b"no picture");
    app.write("wide.png", &sized_png(20_000, 1));
    app.write("b.png", &png([1, 2, 3]));
    let webp = |name| (name, rendition(RenditionFormat::WebpLossless, None));
    let damaged = export(&app, webp("a.png"), "", ("c.webp", true));
    assert!(matches!(damaged, Err(ExportError::Rendition(_))));
    // WebP has at most 16,383 pixels on a side.
    let too_wide = export(&app, webp("wide.png"), "", ("c.webp", true));
    assert!(matches!(too_wide, Err(ExportError::Rendition(_))));
    for name in ["x/y.webp", ".webp", ""] {
        let refused = export(&app, webp("b.png"), "", (name, true));
        assert!(matches!(
            refused,
            Err(ExportError::File(FileError::InvalidName { .. }))
        ));
    }
    let nowhere = export(&app, webp("b.png"), "gone", ("c.webp", true));
    assert!(matches!(
        nowhere,
        Err(ExportError::File(FileError::Access { .. }))
    ));
    assert_eq!(fs::read_dir(app.root_dir()).unwrap().count(), 3);
}
