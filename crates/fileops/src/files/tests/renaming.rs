//! Renames, all or none, and their undo.

use super::*;
use crate::system;

#[test]
fn names_change_in_chains_and_circles_with_their_sidecars_and_back() {
    let house = House::new();
    house.write(&["a", "b", "c", "d", "d.xmp", "x", "y"]);
    let names = [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("d", "e"),
        ("x", "y"),
        ("y", "z"),
    ];
    let done = house.rename(&names).unwrap();
    assert_eq!((done.done, done.skipped, done.failed.len()), (6, 0, 0));
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
    house.check(&renamed);
    let told = house.files.recent(10).unwrap();
    assert_eq!(
        (told.len(), told[0].kind, told[0].count),
        (1, OperationKind::Rename, 6)
    );
    house.undo(&done, false).unwrap();
    let before = ["a", "b", "c", "d", "d.xmp", "x", "y"].map(|name| (name, name));
    house.check(&before);
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::UnknownOperation(_))
    ));
}

#[test]
fn a_circle_turns_where_names_can_not_be_exchanged() {
    let house = House::new();
    house.write(&["a.x", "b.x", "c.x"]);
    let folder = Folder::open(&house.source("")).unwrap();
    let circle = [("a.x", "b.x"), ("b.x", "c.x"), ("c.x", "a.x")];
    let circle = circle.map(|(old, new)| (old.as_bytes().to_vec(), new.as_bytes().to_vec()));
    rename::turn_by_a_name_between(&folder, circle.to_vec(), &mut Vec::new()).unwrap();
    house.check(&[("a.x", "c.x"), ("b.x", "a.x"), ("c.x", "b.x")]);
}

#[test]
fn nothing_is_renamed_if_one_name_is_taken_wrong_or_missing() {
    let house = House::new();
    house.write(&["a", "b", "c"]);
    let refused = |names: &[(&str, &str)]| {
        let error = house.rename(names).unwrap_err();
        house.check(&[("a", "a"), ("b", "b"), ("c", "c")]);
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
        FileError::Twice(_)
    ));
    assert!(matches!(
        refused(&[("a", "x"), ("none", "y")]),
        FileError::Access { .. }
    ));
    assert!(matches!(
        refused(&[("a", "x/y")]),
        FileError::InvalidName { .. }
    ));
    assert!(house.files.recent(10).unwrap().is_empty());
}

#[test]
fn what_was_renamed_and_changed_since_is_not_renamed_back() {
    let house = House::new();
    house.write(&["a", "b"]);
    let done = house.rename(&[("a", "x"), ("b", "y")]).unwrap();
    fs::write(house.path("x"), "another").unwrap();
    let stuck = house.undo(&done, false).unwrap_err();
    assert_eq!(
        stuck.to_string(),
        "1 of 2 can't be undone; x: it has changed since"
    );
    house.check(&[("x", "another"), ("y", "b")]);
    let partly = house.undo(&done, true).unwrap();
    assert_eq!((partly.done, partly.failed.len()), (1, 1));
    house.check(&[("b", "b"), ("x", "another")]);
    // The rest can be undone only when nothing is in its way any more, which never happens here.
    assert!(matches!(
        house.undo(&done, true),
        Err(FileError::Stuck { all: 1, .. })
    ));
}

#[test]
fn nothing_comes_back_to_a_place_that_another_file_has() {
    let house = House::new();
    house.write(&["a", "b"]);
    let done = house.rename(&[("a", "x")]).unwrap();
    house.write(&["a"]);
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::Stuck { .. })
    ));
    let done = house.binned(&["b"]);
    fs::write(house.path("b"), "new").unwrap();
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::Stuck { .. })
    ));
    house.check(&[("a", "a"), ("b", "new"), ("x", "a")]);
}

#[test]
fn what_a_crash_left_half_done_is_undone_as_far_as_it_was_done() {
    let house = House::new();
    house.write(&["a", "b"]);
    let done = house.rename(&[("a", "x"), ("b", "y")]).unwrap();
    // This simulates a crash between the two.
    fs::rename(house.path("y"), house.path("b")).unwrap();
    assert_eq!(house.undo(&done, false).unwrap().done, 1);
    house.check(&[("a", "a"), ("b", "b")]);
}

#[test]
fn a_record_that_can_not_be_read_is_told_and_nothing_is_undone() {
    let house = House::new();
    house.write(&["a"]);
    let done = house.rename(&[("a", "x")]).unwrap();
    let record = house
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.replace("moved", "eaten")).unwrap();
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::Damaged(_))
    ));
    fs::write(&record, text.replace("\"version\":1", "\"version\":9")).unwrap();
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::Damaged(_))
    ));
    assert!(house.files.recent(10).unwrap().is_empty());
    house.check(&[("x", "a")]);
}

#[test]
fn names_that_are_no_text_come_back() {
    use std::os::unix::ffi::OsStrExt;
    let house = House::new();
    let raw = std::ffi::OsStr::from_bytes(b"\xff\n");
    fs::write(house.path("").join(raw), "raw").unwrap();
    let names = [(b"\xff\n".to_vec(), "text".to_owned())];
    let done = house.files.rename(&house.source(""), &names).unwrap();
    house.check(&[("text", "raw")]);
    house.undo(&done, false).unwrap();
    assert_eq!(fs::read(house.path("").join(raw)).unwrap(), b"raw");
}

/// Performs some of the renames, as if a crash had interrupted the operation.
fn crashed(house: &House, names: &[(&str, &str)], happened: impl Fn(&House)) -> Done {
    let done = house.rename(names).unwrap();
    // The operation is undone completely, and then a part of it is done.
    let kept = house
        .outer
        .path()
        .join(format!("undo/{}.json", done.id.unwrap()));
    let record = fs::read(&kept).unwrap();
    house.undo(&done, false).unwrap();
    fs::write(kept, record).unwrap();
    happened(house);
    done
}

#[test]
fn a_chain_and_a_circle_that_a_crash_cut_short_are_undone() {
    let house = House::new();
    house.write(&["x", "y", "z"]);
    let before = ["x", "y", "z"].map(|name| (name, name));
    let done = crashed(&house, &[("x", "y"), ("y", "z"), ("z", "w")], |house| {
        fs::rename(house.path("z"), house.path("w")).unwrap();
    });
    house.undo(&done, false).unwrap();
    house.check(&before);
    let done = crashed(&house, &[("x", "y"), ("y", "z"), ("z", "x")], |house| {
        let folder = Folder::open(&house.source("")).unwrap();
        assert!(system::exchange(&folder.dir, b"x", b"y").unwrap());
    });
    house.undo(&done, false).unwrap();
    house.check(&before);
}

#[test]
fn of_names_that_shifted_those_that_can_come_back_do() {
    let house = House::new();
    house.write(&["1", "2", "3", "4"]);
    let done = house
        .rename(&[("1", "2"), ("2", "3"), ("3", "4"), ("4", "5")])
        .unwrap();
    fs::remove_file(house.path("3")).unwrap();
    fs::write(house.path("3"), "another").unwrap();
    assert!(matches!(
        house.undo(&done, false),
        Err(FileError::Stuck { .. })
    ));
    let partly = house.undo(&done, true).unwrap();
    assert_eq!((partly.done, partly.failed.len()), (1, 3));
    // The entry of 2 is gone. Another file has the name 3, which blocks the original entry of 3.
    house.check(&[("1", "1"), ("3", "another"), ("4", "3"), ("5", "4")]);
}

#[test]
fn a_second_name_of_a_file_is_no_name_in_another_case() {
    let house = House::new();
    house.write(&["a"]);
    fs::hard_link(house.path("a"), house.path("A")).unwrap();
    let refused = house.rename(&[("a", "A")]).unwrap_err();
    assert!(matches!(refused, FileError::Taken(_)), "{refused}");
    house.check(&[("A", "a"), ("a", "a")]);
    fs::remove_file(house.path("A")).unwrap();
    let done = house.rename(&[("a", "A")]).unwrap();
    house.check(&[("A", "a")]);
    house.undo(&done, false).unwrap();
    house.check(&[("a", "a")]);
}
