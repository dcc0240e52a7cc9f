//! Pictures of several files, whose parts stay together.

use super::*;

/// A folder with a raw file and its JPEG, and with a Live Photo; their sidecars among them.
fn fixture() -> FolderFixture {
    let mut fixture = FolderFixture::new();
    fixture.picture_files = PictureFiles::Together;
    fixture.write(&ALL);
    fixture
}

const ALL: [&str; 9] = [
    "a.cr3",
    "a.cr3.xmp",
    "a.jpg",
    "a.xmp",
    "i.AAE",
    "i.HEIC",
    "i.HEIC.xmp",
    "i.MOV",
    "z.cr3",
];

fn unchanged() -> [(&'static str, &'static str); 9] {
    ALL.map(|name| (name, name))
}

#[test]
fn rename_keeps_the_files_of_a_picture_together() {
    let fixture = fixture();
    let renamed = fixture
        .rename(&[("a.jpg", "b.jpeg"), ("i.HEIC", "j.HEIC")])
        .unwrap();
    assert_eq!(renamed.completed, 2);
    let expected = [
        ("b.cr3", "a.cr3"),
        ("b.cr3.xmp", "a.cr3.xmp"),
        ("b.jpeg", "a.jpg"),
        ("b.xmp", "a.xmp"),
        ("j.AAE", "i.AAE"),
        ("j.HEIC", "i.HEIC"),
        ("j.HEIC.xmp", "i.HEIC.xmp"),
        ("j.MOV", "i.MOV"),
        ("z.cr3", "z.cr3"),
    ];
    fixture.check_files(&expected);
    let undone = fixture.undo(&renamed, false).unwrap();
    assert_eq!(undone.completed, 2);
    fixture.check_files(&unchanged());
    let taken = fixture.rename(&[("a.jpg", "z.jpg")]);
    assert!(matches!(taken, Err(FileError::Taken(names)) if names == [b"z.cr3"]));
    fixture.check_files(&unchanged());
}

#[test]
fn trash_and_undo_count_a_picture_once() {
    let fixture = fixture();
    let trashed = fixture.trash_items(&["i.HEIC", "a.jpg"]);
    assert_eq!(trashed.completed, 2);
    fixture.check_files(&[("z.cr3", "z.cr3")]);
    assert_eq!(fixture.files.recent(1).unwrap()[0].count, 2);
    let undone = fixture.undo(&trashed, false).unwrap();
    assert_eq!(undone.completed, 2);
    fixture.check_files(&unchanged());
    // A part that is named beside its picture goes with it.
    let trashed = fixture.trash_items(&["a.cr3", "a.jpg"]);
    assert_eq!(trashed.completed, 1);
}

#[test]
fn copies_and_moves_take_all_files_along() {
    let fixture = fixture();
    let copied = fixture
        .copy_items(&["a.jpg"], "", ExistingPolicy::KeepBoth)
        .unwrap();
    for name in ["a (2).jpg", "a (2).cr3", "a (2).cr3.xmp", "a (2).xmp"] {
        assert!(fixture.path(name).exists(), "{name}");
    }
    fixture.undo(&copied, false).unwrap();
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["a.jpg", "i.HEIC"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!(moved.completed, 2);
    for name in ["a.jpg", "a.cr3", "a.cr3.xmp", "a.xmp", "i.MOV", "i.AAE"] {
        assert!(fixture.path("inner").join(name).exists(), "{name}");
    }
    fixture.undo(&moved, false).unwrap();
    fixture.check_files(&unchanged());
}

#[test]
fn replaced_picture_goes_to_the_trash_whole() {
    let fixture = fixture();
    fixture.write(&["inner/a.jpg", "inner/a.dng", "inner/a.dng.xmp"]);
    let inner = fixture.source("inner");
    let refused = fixture.move_items(&["a.jpg"], &inner, ExistingPolicy::Refuse);
    assert!(matches!(refused, Err(FileError::TakenInDestination { .. })));
    let moved = fixture
        .move_items(&["a.jpg"], &inner, ExistingPolicy::Replace)
        .unwrap();
    assert!(!fixture.path("inner/a.dng").exists());
    assert!(fixture.path("inner/a.cr3").exists());
    assert_eq!(fixture.trash_entries().len(), 3);
    fixture.undo(&moved, false).unwrap();
    assert!(fixture.path("inner/a.dng.xmp").exists());
    assert!(fixture.path("a.cr3").exists());
}

#[test]
fn files_apart_move_alone() {
    let mut fixture = fixture();
    fixture.picture_files = PictureFiles::Apart;
    let trashed = fixture.trash_items(&["a.cr3", "i.MOV"]);
    assert_eq!(trashed.completed, 2);
    assert!(fixture.path("a.jpg").exists() && fixture.path("i.HEIC").exists());
    assert!(!fixture.path("a.cr3").exists());
}
