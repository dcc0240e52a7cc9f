//! Sidecars that go along with pictures: Lightroom's, which have the picture's name without its extension.

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
    // What is no picture takes nothing that only has its name.
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
    // By itself it goes alone.
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
