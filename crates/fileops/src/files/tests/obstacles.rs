//! The reasons for which an operation can't be undone, for each name.

use super::*;
use crate::Stuck;

/// Checks each name with its reason, in the order of the names: of an undo that is refused, and then of a partial
/// undo, if anything can be undone.
#[track_caller]
fn check(house: &House, done: &Done, expected: &[(&str, &str)]) {
    let told = |stuck: &[Stuck]| {
        let words = stuck.iter().map(|(name, why)| {
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
    match house.undo(done, false) {
        Err(FileError::Stuck { stuck, .. }) => assert_eq!(told(&stuck), expected),
        other => panic!("{other:?}"),
    }
    match house.undo(done, true) {
        Ok(partly) => {
            let each = partly.failed.into_iter().map(|(name, error)| {
                let FileError::Stuck { mut stuck, all: 1 } = error else {
                    panic!("{error:?}");
                };
                assert_eq!((stuck.len(), &stuck[0].0), (1, &name));
                stuck.remove(0)
            });
            assert_eq!(told(&each.collect::<Vec<_>>()), expected);
        }
        Err(FileError::Stuck { stuck, .. }) => assert_eq!(told(&stuck), expected),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn each_of_many_files_has_a_reason_of_its_own() {
    let house = House::new();
    house.write(&["a", "b", "c", "d"]);
    let inner = house.source("inner");
    let moved = house
        .moved(&["a", "b", "c", "d"], &inner, Existing::Refuse)
        .unwrap();
    fs::write(house.path("inner/a"), "changed").unwrap();
    fs::remove_file(house.path("inner/b")).unwrap();
    fs::write(house.path("c"), "another").unwrap();
    check(
        &house,
        &moved,
        &[("a", "Changed"), ("b", "Gone"), ("c", "Taken")],
    );
    assert!(house.path("d").exists());
}

#[test]
fn names_that_can_not_be_given_back_say_why() {
    let house = House::new();
    house.write(&["a", "b", "c"]);
    let renamed = house.rename(&[("a", "x"), ("b", "y"), ("c", "z")]).unwrap();
    house.write(&["a"]);
    fs::remove_file(house.path("y")).unwrap();
    check(&house, &renamed, &[("x", "Taken"), ("y", "Gone")]);
    house.check(&[("a", "a"), ("c", "c"), ("x", "a")]);
}

#[test]
fn what_left_the_bin_says_so() {
    let house = House::new();
    house.write(&["a", "b"]);
    let binned = house.binned(&["a", "b"]);
    let (file, _) = house.in_bin().remove(0);
    let name = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    check(&house, &binned, &[(&name, "LeftBin")]);
}

#[test]
fn a_folder_that_is_gone_is_told_apart_from_one_that_is_closed() {
    let house = House::new();
    house.write(&["a"]);
    let inner = house.source("inner");
    let moved = house.moved(&["a"], &inner, Existing::Refuse).unwrap();
    fs::rename(house.path("inner"), house.path("elsewhere")).unwrap();
    check(&house, &moved, &[("a", "FolderGone")]);
    fs::rename(house.path("elsewhere"), house.path("inner")).unwrap();
    house.roots.remove(house.root.id()).unwrap();
    check(&house, &moved, &[("a", "FolderClosed")]);
}

#[test]
fn the_disk_that_is_away_is_a_folder_that_is_gone() {
    let house = House::new();
    house.write(&["a"]);
    let renamed = house.rename(&[("a", "b")]).unwrap();
    let top = house.outer.path();
    fs::rename(top.join("pictures"), top.join("away")).unwrap();
    check(&house, &renamed, &[("b", "FolderGone")]);
    fs::rename(top.join("away"), top.join("pictures")).unwrap();
    house.undo(&renamed, false).unwrap();
}

#[test]
fn a_folder_that_was_opened_since_stays_for_that() {
    let house = House::new();
    fs::create_dir(house.path("trip")).unwrap();
    let renamed = house.rename(&[("trip", "journey")]).unwrap();
    house.roots.add(&house.path("journey")).unwrap();
    check(&house, &renamed, &[("journey", "Opened")]);
}

#[test]
fn pictures_and_sidecars_that_stay_for_each_other_say_so() {
    let house = House::new();
    house.write(&["a.jpg", "b.jpg", "b.jpg.xmp", "c.jpg", "c.jpg.xmp"]);
    let renamed = house
        .rename(&[("a.jpg", "x.jpg"), ("b.jpg", "y.jpg"), ("c.jpg", "z.jpg")])
        .unwrap();
    house.write(&["x.jpg.xmp", "a.jpg.xmp"]);
    fs::write(house.path("y.jpg"), "developed").unwrap();
    house.write(&["c.jpg.xmp"]);
    check(
        &house,
        &renamed,
        &[
            ("x.jpg", "SidecarInTheWay"),
            ("y.jpg", "Changed"),
            ("z.jpg", "SidecarStays"),
        ],
    );
}
