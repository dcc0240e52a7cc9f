//! Sidecars that accompany pictures, including Lightroom's, which have the picture's name without its
//! extension.

use super::*;

#[test]
fn a_sidecar_goes_with_the_only_picture_of_its_name() {
    let house = House::new();
    let all = ["a.nef", "a.nef.xmp", "a.txt", "a.xmp", "b.jpg", "b.XMP"];
    house.write(&all);
    let before = {
        let mut all = all.map(|name| (name, name));
        all.sort_unstable();
        all
    };
    let renamed = house
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpeg")])
        .unwrap();
    house.check(&[
        ("a.txt", "a.txt"),
        ("c.nef", "a.nef"),
        ("c.nef.xmp", "a.nef.xmp"),
        ("c.xmp", "a.xmp"),
        ("d.XMP", "b.XMP"),
        ("d.jpeg", "b.jpg"),
    ]);
    house.undo(&renamed, false).unwrap();
    house.check(&before);
    let binned = house.binned(&["a.nef", "b.jpg"]);
    house.check(&[("a.txt", "a.txt")]);
    house.undo(&binned, false).unwrap();
    house.check(&before);
    let inner = house.source("inner");
    let moved = house.moved(&["b.jpg"], &inner, Existing::Refuse).unwrap();
    let copied = house.copied(&["a.nef"], "inner", Existing::Refuse).unwrap();
    for name in ["inner/a.xmp", "inner/a.nef.xmp", "inner/b.XMP"] {
        assert!(house.path(name).exists(), "{name}");
    }
    house.undo(&copied, false).unwrap();
    house.undo(&moved, false).unwrap();
    house.check(&before);
    // A file that is no picture does not take a sidecar that only shares its name.
    house.binned(&["a.txt"]);
    assert!(house.path("a.xmp").exists());
}

#[test]
fn a_sidecar_that_pictures_share_goes_only_with_all_of_them() {
    let house = House::new();
    let all = ["a.jpg", "a.nef", "a.xmp"];
    house.write(&all);
    let before = all.map(|name| (name, name));
    let binned = house.binned(&["a.nef"]);
    house.check(&[("a.jpg", "a.jpg"), ("a.xmp", "a.xmp")]);
    house.undo(&binned, false).unwrap();
    let renamed = house.rename(&[("a.jpg", "b.jpg")]).unwrap();
    assert!(house.path("a.xmp").exists());
    house.undo(&renamed, false).unwrap();
    let renamed = house
        .rename(&[("a.nef", "b.nef"), ("a.jpg", "b.jpg")])
        .unwrap();
    house.check(&[("b.jpg", "a.jpg"), ("b.nef", "a.nef"), ("b.xmp", "a.xmp")]);
    house.undo(&renamed, false).unwrap();
    let inner = house.source("inner");
    let everything = ["a.xmp", "a.nef", "a.jpg"];
    let moved = house.moved(&everything, &inner, Existing::Refuse).unwrap();
    assert_eq!((moved.done, moved.failed.len()), (2, 0));
    let there = [
        ("inner/a.jpg", "a.jpg"),
        ("inner/a.nef", "a.nef"),
        ("inner/a.xmp", "a.xmp"),
    ];
    house.check(&there);
    house.undo(&moved, false).unwrap();
    house.check(&before);
    let binned = house.binned(&everything);
    assert_eq!(binned.done, 2);
    house.check(&[]);
    house.undo(&binned, false).unwrap();
    house.check(&before);
    // A sidecar that is deleted by itself goes alone.
    house.binned(&["a.xmp"]);
    house.check(&[("a.jpg", "a.jpg"), ("a.nef", "a.nef")]);
}

#[test]
fn a_sidecar_of_a_file_without_an_extension_is_nobody_elses() {
    let house = House::new();
    house.write(&["a", "a.jpg", "a.xmp"]);
    house.binned(&["a.jpg"]);
    house.check(&[("a", "a"), ("a.xmp", "a.xmp")]);
    house.rename(&[("a", "b")]).unwrap();
    house.check(&[("b", "a"), ("b.xmp", "a.xmp")]);
}

#[test]
fn what_another_picture_has_noted_is_not_replaced() {
    let house = House::new();
    house.write(&["a.nef", "a.xmp", "inner/a.jpg", "inner/a.xmp"]);
    let inner = house.source("inner");
    let refused = house.moved(&["a.nef"], &inner, Existing::Replace);
    assert!(matches!(refused, Err(FileError::Taken(_))), "{refused:?}");
    let done = house.moved(&["a.nef"], &inner, Existing::KeepBoth).unwrap();
    house.check(&[
        ("inner/a (2).nef", "a.nef"),
        ("inner/a (2).xmp", "a.xmp"),
        ("inner/a.jpg", "inner/a.jpg"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
    house.undo(&done, false).unwrap();
    fs::rename(house.path("inner/a.jpg"), house.path("inner/a.nef")).unwrap();
    let done = house.moved(&["a.nef"], &inner, Existing::Replace).unwrap();
    house.check(&[("inner/a.nef", "a.nef"), ("inner/a.xmp", "a.xmp")]);
    house.undo(&done, false).unwrap();
    house.check(&[
        ("a.nef", "a.nef"),
        ("a.xmp", "a.xmp"),
        ("inner/a.nef", "inner/a.jpg"),
        ("inner/a.xmp", "inner/a.xmp"),
    ]);
}

#[test]
fn a_folder_and_what_is_called_like_its_sidecar_both_go_where_both_are_named() {
    let house = House::new();
    fs::create_dir(house.path("DSC")).unwrap();
    house.write(&["DSC.xmp"]);
    house.write(&["DSC.xmp.xmp"]);
    let done = house.binned(&["DSC", "DSC.xmp", "DSC.xmp.xmp"]);
    assert_eq!(done.done, 3);
    house.check(&[]);
    house.undo(&done, false).unwrap();
    house.check(&[("DSC.xmp", "DSC.xmp"), ("DSC.xmp.xmp", "DSC.xmp.xmp")]);
}

/// Replaces a sidecar as another program would: by another file of another size.
fn note(house: &House, name: &str) {
    fs::remove_file(house.path(name)).ok();
    fs::write(house.path(name), format!("noted in {name}")).unwrap();
}

#[test]
fn what_was_noted_since_goes_back_with_its_picture() {
    let house = House::new();
    house.write(&["a.nef", "b.jpg", "b.jpg.xmp"]);
    let renamed = house
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpg")])
        .unwrap();
    for name in ["c.nef.xmp", "c.xmp", "d.jpg.xmp"] {
        note(&house, name);
    }
    house.undo(&renamed, false).unwrap();
    let back = [
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("a.xmp", "noted in c.xmp"),
        ("b.jpg", "b.jpg"),
        ("b.jpg.xmp", "noted in d.jpg.xmp"),
    ];
    house.check(&back);

    let inner = house.source("inner");
    let moved = house.moved(&["b.jpg"], &inner, Existing::Refuse).unwrap();
    fs::remove_file(house.path("inner/b.jpg.xmp")).unwrap();
    fs::write(house.path("inner/b.xmp"), "of its stem").unwrap();
    house.undo(&moved, false).unwrap();
    house.check(&[
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("a.xmp", "noted in c.xmp"),
        ("b.jpg", "b.jpg"),
        ("b.xmp", "of its stem"),
    ]);
    let copied = house.copied(&["b.jpg"], "inner", Existing::Refuse).unwrap();
    note(&house, "inner/b.jpg.xmp");
    note(&house, "inner/b.xmp");
    house.undo(&copied, false).unwrap();
    assert_eq!(house.in_bin().len(), 3);
    assert_eq!(fs::read_dir(house.path("inner")).unwrap().count(), 0);
}

#[test]
fn a_picture_does_not_go_back_without_what_is_noted_beside_it() {
    let house = House::new();
    house.write(&["a.nef", "b.jpg"]);
    let renamed = house
        .rename(&[("a.nef", "c.nef"), ("b.jpg", "d.jpg")])
        .unwrap();
    note(&house, "c.nef.xmp");
    fs::write(house.path("a.nef.xmp"), "another program's").unwrap();
    let stuck = house.undo(&renamed, false).unwrap_err();
    assert!(matches!(stuck, FileError::Stuck { .. }), "{stuck}");
    let partly = house.undo(&renamed, true).unwrap();
    assert_eq!((partly.done, partly.failed.len()), (1, 1));
    house.check(&[
        ("a.nef.xmp", "another program's"),
        ("b.jpg", "b.jpg"),
        ("c.nef", "a.nef"),
        ("c.nef.xmp", "noted in c.nef.xmp"),
    ]);
    fs::remove_file(house.path("a.nef.xmp")).unwrap();
    house.undo(&partly, false).unwrap();
    house.check(&[
        ("a.nef", "a.nef"),
        ("a.nef.xmp", "noted in c.nef.xmp"),
        ("b.jpg", "b.jpg"),
    ]);
    // A recorded sidecar stays with a picture that has been changed.
    let inner = house.source("inner");
    let moved = house
        .moved(&["a.nef", "b.jpg"], &inner, Existing::Refuse)
        .unwrap();
    fs::write(house.path("inner/a.nef"), "developed").unwrap();
    let partly = house.undo(&moved, true).unwrap();
    assert_eq!((partly.done, partly.failed.len()), (1, 1));
    house.check(&[
        ("b.jpg", "b.jpg"),
        ("inner/a.nef", "developed"),
        ("inner/a.nef.xmp", "noted in c.nef.xmp"),
    ]);
}

#[test]
fn pictures_are_counted_and_their_sidecars_are_not() {
    let house = House::new();
    let all = ["a.nef", "a.nef.xmp", "a.xmp", "b.jpg", "b.jpg.xmp", "c.txt"];
    house.write(&all);
    house.write(&["inner/b.jpg", "inner/b.jpg.xmp"]);
    let inner = house.source("inner");
    let named = ["a.nef", "b.jpg", "c.txt"];
    let recorded = || house.files.recent(1).unwrap()[0].count;
    let is_three = |done: Done| {
        assert_eq!((done.done, recorded()), (3, 3));
        let undone = house.undo(&done, false).unwrap();
        assert_eq!((undone.done, undone.failed.len()), (3, 0));
    };
    is_three(
        house
            .rename(&[("a.nef", "x.nef"), ("b.jpg", "y.jpg"), ("c.txt", "z.txt")])
            .unwrap(),
    );
    is_three(house.moved(&named, &inner, Existing::Replace).unwrap());
    is_three(house.copied(&named, "inner", Existing::KeepBoth).unwrap());
    is_three(house.binned(&named));
    // Without its picture, it is a file like any other.
    let alone = house.binned(&["b.jpg.xmp", "c.txt"]);
    assert_eq!((alone.done, recorded()), (2, 2));
    assert_eq!(house.undo(&alone, false).unwrap().done, 2);
}

#[test]
fn what_is_left_to_undo_is_counted_alike() {
    let house = House::new();
    house.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp"]);
    let inner = house.source("inner");
    let moved = house
        .moved(&["a.jpg", "b.jpg"], &inner, Existing::Refuse)
        .unwrap();
    fs::write(house.path("inner/b.jpg"), "developed").unwrap();
    let Err(FileError::Stuck { stuck, all }) = house.undo(&moved, false) else {
        panic!("it was undone");
    };
    let names: Vec<_> = stuck.into_iter().map(|(name, _)| name).collect();
    assert_eq!((names, all), (vec![b"b.jpg".to_vec()], 2));
    house.undo(&moved, true).unwrap();
    let left = &house.files.recent(1).unwrap()[0];
    assert_eq!((left.count, left.first.ends_with(b"/b.jpg")), (1, true));
}

#[test]
fn names_that_are_taken_are_told_once() {
    let house = House::new();
    house.write(&["a.jpg", "a.jpg.xmp", "b.jpg", "b.jpg.xmp"]);
    let refused = house.rename(&[("a.jpg", "b.jpg")]);
    let Err(FileError::Taken(names)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(names, [b"b.jpg".to_vec()]);
}

#[test]
fn a_picture_takes_over_no_notes_of_another() {
    let house = House::new();
    house.write(&["a.jpg", "b.jpg.xmp", "inner/a.jpg.xmp", "note.txt"]);
    let taken = |refused: Result<Done, FileError>| match refused {
        Err(FileError::Taken(names)) => names,
        other => panic!("{other:?}"),
    };
    assert_eq!(taken(house.rename(&[("a.jpg", "b.jpg")])), [b"b.jpg.xmp"]);
    let inner = house.source("inner");
    let refused = house.moved(&["a.jpg"], &inner, Existing::Refuse);
    assert_eq!(taken(refused), [b"a.jpg.xmp"]);
    let done = house.moved(&["a.jpg"], &inner, Existing::KeepBoth).unwrap();
    assert!(house.path("inner/a (2).jpg").exists());
    house.undo(&done, false).unwrap();
    // If it is to be replaced, it moves to the trash.
    let done = house.moved(&["a.jpg"], &inner, Existing::Replace).unwrap();
    assert!(!house.path("inner/a.jpg.xmp").exists());
    house.undo(&done, false).unwrap();
    assert!(house.path("inner/a.jpg.xmp").exists() && house.path("a.jpg").exists());
    // If the leftover file moves away itself, the name is free.
    house
        .rename(&[("a.jpg", "b.jpg"), ("b.jpg.xmp", "c.xmp")])
        .unwrap();
    house.rename(&[("note.txt", "c.txt")]).unwrap();
}

/// Returns, for each progress report of an undo, true if sidecars are locked.
fn held_while_undone(house: &House, done: &Done) -> Vec<bool> {
    let mut held = Vec::new();
    let undone = house.files.undo(done.id.unwrap(), false, &mut |_, _| {
        held.push(house.files.names.is_locked());
        true
    });
    assert!(undone.unwrap().failed.is_empty());
    assert!(!house.files.names.is_locked());
    held
}

#[test]
fn nothing_is_noted_beside_what_is_on_its_way_back() {
    let house = House::new();
    house.write(&["a.jpg", "b.jpg"]);
    let all = ["a.jpg", "b.jpg"];
    let moved = house.moved(&all, &house.source("inner"), Existing::Refuse);
    assert_eq!(held_while_undone(&house, &moved.unwrap()), [true, true]);
    let copied = house.copied(&all, "inner", Existing::Refuse);
    assert_eq!(held_while_undone(&house, &copied.unwrap()), [true, true]);
    let binned = house.binned(&all);
    assert_eq!(held_while_undone(&house, &binned), [true, true]);
    // A copy takes long.
    let elsewhere = tempfile::tempdir_in("/dev/shm").unwrap();
    let there = Source::new(
        house.roots.add(elsewhere.path()).unwrap(),
        RelPath::default(),
    );
    let moved = house.moved(&all, &there, Existing::Refuse).unwrap();
    let held = held_while_undone(&house, &moved);
    assert!(!held.is_empty() && !held.contains(&true));
}
