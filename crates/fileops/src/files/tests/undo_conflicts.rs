//! The reasons why an operation can't be undone, for each name.

use super::*;
use crate::UndoConflict;

/// Checks the conflict of each name, in the order of the names: for an undo that is refused, and then for a
/// partial undo, if anything can be undone.
#[track_caller]
fn check(fixture: &FolderFixture, done: &FilesOutcome, expected: &[(&str, &str)]) {
    let reasons = |conflicts: &[UndoConflict]| {
        let words = conflicts.iter().map(|(name, why)| {
            let name = String::from_utf8(name.clone()).unwrap();
            (name, format!("{why:?}"))
        });
        let mut words: Vec<_> = words.collect();
        words.sort();
        words
    };
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, why)| ((*name).to_owned(), (*why).to_owned()))
        .collect();
    match fixture.undo(done, false) {
        Err(FileError::UndoConflicts { conflicts, .. }) => {
            assert_eq!(reasons(&conflicts), expected)
        }
        other => panic!("{other:?}"),
    }
    match fixture.undo(done, true) {
        Ok(partly) => {
            let each = partly.failed.into_iter().map(|(name, error)| {
                let FileError::UndoConflicts {
                    mut conflicts,
                    total: 1,
                } = error
                else {
                    panic!("{error:?}");
                };
                assert_eq!((conflicts.len(), &conflicts[0].0), (1, &name));
                conflicts.remove(0)
            });
            assert_eq!(reasons(&each.collect::<Vec<_>>()), expected);
        }
        Err(FileError::UndoConflicts { conflicts, .. }) => {
            assert_eq!(reasons(&conflicts), expected)
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn each_file_reports_its_own_conflict() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b", "c", "d"]);
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["a", "b", "c", "d"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    fs::write(fixture.path("inner/a"), "changed").unwrap();
    fs::remove_file(fixture.path("inner/b")).unwrap();
    fs::write(fixture.path("c"), "another").unwrap();
    check(
        &fixture,
        &moved,
        &[("a", "Changed"), ("b", "Gone"), ("c", "Taken")],
    );
    assert!(fixture.path("d").exists());
}

#[test]
fn undo_of_rename_reports_taken_and_missing_names() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b", "c"]);
    let renamed = fixture
        .rename(&[("a", "x"), ("b", "y"), ("c", "z")])
        .unwrap();
    fixture.write(&["a"]);
    fs::remove_file(fixture.path("y")).unwrap();
    check(&fixture, &renamed, &[("x", "Taken"), ("y", "Gone")]);
    fixture.check_files(&[("a", "a"), ("c", "c"), ("x", "a")]);
}

#[test]
fn undo_reports_file_missing_from_trash() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b"]);
    let trashed = fixture.trash_items(&["a", "b"]);
    let (file, _) = fixture.trash_entries().remove(0);
    let name = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    check(&fixture, &trashed, &[(&name, "NotInTrash")]);
}

#[test]
fn undo_distinguishes_missing_and_closed_folders() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["a"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    fs::rename(fixture.path("inner"), fixture.path("elsewhere")).unwrap();
    check(&fixture, &moved, &[("a", "FolderGone")]);
    fs::rename(fixture.path("elsewhere"), fixture.path("inner")).unwrap();
    fixture.roots.remove(fixture.root.id()).unwrap();
    check(&fixture, &moved, &[("a", "FolderClosed")]);
}

#[test]
fn unavailable_root_is_reported_as_missing_folder() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let renamed = fixture.rename(&[("a", "b")]).unwrap();
    let top = fixture.outer.path();
    fs::rename(top.join("pictures"), top.join("away")).unwrap();
    check(&fixture, &renamed, &[("b", "FolderGone")]);
    fs::rename(top.join("away"), top.join("pictures")).unwrap();
    fixture.undo(&renamed, false).unwrap();
}

#[test]
fn undo_refuses_folder_opened_as_root() {
    let fixture = FolderFixture::new();
    fs::create_dir(fixture.path("trip")).unwrap();
    let renamed = fixture.rename(&[("trip", "journey")]).unwrap();
    fixture.roots.add(&fixture.path("journey")).unwrap();
    check(&fixture, &renamed, &[("journey", "Opened")]);
}

#[test]
fn sidecar_conflicts_keep_pictures_in_place() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg", "b.jpg.xmp", "c.jpg", "c.jpg.xmp"]);
    let renamed = fixture
        .rename(&[("a.jpg", "x.jpg"), ("b.jpg", "y.jpg"), ("c.jpg", "z.jpg")])
        .unwrap();
    fixture.write(&["x.jpg.xmp", "a.jpg.xmp"]);
    fs::write(fixture.path("y.jpg"), "developed").unwrap();
    fixture.write(&["c.jpg.xmp"]);
    check(
        &fixture,
        &renamed,
        &[
            ("x.jpg", "SidecarPathTaken"),
            ("y.jpg", "Changed"),
            ("z.jpg", "SidecarStays"),
        ],
    );
}
