//! The undo of an undo, which does the operation again.

use super::*;

/// Undoes an operation and does it again, twice, and checks the files each time.
#[track_caller]
fn check(
    fixture: &FolderFixture,
    done: &FilesOutcome,
    before: &[(&str, &str)],
    after: &[(&str, &str)],
) {
    let mut id = done.id.unwrap();
    let listed = |id| {
        let recent = fixture.files.recent(10).unwrap();
        assert_eq!(recent.len(), 1, "{recent:?}");
        assert_eq!(recent[0].id, id);
        recent[0].clone()
    };
    let original = listed(id);
    assert!(!original.undone);
    fixture.check_files(after);
    for round in 0..4 {
        let undone = fixture.files.undo(id, false, &mut |_, _| true).unwrap();
        assert_eq!(undone.completed, done.completed, "round {round}");
        assert_eq!(undone.id, None);
        fixture.check_files(if round % 2 == 0 { before } else { after });
        id = undone.redo.unwrap();
        let operation = listed(id);
        assert_eq!(operation.undone, round % 2 == 0);
        assert_eq!(
            (operation.kind, operation.count, operation.first),
            (original.kind, original.count, original.first.clone())
        );
    }
}

#[test]
fn rename_is_undone_and_done_again() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg"]);
    // The names are exchanged.
    let done = fixture.rename(&[("a.jpg", "b.jpg"), ("b.jpg", "a.jpg")]);
    check(
        &fixture,
        &done.unwrap(),
        &[
            ("a.jpg", "a.jpg"),
            ("a.jpg.xmp", "a.jpg.xmp"),
            ("b.jpg", "b.jpg"),
        ],
        &[
            ("a.jpg", "b.jpg"),
            ("b.jpg", "a.jpg"),
            ("b.jpg.xmp", "a.jpg.xmp"),
        ],
    );
}

#[test]
fn move_over_another_file_is_done_again() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "inner/a.jpg"]);
    let inner = fixture.source("inner");
    let done = fixture.move_items(&["a.jpg", "b.jpg"], &inner, ExistingPolicy::Replace);
    check(
        &fixture,
        &done.unwrap(),
        &[
            ("a.jpg", "a.jpg"),
            ("a.jpg.xmp", "a.jpg.xmp"),
            ("b.jpg", "b.jpg"),
            ("inner/a.jpg", "inner/a.jpg"),
        ],
        &[
            ("inner/a.jpg", "a.jpg"),
            ("inner/a.jpg.xmp", "a.jpg.xmp"),
            ("inner/b.jpg", "b.jpg"),
        ],
    );
}

#[test]
fn copy_over_another_file_is_done_again() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "inner/a.jpg"]);
    let done = fixture.copy_items(&["a.jpg"], "inner", ExistingPolicy::Replace);
    check(
        &fixture,
        &done.unwrap(),
        &[
            ("a.jpg", "a.jpg"),
            ("a.jpg.xmp", "a.jpg.xmp"),
            ("inner/a.jpg", "inner/a.jpg"),
        ],
        &[
            ("a.jpg", "a.jpg"),
            ("a.jpg.xmp", "a.jpg.xmp"),
            ("inner/a.jpg", "a.jpg"),
            ("inner/a.jpg.xmp", "a.jpg.xmp"),
        ],
    );
}

#[test]
fn trashed_pictures_are_trashed_again() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "c.jpg"]);
    let done = fixture.trash_items(&["a.jpg", "b.jpg"]);
    check(
        &fixture,
        &done,
        &[
            ("a.jpg", "a.jpg"),
            ("a.jpg.xmp", "a.jpg.xmp"),
            ("b.jpg", "b.jpg"),
            ("c.jpg", "c.jpg"),
        ],
        &[("c.jpg", "c.jpg")],
    );
    assert_eq!(fixture.trash_entries().len(), 3);
}

#[test]
fn changed_file_is_not_trashed_again() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg"]);
    let undone = fixture.undo(&fixture.trash_items(&["a.jpg", "b.jpg"]), false);
    let undone = undone.unwrap();
    fs::write(fixture.path("b.jpg"), "changed since").unwrap();
    let redo = |partly| {
        let files = &fixture.files;
        files.undo(undone.redo.unwrap(), partly, &mut |_, _| true)
    };
    assert!(matches!(redo(false), Err(FileError::UndoConflicts { .. })));
    let partly = redo(true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 1));
    fixture.check_files(&[("b.jpg", "changed since")]);
    // What was done again and what was not are two entries of the history.
    let undone = fixture.files.recent(10).unwrap();
    let undone: Vec<_> = undone.iter().map(|one| (one.undone, one.count)).collect();
    assert_eq!(undone.len(), 2);
    assert!(undone.contains(&(true, 1)) && undone.contains(&(false, 1)));
}
