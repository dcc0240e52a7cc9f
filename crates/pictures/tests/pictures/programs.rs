//! Metadata that ExifTool and Exiv2 write into pictures.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use fumikura_xmp::{EmbeddedPlace, Rating, Tag};

use crate::test_app::{TestApp, fixture};

const TAGS: [&str; 2] = ["Places/日本/京都", "sea"];
const PICTURES: [&str; 4] = [
    "display-p3.jpg",
    "display-p3.png",
    "animated.webp",
    "lzw.tiff",
];
const DATE: &str = "2024:05:06 07:08:09";

#[track_caller]
fn run(program: &str, arguments: &[impl AsRef<OsStr>], folder: &Path) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    let output = command.env("LC_ALL", "C.UTF-8").output();
    let output =
        output.unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
}

fn run_exiftool(app: &TestApp, picture: &str, arguments: &[&str]) {
    let options = ["-n", "-overwrite_original", "-codedcharacterset=utf8"];
    let arguments = [&options, arguments, &[picture]].concat();
    run("exiftool", &arguments, &app.root_dir());
}

fn run_exiv2(app: &TestApp, picture: &str, commands: &[&str]) {
    let commands: Vec<String> = commands
        .iter()
        .map(|command| format!("-M{command}"))
        .chain([picture.to_owned()])
        .collect();
    run("exiv2", &commands, &app.root_dir());
}

/// Checks the marks of the only picture, and returns its orientation and date.
#[track_caller]
fn check(app: &TestApp, tags: &[&str], place: Option<EmbeddedPlace>) -> (u8, Option<String>) {
    let listing = app.read_listing();
    let entry = &listing.entries[0];
    let name = String::from_utf8(entry.name.clone()).unwrap();
    let found = app.pictures.marks(&app.source(&name)).unwrap().embedded;
    let tags: Vec<Tag> = tags.iter().map(|tag| Tag::parse(tag).unwrap()).collect();
    assert_eq!(found.marks.tags, tags, "{name}");
    assert_eq!(found.marks.caption.as_deref(), Some("清水寺"), "{name}");
    let title = found.title.as_ref().map(|(title, _)| title.as_str());
    assert_eq!(title, Some("題"), "{name}");
    assert_eq!((found.tags, found.caption), (place, place), "{name}");
    assert_eq!(*entry.marks, found.marks, "{name}");
    let taken = entry.own_taken.map(|taken| taken.to_string());
    (entry.head.unwrap().orientation, taken)
}

#[test]
fn packets_of_exiftool_are_read() {
    let cases = PICTURES.into_iter().zip([8, 6, 3, 5]);
    // EXIF does not turn a HEIC.
    for (picture, orientation) in cases.chain([("scene.heic", 1)]) {
        let app = TestApp::new();
        app.write(picture, &fixture(&format!("samples/{picture}")));
        let orientation_argument = format!("-EXIF:Orientation={orientation}");
        let date = format!("-EXIF:DateTimeOriginal={DATE}");
        let arguments = [
            "-XMP-xmp:Rating=4",
            "-XMP-lr:HierarchicalSubject=Places|日本|京都",
            "-XMP-dc:Subject=京都",
            "-XMP-dc:Subject=sea",
            "-XMP-dc:Title=題",
            "-XMP-dc:Description=清水寺",
            &orientation_argument,
            &date,
        ];
        run_exiftool(&app, picture, &arguments);
        let found = check(&app, &TAGS, Some(EmbeddedPlace::Xmp));
        assert_eq!(found, (orientation, Some("2024-05-06T07:08:09".to_owned())));
        assert_eq!(app.read_listing().entries[0].stars(), Some(4));
    }
}

#[test]
fn packets_of_exiv2_are_read() {
    for (picture, orientation) in PICTURES.into_iter().zip([8, 1, 3, 5]) {
        let app = TestApp::new();
        app.write(picture, &fixture(&format!("samples/{picture}")));
        let orientation_command = format!("set Exif.Image.Orientation Short {orientation}");
        let date = format!("set Exif.Photo.DateTimeOriginal {DATE}");
        let mut commands = vec![
            "set Xmp.xmp.Rating 4",
            "set Xmp.digiKam.TagsList XmpSeq Places/日本/京都",
            "set Xmp.dc.subject XmpBag \"\"",
            "set Xmp.dc.subject[1] XmpText 京都",
            "set Xmp.dc.subject[2] XmpText sea",
            "set Xmp.dc.title lang=x-default 題",
            "set Xmp.dc.description lang=x-default 清水寺",
        ];
        match picture {
            // It hides EXIF in a text of a PNG, where browsers do not look either.
            "display-p3.png" => commands.push("set Xmp.exif.DateTimeOriginal 2024-05-06T07:08:09"),
            _ => commands.extend([&*orientation_command, &date]),
        }
        run_exiv2(&app, picture, &commands);
        let found = check(&app, &TAGS, Some(EmbeddedPlace::Xmp));
        assert_eq!(found, (orientation, Some("2024-05-06T07:08:09".to_owned())));
        assert_eq!(app.read_listing().entries[0].stars(), Some(4));
    }
}

#[test]
fn datasets_of_programs_are_read() {
    for picture in ["display-p3.jpg", "lzw.tiff"] {
        let app = TestApp::new();
        app.write(picture, &fixture(&format!("samples/{picture}")));
        let arguments = [
            "-IPTC:Keywords=京都",
            "-IPTC:Keywords=sea",
            "-IPTC:Caption-Abstract=清水寺",
            "-IPTC:ObjectName=題",
        ];
        run_exiftool(&app, picture, &arguments);
        check(&app, &["京都", "sea"], Some(EmbeddedPlace::Iptc));

        let app = TestApp::new();
        app.write(picture, &fixture(&format!("samples/{picture}")));
        let commands = [
            "set Iptc.Application2.Keywords 京都",
            "add Iptc.Application2.Keywords sea",
            "set Iptc.Application2.Caption 清水寺",
            "set Iptc.Application2.ObjectName 題",
        ];
        run_exiv2(&app, picture, &commands);
        check(&app, &["京都", "sea"], Some(EmbeddedPlace::Iptc));
    }
}

#[test]
fn windows_fields_of_exiftool_are_read() {
    for picture in ["display-p3.jpg", "lzw.tiff"] {
        let app = TestApp::new();
        app.write(picture, &fixture(&format!("samples/{picture}")));
        let arguments = [
            // The TIFF has another text, which goes before the comment.
            "-EXIF:ImageDescription=",
            "-EXIF:Rating=2",
            "-EXIF:XPKeywords=京都;sea",
            "-EXIF:XPComment=清水寺",
            "-EXIF:XPTitle=題",
        ];
        run_exiftool(&app, picture, &arguments);
        check(&app, &["京都", "sea"], Some(EmbeddedPlace::Exif));
        assert_eq!(
            app.read_listing().entries[0].marks.rating,
            Some(Rating::Two)
        );
    }
}
