//! Moves to other folders and other disks, copies, and the trash.

use super::*;

#[test]
fn move_never_overwrites_files() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "c", "inner/a.jpg", "inner/c"]);
    let inner = fixture.source("inner");
    let all = ["a.jpg", "b.jpg", "c"];
    let refused = fixture
        .move_items(&all, &inner, ExistingPolicy::Refuse)
        .unwrap_err();
    assert!(
        matches!(&refused, FileError::TakenInDestination { names, .. } if names.len() == 2),
        "{refused}"
    );
    let skipped = fixture
        .move_items(&["c"], &inner, ExistingPolicy::Skip)
        .unwrap();
    assert_eq!(
        (skipped.completed, skipped.skipped, skipped.id),
        (0, 1, None)
    );
    let done = fixture
        .move_items(&all, &inner, ExistingPolicy::KeepBoth)
        .unwrap();
    assert_eq!(
        (done.completed, done.failed.len(), done.folders.len()),
        (3, 0, 2)
    );
    fixture.check_files(&[
        ("inner/a (2).jpg", "a.jpg"),
        ("inner/a (2).jpg.xmp", "a.jpg.xmp"),
        ("inner/a.jpg", "inner/a.jpg"),
        ("inner/b.jpg", "b.jpg"),
        ("inner/c", "inner/c"),
        ("inner/c (2)", "c"),
    ]);
    fixture.undo(&done, false).unwrap();
    let done = fixture
        .move_items(&all, &inner, ExistingPolicy::Replace)
        .unwrap();
    fixture.check_files(&[
        ("inner/a.jpg", "a.jpg"),
        ("inner/a.jpg.xmp", "a.jpg.xmp"),
        ("inner/b.jpg", "b.jpg"),
        ("inner/c", "c"),
    ]);
    fixture.undo(&done, false).unwrap();
    let before = ["a.jpg", "a.jpg.xmp", "b.jpg", "c", "inner/a.jpg", "inner/c"];
    fixture.check_files(&before.map(|name| (name, name)));
    assert!(fixture.trash_entries().is_empty());
}

#[test]
fn copy_keeps_times_and_undo_trashes_it() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg"]);
    let done = fixture
        .copy_items(&["a.jpg"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    let again = fixture
        .copy_items(&["a.jpg"], "", ExistingPolicy::KeepBoth)
        .unwrap();
    fixture.check_files(&[
        ("a (2).jpg", "a.jpg"),
        ("a.jpg", "a.jpg"),
        ("inner/a.jpg", "a.jpg"),
    ]);
    let time = |name| {
        fs::metadata(fixture.path(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    assert_eq!(time("inner/a.jpg"), time("a.jpg"));
    fixture.undo(&again, false).unwrap();
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("a.jpg", "a.jpg")]);
    assert_eq!(fixture.trash_entries().len(), 2);
}

#[test]
fn dropped_files_move_back_to_closed_folders() {
    let fixture = FolderFixture::new();
    let outside = fixture.outer.path().join("outside");
    fs::create_dir(&outside).unwrap();
    for name in ["a.jpg", "a.jpg.xmp", "b.jpg"] {
        fs::write(outside.join(name), name).unwrap();
    }
    let given = |path: PathBuf| given_file(&fixture.roots, path.as_os_str().as_encoded_bytes());
    let items = [given(outside.join("a.jpg")).unwrap()];
    let to = fixture.source("inner");
    let refuse = ExistingPolicy::Refuse;
    let moved = fixture
        .files
        .move_to(&to, &items, refuse, PictureFiles::Apart, &mut |_, _| true)
        .unwrap();
    let moved_files = [("inner/a.jpg", "a.jpg"), ("inner/a.jpg.xmp", "a.jpg.xmp")];
    fixture.check_files(&moved_files);
    let undone = fixture.undo(&moved, false).unwrap();
    fixture.check_files(&[]);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 3);
    fixture
        .files
        .undo(undone.redo.unwrap(), false, &mut |_, _| true)
        .unwrap();
    fixture.check_files(&moved_files);
    // A file of an open folder keeps its place there.
    let own = given(fixture.path("inner/a.jpg")).unwrap();
    assert_eq!(own, fixture.source("inner/a.jpg"));
    assert!(matches!(given("/".into()), Err(FileError::Root)));
    assert!(given("a.jpg".into()).is_err());
}

#[test]
fn folders_move_and_trash_but_not_into_themselves() {
    let fixture = FolderFixture::new();
    fs::create_dir_all(fixture.path("inner/deep")).unwrap();
    fs::create_dir(fixture.path("other")).unwrap();
    fixture.write(&["other/a"]);
    let deep = fixture.source("inner/deep");
    let refused = fixture
        .move_items(&["inner"], &deep, ExistingPolicy::Refuse)
        .unwrap_err();
    assert!(matches!(refused, FileError::IntoItself(_)), "{refused}");
    assert!(matches!(
        fixture
            .files
            .trash(&[fixture.source("")], PictureFiles::Apart, &mut |_, _| true),
        Err(FileError::Root)
    ));
    let done = fixture
        .move_items(&["other"], &deep, ExistingPolicy::Refuse)
        .unwrap();
    fixture.write(&["inner/deep/other/b"]);
    let trashed = fixture.trash_items(&["inner/deep"]);
    assert!(!fixture.path("inner/deep").exists());
    fixture.undo(&trashed, false).unwrap();
    fixture.undo(&done, false).unwrap();
    assert!(fixture.path("other/a").exists() && fixture.path("other/b").exists());
}

#[test]
fn cross_disk_file_move_is_all_or_nothing() {
    let fixture = FolderFixture::new();
    let other_disk = tempfile::tempdir_in("/dev/shm").unwrap();
    let root = fixture.roots.add(other_disk.path()).unwrap();
    let target = Source::new(root, RelPath::default());
    fixture.write(&["a", "a.xmp", "b"]);
    let done = fixture
        .move_items(&["a"], &target, ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!(
        fs::read_to_string(other_disk.path().join("a.xmp")).unwrap(),
        "a.xmp"
    );
    fixture.check_files(&[("b", "b")]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    assert_eq!(fs::read_dir(other_disk.path()).unwrap().count(), 0);
    // The user cancels in the middle of the copy. The original stays, and there is no copy, just as with a full
    // disk.
    let items = [fixture.source("b")];
    let cancelled = fixture.files.move_to(
        &target,
        &items,
        ExistingPolicy::Refuse,
        PictureFiles::Apart,
        &mut |_, _| false,
    );
    assert!(
        matches!(cancelled, Err(FileError::Cancelled)),
        "{cancelled:?}"
    );
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    assert_eq!(fs::read_dir(other_disk.path()).unwrap().count(), 0);
}

#[test]
fn undo_restores_only_entries_still_in_trash() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "a.xmp", "b"]);
    let done = fixture.trash_items(&["a", "b", "none"]);
    assert_eq!((done.completed, done.skipped), (2, 1));
    fixture.check_files(&[]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    let done = fixture.trash_items(&["a", "b"]);
    let emptied = fixture
        .trash_entries()
        .into_iter()
        .find(|(_, path)| path.ends_with("/b"));
    fs::remove_file(emptied.unwrap().0).unwrap();
    let conflicts = fixture.undo(&done, false).unwrap_err();
    assert_eq!(
        conflicts.to_string(),
        "1 of 2 can't be undone; b: it is no longer in Trash"
    );
    fixture.undo(&done, true).unwrap();
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp")]);
}

#[test]
fn replace_refuses_folders_and_the_item_itself() {
    let fixture = FolderFixture::new();
    fixture.write(&["inner/a"]);
    fs::create_dir_all(fixture.path("inner/p/p")).unwrap();
    fixture.write(&["inner/p/p/x", "inner/p/b"]);
    fs::create_dir(fixture.path("p")).unwrap();
    let inner = fixture.source("inner");
    // A folder is in the way, which even contains the item.
    for items in [&["p"][..], &["inner/p/p"]] {
        let refused = fixture
            .move_items(items, &inner, ExistingPolicy::Replace)
            .unwrap_err();
        assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    }
    // Through another path, the item is already in the target folder.
    std::os::unix::fs::symlink("inner", fixture.path("link")).unwrap();
    let link = fixture.source("link");
    let done = fixture
        .move_items(&["inner/a"], &link, ExistingPolicy::Replace)
        .unwrap();
    assert_eq!((done.completed, done.skipped), (0, 1));
    let refused = fixture
        .copy_items(&["inner/a"], "link", ExistingPolicy::Replace)
        .unwrap_err();
    assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    fixture.check_files(&[("inner/a", "inner/a")]);
    assert!(fixture.path("inner/p/b").exists() && fixture.path("inner/p/p/x").exists());
    assert!(fixture.trash_entries().is_empty());
}

#[test]
fn cancelled_replace_keeps_the_existing_file() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "inner/a", "inner/a.xmp"]);
    let items = [fixture.source("a")];
    let inner = fixture.source("inner");
    let cancelled = fixture.files.copy_to(
        &inner,
        &items,
        ExistingPolicy::Replace,
        PictureFiles::Apart,
        &mut |_, _| false,
    );
    assert!(matches!(cancelled, Err(FileError::Cancelled)));
    fixture.check_files(&[
        ("a", "a"),
        ("inner/a", "inner/a"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
    assert!(fixture.trash_entries().is_empty() && fixture.files.recent(9).unwrap().is_empty());
    // The sidecar of the replaced picture does not belong to the new one.
    let done = fixture
        .copy_items(&["a"], "inner", ExistingPolicy::Replace)
        .unwrap();
    fixture.check_files(&[("a", "a"), ("inner/a", "a")]);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[
        ("a", "a"),
        ("inner/a", "inner/a"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
}

#[test]
fn undo_of_cancelled_move_reverts_completed_items() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b", "c", "inner/b", "inner/c"]);
    let items = ["a", "b", "c"].map(|name| fixture.source(name));
    let inner = fixture.source("inner");
    let mut count = 0;
    let mut once = |_, _| {
        count += 1;
        count < 1
    };
    let done = fixture
        .files
        .move_to(
            &inner,
            &items,
            ExistingPolicy::Replace,
            PictureFiles::Apart,
            &mut once,
        )
        .unwrap();
    assert_eq!((done.completed, done.skipped, done.failed.len()), (1, 2, 0));
    fixture.check_files(&[
        ("b", "b"),
        ("c", "c"),
        ("inner/a", "a"),
        ("inner/b", "inner/b"),
        ("inner/c", "inner/c"),
    ]);
    fixture.undo(&done, false).unwrap();
    let before = ["a", "b", "c", "inner/b", "inner/c"];
    fixture.check_files(&before.map(|name| (name, name)));
}

#[test]
fn each_trash_operation_restores_its_own_file() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let first = fixture.trash_items(&["a"]);
    fs::write(fixture.path("a"), "second").unwrap();
    fixture.trash_items(&["a"]);
    fixture.undo(&first, false).unwrap();
    fixture.check_files(&[("a", "a")]);
}

#[test]
fn running_operation_is_not_listed_or_undone() {
    let fixture = FolderFixture::new();
    fixture.write(&["a", "b"]);
    let items = ["a", "b"].map(|name| fixture.source(name));
    let inner = fixture.source("inner");
    let files = &fixture.files;
    let mut calls = 0;
    let mut check = |_, _| {
        let ids: Vec<_> = files.records.recent(9).unwrap();
        assert!(files.recent(9).unwrap().is_empty());
        let undone = files.undo(ids[0].0, true, &mut |_, _| true);
        assert!(matches!(undone, Err(FileError::OperationRunning)));
        calls += 1;
        true
    };
    files
        .move_to(
            &inner,
            &items,
            ExistingPolicy::Refuse,
            PictureFiles::Apart,
            &mut check,
        )
        .unwrap();
    assert!(calls > 1);
    assert_eq!(files.recent(9).unwrap().len(), 1);
}

#[test]
fn requested_sidecars_and_nested_items_count_once() {
    let fixture = FolderFixture::new();
    fs::create_dir(fixture.path("other")).unwrap();
    fixture.write(&["a", "a.xmp", "other/x"]);
    let all = ["other/x", "a.xmp", "a", "other"];
    let done = fixture
        .move_items(&all, &fixture.source("inner"), ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!((done.completed, done.failed.len()), (2, 0));
    fixture.undo(&done, false).unwrap();
    let done = fixture.trash_items(&all);
    assert_eq!(done.completed, 2);
    fixture.undo(&done, false).unwrap();
    fixture.check_files(&[("a", "a"), ("a.xmp", "a.xmp")]);
    assert!(fixture.path("other/x").exists());
}

#[test]
fn links_are_moved_but_not_copied() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    std::os::unix::fs::symlink("a", fixture.path("link")).unwrap();
    let refused = fixture
        .copy_items(&["link"], "inner", ExistingPolicy::Refuse)
        .unwrap_err();
    assert!(matches!(refused, FileError::NotAFile(_)), "{refused}");
    let done = fixture.trash_items(&["link"]);
    fixture.check_files(&[("a", "a")]);
    fixture.undo(&done, false).unwrap();
    assert!(fixture.path("link").is_symlink());
}

#[test]
fn many_folders_are_trashed_and_restored() {
    const FOLDERS: usize = 1_200;
    let fixture = FolderFixture::new();
    let names: Vec<_> = (0..FOLDERS).map(|at| format!("f{at}/a")).collect();
    for name in &names {
        fs::create_dir(fixture.path(name).parent().unwrap()).unwrap();
        fs::write(fixture.path(name), name).unwrap();
    }
    // These are more files than a process may usually have open.
    let items: Vec<_> = names.iter().map(|name| fixture.source(name)).collect();
    let done = fixture
        .files
        .trash(&items, PictureFiles::Apart, &mut |_, _| true)
        .unwrap();
    assert_eq!((done.completed, done.failed.len()), (FOLDERS, 0));
    fixture.undo(&done, false).unwrap();
    for name in &names {
        assert_eq!(fs::read_to_string(fixture.path(name)).unwrap(), *name);
    }
}

#[test]
fn undo_removes_copy_of_interrupted_move() {
    let fixture = FolderFixture::new();
    let other_disk = tempfile::tempdir_in("/dev/shm").unwrap();
    let root = fixture.roots.add(other_disk.path()).unwrap();
    let target = Source::new(root, RelPath::default());
    fixture.write(&["a"]);
    fs::write(other_disk.path().join("a"), "other").unwrap();
    let done = fixture
        .move_items(&["a"], &target, ExistingPolicy::Replace)
        .unwrap();
    // This simulates a crash before the original was deleted.
    let record = fixture
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let text = fs::read_to_string(&record).unwrap();
    fixture.write(&["a"]);
    let now = fumikura_fs::platform::Identity::of(&File::open(fixture.path("a")).unwrap()).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let mut step: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    step["state"]["file"] = serde_json::json!(now.numbers());
    lines[2] = step.to_string();
    fs::write(&record, lines.join("\n") + "\n").unwrap();
    let undone = fixture.undo(&done, false).unwrap();
    assert_eq!(undone.failed.len(), 0);
    fixture.check_files(&[("a", "a")]);
    assert_eq!(
        fs::read_to_string(other_disk.path().join("a")).unwrap(),
        "other"
    );
}

#[test]
fn undo_trashes_unfinished_file_copies() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "a.jpg.xmp", "b.jpg"]);
    let items = ["a.jpg", "b.jpg"];
    let done = fixture
        .copy_items(&items, "inner", ExistingPolicy::Refuse)
        .unwrap();
    // This simulates a crash before the second picture's copy, and that of the first one's sidecar, was
    // complete.
    let hidden = |at: usize| format!("inner/.fumikura-copy-{}-{at}.part", done.id.unwrap());
    for (at, name) in [(1, "a.jpg.xmp"), (2, "b.jpg")] {
        let copy = fixture.path("inner").join(name);
        fs::rename(copy, fixture.path(&hidden(at))).unwrap();
    }
    let undone = fixture.undo(&done, false).unwrap();
    assert_eq!((undone.completed, undone.failed.len()), (1, 0));
    fixture.check_files(&[
        ("a.jpg", "a.jpg"),
        ("a.jpg.xmp", "a.jpg.xmp"),
        ("b.jpg", "b.jpg"),
    ]);
    assert_eq!(fixture.trash_entries().len(), 3);
    assert!(fixture.files.recent(9).unwrap()[0].undone);
}

#[test]
fn undo_keeps_original_moved_over_its_copy() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let done = fixture
        .copy_items(&["a"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    fs::remove_file(fixture.path("inner/a")).unwrap();
    fs::rename(fixture.path("a"), fixture.path("inner/a")).unwrap();
    assert!(matches!(
        fixture.undo(&done, true),
        Err(FileError::UndoConflicts { .. })
    ));
    fixture.check_files(&[("inner/a", "a")]);
}

#[test]
fn folder_has_no_sidecar() {
    let fixture = FolderFixture::new();
    fs::create_dir(fixture.path("DSC")).unwrap();
    fixture.write(&["DSC.jpg", "DSC.xmp"]);
    fixture.trash_items(&["DSC"]);
    fixture.check_files(&[("DSC.jpg", "DSC.jpg"), ("DSC.xmp", "DSC.xmp")]);
}

#[test]
fn conflicts_say_which_files_are_identical() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg", "c.jpg", "inner/a.jpg", "inner/b.jpg"]);
    std::fs::write(fixture.path("inner/b.jpg"), b"b.jpg").unwrap();
    let items = ["a.jpg", "c.jpg", "b.jpg"].map(|name| fixture.source(name));
    let inner = fixture.source("inner");
    let conflicts = |limit| {
        let files = &fixture.files;
        let found = files.transfer_conflicts(&inner, &items, PictureFiles::Apart, limit);
        let (found, count) = found.unwrap();
        let found = found.iter().map(|one| (one.item, one.identical));
        (found.collect::<Vec<_>>(), count)
    };
    let both = vec![(0, Some(false)), (2, Some(true))];
    assert_eq!(conflicts(10), (both, 2));
    assert_eq!(conflicts(1), (vec![(0, Some(false))], 2));
}

#[test]
fn new_folder_never_replaces_an_entry() {
    let fixture = FolderFixture::new();
    fixture.write(&["a"]);
    let top = fixture.source("");
    let made = fixture.files.create_folder(&top, "新しい").unwrap();
    assert!(fixture.path("新しい").is_dir());
    assert_eq!(made.path().as_bytes(), "新しい".as_bytes());
    for taken in ["a", "新しい"] {
        let refused = fixture.files.create_folder(&top, taken);
        assert!(matches!(refused, Err(FileError::Taken(_))), "{refused:?}");
    }
    let refused = fixture.files.create_folder(&top, ".hidden");
    assert!(matches!(refused, Err(FileError::InvalidName { .. })));
}

#[test]
fn refused_move_counts_identical_files() {
    let fixture = FolderFixture::new();
    fixture.write(&["a.jpg", "b.jpg", "inner/a.jpg", "inner/b.jpg"]);
    let folder = fixture.path("inner");
    std::fs::write(
        folder.join("a.jpg"),
        std::fs::read(fixture.path("a.jpg")).unwrap(),
    )
    .unwrap();
    let inner = fixture.source("inner");
    let refused = fixture.move_items(&["a.jpg", "b.jpg"], &inner, ExistingPolicy::Refuse);
    let Err(FileError::TakenInDestination { names, identical }) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!((names.len(), identical), (2, Some(1)));
}
