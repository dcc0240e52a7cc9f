//! Files that belong to pages: uploaded, found, renamed, deleted, restored, and swept after a crash.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name, path};

const UNKNOWN_ID: &str = "01JD0000000000000000000000";

/// The path of a file's contents.
pub(crate) fn place(test: &TestWiki, id: AssetId) -> PathBuf {
    let id = id.to_string();
    test.assets().join(&id[..2]).join(&id[2..5]).join(&id)
}

/// Every file beneath a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found
}

fn contents(test: &TestWiki, id: AssetId) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut opened = test.wiki.assets().open(id).unwrap();
    opened.file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn names(test: &TestWiki, page: PageId, with_deleted: bool) -> Vec<String> {
    let assets = test.wiki.assets().of_page(page, with_deleted).unwrap();
    let names = assets.into_iter().map(|asset| asset.file_name.to_string());
    names.collect()
}

#[test]
fn file_is_stored_by_id_with_private_permissions() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let asset = test
        .upload(page, "京都.png", b"\x89PNG\r\n\x1a\n\0")
        .unwrap();
    assert_eq!(asset.page_id, Some(page));
    assert_eq!(asset.file_name, file_name("京都.png"));
    assert_eq!(asset.original_name, asset.file_name);
    assert_eq!((asset.mime.as_str(), asset.size), ("image/png", 9));
    assert_eq!(asset.user_name, "Aya");
    assert_eq!(asset.state, AssetState::Live);
    assert_eq!(contents(&test, asset.id), b"\x89PNG\r\n\x1a\n\0");
    assert_eq!(test.wiki.assets().get(asset.id).unwrap(), asset);
    let listed = test.wiki.assets().of_page(page, false).unwrap();
    assert_eq!(listed, std::slice::from_ref(&asset));
    let file = place(&test, asset.id);
    assert_eq!(files(&test.assets()), std::slice::from_ref(&file));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    for folder in file.ancestors().skip(1).take(3) {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
}

#[test]
fn contents_decide_the_media_type() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    #[track_caller]
    fn check(test: &TestWiki, page: PageId, name: &str, bytes: &[u8], mime: &str) {
        assert_eq!(test.upload(page, name, bytes).unwrap().mime, mime, "{name}");
    }
    check(&test, page, "a.html", b"\x89PNG\r\n\x1a\n\0", "image/png");
    check(&test, page, "a.png", b"<html>", "text/html");
    check(&test, page, "b.png", b"", "text/plain; charset=utf-8");
}

#[test]
fn upload_in_pieces_is_removed_unless_finished() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let name = file_name("a.txt");
    let mut writer = test.wiki.assets().begin(page, name.clone(), None).unwrap();
    writer.write(b"one ").unwrap();
    assert_eq!(files(&test.assets()).len(), 1);
    drop(writer);
    assert!(files(&test.assets()).is_empty());
    let mut writer = test.wiki.assets().begin(page, name, Some(8)).unwrap();
    for piece in [&b"one "[..], b"", b"two"] {
        writer.write(piece).unwrap();
    }
    let asset = test.wiki.assets().finish(writer, test.ben).unwrap();
    assert_eq!(contents(&test, asset.id), b"one two");
    assert_eq!((asset.size, asset.user_name.as_str()), (7, "Ben"));
    let sha256: String = asset.sha256.iter().map(|b| format!("{b:02x}")).collect();
    // `printf 'one two' | sha256sum`
    assert_eq!(
        sha256,
        "8ab63e29a4ba14e4e1688f9c15e5af90895421358c945b0431f85d66977bd3d2"
    );
}

#[test]
fn oversized_file_is_refused_as_early_as_possible() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let limit = 1 << 20;
    let begin = |length| test.wiki.assets().begin(page, file_name("a"), length);
    assert!(matches!(begin(Some(limit + 1)), Err(AssetError::TooLarge(it)) if it == limit));
    let mut writer = begin(Some(limit)).unwrap();
    writer.write(&vec![b'x'; 1 << 20]).unwrap();
    assert!(matches!(writer.write(b"x"), Err(AssetError::TooLarge(_))));
    drop(writer);
    assert!(files(&test.assets()).is_empty());
    let mut writer = begin(None).unwrap();
    writer.write(&vec![b'x'; 1 << 20]).unwrap();
    test.wiki.assets().finish(writer, test.aya).unwrap();
}

#[test]
fn first_finished_upload_takes_the_name() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let name = file_name("a.txt");
    let mut first = test.wiki.assets().begin(page, name.clone(), None).unwrap();
    let mut second = test.wiki.assets().begin(page, name.clone(), None).unwrap();
    first.write(b"first").unwrap();
    second.write(b"second").unwrap();
    let won = test.wiki.assets().finish(second, test.aya).unwrap();
    match test.wiki.assets().finish(first, test.aya) {
        Err(AssetError::NameTaken(taken)) => assert_eq!(taken, name),
        other => panic!("{other:?}"),
    }
    assert_eq!(files(&test.assets()), [place(&test, won.id)]);
    assert_eq!(contents(&test, won.id), b"second");
    assert!(matches!(
        test.upload(page, "a.txt", b"third"),
        Err(AssetError::NameTaken(_))
    ));
    let other = test.page("/b", "text");
    test.upload(other, "a.txt", b"elsewhere").unwrap();
}

#[test]
fn names_are_compared_in_their_normal_form() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    test.upload(page, "が", b"").unwrap();
    assert!(matches!(
        test.upload(page, "か\u{3099}", b""),
        Err(AssetError::NameTaken(_))
    ));
}

#[test]
fn missing_page_accepts_no_files() {
    let test = TestWiki::new();
    let unknown_id: PageId = UNKNOWN_ID.parse().unwrap();
    assert!(matches!(
        test.upload(unknown_id, "a", b""),
        Err(AssetError::PageNotFound)
    ));
    assert!(matches!(
        test.wiki.assets().of_page(unknown_id, true),
        Err(AssetError::PageNotFound)
    ));
    assert!(files(&test.assets()).is_empty());
}

#[test]
fn restoring_a_file_needs_its_name_free() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let old = test.upload(page, "a.txt", b"old").unwrap();
    let deleted = test.wiki.assets().delete(old.id).unwrap();
    let at = "2026-11-18T12:00:00.001Z".parse().unwrap();
    let with_page = false;
    assert_eq!(deleted.state, AssetState::Deleted { at, with_page });
    assert!(matches!(
        test.wiki.assets().delete(old.id),
        Err(AssetError::Deleted)
    ));
    assert!(matches!(
        test.wiki.assets().rename(old.id, file_name("b.txt")),
        Err(AssetError::Deleted)
    ));
    assert_eq!(contents(&test, old.id), b"old");
    assert!(names(&test, page, false).is_empty());
    let new = test.upload(page, "a.txt", b"new").unwrap();
    assert_eq!(names(&test, page, false), ["a.txt"]);
    assert_eq!(names(&test, page, true), ["a.txt", "a.txt"]);
    assert!(matches!(
        test.wiki.assets().restore(old.id),
        Err(AssetError::NameTaken(_))
    ));
    test.wiki
        .assets()
        .rename(new.id, file_name("new.txt"))
        .unwrap();
    assert_eq!(
        test.wiki.assets().restore(old.id).unwrap().state,
        AssetState::Live
    );
    assert!(matches!(
        test.wiki.assets().restore(old.id),
        Err(AssetError::NotDeleted)
    ));
    assert_eq!(names(&test, page, false), ["a.txt", "new.txt"]);
}

#[test]
fn renamed_file_keeps_its_id_and_original_name() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let asset = test.upload(page, "a.txt", b"a").unwrap();
    test.upload(page, "b.txt", b"b").unwrap();
    assert!(matches!(
        test.wiki.assets().rename(asset.id, file_name("b.txt")),
        Err(AssetError::NameTaken(_))
    ));
    for _ in 0..2 {
        let renamed = test
            .wiki
            .assets()
            .rename(asset.id, file_name("c.txt"))
            .unwrap();
        assert_eq!(renamed.file_name, file_name("c.txt"));
        assert_eq!(renamed.original_name, file_name("a.txt"));
    }
    assert_eq!(names(&test, page, true), ["b.txt", "c.txt"]);
    let found = |name| test.wiki.assets().find(&path("/a"), &file_name(name));
    assert_eq!(found("c.txt").unwrap(), asset.id);
    assert!(matches!(found("a.txt"), Err(AssetError::NoSuchName(_))));
}

#[test]
fn purged_file_leaves_nothing() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let live = test.upload(page, "a.txt", b"a").unwrap();
    let deleted = test.upload(page, "b.txt", b"b").unwrap();
    test.wiki.assets().delete(deleted.id).unwrap();
    for asset in [live, deleted] {
        test.wiki.assets().purge(asset.id).unwrap();
        for outcome in [
            test.wiki.assets().get(asset.id),
            test.wiki.assets().purge(asset.id),
            test.wiki.assets().delete(asset.id),
            test.wiki.assets().restore(asset.id),
            test.wiki.assets().open(asset.id).map(|opened| opened.asset),
        ] {
            assert!(matches!(outcome, Err(AssetError::NotFound)), "{outcome:?}");
        }
    }
    assert!(test.wiki.assets().of_page(page, true).unwrap().is_empty());
    assert!(files(&test.assets()).is_empty());
    test.upload(page, "a.txt", b"again").unwrap();
}

#[test]
fn moving_a_file_needs_a_free_name() {
    let test = TestWiki::new();
    let (from, to) = (test.page("/a", "text"), test.page("/b", "text"));
    let asset = test.upload(from, "a.txt", b"a").unwrap();
    let taken = test.upload(to, "a.txt", b"b").unwrap();
    let moved = || test.wiki.assets().set_owner(asset.id, to);
    assert!(matches!(moved(), Err(AssetError::NameTaken(_))));
    assert_eq!(names(&test, from, true), ["a.txt"]);
    test.wiki.assets().delete(taken.id).unwrap();
    let (before, after) = moved().unwrap();
    assert_eq!((before.page_id, after.page_id), (Some(from), Some(to)));
    assert!(names(&test, from, true).is_empty());
    assert_eq!(names(&test, to, false), ["a.txt"]);
    moved().unwrap();
    assert!(matches!(
        test.wiki.assets().set_owner(taken.id, from),
        Err(AssetError::Deleted)
    ));
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/c"), test.aya)
        .unwrap();
    assert!(matches!(
        test.wiki.assets().set_owner(asset.id, draft),
        Err(AssetError::PageDraft)
    ));
    assert!(matches!(
        test.wiki
            .assets()
            .set_owner(asset.id, UNKNOWN_ID.parse().unwrap()),
        Err(AssetError::PageNotFound)
    ));
}

#[test]
fn files_of_a_draft_are_purged_with_it() {
    let test = TestWiki::new();
    let (released, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    let live = test.upload(released, "a.txt", b"a").unwrap();
    let deleted = test.upload(released, "b.txt", b"b").unwrap();
    test.wiki.assets().delete(deleted.id).unwrap();
    test.wiki.locks().release(released, lock.token).unwrap();
    for asset in [live, deleted] {
        assert!(matches!(
            test.wiki.assets().get(asset.id),
            Err(AssetError::NotFound)
        ));
    }
    let (swept, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.upload(swept, "a.txt", b"a").unwrap();
    test.advance(301);
    test.wiki.locks().sweep().unwrap();
    let (displaced, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.upload(displaced, "a.txt", b"a").unwrap();
    test.advance(301);
    test.wiki
        .pages()
        .create_draft(&path("/a"), test.ben)
        .unwrap();
    assert!(files(&test.assets()).is_empty());
    assert!(test.wiki.assets().orphaned().unwrap().is_empty());
}

#[test]
fn files_of_a_draft_survive_its_save() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    let asset = test.upload(id, "a.txt", b"a").unwrap();
    let found = test.wiki.assets().find(&path("/a"), &file_name("a.txt"));
    assert_eq!(found.unwrap(), asset.id);
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "text"))
        .unwrap();
    assert_eq!(contents(&test, asset.id), b"a");
    assert_eq!(names(&test, id, false), ["a.txt"]);
}

#[test]
fn upload_fails_if_its_draft_ends_meanwhile() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    let writer = test
        .wiki
        .assets()
        .begin(id, file_name("a.txt"), None)
        .unwrap();
    test.wiki.locks().release(id, lock.token).unwrap();
    assert!(matches!(
        test.wiki.assets().finish(writer, test.aya),
        Err(AssetError::PageNotFound)
    ));
    assert!(files(&test.assets()).is_empty());
}

#[test]
fn file_lookup_fails_without_a_page() {
    let test = TestWiki::new();
    let found = test.wiki.assets().find(&path("/a"), &file_name("a.txt"));
    assert!(matches!(found, Err(AssetError::PageNotFound)));
}

#[test]
fn start_removes_only_files_left_by_a_crash() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let live = test.upload(page, "a.txt", b"a").unwrap();
    let deleted = test.upload(page, "b.txt", b"b").unwrap();
    test.wiki.assets().delete(deleted.id).unwrap();
    let folder = test.assets();
    let own = place(&test, live.id).parent().unwrap().to_owned();
    let swept = [
        folder.join(".asset-a1B2c3D4e5F6.tmp"),
        purged(&test, page),
        // Placed by hand, regardless of its id.
        folder.join("01/JD0/01JD0000000000000000000000"),
    ];
    fs::create_dir_all(folder.join("01/JD0")).unwrap();
    fs::create_dir_all(folder.join("7Z/ZZZ")).unwrap();
    fs::create_dir(folder.join("01/folder")).unwrap();
    let foreign = [
        folder.join("notes.txt"),
        folder.join(".asset-a.tmp"),
        folder.join("01/notes.txt"),
        folder.join("01/folder/01JD0000000000000000000000"),
        own.join("notes.txt"),
        own.join(format!("{}.tmp", live.id)),
        own.join(live.id.to_string().to_lowercase()),
        // An id in the folders of another one.
        folder.join("7Z/ZZZ/01JD0000000000000000000000"),
    ];
    for path in swept.iter().chain(&foreign) {
        fs::write(path, b"x").unwrap();
        modify(path, "2026-11-19T00:00:00Z");
    }
    // A link to one of our folders is not followed.
    std::os::unix::fs::symlink(folder.join("01"), folder.join("02")).unwrap();
    test.wiki.expect_fault("has no row");
    let test = test.reopen();
    for path in swept {
        assert!(!path.exists(), "{}", path.display());
    }
    for path in foreign {
        assert!(path.exists(), "{}", path.display());
    }
    assert_eq!(contents(&test, live.id), b"a");
    assert_eq!(contents(&test, deleted.id), b"b");
}

#[test]
fn row_without_its_file_is_reported_and_kept() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let asset = test.upload(page, "a.txt", b"a").unwrap();
    fs::remove_file(place(&test, asset.id)).unwrap();
    test.wiki.expect_fault("are missing");
    let test = test.reopen();
    assert!(matches!(
        test.wiki.assets().open(asset.id),
        Err(AssetError::FileMissing)
    ));
    assert_eq!(test.wiki.assets().get(asset.id).unwrap(), asset);
    test.wiki.assets().delete(asset.id).unwrap();
    test.wiki.assets().restore(asset.id).unwrap();
    test.wiki.assets().purge(asset.id).unwrap();
}

#[test]
fn truncated_file_is_not_served() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let asset = test.upload(page, "a.txt", b"whole").unwrap();
    fs::write(place(&test, asset.id), b"wh").unwrap();
    test.wiki.expect_fault("have changed");
    assert!(matches!(
        test.wiki.assets().open(asset.id),
        Err(AssetError::Storage(StorageError::Damaged { .. }))
    ));
}

#[test]
fn files_of_another_wiki_are_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("asset/01/JD0");
    fs::create_dir_all(&old).unwrap();
    let old = old.join(UNKNOWN_ID);
    fs::write(&old, b"x").unwrap();
    modify(&old, "2025-01-01T00:00:00Z");
    let test = TestWiki::open_in(folder);
    let page = test.page("/a", "text");
    test.upload(page, "a.txt", b"a").unwrap();
    let _open = test.reopen();
    assert!(old.exists());
}

/// The former path of a purged file.
fn purged(test: &TestWiki, page: PageId) -> PathBuf {
    let id = test.upload(page, "gone.txt", b"x").unwrap().id;
    test.wiki.assets().purge(id).unwrap();
    place(test, id)
}

fn modify(path: &Path, at: &str) {
    let at: jiff::Timestamp = at.parse().unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(at.into()).unwrap();
}
