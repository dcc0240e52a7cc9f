//! Renames, all or none, and their undo.

use super::*;
use crate::system;

#[test]
fn chains_and_cycles_are_renamed_with_sidecars() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b", "c", "d", "d.xmp", "x", "y"]);
    let names = [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("d", "e"),
        ("x", "y"),
        ("y", "z"),
    ];
    let done = fixture.rename(&names).unwrap();
    assert_eq!((done.completed, done.skipped, done.failed.len()), (6, 0, 0));
    assert_eq!(done.folders.len(), 1);
    let renamed = [
        ("a", "c"),
        ("b", "a"),
        ("c", "b"),
        ("e", "d"),
        ("e.xmp", "d.xmp"),
        ("y", "x"),
        ("z", "y"),
    ];
    fixture.check_files(&renamed);
    let recent = fixture.files.recent(10).unwrap();
    assert_eq!(
        (recent.len(), recent[0].kind, recent[0].count),
        (1, OperationKind::Rename, 6)
    );
    fixture.undo(&done, false).unwrap();
    let before = ["a", "b", "c", "d", "d.xmp", "x", "y"].map(|name| (name, name));
    fixture.check_files(&before);
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::UnknownOperation(_))
    ));
}

#[test]
fn cycle_is_renamed_without_atomic_exchange() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.x", "b.x", "c.x"]);
    let folder = Folder::open(&fixture.source("")).unwrap();
    let cycle = [("a.x", "b.x"), ("b.x", "c.x"), ("c.x", "a.x")];
    let cycle = cycle.map(|(old, new)| (old.as_bytes().to_vec(), new.as_bytes().to_vec()));
    rename::rotate_via_temporary_name(&folder, cycle.to_vec(), &mut Vec::new()).unwrap();
    fixture.check_files(&[("a.x", "c.x"), ("b.x", "a.x"), ("c.x", "b.x")]);
}

#[test]
fn one_invalid_name_refuses_the_whole_rename() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b", "c"]);
    let refused = |names: &[(&str, &str)]| {
        let error = fixture.rename(names).unwrap_err();
        fixture.check_files(&[("a", "a"), ("b", "b"), ("c", "c")]);
        error
    };
    let taken = refused(&[("a", "b"), ("c", "x")]);
    assert!(
        matches!(&taken, FileError::Taken(names) if *names == [b"b".to_vec()]),
        "{taken}"
    );
    assert!(matches!(
        refused(&[("a", "x"), ("b", "x")]),
        FileError::Taken(_)
    ));
    assert!(matches!(
        refused(&[("a", "x"), ("a", "y")]),
        FileError::Duplicate(_)
    ));
    assert!(matches!(
        refused(&[("a", "x"), ("none", "y")]),
        FileError::Access { .. }
    ));
    assert!(matches!(
        refused(&[("a", "x/y")]),
        FileError::InvalidName { .. }
    ));
    assert!(fixture.files.recent(10).unwrap().is_empty());
}

#[test]
fn undo_keeps_renamed_file_that_changed() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b"]);
    let done = fixture.rename(&[("a", "x"), ("b", "y")]).unwrap();
    fs::write(fixture.path("x"), "another").unwrap();
    let conflicts = fixture.undo(&done, false).unwrap_err();
    assert_eq!(
        conflicts.to_string(),
        "1 of 2 can't be undone; x: it has changed since"
    );
    fixture.check_files(&[("x", "another"), ("y", "b")]);
    let partly = fixture.undo(&done, true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 1));
    fixture.check_files(&[("b", "b"), ("x", "another")]);
    // The rest can be undone only when nothing is in its way any more, which never happens here.
    assert!(matches!(
        fixture.undo(&done, true),
        Err(FileError::UndoConflicts { total: 1, .. })
    ));
}

#[test]
fn undo_never_overwrites_another_file() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b"]);
    let done = fixture.rename(&[("a", "x")]).unwrap();
    fixture.write(&["a"]);
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::UndoConflicts { .. })
    ));
    let done = fixture.trash_items(&["b"]);
    fs::write(fixture.path("b"), "new").unwrap();
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::UndoConflicts { .. })
    ));
    fixture.check_files(&[("a", "a"), ("b", "new"), ("x", "a")]);
}

#[test]
fn undo_reverts_done_part_of_interrupted_rename() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b"]);
    let done = fixture.rename(&[("a", "x"), ("b", "y")]).unwrap();
    // This simulates a crash between the two.
    fs::rename(fixture.path("y"), fixture.path("b")).unwrap();
    assert_eq!(fixture.undo(&done, false).unwrap().completed, 1);
    fixture.check_files(&[("a", "a"), ("b", "b")]);
}

#[test]
fn unreadable_record_is_reported_and_not_undone() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let done = fixture.rename(&[("a", "x")]).unwrap();
    let record = fixture
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("moved", "eaten")).unwrap();
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::Damaged(_))
    ));
    fs::write(&record, text.replace("\"version\":1", "\"version\":9")).unwrap();
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::Damaged(_))
    ));
    assert!(fixture.files.recent(10).unwrap().is_empty());
    fixture.check_files(&[("x", "a")]);
}

#[test]
fn non_utf8_names_are_restored() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = FolderFixture::new();
    let raw = std::ffi::OsStr::from_bytes(b"\xff\n");
    fs::write(fixture.path("").join(raw), "raw").unwrap();
    let names = [(b"\xff\n".to_vec(), "text".to_owned())];
    let done = fixture
        .files
        .rename(&fixture.source(""), &names, PictureFiles::Apart)
        .unwrap();
    fixture.check_files(&[("text", "raw")]);
    fixture.undo(&done, false).unwrap();
    assert_eq!(fs::read(fixture.path("").join(raw)).unwrap(), b"raw");
}

/// Performs some of the renames, as if a crash had interrupted the operation.
fn interrupt_rename(
    fixture: &FolderFixture,
    names: &[(&str, &str)],
    happened: impl Fn(&FolderFixture),
) -> FilesOutcome {
    let done = fixture.rename(names).unwrap();
    // The operation is undone completely, and then a part of it is done.
    let kept = fixture
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let record = fs::read(&kept).unwrap();
    fixture.undo(&done, false).unwrap();
    fs::write(kept, record).unwrap();
    happened(fixture);
    done
}

#[test]
fn interrupted_chain_and_cycle_are_undone() {
    let fixture = FolderFixture::new();
    fixture.write(&["x", "y", "z"]);
    let before = ["x", "y", "z"].map(|name| (name, name));
    let done = interrupt_rename(&fixture, &[("x", "y"), ("y", "z"), ("z", "w")], |fixture| {
        fs::rename(fixture.path("z"), fixture.path("w")).unwrap();
    });
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&before);
    let done = interrupt_rename(&fixture, &[("x", "y"), ("y", "z"), ("z", "x")], |fixture| {
        let folder = Folder::open(&fixture.source("")).unwrap();
        assert!(system::exchange(&folder.dir, b"x", b"y").unwrap());
    });
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&before);
}

#[test]
fn partial_undo_restores_only_unblocked_names() {
    let fixture = FolderFixture::new();
    fixture.write(&["1", "2", "3", "4"]);
    let done = fixture
        .rename(&[("1", "2"), ("2", "3"), ("3", "4"), ("4", "5")])
        .unwrap();
    fs::remove_file(fixture.path("3")).unwrap();
    fs::write(fixture.path("3"), "another").unwrap();
    assert!(matches!(
        fixture.undo(&done, false),
        Err(FileError::UndoConflicts { .. })
    ));
    let partly = fixture.undo(&done, true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 3));
    // The entry of 2 is gone. Another file has the name 3, which blocks the original entry of 3.
    fixture.check_files(&[("1", "1"), ("3", "another"), ("4", "3"), ("5", "4")]);
}

#[test]
fn hard_link_is_not_a_case_variant() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    fs::hard_link(fixture.path("a"), fixture.path("A")).unwrap();
    let refused = fixture.rename(&[("a", "A")]).unwrap_err();
    assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    fixture.check_files(&[("A", "a"), ("a", "a")]);
    fs::remove_file(fixture.path("A")).unwrap();
    let done = fixture.rename(&[("a", "A")]).unwrap();
    fixture.check_files(&[("A", "a")]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("a", "a")]);
}
