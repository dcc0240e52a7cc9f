//! Opened folders stay in their place, whichever path leads to them.

use std::os::unix::fs::symlink;

use super::*;

/// Checks that it can't be moved, renamed or deleted.
fn check_stands(house: &House, name: &str) {
    let to = house.source("to");
    let items = [house.source(name)];
    let refused = [
        house.moved(&[name], &to, Existing::Refuse),
        house.rename(&[("to", "till"), (name, "other")]),
        house.files.bin(&items, &mut |_, _| true),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(FileError::Root)),
            "{name}: {refused:?}"
        );
    }
    assert!(house.path(name).exists() && house.path("to").exists());
    assert!(house.in_bin().is_empty());
}

#[test]
fn a_folder_in_which_another_root_lies_stays_where_it_is() {
    let house = House::new();
    fs::create_dir_all(house.path("inner/deep/er")).unwrap();
    fs::create_dir(house.path("to")).unwrap();
    let deep = house.roots.add(&house.path("inner/deep")).unwrap();
    check_stands(&house, "inner");
    // The content of the root, and a copy of it, are no roots.
    let copied = house.copied(&["inner"], "to", Existing::Refuse).unwrap();
    assert_eq!(copied.done, 1);
    assert_eq!(house.binned(&["inner/deep/er"]).done, 1);
    house.roots.remove(deep.id()).unwrap();
    assert_eq!(house.binned(&["inner"]).done, 1);
}

#[test]
fn a_root_is_known_by_what_it_is_and_not_by_its_path_alone() {
    let house = House::new();
    fs::create_dir_all(house.path("inner/deep")).unwrap();
    fs::create_dir(house.path("to")).unwrap();
    symlink(house.path("inner/deep"), house.path("link")).unwrap();
    house.roots.add(&house.path("link")).unwrap();
    check_stands(&house, "inner");
    // Without the link, the path no longer leads to the root.
    check_stands(&house, "link");
}

#[test]
fn what_was_opened_since_is_not_taken_back() {
    let house = House::new();
    fs::create_dir(house.path("trip")).unwrap();
    house.write(&["a"]);
    let inner = house.source("inner");
    let moved = house
        .moved(&["trip", "a"], &inner, Existing::Refuse)
        .unwrap();
    let root = house.roots.add(&house.path("inner/trip")).unwrap();
    let stuck = house.undo(&moved, false).unwrap_err();
    assert!(
        stuck.to_string().contains("has since been opened"),
        "{stuck}"
    );
    assert!(house.path("inner/a").exists());
    let partly = house.undo(&moved, true).unwrap();
    assert_eq!((partly.done, partly.failed.len()), (1, 1));
    assert!(house.path("a").exists() && house.path("inner/trip").exists());
    house.roots.remove(root.id()).unwrap();
    assert_eq!(house.undo(&partly, false).unwrap().done, 1);

    let renamed = house.rename(&[("trip", "journey")]).unwrap();
    let root = house.roots.add(&house.path("journey")).unwrap();
    let stuck = house.undo(&renamed, false).unwrap_err();
    assert!(
        stuck.to_string().contains("has since been opened"),
        "{stuck}"
    );
    house.roots.remove(root.id()).unwrap();
    house.undo(&renamed, false).unwrap();

    let copied = house.copied(&["trip"], "inner", Existing::Refuse).unwrap();
    house.roots.add(&house.path("inner/trip")).unwrap();
    assert!(house.undo(&copied, false).is_err());
    assert!(house.path("inner/trip").exists());
}
