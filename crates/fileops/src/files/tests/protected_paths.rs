//! Opened folders stay in their place, whichever path leads to them.

use std::os::unix::fs::symlink;

use super::*;

/// Checks that it can't be moved, renamed or deleted.
fn check_protected(fixture: &FolderFixture, name: &str) {
    let to = fixture.source("to");
    let items = [fixture.source(name)];
    let refused = [
        fixture.move_items(&[name], &to, ExistingPolicy::Refuse),
        fixture.rename(&[("to", "till"), (name, "other")]),
        fixture
            .files
            .trash(&items, PictureFiles::Apart, &mut |_, _| true),
    ];
    for refused in refused {
        assert!(
            matches!(refused, Err(FileError::Root)),
            "{name}: {refused:?}"
        );
    }
    assert!(fixture.path(name).exists() && fixture.path("to").exists());
    assert!(fixture.trash_entries().is_empty());
}

#[test]
fn folder_containing_another_root_is_protected() {
    let fixture = FolderFixture::new();
    fs::create_dir_all(fixture.path("inner/deep/er")).unwrap();
    fs::create_dir(fixture.path("to")).unwrap();
    let deep = fixture.roots.add(&fixture.path("inner/deep")).unwrap();
    check_protected(&fixture, "inner");
    // Neither the content of the root nor a copy of the root is protected.
    let copied = fixture
        .copy_items(&["inner"], "to", ExistingPolicy::Refuse)
        .unwrap();
    assert_eq!(copied.completed, 1);
    assert_eq!(fixture.trash_items(&["inner/deep/er"]).completed, 1);
    fixture.roots.remove(deep.id()).unwrap();
    assert_eq!(fixture.trash_items(&["inner"]).completed, 1);
}

#[test]
fn root_is_protected_by_identity_and_path() {
    let fixture = FolderFixture::new();
    fs::create_dir_all(fixture.path("inner/deep")).unwrap();
    fs::create_dir(fixture.path("to")).unwrap();
    symlink(fixture.path("inner/deep"), fixture.path("link")).unwrap();
    fixture.roots.add(&fixture.path("link")).unwrap();
    check_protected(&fixture, "inner");
    // Without the link, the path no longer leads to the root.
    check_protected(&fixture, "link");
}

#[test]
fn undo_refuses_entries_opened_as_roots() {
    let fixture = FolderFixture::new();
    fs::create_dir(fixture.path("trip")).unwrap();
    fixture.write(&["a"]);
    let inner = fixture.source("inner");
    let moved = fixture
        .move_items(&["trip", "a"], &inner, ExistingPolicy::Refuse)
        .unwrap();
    let root = fixture.roots.add(&fixture.path("inner/trip")).unwrap();
    let conflicts = fixture.undo(&moved, false).unwrap_err();
    assert!(
        conflicts.to_string().contains("has since been opened"),
        "{conflicts}"
    );
    assert!(fixture.path("inner/a").exists());
    let partly = fixture.undo(&moved, true).unwrap();
    assert_eq!((partly.completed, partly.failed.len()), (1, 1));
    assert!(fixture.path("a").exists() && fixture.path("inner/trip").exists());
    fixture.roots.remove(root.id()).unwrap();
    assert_eq!(fixture.undo(&partly, false).unwrap().completed, 1);

    let renamed = fixture.rename(&[("trip", "journey")]).unwrap();
    let root = fixture.roots.add(&fixture.path("journey")).unwrap();
    let conflicts = fixture.undo(&renamed, false).unwrap_err();
    assert!(
        conflicts.to_string().contains("has since been opened"),
        "{conflicts}"
    );
    fixture.roots.remove(root.id()).unwrap();
    fixture.undo(&renamed, false).unwrap();

    let copied = fixture
        .copy_items(&["trip"], "inner", ExistingPolicy::Refuse)
        .unwrap();
    fixture.roots.add(&fixture.path("inner/trip")).unwrap();
    assert!(fixture.undo(&copied, false).is_err());
    assert!(fixture.path("inner/trip").exists());
}
