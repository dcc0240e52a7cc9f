//! Moves to other folders and other disks, copies, and the trash.

use super::*;

#[test]
fn files_are_moved_and_nothing_is_overwritten() {
    let house = House::new();
    house.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "c", "inner/a.jpg", "inner/c"]);
    let inner = house.source("inner");
    let all = ["a.jpg", "b.jpg", "c"];
    let refused = house.moved(&all, &inner, Existing::Refuse).unwrap_err();
    assert!(
        matches!(&refused, FileError::Taken(names) if names.len() == 2),
        "{refused}"
    );
    let skipped = house.moved(&["c"], &inner, Existing::Skip).unwrap();
    assert_eq!((skipped.done, skipped.skipped, skipped.id), (0, 1, None));
    let done = house.moved(&all, &inner, Existing::KeepBoth).unwrap();
    assert_eq!(
        (done.done, done.failed.len(), done.folders.len()),
        (3, 0, 2)
    );
    house.check(&[
        ("inner/a (2).jpg", "a.jpg"),
        ("inner/a (2).jpg.xmp", "a.jpg.xmp"),
        ("inner/a.jpg", "inner/a.jpg"),
        ("inner/b.jpg", "b.jpg"),
        ("inner/c", "inner/c"),
        ("inner/c (2)", "c"),
    ]);
    house.undo(&done, false).unwrap();
    let done = house.moved(&all, &inner, Existing::Replace).unwrap();
    house.check(&[
        ("inner/a.jpg", "a.jpg"),
        ("inner/a.jpg.xmp", "a.jpg.xmp"),
        ("inner/b.jpg", "b.jpg"),
        ("inner/c", "c"),
    ]);
    house.undo(&done, false).unwrap();
    let before = ["a.jpg", "a.jpg.xmp", "b.jpg", "c", "inner/a.jpg", "inner/c"];
    house.check(&before.map(|name| (name, name)));
    assert!(house.in_bin().is_empty());
}

#[test]
fn copies_have_the_times_of_their_originals_and_go_into_the_bin_when_that_is_undone() {
    let house = House::new();
    house.write(&["a.jpg"]);
    let done = house.copied(&["a.jpg"], "inner", Existing::Refuse).unwrap();
    let again = house.copied(&["a.jpg"], "", Existing::KeepBoth).unwrap();
    house.check(&[
        ("a (2).jpg", "a.jpg"),
        ("a.jpg", "a.jpg"),
        ("inner/a.jpg", "a.jpg"),
    ]);
    let time = |name| fs::metadata(house.path(name)).unwrap().modified().unwrap();
    assert_eq!(time("inner/a.jpg"), time("a.jpg"));
    house.undo(&again, false).unwrap();
    house.undo(&done, false).unwrap();
    house.check(&[("a.jpg", "a.jpg")]);
    assert_eq!(house.in_bin().len(), 2);
}

#[test]
fn folders_are_renamed_moved_and_binned_but_not_into_themselves() {
    let house = House::new();
    fs::create_dir_all(house.path("inner/deep")).unwrap();
    fs::create_dir(house.path("other")).unwrap();
    house.write(&["other/a"]);
    let deep = house.source("inner/deep");
    let refused = house
        .moved(&["inner"], &deep, Existing::Refuse)
        .unwrap_err();
    assert!(matches!(refused, FileError::IntoItself(_)), "{refused}");
    assert!(matches!(
        house.files.bin(&[house.source("")], &mut |_, _| true),
        Err(FileError::Root)
    ));
    let done = house.moved(&["other"], &deep, Existing::Refuse).unwrap();
    house.write(&["inner/deep/other/b"]);
    let binned = house.binned(&["inner/deep"]);
    assert!(!house.path("inner/deep").exists());
    house.undo(&binned, false).unwrap();
    house.undo(&done, false).unwrap();
    assert!(house.path("other/a").exists() && house.path("other/b").exists());
}

#[test]
fn to_another_disk_a_file_is_copied_whole_or_stays() {
    let house = House::new();
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let root = house.roots.add(elsewhere.path()).unwrap();
    let there = Source::new(root, RelPath::default());
    house.write(&["a", "a.xmp", "b"]);
    let done = house.moved(&["a"], &there, Existing::Refuse).unwrap();
    assert_eq!(
        fs::read_to_string(elsewhere.path().join("a.xmp")).unwrap(),
        "a.xmp"
    );
    house.check(&[("b", "b")]);
    house.undo(&done, false).unwrap();
    house.check(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    // The user cancels in the middle of the copy. The original stays, and there is no copy, just as with a full
    // disk.
    let items = [house.source("b")];
    let cancelled = house
        .files
        .move_to(&there, &items, Existing::Refuse, &mut |_, _| false);
    assert!(
        matches!(cancelled, Err(FileError::Cancelled)),
        "{cancelled:?}"
    );
    house.check(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn what_is_in_the_bin_comes_back_and_what_left_it_does_not() {
    let house = House::new();
    house.write(&["a", "a.xmp", "b"]);
    let done = house.binned(&["a", "b", "none"]);
    assert_eq!((done.done, done.skipped), (2, 1));
    house.check(&[]);
    house.undo(&done, false).unwrap();
    house.check(&[("a", "a"), ("a.xmp", "a.xmp"), ("b", "b")]);
    let done = house.binned(&["a", "b"]);
    let emptied = house
        .in_bin()
        .into_iter()
        .find(|(_, path)| path.ends_with("/b"));
    fs::remove_file(emptied.unwrap().0).unwrap();
    let stuck = house.undo(&done, false).unwrap_err();
    assert_eq!(
        stuck.to_string(),
        "1 of 2 can't be undone; b: it is no longer in Trash"
    );
    house.undo(&done, true).unwrap();
    house.check(&[("a", "a"), ("a.xmp", "a.xmp")]);
}

#[test]
fn replacing_takes_no_folder_and_not_the_thing_itself_away() {
    let house = House::new();
    house.write(&["inner/a"]);
    fs::create_dir_all(house.path("inner/p/p")).unwrap();
    house.write(&["inner/p/p/x", "inner/p/b"]);
    fs::create_dir(house.path("p")).unwrap();
    let inner = house.source("inner");
    // A folder is in the way, which even contains the item.
    for items in [&["p"][..], &["inner/p/p"]] {
        let refused = house.moved(items, &inner, Existing::Replace).unwrap_err();
        assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    }
    // Through another path, the item is already in the target folder.
    std::os::unix::fs::symlink("inner", house.path("link")).unwrap();
    let link = house.source("link");
    let done = house.moved(&["inner/a"], &link, Existing::Replace).unwrap();
    assert_eq!((done.done, done.skipped), (0, 1));
    let refused = house
        .copied(&["inner/a"], "link", Existing::Replace)
        .unwrap_err();
    assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    house.check(&[("inner/a", "inner/a")]);
    assert!(house.path("inner/p/b").exists() && house.path("inner/p/p/x").exists());
    assert!(house.in_bin().is_empty());
}

#[test]
fn what_was_to_be_replaced_stays_if_the_new_one_does_not_come() {
    let house = House::new();
    house.write(&["a", "inner/a", "inner/a.xmp"]);
    let items = [house.source("a")];
    let inner = house.source("inner");
    let cancelled = house
        .files
        .copy_to(&inner, &items, Existing::Replace, &mut |_, _| false);
    assert!(matches!(cancelled, Err(FileError::Cancelled)));
    house.check(&[
        ("a", "a"),
        ("inner/a", "inner/a"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
    assert!(house.in_bin().is_empty() && house.files.recent(9).unwrap().is_empty());
    // The sidecar of the replaced picture does not belong to the new one.
    let done = house.copied(&["a"], "inner", Existing::Replace).unwrap();
    house.check(&[("a", "a"), ("inner/a", "a")]);
    house.undo(&done, false).unwrap();
    house.check(&[
        ("a", "a"),
        ("inner/a", "inner/a"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
}

#[test]
fn of_what_was_cancelled_only_what_was_done_is_undone() {
    let house = House::new();
    house.write(&["a", "b", "c", "inner/b", "inner/c"]);
    let items = ["a", "b", "c"].map(|name| house.source(name));
    let inner = house.source("inner");
    let mut count = 0;
    let mut once = |_, _| {
        count += 1;
        count < 1
    };
    let done = house
        .files
        .move_to(&inner, &items, Existing::Replace, &mut once)
        .unwrap();
    assert_eq!((done.done, done.skipped, done.failed.len()), (1, 2, 0));
    house.check(&[
        ("b", "b"),
        ("c", "c"),
        ("inner/a", "a"),
        ("inner/b", "inner/b"),
        ("inner/c", "inner/c"),
    ]);
    house.undo(&done, false).unwrap();
    let before = ["a", "b", "c", "inner/b", "inner/c"];
    house.check(&before.map(|name| (name, name)));
}

#[test]
fn each_deletion_brings_its_own_back() {
    let house = House::new();
    house.write(&["a"]);
    let first = house.binned(&["a"]);
    fs::write(house.path("a"), "second").unwrap();
    house.binned(&["a"]);
    house.undo(&first, false).unwrap();
    house.check(&[("a", "a")]);
}

#[test]
fn what_is_in_hand_is_not_undone_and_not_told() {
    let house = House::new();
    house.write(&["a", "b"]);
    let items = ["a", "b"].map(|name| house.source(name));
    let inner = house.source("inner");
    let files = &house.files;
    let mut looked = 0;
    let mut look = |_, _| {
        let ids: Vec<_> = files.records.recent(9).unwrap();
        assert!(files.recent(9).unwrap().is_empty());
        let undone = files.undo(ids[0].0, true, &mut |_, _| true);
        assert!(matches!(undone, Err(FileError::AtWork)));
        looked += 1;
        true
    };
    files
        .move_to(&inner, &items, Existing::Refuse, &mut look)
        .unwrap();
    assert!(looked > 1);
    assert_eq!(files.recent(9).unwrap().len(), 1);
}

#[test]
fn what_goes_along_anyway_may_be_named_too() {
    let house = House::new();
    fs::create_dir(house.path("other")).unwrap();
    house.write(&["a", "a.xmp", "other/x"]);
    let all = ["other/x", "a.xmp", "a", "other"];
    let done = house
        .moved(&all, &house.source("inner"), Existing::Refuse)
        .unwrap();
    assert_eq!((done.done, done.failed.len()), (2, 0));
    house.undo(&done, false).unwrap();
    let done = house.binned(&all);
    assert_eq!(done.done, 2);
    house.undo(&done, false).unwrap();
    house.check(&[("a", "a"), ("a.xmp", "a.xmp")]);
    assert!(house.path("other/x").exists());
}

#[test]
fn links_are_moved_and_not_copied() {
    let house = House::new();
    house.write(&["a"]);
    std::os::unix::fs::symlink("a", house.path("link")).unwrap();
    let refused = house
        .copied(&["link"], "inner", Existing::Refuse)
        .unwrap_err();
    assert!(matches!(refused, FileError::NotAFile(_)), "{refused}");
    let done = house.binned(&["link"]);
    house.check(&[("a", "a")]);
    house.undo(&done, false).unwrap();
    assert!(house.path("link").is_symlink());
}

#[test]
fn very_many_are_deleted_from_many_folders_and_come_back() {
    const FOLDERS: usize = 1_200;
    let house = House::new();
    let names: Vec<_> = (0..FOLDERS).map(|at| format!("f{at}/a")).collect();
    for name in &names {
        fs::create_dir(house.path(name).parent().unwrap()).unwrap();
        fs::write(house.path(name), name).unwrap();
    }
    // These are more files than a process may usually have open.
    let items: Vec<_> = names.iter().map(|name| house.source(name)).collect();
    let done = house.files.bin(&items, &mut |_, _| true).unwrap();
    assert_eq!((done.done, done.failed.len()), (FOLDERS, 0));
    house.undo(&done, false).unwrap();
    for name in &names {
        assert_eq!(fs::read_to_string(house.path(name)).unwrap(), *name);
    }
}

#[test]
fn a_copy_that_a_crash_left_beside_its_original_goes_away() {
    let house = House::new();
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let root = house.roots.add(elsewhere.path()).unwrap();
    let there = Source::new(root, RelPath::default());
    house.write(&["a"]);
    fs::write(elsewhere.path().join("a"), "other").unwrap();
    let done = house.moved(&["a"], &there, Existing::Replace).unwrap();
    // This simulates a crash before the original was deleted.
    let record = house
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let text = fs::read_to_string(&record).unwrap();
    house.write(&["a"]);
    let now = fumikura_fs::platform::Identity::of(&File::open(house.path("a")).unwrap()).unwrap();
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let mut step: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    step["state"]["file"] = serde_json::json!(now.numbers());
    lines[2] = step.to_string();
    fs::write(&record, lines.join("\n") + "\n").unwrap();
    let undone = house.undo(&done, false).unwrap();
    assert_eq!(undone.failed.len(), 0);
    house.check(&[("a", "a")]);
    assert_eq!(
        fs::read_to_string(elsewhere.path().join("a")).unwrap(),
        "other"
    );
}

#[test]
fn what_a_crash_left_of_the_copies_of_files_goes_into_the_bin() {
    let house = House::new();
    house.write(&["a.jpg", "a.jpg.xmp", "b.jpg"]);
    let items = ["a.jpg", "b.jpg"];
    let done = house.copied(&items, "inner", Existing::Refuse).unwrap();
    // This simulates a crash before the second picture's copy, and that of the first one's sidecar, was
    // complete.
    let hidden = |at: usize| format!("inner/.fumikura-copy-{}-{at}.part", done.id.unwrap());
    for (at, name) in [(1, "a.jpg.xmp"), (2, "b.jpg")] {
        let copy = house.path("inner").join(name);
        fs::rename(copy, house.path(&hidden(at))).unwrap();
    }
    let undone = house.undo(&done, false).unwrap();
    assert_eq!((undone.done, undone.failed.len()), (1, 0));
    house.check(&[
        ("a.jpg", "a.jpg"),
        ("a.jpg.xmp", "a.jpg.xmp"),
        ("b.jpg", "b.jpg"),
    ]);
    assert_eq!(house.in_bin().len(), 3);
    assert!(house.files.recent(9).unwrap().is_empty());
}

#[test]
fn an_original_that_went_where_its_copy_was_stays() {
    let house = House::new();
    house.write(&["a"]);
    let done = house.copied(&["a"], "inner", Existing::Refuse).unwrap();
    fs::remove_file(house.path("inner/a")).unwrap();
    fs::rename(house.path("a"), house.path("inner/a")).unwrap();
    assert!(matches!(
        house.undo(&done, true),
        Err(FileError::Stuck { .. })
    ));
    house.check(&[("inner/a", "a")]);
}

#[test]
fn a_folder_takes_no_sidecar_along() {
    let house = House::new();
    fs::create_dir(house.path("DSC")).unwrap();
    house.write(&["DSC.jpg", "DSC.xmp"]);
    house.binned(&["DSC"]);
    house.check(&[("DSC.jpg", "DSC.jpg"), ("DSC.xmp", "DSC.xmp")]);
}
