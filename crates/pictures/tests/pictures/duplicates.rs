//! Pictures with the same contents.

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read};

use fumikura_fileops::CompanionLookup;
use fumikura_fs::{Source, SourceFile};
use fumikura_pictures::{
    ContentHash, ContentHasher, DuplicatePicture, Duplicates, SearchCancelled,
};

use crate::test_app::{TestApp, png};

/// A hasher that notes the names of the files that it reads, and can't read some.
#[derive(Default)]
struct TestHasher {
    read: RefCell<Vec<String>>,
    unreadable: &'static str,
}

impl ContentHasher for TestHasher {
    fn hash(
        &self,
        mut file: &File,
        source_file: &SourceFile,
        _: &dyn Fn() -> bool,
    ) -> io::Result<ContentHash> {
        let name = String::from_utf8_lossy(source_file.source().path().name()).into_owned();
        if name == self.unreadable {
            return Err(io::Error::other("a bad sector"));
        }
        self.read.borrow_mut().push(name);
        let (mut bytes, mut hash) = (Vec::new(), DefaultHasher::new());
        file.read_to_end(&mut bytes)?;
        hash.write(&bytes);
        let mut found = [0; 32];
        found[..8].copy_from_slice(&hash.finish().to_le_bytes());
        Ok(found)
    }
}

fn find(app: &TestApp, hasher: &TestHasher) -> Duplicates {
    let folders = [app.source("")];
    let found = app.pictures.find_duplicates(&folders, hasher, &|_, _| true);
    found.unwrap()
}

/// Returns the paths of the pictures of each group.
fn paths(found: &Duplicates) -> Vec<Vec<String>> {
    let path = |picture: &DuplicatePicture| {
        let path = picture.file.source.path().as_bytes();
        String::from_utf8(path.to_vec()).unwrap()
    };
    let groups = found.groups.iter();
    groups
        .map(|group| group.iter().map(path).collect())
        .collect()
}

fn app_with(files: &[(&str, &[u8])]) -> TestApp {
    let app = TestApp::new();
    for (path, bytes) in files {
        fs::create_dir_all(app.root_dir().join(path).parent().unwrap()).unwrap();
        app.write(path, bytes);
    }
    app
}

#[test]
fn pictures_with_same_contents_form_groups() {
    let long = |end: u8| [vec![7; 30_000], vec![end]].concat();
    let app = app_with(&[
        ("a.jpg", b"one"),
        ("below/b.jpg", b"one"),
        ("c.jpg", b"two"),
        ("d.jpg", b"other"),
        ("empty.jpg", b""),
        ("empty too.jpg", b""),
        ("long.png", &long(1)),
        ("below/long.png", &long(1)),
        ("below/longer.png", &long(2)),
        ("text.txt", b"one"),
    ]);
    let hasher = TestHasher::default();
    let found = find(&app, &hasher);
    let expected = [
        vec!["below/long.png", "long.png"],
        vec!["a.jpg", "below/b.jpg"],
    ];
    assert_eq!(paths(&found), expected);
    assert_eq!(
        (found.pictures, found.unreadable, found.left_out),
        (9, 0, 0)
    );
    // Those with the same size and the same sample.
    let mut read = hasher.read.take();
    read.sort();
    assert_eq!(read, ["a.jpg", "b.jpg", "long.png", "long.png"]);
}

#[test]
fn names_of_one_file_are_no_duplicates() {
    let app = app_with(&[("a.jpg", b"one"), ("below/b.jpg", b"two")]);
    fs::hard_link(
        app.root_dir().join("a.jpg"),
        app.root_dir().join("link.jpg"),
    )
    .unwrap();
    // The folder is reached by two roots.
    let below = app.root_dir().join("below");
    app.pictures.roots().add(&below).unwrap();
    let folders = app.pictures.readable_roots();
    assert_eq!(folders.len(), 2);
    let hasher = TestHasher::default();
    let found = app
        .pictures
        .find_duplicates(&folders, &hasher, &|_, _| true);
    assert_eq!(paths(&found.unwrap()), [[""; 0]; 0]);
    // A copy of a file with two names is one duplicate.
    app.write("copy.jpg", b"one");
    let found = app
        .pictures
        .find_duplicates(&folders, &hasher, &|_, _| true);
    assert_eq!(paths(&found.unwrap()), [["a.jpg", "copy.jpg"]]);
}

#[test]
fn files_of_one_picture_are_no_duplicates() {
    let app = app_with(&[
        ("a.jpg", b"same"),
        ("a.nef", b"same"),
        ("live.heic", b"live"),
        ("live.mov", b"live"),
        ("below/a.jpg", b"same"),
    ]);
    let found = find(&app, &TestHasher::default());
    assert_eq!(paths(&found), [["a.jpg", "below/a.jpg"]]);
    let companions = found.groups[0]
        .iter()
        .map(|picture| picture.companions.len());
    assert_eq!(companions.collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn unreadable_pictures_are_counted() {
    let app = app_with(&[("a.jpg", b"one"), ("b.jpg", b"one"), ("c.jpg", b"one")]);
    let hasher = TestHasher {
        unreadable: "b.jpg",
        ..TestHasher::default()
    };
    let found = find(&app, &hasher);
    assert_eq!(paths(&found), [["a.jpg", "c.jpg"]]);
    assert_eq!(found.unreadable, 1);
}

#[test]
fn search_can_be_cancelled() {
    let app = app_with(&[("a.jpg", b"one"), ("b.jpg", b"one")]);
    let hasher = TestHasher::default();
    let calls = Cell::new(0);
    let progress = |_, _| {
        calls.set(calls.get() + 1);
        calls.get() < 3
    };
    let folders: [Source; 1] = [app.source("")];
    let found = app.pictures.find_duplicates(&folders, &hasher, &progress);
    assert!(matches!(found, Err(SearchCancelled)));
    assert!(hasher.read.take().len() < 2);
}

#[test]
fn changed_pictures_are_noticed() {
    let app = app_with(&[("a.jpg", &png([1, 2, 3])), ("b.jpg", &png([1, 2, 3]))]);
    let found = find(&app, &TestHasher::default());
    let unchanged = || {
        let mut lookup = CompanionLookup::default();
        let group = found.groups[0].iter();
        group
            .map(|picture| picture.is_unchanged(&mut lookup))
            .collect::<Vec<_>>()
    };
    assert_eq!(unchanged(), [true, true]);
    app.write("a.jpg", b"another picture");
    assert_eq!(unchanged(), [false, true]);
    // It has got another file, which was not compared.
    app.write("b.nef", b"raw");
    assert_eq!(unchanged(), [false, false]);
}
