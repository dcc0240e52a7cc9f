//! The fixture of the tests: an app with one empty root, and functions that write pictures into it.

use std::io::Cursor;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_fs::{RootId, Source, SourceFile};
use fumikura_image::{Decode, InProcess, Limits, Variant};
use fumikura_library::{ListQuery, Listing};
use fumikura_pictures::{Config, Pictures};
use fumikura_thumbs::{Outcome, Priority};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// An app on temporary folders, with one root.
pub(crate) struct TestApp {
    pub(crate) pictures: Pictures,
    pub(crate) root: RootId,
    outer: tempfile::TempDir,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let limits = Limits::default();
        Self::with_config(Arc::new(InProcess::new(limits)), |_| {})
    }

    /// Creates an app with this decoder and a changed configuration.
    pub(crate) fn with_config(decoder: Arc<dyn Decode>, change: impl FnOnce(&mut Config)) -> Self {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("root");
        std::fs::create_dir(&folder).unwrap();
        let pictures = open(outer.path(), decoder, change);
        let root = pictures.roots().add(&folder).unwrap().id();
        Self {
            pictures,
            root,
            outer,
        }
    }

    /// Opens the same folders in another launch.
    pub(crate) fn restart(self) -> Self {
        let Self {
            pictures,
            root,
            outer,
        } = self;
        drop(pictures);
        let pictures = open(outer.path(), Arc::new(InProcess::default()), |_| {});
        Self {
            pictures,
            root,
            outer,
        }
    }

    /// Returns the parent folder of the root, which is outside it.
    pub(crate) fn base_dir(&self) -> &Path {
        self.outer.path()
    }

    /// Returns the root's folder.
    pub(crate) fn root_dir(&self) -> PathBuf {
        self.base_dir().join("root")
    }

    /// Returns the folder of the thumbnails.
    pub(crate) fn cache_dir(&self) -> PathBuf {
        self.base_dir().join("cache/thumbs")
    }

    /// Writes a file into the root, and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.root_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Returns the listing of the root once all headers are read.
    pub(crate) fn read_listing(&self) -> Listing {
        self.read_listing_of("")
    }

    pub(crate) fn read_listing_of(&self, path: &str) -> Listing {
        self.read_listing_with(path, false)
    }

    /// Returns the listing of the root with pictures of several files joined, once all headers are read.
    pub(crate) fn read_joined_listing(&self) -> Listing {
        self.read_listing_with("", true)
    }

    fn read_listing_with(&self, path: &str, joins_files: bool) -> Listing {
        let list = |query: &ListQuery| {
            let path = path.as_bytes();
            self.pictures.list(self.root, path, query).unwrap()
        };
        let mut listing = list(&ListQuery {
            joins_files,
            ..ListQuery::default()
        });
        wait_until("the headers are read", || {
            listing = list(&ListQuery {
                snapshot: Some(listing.snapshot),
                joins_files,
                ..ListQuery::default()
            });
            listing.unread == 0
        });
        listing
    }

    /// Waits until the metadata is on disk for the next launch.
    pub(crate) fn wait_until_saved(&self) {
        let folder = self.base_dir().join("cache/folders");
        let is_whole = |path: &Path| {
            path.extension()
                .is_some_and(|extension| extension == "folder")
        };
        wait_until("the metadata is saved", || {
            let found = std::fs::read_dir(&folder).into_iter().flatten();
            found
                .map(|entry| entry.unwrap().path())
                .any(|path| is_whole(&path))
        });
    }

    pub(crate) fn source(&self, path: &str) -> Source {
        self.pictures
            .roots()
            .source(self.root, path.as_bytes())
            .unwrap()
    }

    pub(crate) fn find(&self, path: &str) -> SourceFile {
        self.source(path).find().unwrap()
    }

    /// Waits for the thumbnail of a picture beneath the root.
    pub(crate) fn thumbnail(&self, path: &str, variant: Variant) -> Outcome {
        self.pictures
            .thumbs()
            .request_wait(&self.find(path), variant, Priority::Next)
            .wait()
    }

    /// Returns the decoded thumbnail of a picture beneath the root.
    pub(crate) fn pixels(&self, path: &str, variant: Variant) -> DynamicImage {
        let thumbnail = self.thumbnail(path, variant).unwrap();
        image::open(&thumbnail.path).unwrap()
    }

    /// Returns the number of files in the cache, finished or not.
    pub(crate) fn cache_file_count(&self) -> usize {
        files(&self.cache_dir()) - 1 // the tag
    }
}

pub(crate) fn open(
    outer: &Path,
    decoder: Arc<dyn Decode>,
    change: impl FnOnce(&mut Config),
) -> Pictures {
    let mut config = Config::new(
        outer.join("cache/thumbs"),
        outer.join("cache/folders"),
        outer.join("roots.json"),
    );
    change(&mut config);
    let clock = Arc::new(ManualClock::new(jiff::Timestamp::now()));
    Pictures::open_with(config, clock, Arc::new(SeededEntropy::new(1)), decoder).unwrap()
}

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap());
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path()),
            false => 1,
        })
        .sum()
}

pub(crate) fn variant(text: &str) -> Variant {
    let (size, rest) = text.split_once('-').unwrap();
    let (mode, format) = rest.split_once('.').unwrap();
    Variant::parse(Some(size), Some(mode), Some(format)).unwrap()
}

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/images");

/// Returns a file of the fixtures.
pub(crate) fn fixture(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(FIXTURES).join(path)).unwrap()
}

/// Returns the names and contents of all files in a folder of the fixtures.
pub(crate) fn read_fixtures(folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(Path::new(FIXTURES).join(folder)).unwrap();
    let named = entries.map(|entry| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    });
    named.collect()
}

pub(crate) fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Creates a small PNG of one colour.
pub(crate) fn png(colour: [u8; 3]) -> Vec<u8> {
    let image = RgbImage::from_pixel(40, 30, Rgb(colour));
    encoded(&image.into(), ImageFormat::Png)
}

pub(crate) fn sized_png(width: u32, height: u32) -> Vec<u8> {
    let image = RgbImage::from_pixel(width, height, Rgb([1, 2, 3]));
    encoded(&image.into(), ImageFormat::Png)
}

/// Converts bytes to a name.
pub(crate) fn name(bytes: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Waits until a condition is met. Fails if it is not met in time.
#[track_caller]
pub(crate) fn wait_until(condition: &str, mut is_met: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_met() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "timed out: {condition}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}
