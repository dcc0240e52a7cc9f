//! Tags that are renamed and removed over all pictures, and the undo of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use fumikura_fileops::{CompanionLookup, FileError, OperationKind, SearchChange};
use fumikura_pictures::{PictureChange, TagsOutcome, TagsRequest};
use fumikura_xmp::{MarksChange, Tag, TagRename, TagsChange};

use crate::test_app::{TestApp, png, wait_until};

fn tags(names: &[&str]) -> Vec<Tag> {
    names.iter().map(|name| Tag::parse(name).unwrap()).collect()
}

fn request(from: &[&str], to: Option<&str>) -> TagsRequest {
    let to = to.map(|to| Tag::parse(to).unwrap());
    TagsRequest {
        folder: None,
        rename: TagRename::new(tags(from), to),
        joins_files: true,
        searches: Vec::new(),
    }
}

fn app_with(pictures: &[(&str, &[&str])]) -> TestApp {
    let app = TestApp::new();
    for (name, names) in pictures {
        if let Some((folder, _)) = name.rsplit_once('/') {
            fs::create_dir_all(app.root_dir().join(folder)).unwrap();
        }
        app.write(name, &png([1, 2, 3]));
        set(&app, name, names);
    }
    app
}

fn set(app: &TestApp, name: &str, names: &[&str]) {
    let marks = MarksChange {
        tags: TagsChange::Set(tags(names)),
        ..MarksChange::default()
    };
    let change = PictureChange {
        marks,
        ..PictureChange::default()
    };
    app.pictures.change(&app.source(name), &change).unwrap();
}

fn rename(app: &TestApp, request: &TagsRequest) -> TagsOutcome {
    app.pictures.rename_tags(request, &mut |_, _| true).unwrap()
}

#[track_caller]
fn check(app: &TestApp, name: &str, expected: &[&str]) {
    let marks = app.pictures.marks(&app.source(name)).unwrap().shown();
    assert_eq!(marks.tags, tags(expected), "{name}");
}

#[test]
fn tag_is_renamed_with_all_below_it() {
    let app = app_with(&[
        ("a.png", &["x", "Places/Norway/Oslo", "y"]),
        ("in/b.png", &["Places/Norway", "Places/Norge"]),
        ("in/c.png", &["Places"]),
    ]);
    let outcome = rename(&app, &request(&["Places/Norway"], Some("Places/Norge")));
    assert_eq!((outcome.changed, outcome.failed.len()), (2, 0));
    assert_eq!(outcome.folders.len(), 2);
    check(&app, "a.png", &["x", "Places/Norge/Oslo", "y"]);
    check(&app, "in/b.png", &["Places/Norge"]);
    check(&app, "in/c.png", &["Places"]);

    let id = outcome.operation.unwrap();
    let recent = app.pictures.files().recent(10).unwrap();
    let listed: Vec<_> = recent
        .iter()
        .map(|one| (one.id, one.kind, one.count))
        .collect();
    assert_eq!(listed, [(id, OperationKind::Tags, 2)]);
    assert!(
        app.pictures
            .tag_targets(&request(&["Places/Norway"], None))
            .unwrap()
            .tagged
            .is_empty()
    );
}

#[test]
fn renaming_is_undone_and_done_again_later() {
    let app = app_with(&[("a.png", &["a/b", "c"]), ("b.png", &["a"])]);
    let search = SearchChange {
        album: "1".to_owned(),
        before: "tag:a".to_owned(),
        after: "tag:d".to_owned(),
    };
    let request = TagsRequest {
        searches: vec![search.clone()],
        ..request(&["a"], Some("d"))
    };
    let id = rename(&app, &request).operation.unwrap();
    set(&app, "a.png", &["d/b", "c", "new"]);

    let app = app.restart();
    let undone = app.pictures.undo(id, false, &mut |_, _| true).unwrap();
    assert_eq!((undone.completed, undone.id), (2, None));
    assert_eq!(undone.searches[..], *std::slice::from_ref(&search));
    check(&app, "a.png", &["c", "new", "a/b"]);
    check(&app, "b.png", &["a"]);

    let app = app.restart();
    let redone = app
        .pictures
        .undo(undone.redo.unwrap(), false, &mut |_, _| true);
    let redone = redone.unwrap();
    assert_eq!(redone.searches[0].before, search.after);
    check(&app, "a.png", &["d/b", "c", "new"]);
    check(&app, "b.png", &["d"]);
    let again = app
        .pictures
        .undo(redone.redo.unwrap(), false, &mut |_, _| true);
    assert_eq!(again.unwrap().completed, 2);
    check(&app, "b.png", &["a"]);
}

#[test]
fn undo_is_partial_if_a_picture_is_gone() {
    let app = app_with(&[("a.png", &["a"]), ("b.png", &["a"])]);
    let id = rename(&app, &request(&["a"], None)).operation.unwrap();
    check(&app, "a.png", &[]);
    fs::remove_file(app.root_dir().join("b.png")).unwrap();
    let refused = app.pictures.undo(id, false, &mut |_, _| true);
    assert!(matches!(
        refused,
        Err(FileError::UndoConflicts { total: 2, .. })
    ));
    check(&app, "a.png", &[]);
    let undone = app.pictures.undo(id, true, &mut |_, _| true).unwrap();
    assert_eq!((undone.completed, undone.failed.len()), (1, 1));
    check(&app, "a.png", &["a"]);
    app.write("b.png", &png([1, 2, 3]));
    let rest = app
        .pictures
        .undo(undone.id.unwrap(), false, &mut |_, _| true);
    assert_eq!(rest.unwrap().completed, 1);
    check(&app, "b.png", &["a"]);
}

#[test]
fn other_pictures_change_if_one_fails() {
    let app = app_with(&[("a.png", &["a"]), ("b.png", &["a"])]);
    let sidecar = app.root_dir().join("a.png.xmp");
    fs::set_permissions(&sidecar, fs::Permissions::from_mode(0o444)).unwrap();
    let outcome = rename(&app, &request(&["a"], Some("b")));
    let failed = outcome.failed.iter();
    let failed: Vec<_> = failed.map(|(picture, _)| picture.path().name()).collect();
    assert_eq!((outcome.changed, &failed[..]), (1, &[&b"a.png"[..]][..]));
    check(&app, "a.png", &["a"]);
    check(&app, "b.png", &["b"]);
}

#[test]
fn cancelled_renaming_can_be_undone() {
    let app = app_with(&[("a.png", &["a"]), ("b.png", &["a"]), ("c.png", &["a"])]);
    let mut steps = 0;
    let mut progress = |done, _| {
        steps += 1;
        done < 1 || steps < 5
    };
    let outcome = app
        .pictures
        .rename_tags(&request(&["a"], Some("b")), &mut progress);
    let outcome = outcome.unwrap();
    assert_eq!((outcome.changed, outcome.skipped), (1, 2));
    check(&app, "a.png", &["b"]);
    check(&app, "c.png", &["a"]);
    let id = outcome.operation.unwrap();
    let undone = app.pictures.undo(id, false, &mut |_, _| true).unwrap();
    assert_eq!(undone.completed, 1);
    check(&app, "a.png", &["a"]);
}

#[test]
fn interrupted_renaming_is_undone_from_its_plan() {
    let app = app_with(&[("a.png", &["a"]), ("b.png", &["a"])]);
    let outcome = rename(&app, &request(&["a"], Some("b")));
    // As if the program had ended before the second sidecar.
    set(&app, "b.png", &["a"]);
    let id = outcome.operation.unwrap();
    app.pictures.undo(id, false, &mut |_, _| true).unwrap();
    check(&app, "a.png", &["a"]);
    check(&app, "b.png", &["a"]);
}

#[test]
fn sidecars_of_a_joined_picture_change_together() {
    let app = app_with(&[("p.CR3", &["a"]), ("q.jpg", &[])]);
    app.write("p.jpg", &png([1, 2, 3]));
    let outcome = rename(&app, &request(&["a"], Some("b")));
    assert_eq!(outcome.changed, 1);
    check(&app, "p.CR3", &["b"]);
    // A new sidecar of the JPEG would hide the other marks of the raw file's.
    assert!(!app.root_dir().join("p.jpg.xmp").exists());
    let mut lookup = CompanionLookup::default();
    assert_eq!(lookup.companions_of(&app.source("p.jpg")).unwrap().len(), 1);
}

#[test]
fn nested_roots_are_counted_once() {
    let app = app_with(&[("a.png", &["a"]), ("in/b.png", &["a"])]);
    app.pictures
        .roots()
        .add(&app.root_dir().join("in"))
        .unwrap();
    wait_until("all is read", || app.pictures.all_tags(true).unread == 0);
    assert_eq!(
        app.pictures.all_tags(true).tags,
        [(tags(&["a"])[0].clone(), 2)]
    );
    let targets = app.pictures.tag_targets(&request(&["a"], None)).unwrap();
    assert_eq!(targets.tagged.len(), 2);
    let within = TagsRequest {
        folder: Some(app.source("in")),
        ..request(&["a"], None)
    };
    assert_eq!(rename(&app, &within).changed, 1);
    check(&app, "a.png", &["a"]);
}

#[test]
fn tags_are_current_after_a_restart() {
    let app = app_with(&[("a.png", &["old"])]);
    wait_until("all is read", || app.pictures.all_tags(true).unread == 0);
    app.wait_until_saved();
    assert_eq!(rename(&app, &request(&["old"], Some("new"))).changed, 1);
    let app = app.restart();
    wait_until("all is read", || app.pictures.all_tags(true).unread == 0);
    let expected = [(tags(&["new"])[0].clone(), 1)];
    assert_eq!(app.pictures.all_tags(true).tags, expected);
}
