//! The mirror follows the wiki, and never overwrites what was edited outside.

use std::fs;
use std::os::unix::fs::symlink;

use fumikura_wiki::*;

use crate::archive_support::id_at;
use crate::assets::place;
use crate::mirror_support::TestMirror;

#[test]
fn folder_follows_pages_and_files() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "to [[/b]]");
    mirror.test.page("/b", "b");
    mirror.follow();
    mirror.test.upload(a, "f.txt", b"file").unwrap();
    assert_eq!(mirror.follow(), 1);
    assert_eq!((mirror.report.pages, mirror.report.files), (3, 1));
    assert_eq!(mirror.read("pages/a.md"), "to [[/b]]");
    assert_eq!(mirror.read("pages/a.files/f.txt"), "file");
    assert_eq!(mirror.update(), 0);
    assert_eq!(mirror.report.outside.len(), 0);

    // A rename moves the file, and changes the text that links to it.
    mirror
        .test
        .rename(id_at(&mirror.test, "/b"), "/c/b", false)
        .unwrap();
    assert_eq!(mirror.follow(), 3);
    assert_eq!(mirror.read("pages/a.md"), "to [[/c/b]]");
    assert_eq!(mirror.read("pages/c/b.md"), "b");
    mirror.rewrite(a, "now [[/c/b]]");
    assert_eq!(mirror.follow(), 1);
    assert_eq!(mirror.read("pages/a.md"), "now [[/c/b]]");
    mirror
        .test
        .delete(id_at(&mirror.test, "/c/b"), false)
        .unwrap();
    mirror.follow();
    assert_eq!(
        mirror.files(),
        ["pages.md", "pages/a.files/f.txt", "pages/a.md"]
    );
    assert!(!mirror.at("pages/c").exists());
    mirror.release();
    let names = mirror.all_files().into_keys();
    let hidden: Vec<String> = names.filter(|name| name.starts_with('.')).collect();
    let expected = [
        ".fumikura-mirror/.gitignore",
        ".fumikura-mirror/mirror.json",
    ];
    assert_eq!(hidden, expected);
}

#[test]
fn deleted_files_come_back() {
    let mut mirror = TestMirror::new();
    mirror.test.page("/a", "one");
    mirror.update();
    fs::remove_dir_all(mirror.at("pages")).unwrap();
    fs::remove_file(mirror.at("pages.md")).unwrap();
    mirror.run(&MirrorWork::Look).unwrap();
    assert_eq!(mirror.report.changed, 2);
    assert_eq!(mirror.read("pages/a.md"), "one");
}

#[test]
fn edited_file_is_reported_and_never_overwritten() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    mirror.write("pages/a.md", "outside");
    let edited = [("pages/a.md".to_owned(), OutsideKind::Edited)];
    assert_eq!(mirror.outside(), edited);
    mirror.rewrite(a, "inside");
    mirror.follow();
    assert_eq!(mirror.outside(), edited);
    assert_eq!(mirror.read("pages/a.md"), "outside");
    let compared = mirror.compare("pages/a.md").unwrap();
    let difference = &compared.difference;
    assert_eq!(
        (compared.page, difference.added, difference.removed),
        (a, 1, 1)
    );

    let (page, saved) = mirror
        .take_over("pages/a.md", Some(&compared.shown))
        .unwrap();
    assert_eq!((page, saved.version.revision), (a, 3));
    assert_eq!(mirror.test.text(a), "outside");
    assert_eq!(mirror.outside(), []);
    mirror.rewrite(a, "inside again");
    assert_eq!(mirror.follow(), 1);
    assert_eq!(mirror.read("pages/a.md"), "inside again");
    // The same text is no difference.
    mirror.write("pages/a.md", "both");
    mirror.rewrite(a, "both");
    assert_eq!(mirror.outside(), []);
}

#[test]
fn changed_text_is_not_taken_unseen() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    mirror.write("pages/a.md", "outside");
    mirror.update();
    let shown = mirror.compare("pages/a.md").unwrap().shown;
    mirror.write("pages/a.md", "outside again");
    for refused in [
        mirror.take_over("pages/a.md", Some(&shown)).map(drop),
        mirror.write_again("pages/a.md", Some(&shown)),
    ] {
        assert!(matches!(refused, Err(MirrorError::Changed(_))));
    }
    let shown = mirror.compare("pages/a.md").unwrap().shown;
    mirror.rewrite(a, "two");
    let refused = mirror.take_over("pages/a.md", Some(&shown));
    let failed = |error: &SaveError| matches!(error, SaveError::PreconditionFailed(_));
    assert!(matches!(refused, Err(MirrorError::Save(error)) if failed(&error)));
    assert_eq!(mirror.test.text(a), "two");
    assert_eq!(mirror.read("pages/a.md"), "outside again");
}

#[test]
fn own_text_is_written_again_on_request() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.test.upload(a, "f.txt", b"file").unwrap();
    mirror.update();
    mirror.write("pages/a.md", "outside");
    mirror.write("pages/a.files/f.txt", "outside");
    let outside = mirror.outside();
    let replaced = ("pages/a.files/f.txt".to_owned(), OutsideKind::Replaced);
    assert_eq!(
        outside,
        [replaced, ("pages/a.md".to_owned(), OutsideKind::Edited)]
    );
    let taken = mirror.take_over("pages/a.files/f.txt", None);
    assert!(matches!(taken, Err(MirrorError::NotAText(_))));
    for (entry, _) in outside {
        mirror.write_again(&entry, None).unwrap();
    }
    assert_eq!(mirror.outside(), []);
    assert_eq!(mirror.read("pages/a.md"), "one");
    assert_eq!(mirror.read("pages/a.files/f.txt"), "file");
    // Edited once more after the user has decided.
    mirror.write("pages/a.md", "outside");
    mirror.update();
    mirror.write_again("pages/a.md", None).unwrap();
    mirror.write("pages/a.md", "outside, later");
    assert_eq!(
        mirror.outside(),
        [("pages/a.md".to_owned(), OutsideKind::Edited)]
    );
    assert_eq!(mirror.read("pages/a.md"), "outside, later");
}

#[test]
fn edited_file_of_a_page_that_moves_stays() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    let gone = mirror.test.page("/gone", "gone");
    mirror.update();
    mirror.write("pages/a.md", "outside");
    mirror.write("pages/gone.md", "outside");
    mirror.test.rename(a, "/b", false).unwrap();
    mirror.test.delete(gone, false).unwrap();
    let left = |name: &str| (name.to_owned(), OutsideKind::Left);
    let both = [left("pages/a.md"), left("pages/gone.md")];
    assert_eq!(mirror.outside(), both);
    assert_eq!(mirror.read("pages/a.md"), "outside");
    assert_eq!(mirror.read("pages/b.md"), "one");
    assert_eq!(mirror.outside(), both);
    let page_of = |entry: &str| mirror.report.outside[entry].page;
    assert_eq!(page_of("pages/a.md"), Some(a));
    assert_eq!(page_of("pages/gone.md"), None);

    mirror.take_over("pages/a.md", None).unwrap();
    mirror.leave_file("pages/gone.md").unwrap();
    assert_eq!(mirror.outside(), []);
    assert_eq!(mirror.read("pages/b.md"), "outside");
    assert!(!mirror.at("pages/a.md").exists());
    assert_eq!(mirror.read("pages/gone.md"), "outside");
}

#[test]
fn obstacles_are_never_touched() {
    let mut mirror = TestMirror::new();
    fs::create_dir_all(mirror.at("pages/b.md")).unwrap();
    mirror.write("pages/a.md", "theirs");
    mirror.write("README.md", "theirs");
    mirror.write("pages/f", "theirs");
    let outer = mirror.data().join("outer");
    fs::create_dir(&outer).unwrap();
    fs::write(outer.join("x.md"), "outer").unwrap();
    symlink(outer.join("x.md"), mirror.at("pages/c.md")).unwrap();
    symlink(&outer, mirror.at("pages/d")).unwrap();
    symlink(mirror.at("none"), mirror.at("pages/e.md")).unwrap();
    for at in ["/a", "/b", "/c", "/d/x", "/e", "/f/y"] {
        mirror.test.page(at, "ours");
    }
    let in_the_way = |name: &str| (name.to_owned(), OutsideKind::InTheWay);
    let mut places: Vec<(String, OutsideKind)> = ["b", "c", "d/x", "e", "f/y"]
        .iter()
        .map(|name| in_the_way(&format!("pages/{name}.md")))
        .collect();
    places.insert(0, ("pages/a.md".to_owned(), OutsideKind::Edited));
    assert_eq!(mirror.outside(), places);
    assert_eq!(mirror.outside(), places);
    assert_eq!(fs::read_to_string(outer.join("x.md")).unwrap(), "outer");
    assert_eq!(fs::read_dir(&outer).unwrap().count(), 1);
    assert!(!mirror.at("none").exists());
    for (entry, text) in [
        ("pages/a.md", "theirs"),
        ("README.md", "theirs"),
        ("pages/f", "theirs"),
    ] {
        assert_eq!(mirror.read(entry), text);
    }
    for (entry, _) in &places[1..] {
        let refused = mirror.write_again(entry, None);
        assert!(matches!(refused, Err(MirrorError::NotAText(_))), "{entry}");
    }
    // Once they are gone, the pages take their places.
    fs::remove_dir(mirror.at("pages/b.md")).unwrap();
    for entry in ["pages/c.md", "pages/d", "pages/e.md", "pages/f"] {
        fs::remove_file(mirror.at(entry)).unwrap();
    }
    mirror.take_over("pages/a.md", None).unwrap();
    assert_eq!(mirror.outside(), []);
    assert_eq!(mirror.read("pages/d/x.md"), "ours");
    assert_eq!(mirror.test.text(id_at(&mirror.test, "/a")), "theirs");
}

#[test]
fn conflicts_of_other_programs_are_reported() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    let copy = "pages/a.sync-conflict-20261118-120000-ABCDEFG.md";
    mirror.write(copy, "theirs");
    fs::create_dir(mirror.at(".git")).unwrap();
    mirror.write(".git/x.sync-conflict-y", "");
    mirror.write(
        "pages/a.md",
        "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n",
    );
    let markers = ("pages/a.md".to_owned(), OutsideKind::ConflictMarkers);
    let conflict = (copy.to_owned(), OutsideKind::ConflictCopy);
    assert_eq!(mirror.outside(), [markers.clone(), conflict]);
    assert_eq!(mirror.report.outside[copy].page, Some(a));
    mirror.take_over(copy, None).unwrap();
    assert_eq!(mirror.test.text(a), "theirs");
    assert_eq!(mirror.outside(), [markers]);
    assert!(!mirror.at(copy).exists());
    mirror.write_again("pages/a.md", None).unwrap();
    assert_eq!(mirror.outside(), []);
    assert_eq!(mirror.read("pages/a.md"), "theirs");
}

#[test]
fn only_texts_of_free_pages_are_taken() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    mirror.write("pages/a.md", "outside");
    mirror
        .test
        .wiki
        .locks()
        .acquire(a, mirror.test.ben)
        .unwrap();
    let refused = mirror.take_over("pages/a.md", None);
    assert!(matches!(
        refused,
        Err(MirrorError::Save(SaveError::LockRequired { .. }))
    ));
    assert_eq!(mirror.test.text(a), "one");
    fs::write(mirror.at("pages/a.md"), b"\xff").unwrap();
    assert_eq!(
        mirror.outside(),
        [("pages/a.md".to_owned(), OutsideKind::Replaced)]
    );
    let refused = mirror.take_over("pages/a.md", None);
    assert!(matches!(refused, Err(MirrorError::NotAText(_))));
    for entry in [
        "pages/none.md",
        "",
        "../data/mirror.json",
        "/etc/passwd",
        ".fumikura-mirror/mirror.json",
        "../pages/a.sync-conflict-1.md",
        "/pages/a.sync-conflict-1.md",
    ] {
        for refused in [
            mirror.take_over(entry, None).map(drop),
            mirror.write_again(entry, None),
            mirror.leave_file(entry),
            mirror.compare(entry).map(drop),
        ] {
            let is_refused = matches!(refused, Err(MirrorError::NoSuchEntry(_)));
            assert!(is_refused, "{entry:?} {refused:?}");
        }
    }
}

#[test]
fn only_empty_and_marked_folders_are_chosen() {
    let mirror = TestMirror::new();
    let choose = |name: &str| {
        let folder = mirror.folder().parent().unwrap().join(name);
        MirrorPlace::choose(&mirror.data(), &folder, "5678")
    };
    let other = mirror.folder().with_file_name("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    fs::write(other.join("notes.md"), "mine").unwrap();
    assert!(matches!(choose("other"), Err(MirrorError::NotEmpty(_))));
    assert!(!other.join(".fumikura-mirror").exists());
    assert!(matches!(choose("gone"), Err(MirrorError::Folder { .. })));
    symlink(&other, mirror.folder().with_file_name("link")).unwrap();
    assert!(matches!(choose("link"), Err(MirrorError::Folder { .. })));
    fs::remove_file(other.join("notes.md")).unwrap();
    choose("other").unwrap();
    // The first folder has the mark and files.
    choose("mirror").unwrap();
}

#[test]
fn records_of_a_chosen_folder_are_made_anew() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    mirror.write("pages/a.md", "outside");
    MirrorPlace::forget(&mirror.data()).unwrap();
    assert!(matches!(
        mirror.run(&MirrorWork::All),
        Err(MirrorError::NotSet)
    ));
    mirror.choose().unwrap();
    assert_eq!(
        mirror.outside(),
        [("pages/a.md".to_owned(), OutsideKind::Edited)]
    );
    assert_eq!(mirror.read("pages/a.md"), "outside");
    // Damaged records as well.
    fs::write(mirror.data().join("mirror.redb"), "damaged").unwrap();
    mirror.rewrite(a, "two");
    assert_eq!(
        mirror.outside(),
        [("pages/a.md".to_owned(), OutsideKind::Edited)]
    );
    mirror.take_over("pages/a.md", None).unwrap();
    assert_eq!(mirror.test.text(a), "outside");
    assert_eq!(mirror.outside(), []);
}

#[test]
fn folder_without_the_mark_stays_empty() {
    let mut mirror = TestMirror::new();
    let away = mirror.folder().with_file_name("away");
    fs::rename(mirror.folder(), &away).unwrap();
    let refused = |mirror: &mut TestMirror| {
        let error = mirror.run(&MirrorWork::All).unwrap_err();
        assert!(matches!(error, MirrorError::NotConnected(_)), "{error}");
        assert_eq!(error.failure(), MirrorFailure::NotConnected);
    };
    refused(&mut mirror);
    // An empty mount point, and a link in its place.
    fs::create_dir(mirror.folder()).unwrap();
    refused(&mut mirror);
    assert_eq!(fs::read_dir(mirror.folder()).unwrap().count(), 0);
    fs::remove_dir(mirror.folder()).unwrap();
    symlink(&away, mirror.folder()).unwrap();
    refused(&mut mirror);
    fs::remove_file(mirror.folder()).unwrap();
    mirror.test.page("/a", "one");
    fs::rename(&away, mirror.folder()).unwrap();
    mirror.update();
    assert_eq!(mirror.read("pages/a.md"), "one");
}

#[test]
fn names_that_differ_by_case_stay_apart() {
    let mut mirror = TestMirror::new();
    let small = mirror.test.page("/query", "small");
    mirror.update();
    assert_eq!(mirror.read("pages/query.md"), "small");
    // The file of the one becomes that of the other.
    let large = mirror.test.page("/Query", "large");
    mirror.follow();
    assert_eq!(mirror.read("pages/Query.md"), "large");
    assert_eq!(mirror.read("pages/query~2.md"), "small");
    assert!(!mirror.at("pages/query.md").exists());
    mirror.write("pages/query~2.md", "outside");
    mirror.test.delete(large, false).unwrap();
    let left = ("pages/query~2.md".to_owned(), OutsideKind::Left);
    assert_eq!(mirror.outside(), [left]);
    mirror.take_over("pages/query~2.md", None).unwrap();
    assert_eq!(mirror.test.text(small), "outside");
    assert_eq!(mirror.outside(), []);
    assert_eq!(mirror.read("pages/query.md"), "outside");
}

#[test]
fn held_file_that_is_written_comes_back() {
    let mut mirror = TestMirror::new();
    let a = mirror.test.page("/a", "one");
    mirror.update();
    let mut editor = fs::File::options()
        .write(true)
        .open(mirror.at("pages/a.md"))
        .unwrap();
    mirror.rewrite(a, "two");
    mirror.follow();
    std::io::Write::write_all(&mut editor, b"outside").unwrap();
    mirror.run(&MirrorWork::Look).unwrap();
    assert_eq!(mirror.read("pages/a.md"), "two");
    let copies: Vec<_> = mirror.report.outside.iter().collect();
    let [(copy, file)] = copies[..] else {
        panic!("{copies:?}")
    };
    assert_eq!((file.kind, file.page), (OutsideKind::ConflictCopy, Some(a)));
    assert_eq!(mirror.read(copy), "outside");
    assert!(copy.starts_with("pages/a.outside-conflict-") && copy.ends_with(".md"));
}

#[test]
fn lost_file_of_a_page_is_left_out() {
    let mut mirror = TestMirror::new();
    let page = mirror.test.page("/a", "one");
    let lost = mirror.test.upload(page, "f.txt", b"file").unwrap().id;
    fs::remove_file(place(&mirror.test, lost)).unwrap();
    mirror.test.wiki.expect_fault("are missing");
    assert_eq!(mirror.outside(), []);
    assert!(!mirror.at("pages/a.files/f.txt").exists());
}

#[test]
fn mirror_that_is_off_keeps_its_files() {
    let mut mirror = TestMirror::new();
    let off = MirrorPlace::switch(&mirror.data(), false).unwrap();
    assert!(!off.is_on);
    assert_eq!(MirrorPlace::read(&mirror.data()).unwrap(), Some(off));
    let on = MirrorPlace::switch(&mirror.data(), true).unwrap();
    assert!(on.is_on);
    mirror.update();
    MirrorPlace::forget(&mirror.data()).unwrap();
    assert_eq!(MirrorPlace::read(&mirror.data()).unwrap(), None);
    assert_eq!(mirror.files(), ["pages.md"]);
    let refused = MirrorPlace::switch(&mirror.data(), true);
    assert!(matches!(refused, Err(MirrorError::NotSet)));
}
