//! Sidecars exchanged with ExifTool and Exiv2, both ways. Exiv2 is the library with which digiKam, darktable and gThumb
//! read and write them.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use fumikura_xmp::{
    CameraRawCrop, CaptionChange, CropChange, Marks, MarksChange, OrientationChange, Rating,
    RatingChange, Tag, TagsChange, TakenChange, edit, read,
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

const CAPTION: &str = "清水寺 & <夕日>\n二行目";
const TAKEN: &str = "2024-05-06T07:08:09";
const TAGS: [&str; 3] = ["Places/日本/京都", "sea", "Rain & Snow"];

/// A sidecar that programs read and change.
struct Exchange {
    folder: TempDir,
}

impl Exchange {
    /// Creates the sidecar of [`change`].
    fn of_change(rating: Rating, orientation: u8) -> Self {
        let exchange = Self::empty();
        let change = change(rating, orientation);
        let sidecar = edit(None, &change, &Marks::default()).unwrap();
        fs::write(exchange.path(), sidecar).unwrap();
        exchange
    }

    fn empty() -> Self {
        let folder = TempDir::new().unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.xmp")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path()).unwrap()
    }

    fn marks(&self) -> Marks {
        read(&self.bytes()).unwrap().marks
    }

    fn title(&self) -> Option<String> {
        read(&self.bytes()).unwrap().title
    }

    fn change(&self, change: &MarksChange) {
        let changed = edit(Some(&self.bytes()), change, &Marks::default()).unwrap();
        fs::write(self.path(), changed).unwrap();
    }

    /// Runs a program in the folder, and returns its output.
    #[track_caller]
    fn run(&self, program: &str, arguments: &[impl AsRef<OsStr>]) -> String {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        let output = command.env("LC_ALL", "C.UTF-8").output();
        let output =
            output.unwrap_or_else(|error| panic!("{program} is needed for this test: {error}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the properties of the sidecar that ExifTool reads, by their groups and names.
    #[track_caller]
    fn by_exiftool(&self) -> Map<String, Value> {
        let output = self.run("exiftool", &["-j", "-n", "-G1", "-struct", "a.xmp"]);
        let mut files: Vec<Map<String, Value>> = serde_json::from_str(&output).unwrap();
        let mut found = files.remove(0);
        found.retain(|name, _| name.starts_with("XMP-") && name != "XMP-x:XMPToolkit");
        found
    }

    /// Returns the value of a property that Exiv2 reads; `None` if there is none.
    #[track_caller]
    fn by_exiv2(&self, key: &str) -> Option<String> {
        let listed = self.run("exiv2", &["-PXk", "a.xmp"]);
        let is_there = listed.lines().any(|line| line.trim() == key);
        let value = || self.run("exiv2", &["-K", key, "-PXv", "a.xmp"]);
        is_there.then(|| value().trim_end().to_owned())
    }

    /// Creates or changes the sidecar with ExifTool.
    fn write_by_exiftool(&self, rating: i8, orientation: u8) {
        let mut arguments = vec![
            "-n".to_owned(),
            format!("-XMP-xmp:Rating={rating}"),
            format!("-XMP-dc:Description={CAPTION}"),
            "-XMP-dc:Title=題".to_owned(),
            format!("-XMP-tiff:Orientation={orientation}"),
            "-XMP-exif:DateTimeOriginal=2024:05:06 07:08:09+09:00".to_owned(),
            "-XMP-crs:HasCrop=True".to_owned(),
            "-XMP-crs:CropTop=0.125".to_owned(),
            "-XMP-crs:CropLeft=0.2".to_owned(),
            "-XMP-crs:CropBottom=0.9".to_owned(),
            "-XMP-crs:CropRight=0.75".to_owned(),
            "-XMP-crs:CropAngle=-1.5".to_owned(),
        ];
        for (tag, leaf) in tags_and_leaves() {
            arguments.push(format!("-XMP-dc:Subject={leaf}"));
            let path = tag.replace('/', "|");
            arguments.push(format!("-XMP-lr:HierarchicalSubject={path}"));
        }
        let target = match self.path().exists() {
            true => "-overwrite_original",
            false => "-o",
        };
        arguments.extend([target.to_owned(), "a.xmp".to_owned()]);
        self.run("exiftool", &arguments);
    }

    /// Creates the sidecar with Exiv2, or changes its rating and its orientation.
    fn write_by_exiv2(&self, rating: i8, orientation: u8) {
        let mut commands = vec![
            format!("set Xmp.xmp.Rating {rating}"),
            format!("set Xmp.tiff.Orientation {orientation}"),
        ];
        if !self.path().exists() {
            let empty = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
                         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/></x:xmpmeta>";
            fs::write(self.path(), empty).unwrap();
            // A command is a line.
            let caption = CAPTION.replace('\n', " ");
            commands.extend([
                "set Xmp.dc.title lang=x-default 題".to_owned(),
                format!("set Xmp.dc.description lang=x-default {caption}"),
                format!("set Xmp.exif.DateTimeOriginal {TAKEN}+09:00"),
                "set Xmp.crs.HasCrop True".to_owned(),
                "set Xmp.crs.CropTop 0.125".to_owned(),
                "set Xmp.crs.CropLeft 0.2".to_owned(),
                "set Xmp.crs.CropBottom 0.9".to_owned(),
                "set Xmp.crs.CropRight 0.75".to_owned(),
                "set Xmp.crs.CropAngle -1.5".to_owned(),
                "set Xmp.dc.subject XmpBag \"\"".to_owned(),
                "set Xmp.lr.hierarchicalSubject XmpBag \"\"".to_owned(),
                "set Xmp.digiKam.TagsList XmpSeq \"\"".to_owned(),
            ]);
            for (index, (tag, leaf)) in (1..).zip(tags_and_leaves()) {
                let path = tag.replace('/', "|");
                commands.extend([
                    format!("set Xmp.dc.subject[{index}] XmpText {leaf}"),
                    format!("set Xmp.lr.hierarchicalSubject[{index}] XmpText {path}"),
                    format!("set Xmp.digiKam.TagsList[{index}] XmpText {tag}"),
                ]);
            }
        }
        fs::write(self.folder.path().join("commands"), commands.join("\n")).unwrap();
        self.run("exiv2", &["-m", "commands", "a.xmp"]);
    }
}

/// The functions with which each program creates or changes a sidecar.
const WRITERS: [fn(&Exchange, i8, u8); 2] = [Exchange::write_by_exiftool, Exchange::write_by_exiv2];

fn tags_and_leaves() -> impl Iterator<Item = (&'static str, &'static str)> {
    TAGS.into_iter()
        .map(|tag| (tag, tag.rsplit('/').next().unwrap()))
}

/// Returns all orientations, with a rating for each.
fn cases() -> impl Iterator<Item = (Rating, u8)> {
    Rating::ALL.into_iter().cycle().zip(1..=8)
}

fn change(rating: Rating, orientation: u8) -> MarksChange {
    let tags = TAGS.map(|tag| Tag::parse(tag).unwrap());
    let crop = CameraRawCrop::new([0.125, 0.2, 0.9, 0.75], -1.5);
    MarksChange {
        rating: RatingChange::Set(rating),
        tags: TagsChange::Set(tags.into()),
        caption: CaptionChange::Set(CAPTION.to_owned()),
        orientation: OrientationChange::Map([orientation; 9]),
        crop: CropChange::Set(crop.unwrap()),
        taken: TakenChange::Set(TAKEN.parse().unwrap()),
        discards_empty: false,
    }
}

/// Returns the marks of [`change`].
fn marks(rating: Rating, orientation: u8) -> Marks {
    change(rating, orientation).apply_to(&Marks::default())
}

/// Returns what ExifTool reads of [`change`].
fn expected(rating: Rating, orientation: u8) -> Map<String, Value> {
    let expected = json!({
        "XMP-xmp:Rating": rating.number(),
        "XMP-digiKam:TagsList": TAGS,
        "XMP-lr:HierarchicalSubject": TAGS.map(|tag| tag.replace('/', "|")),
        "XMP-dc:Subject": ["京都", "sea", "Rain & Snow"],
        "XMP-dc:Description": CAPTION,
        "XMP-tiff:Orientation": orientation,
        "XMP-crs:HasCrop": true,
        "XMP-crs:CropTop": 0.125,
        "XMP-crs:CropLeft": 0.2,
        "XMP-crs:CropBottom": 0.9,
        "XMP-crs:CropRight": 0.75,
        "XMP-crs:CropAngle": -1.5,
        "XMP-exif:DateTimeOriginal": "2024:05:06 07:08:09",
    });
    expected.as_object().unwrap().clone()
}

#[test]
fn exiftool_reads_written_sidecars() {
    for (rating, orientation) in cases() {
        let exchange = Exchange::of_change(rating, orientation);
        assert_eq!(exchange.by_exiftool(), expected(rating, orientation));
    }
    let exchange = Exchange::of_change(Rating::Five, 1);
    let checked = exchange.run("exiftool", &["-validate", "-warning", "-a", "a.xmp"]);
    assert!(checked.trim_end().ends_with(": OK"), "{checked}");
}

#[test]
fn exiv2_reads_written_sidecars() {
    for (rating, orientation) in cases() {
        let exchange = Exchange::of_change(rating, orientation);
        let check = |key: &str, expected: &str| {
            assert_eq!(exchange.by_exiv2(key).as_deref(), Some(expected), "{key}");
        };
        check("Xmp.xmp.Rating", &rating.number().to_string());
        check("Xmp.digiKam.TagsList", &TAGS.join(", "));
        let paths = TAGS.join(", ").replace('/', "|");
        check("Xmp.lr.hierarchicalSubject", &paths);
        check("Xmp.dc.subject", "京都, sea, Rain & Snow");
        let caption = format!("lang=\"x-default\" {CAPTION}");
        check("Xmp.dc.description", &caption);
        check("Xmp.tiff.Orientation", &orientation.to_string());
        check("Xmp.crs.HasCrop", "True");
        check("Xmp.crs.CropTop", "0.125");
        check("Xmp.crs.CropAngle", "-1.5");
        check("Xmp.exif.DateTimeOriginal", TAKEN);
    }
}

#[test]
fn sidecars_of_exiftool_are_read() {
    for (rating, orientation) in cases() {
        let exchange = Exchange::empty();
        exchange.write_by_exiftool(rating.number(), orientation);
        assert_eq!(exchange.marks(), marks(rating, orientation));
        assert_eq!(exchange.title().as_deref(), Some("題"));
    }
}

#[test]
fn sidecars_of_exiv2_are_read() {
    for (rating, orientation) in cases() {
        let exchange = Exchange::empty();
        exchange.write_by_exiv2(rating.number(), orientation);
        let expected = Marks {
            caption: Some(CAPTION.replace('\n', " ")),
            ..marks(rating, orientation)
        };
        assert_eq!(exchange.marks(), expected);
        assert_eq!(exchange.title().as_deref(), Some("題"));
    }
}

#[test]
fn programs_change_written_sidecars() {
    for write in WRITERS {
        let exchange = Exchange::of_change(Rating::Two, 3);
        write(&exchange, 5, 8);
        assert_eq!(exchange.marks(), marks(Rating::Five, 8));
    }
}

#[test]
fn changes_keep_fields_of_programs() {
    const THEIRS: [&str; 9] = [
        "-XMP-photoshop:City=京都",
        "-XMP-dc:Creator=Aki",
        "-XMP-dc:Rights=© Aki",
        "-XMP-xmp:Label=Green",
        "-XMP-crs:Exposure2012=+0.35",
        "-XMP-iptcExt:LocationShown={City=京都,CountryName=日本}",
        "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=Aki,Type=Face,Area={X=0.5,Y=0.5,W=0.1,H=0.1}}]}",
        "-XMP-xmpMM:History=[{Action=saved,When=2024:05:06 07:08:09}]",
        "-XMP-exif:GPSLatitude=34.99",
    ];
    for write in WRITERS {
        let exchange = Exchange::empty();
        write(&exchange, 1, 6);
        let mut arguments = vec!["-n", "-overwrite_original"];
        arguments.extend(THEIRS);
        arguments.push("a.xmp");
        exchange.run("exiftool", &arguments);
        let mut theirs = exchange.by_exiftool();
        theirs.retain(|name, _| !expected(Rating::One, 6).contains_key(name));
        // The title is theirs, too.
        assert_eq!(theirs.len(), THEIRS.len() + 1, "{theirs:?}");
        exchange.change(&MarksChange {
            rating: RatingChange::Clear,
            tags: TagsChange::Set(Vec::new()),
            caption: CaptionChange::Clear,
            orientation: OrientationChange::Map([0; 9]),
            crop: CropChange::Clear,
            taken: TakenChange::Clear,
            discards_empty: true,
        });
        theirs.insert("XMP-xmp:Rating".to_owned(), json!(0));
        assert_eq!(exchange.by_exiftool(), theirs);
        exchange.change(&change(Rating::Four, 3));
        theirs.extend(expected(Rating::Four, 3));
        assert_eq!(exchange.by_exiftool(), theirs);
        let city = exchange.by_exiv2("Xmp.photoshop.City");
        assert_eq!(city.as_deref(), Some("京都"));
    }
}
