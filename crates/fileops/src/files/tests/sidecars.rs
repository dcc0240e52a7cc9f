//! Sidecars that accompany pictures, including Lightroom's, which have the picture's name without its
//! extension.

use super::*;

#[test]
fn stem_sidecar_follows_its_only_picture() {
    let fixture = FolderFixture::new();
    let all = ["a.nef", "a.nef.xmp", "a.txt", "a.xmp", "b.jpg", "b.XMP"];
    fixture.write(&all);
    let before = {
        let mut all = all.map(|name| (name, name));
        all.sort_unstable();
        all
    };
    let renamed = fixture
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpeg")])
        .unwrap();
    fixture.check_files(&[
        ("a.txt", "a.txt"),
        ("c.nef", "a.nef"),
        ("c.nef.xmp", "a.nef.xmp"),
        ("c.xmp", "a.xmp"),
        ("d.XMP", "b.XMP"),
        ("d.jpeg", "b.jpg"),
    ]);
    fixture.undo(&renamed, false).unwrap();
    fixture.check_files(&before);
    let trashed = fixture.trash_items(&["a.nef", "b.jpg"]);
    fixture.check_files(&[("a.txt", "a.txt")]);
    fixture.undo(&trashed, false).unwrap();
    fixture.check_files(&before);
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["b.jpg"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    let copied = fixture
        .copy_items(&["a.nef"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    for name in ["inner/a.xmp", "inner/a.nef.xmp", "inner/b.XMP"] {
        assert!(fixture.path(name).exists(), "{name}");
    }
    fixture.undo(&copied, false).unwrap();
    fixture.undo(&moved, false).unwrap();
    fixture.check_files(&before);
    // A file that is not a picture does not take along a sidecar that only shares its name.
    fixture.trash_items(&["a.txt"]);
    assert!(fixture.path("a.xmp").exists());
}

#[test]
fn shared_sidecar_moves_only_with_all_pictures() {
    let fixture = FolderFixture::new();
    let all = ["a.jpg", "a.nef", "a.xmp"];
    fixture.write(&all);
    let before = all.map(|name| (name, name));
    let trashed = fixture.trash_items(&["a.nef"]);
    fixture.check_files(&[("a.jpg", "a.jpg"), ("a.xmp", "a.xmp")]);
    fixture.undo(&trashed, false).unwrap();
    let renamed = fixture.rename(&[("a.jpg", "b.jpg")]).unwrap();
    assert!(fixture.path("a.xmp").exists());
    fixture.undo(&renamed, false).unwrap();
    let renamed = fixture
        .rename(&[("a.nef", "b.nef"), ("a.jpg", "b.jpg")])
        .unwrap();
    fixture.check_files(&[("b.jpg", "a.jpg"), ("b.nef", "a.nef"), ("b.xmp", "a.xmp")]);
    fixture.undo(&renamed, false).unwrap();
    let inner = fixture.source("inner");
    let everything = ["a.xmp", "a.nef", "a.jpg"];
    let moved = fixture
        .move_items(&everything, &inner, ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!((moved.completed, moved.failed.len()), (2, 0));
    let expected = [
        ("inner/a.jpg", "a.jpg"),
        ("inner/a.nef", "a.nef"),
        ("inner/a.xmp", "a.xmp"),
    ];
    fixture.check_files(&expected);
    fixture.undo(&moved, false).unwrap();
    fixture.check_files(&before);
    let trashed = fixture.trash_items(&everything);
    assert_eq!(trashed.completed, 2);
    fixture.check_files(&[]);
    fixture.undo(&trashed, false).unwrap();
    fixture.check_files(&before);
    // A sidecar that is deleted by itself goes alone.
    fixture.trash_items(&["a.xmp"]);
    fixture.check_files(&[("a.jpg", "a.jpg"), ("a.nef", "a.nef")]);
}

#[test]
fn sidecar_of_extensionless_file_is_not_shared() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "a.jpg", "a.xmp"]);
    fixture.trash_items(&["a.jpg"]);
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp")]);
    fixture.rename(&[("a", "b")]).unwrap();
    fixture.check_files(&[("b", "a"), ("b.xmp", "a.xmp")]);
}

#[test]
fn sidecar_of_another_picture_is_not_replaced() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.nef", "a.xmp", "inner/a.jpg", "inner/a.xmp"]);
    let inner = fixture.source("inner");
    let refused = fixture.move_items(&["a.nef"], &inner, ExistingPolicy::Replace);
    assert!(matches!(refused, Err(FileError::Taken(_))), "{refused:?}");
    let done = fixture
        .move_items(&["a.nef"], &inner, ExistingPolicy::KeepBoth)
        .unwrap();
    fixture.check_files(&[
        ("inner/a (2).nef", "a.nef"),
        ("inner/a (2).xmp", "a.xmp"),
        ("inner/a.jpg", "inner/a.jpg"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
    fixture.undo(&done, false).unwrap();
    fs::rename(fixture.path("inner/a.jpg"), fixture.path("inner/a.nef")).unwrap();
    let done = fixture
        .move_items(&["a.nef"], &inner, ExistingPolicy::Replace)
        .unwrap();
    fixture.check_files(&[("inner/a.nef", "a.nef"), ("inner/a.xmp", "a.xmp")]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[
        ("a.nef", "a.nef"),
        ("a.xmp", "a.xmp"),
        ("inner/a.nef", "inner/a.jpg"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
}

#[test]
fn folder_and_file_named_like_sidecar_are_trashed() {
    let fixture = FolderFixture::new();
    fs::create_dir(fixture.path("DSC")).unwrap();
    fixture.write(&["DSC.xmp"]);
    fixture.write(&["DSC.xmp.xmp"]);
    let done = fixture.trash_items(&["DSC", "DSC.xmp", "DSC.xmp.xmp"]);
    assert_eq!(done.completed, 3);
    fixture.check_files(&[]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("DSC.xmp", "DSC.xmp"), ("DSC.xmp.xmp", "DSC.xmp.xmp")]);
}

/// Replaces a sidecar as another program would: by another file of another size.
fn replace_sidecar(fixture: &FolderFixture, name: &str) {
    fs::remove_file(fixture.path(name)).ok();
    fs::write(fixture.path(name), format!("noted in {name}")).unwrap();
}

#[test]
fn undo_moves_sidecars_written_since() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.nef", "b.jpg", "b.jpg.xmp"]);
    let renamed = fixture
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpg")])
        .unwrap();
    for name in ["c.nef.xmp", "c.xmp", "d.jpg.xmp"] {
        replace_sidecar(&fixture, name);
    }
    fixture.undo(&renamed, false).unwrap();
    let back = [
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("a.xmp", "noted in c.xmp"),
        ("b.jpg", "b.jpg"),
        ("b.jpg.xmp", "noted in d.jpg.xmp"),
    ];
    fixture.check_files(&back);

    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["b.jpg"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    fs::remove_file(fixture.path("inner/b.jpg.xmp")).unwrap();
    fs::write(fixture.path("inner/b.xmp"), "of its stem").unwrap();
    fixture.undo(&moved, false).unwrap();
    fixture.check_files(&[
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("a.xmp", "noted in c.xmp"),
        ("b.jpg", "b.jpg"),
        ("b.xmp", "of its stem"),
    ]);
    let copied = fixture
        .copy_items(&["b.jpg"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    replace_sidecar(&fixture, "inner/b.jpg.xmp");
    replace_sidecar(&fixture, "inner/b.xmp");
    fixture.undo(&copied, false).unwrap();
    assert_eq!(fixture.trash_entries().len(), 3);
    assert_eq!(fs::read_dir(fixture.path("inner")).unwrap().count(), 0);
}

#[test]
fn undo_keeps_picture_whose_sidecar_is_blocked() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.nef", "b.jpg"]);
    let renamed = fixture
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpg")])
        .unwrap();
    replace_sidecar(&fixture, "c.nef.xmp");
    fs::write(fixture.path("a.nef.xmp"), "another program's").unwrap();
    let conflicts = fixture.undo(&renamed, false).unwrap_err();
    assert!(
        matches!(conflicts, FileError::UndoConflicts { .. }),
        "{conflicts}"
    );
    let partly = fixture.undo(&renamed, true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 1));
    fixture.check_files(&[
        ("a.nef.xmp", "another program's"),
        ("b.jpg", "b.jpg"),
        ("c.nef", "a.nef"),
        ("c.nef.xmp", "noted in c.nef.xmp"),
    ]);
    fs::remove_file(fixture.path("a.nef.xmp")).unwrap();
    fixture.undo(&partly, false).unwrap();
    fixture.check_files(&[
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("b.jpg", "b.jpg"),
    ]);
    // A recorded sidecar stays with a picture that has been changed.
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["a.nef", "b.jpg"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    fs::write(fixture.path("inner/a.nef"), "developed").unwrap();
    let partly = fixture.undo(&moved, true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 1));
    fixture.check_files(&[
        ("b.jpg", "b.jpg"),
        ("inner/a.nef", "developed"),
        ("inner/a.nef.xmp", "noted in c.nef.xmp"),
    ]);
}

#[test]
fn only_pictures_are_counted_not_sidecars() {
    let fixture = FolderFixture::new();
    let all = ["a.nef", "a.nef.xmp", "a.xmp", "b.jpg", "b.jpg.xmp", "c.txt"];
    fixture.write(&all);
    fixture.write(&["inner/b.jpg", "inner/b.jpg.xmp"]);
    let inner = fixture.source("inner");
    let named = ["a.nef", "b.jpg", "c.txt"];
    let recorded = || fixture.files.recent(1).unwrap()[0].count;
    let is_three = |done: FilesOutcome| {
        assert_eq!((done.completed, recorded()), (3, 3));
        let undone = fixture.undo(&done, false).unwrap();
        assert_eq!((undone.completed, undone.failed.len()), (3, 0));
    };
    is_three(
        fixture
            .rename(&[("a.nef", "x.nef"), ("b.jpg", "y.jpg"), ("c.txt", "z.txt")])
            .unwrap(),
    );
    is_three(
        fixture
            .move_items(&named, &inner, ExistingPolicy::Replace)
            .unwrap(),
    );
    is_three(
        fixture
            .copy_items(&named, "inner", ExistingPolicy::KeepBoth)
            .unwrap(),
    );
    is_three(fixture.trash_items(&named));
    // Without its picture, it is a file like any other.
    let alone = fixture.trash_items(&["b.jpg.xmp", "c.txt"]);
    assert_eq!((alone.completed, recorded()), (2, 2));
    assert_eq!(fixture.undo(&alone, false).unwrap().completed, 2);
}

#[test]
fn conflicts_and_remaining_steps_count_pictures_only() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp"]);
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["a.jpg", "b.jpg"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    fs::write(fixture.path("inner/b.jpg"), "developed").unwrap();
    let Err(FileError::UndoConflicts { conflicts, total }) = fixture.undo(&moved, false) else {
        panic!("it was undone");
    };
    let names: Vec<_> = conflicts.into_iter().map(|(name, _)| name).collect();
    assert_eq!((names, total), (vec![b"b.jpg".to_vec()], 2));
    let undone = fixture.undo(&moved, true).unwrap();
    for (id, expected) in [(undone.id, b"/b.jpg"), (undone.redo, b"/a.jpg")] {
        let recent = fixture.files.recent(9).unwrap();
        let one = recent.iter().find(|one| Some(one.id) == id).unwrap();
        assert_eq!((one.count, one.first.ends_with(expected)), (1, true));
    }
}

#[test]
fn taken_name_is_reported_once() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp"]);
    let refused = fixture.rename(&[("a.jpg", "b.jpg")]);
    let Err(FileError::Taken(names)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(names, [b"b.jpg".to_vec()]);
}

#[test]
fn picture_does_not_adopt_a_foreign_sidecar() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg.xmp", "inner/a.jpg.xmp", "note.txt"]);
    let taken = |refused: Result<FilesOutcome, FileError>| match refused {
        Err(FileError::Taken(names) | FileError::TakenInDestination { names, .. }) => names,
        other => panic!("{other:?}"),
    };
    assert_eq!(taken(fixture.rename(&[("a.jpg", "b.jpg")])), [b"b.jpg.xmp"]);
    let inner = fixture.source("inner");
    let refused = fixture.move_items(&["a.jpg"], &inner, ExistingPolicy::Refuse);
    assert_eq!(taken(refused), [b"a.jpg.xmp"]);
    let done = fixture
        .move_items(&["a.jpg"], &inner, ExistingPolicy::KeepBoth)
        .unwrap();
    assert!(fixture.path("inner/a (2).jpg").exists());
    fixture.undo(&done, false).unwrap();
    // If it is to be replaced, it moves to the trash.
    let done = fixture
        .move_items(&["a.jpg"], &inner, ExistingPolicy::Replace)
        .unwrap();
    assert!(!fixture.path("inner/a.jpg.xmp").exists());
    fixture.undo(&done, false).unwrap();
    assert!(fixture.path("inner/a.jpg.xmp").exists() && fixture.path("a.jpg").exists());
    // If the leftover file moves away itself, the name is free.
    fixture
        .rename(&[("a.jpg", "b.jpg"), ("b.jpg.xmp", "c.xmp")])
        .unwrap();
    fixture.rename(&[("note.txt", "c.txt")]).unwrap();
}

/// Returns, for each progress report of an undo, true if sidecars are locked.
fn lock_states_during_undo(fixture: &FolderFixture, done: &FilesOutcome) -> Vec<bool> {
    let mut held = Vec::new();
    let undone = fixture.files.undo(done.id.unwrap(), false, &mut |_, _| {
        held.push(fixture.files.names.is_locked());
        true
    });
    assert!(undone.unwrap().failed.is_empty());
    assert!(!fixture.files.names.is_locked());
    held
}

#[test]
fn undo_locks_names_unless_it_copies() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg"]);
    let all = ["a.jpg", "b.jpg"];
    let moved = fixture.move_items(&all, &fixture.source("inner"), ExistingPolicy::Refuse);
    assert_eq!(
        lock_states_during_undo(&fixture, &moved.unwrap()),
        [true, true]
    );
    let copied = fixture.copy_items(&all, "inner", ExistingPolicy::Refuse);
    assert_eq!(
        lock_states_during_undo(&fixture, &copied.unwrap()),
        [true, true]
    );
    let trashed = fixture.trash_items(&all);
    assert_eq!(lock_states_during_undo(&fixture, &trashed), [true, true]);
    // A copy takes long.
    let other_disk = tempfile::tempdir_in("/dev/shm").unwrap();
    let target = Source::new(
        fixture.roots.add(other_disk.path()).unwrap(),
        RelPath::default(),
    );
    let moved = fixture
        .move_items(&all, &target, ExistingPolicy::Refuse)
        .unwrap();
    let held = lock_states_during_undo(&fixture, &moved);
    assert!(!held.is_empty() && !held.contains(&true));
}
