//! Renames, deletes, restores and erases pages, and checks their files (docs/spec/wiki.md, Files).

use std::io::Read;

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name, path};

fn state(test: &TestWiki, asset: &Asset) -> AssetState {
    test.wiki.assets().get(asset.id).unwrap().state
}

fn contents(test: &TestWiki, asset: &Asset) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut opened = test.wiki.assets().open(asset.id).unwrap();
    opened.file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn find(test: &TestWiki, at: &str, name: &str) -> Result<AssetId, AssetError> {
    test.wiki.assets().find(&path(at), &file_name(name))
}

#[test]
fn files_are_deleted_and_restored_with_their_page() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let live = test.upload(page, "kept.txt", b"kept").unwrap();
    let before = test.upload(page, "before.txt", b"before").unwrap();
    test.wiki.assets().delete(before.id).unwrap();
    let state_before = state(&test, &before);
    test.advance(10);
    test.delete(page, false).unwrap();
    let with_page = true;
    let at = test.clock_now();
    assert_eq!(state(&test, &live), AssetState::Deleted { at, with_page });
    assert_eq!(state(&test, &before), state_before);
    assert_eq!(contents(&test, &live), b"kept");
    assert!(test.wiki.assets().of_page(page, false).unwrap().is_empty());
    assert_eq!(test.wiki.assets().of_page(page, true).unwrap().len(), 2);
    assert!(test.wiki.assets().orphaned().unwrap().is_empty());
    assert!(find(&test, "/a", "kept.txt").is_err());

    test.restore(page, "/b", false).unwrap();
    assert_eq!(state(&test, &live), AssetState::Live);
    assert_eq!(state(&test, &before), state_before);
    assert_eq!(find(&test, "/b", "kept.txt").unwrap(), live.id);
}

#[test]
fn files_of_a_deleted_page_cannot_be_changed() {
    let test = TestWiki::new();
    let (page, other) = (test.page("/a", "text"), test.page("/b", "text"));
    let asset = test.upload(page, "a.txt", b"a").unwrap();
    let before = test.upload(page, "b.txt", b"b").unwrap();
    test.wiki.assets().delete(before.id).unwrap();
    let name = file_name("late.txt");
    let late = test.wiki.assets().begin(page, name, None).unwrap();
    let moving = test.upload(other, "c.txt", b"c").unwrap();
    test.delete(page, false).unwrap();
    for outcome in [
        test.upload(page, "new.txt", b"new"),
        test.wiki.assets().finish(late, test.aya),
        test.wiki.assets().restore(asset.id),
        test.wiki.assets().restore(before.id),
        test.wiki
            .assets()
            .set_owner(moving.id, page)
            .map(|(_, after)| after),
    ] {
        assert!(
            matches!(outcome, Err(AssetError::PageDeleted)),
            "{outcome:?}"
        );
    }
    for outcome in [
        test.wiki.assets().rename(asset.id, file_name("x")),
        test.wiki.assets().delete(asset.id),
        test.wiki
            .assets()
            .set_owner(asset.id, other)
            .map(|(_, after)| after),
    ] {
        assert!(matches!(outcome, Err(AssetError::Deleted)), "{outcome:?}");
    }
    // It can be purged at any time.
    test.wiki.assets().purge(asset.id).unwrap();
    test.restore(page, "/a", false).unwrap();
    assert!(test.wiki.assets().of_page(page, false).unwrap().is_empty());
}

#[test]
fn files_of_an_erased_page_are_orphaned() {
    let test = TestWiki::new();
    for in_trash in [false, true] {
        let page = test.page("/旅", "text");
        let live = test.upload(page, "a.txt", b"live").unwrap();
        test.advance(1);
        let deleted = test.upload(page, "b.txt", b"deleted").unwrap();
        test.wiki.assets().delete(deleted.id).unwrap();
        test.advance(1);
        if in_trash {
            test.delete(page, false).unwrap();
            test.advance(1);
        }
        test.erase(page, false).unwrap();
        let orphaned = AssetState::Orphaned {
            at: test.clock_now(),
            last_path: path("/旅"),
        };
        let orphans = test.wiki.assets().orphaned().unwrap();
        let ids: Vec<_> = orphans.iter().map(|asset| asset.id).collect();
        assert_eq!(ids, [live.id, deleted.id]);
        for orphan in &orphans {
            assert_eq!((orphan.page_id, &orphan.state), (None, &orphaned));
        }
        assert_eq!(contents(&test, &live), b"live");
        assert!(matches!(
            test.wiki.assets().of_page(page, true),
            Err(AssetError::PageNotFound)
        ));
        for outcome in [
            test.wiki.assets().restore(live.id),
            test.wiki.assets().delete(live.id),
            test.wiki.assets().rename(live.id, file_name("x")),
        ] {
            assert!(matches!(outcome, Err(AssetError::Orphaned)), "{outcome:?}");
        }
        for orphan in orphans {
            test.wiki.assets().purge(orphan.id).unwrap();
        }
        assert!(test.wiki.assets().orphaned().unwrap().is_empty());
        assert!(matches!(
            test.wiki.assets().open(live.id),
            Err(AssetError::NotFound)
        ));
    }
}

#[test]
fn orphaned_file_can_be_given_to_another_page() {
    let test = TestWiki::new();
    let erased_page = test.page("/gone", "text");
    let orphan = test.upload(erased_page, "a.txt", b"a").unwrap();
    let other = test.upload(erased_page, "b.txt", b"b").unwrap();
    test.erase(erased_page, false).unwrap();
    let page = test.page("/a", "text");
    test.upload(page, "a.txt", b"in the way").unwrap();
    assert!(matches!(
        test.wiki.assets().set_owner(orphan.id, page),
        Err(AssetError::NameTaken(_))
    ));
    assert_eq!(test.wiki.assets().orphaned().unwrap().len(), 2);
    let free = test.page("/b", "text");
    let (before, after) = test.wiki.assets().set_owner(orphan.id, free).unwrap();
    assert_eq!(before.page_id, None);
    assert_eq!((after.page_id, after.state), (Some(free), AssetState::Live));
    test.wiki.assets().set_owner(other.id, page).unwrap();
    assert_eq!(find(&test, "/b", "a.txt").unwrap(), orphan.id);
    assert_eq!(find(&test, "/a", "b.txt").unwrap(), other.id);
    assert!(test.wiki.assets().orphaned().unwrap().is_empty());
    // It is not restored with the page that it came from.
    test.delete(free, false).unwrap();
    test.restore(free, "/b", false).unwrap();
    assert_eq!(contents(&test, &orphan), b"a");
}

#[test]
fn subtree_takes_all_its_files_along() {
    let test = TestWiki::new();
    let pages = ["/a", "/a/b", "/a/b/c"].map(|at| test.page(at, "text"));
    let files = pages.map(|page| {
        test.advance(1);
        test.upload(page, "a.txt", b"a").unwrap()
    });
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a/d"), test.aya)
        .unwrap();
    let of_draft = test.upload(draft, "a.txt", b"a").unwrap();
    let with_draft = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(pages[0], true)
    };
    test.wiki.tree().delete(&with_draft).unwrap();
    for file in &files {
        assert!(matches!(
            state(&test, file),
            AssetState::Deleted {
                with_page: true,
                ..
            }
        ));
    }
    // A draft's file is permanently removed.
    assert!(matches!(
        test.wiki.assets().get(of_draft.id),
        Err(AssetError::NotFound)
    ));
    test.restore(pages[0], "/x", true).unwrap();
    for (file, at) in files.iter().zip(["/x", "/x/b", "/x/b/c"]) {
        assert_eq!(find(&test, at, "a.txt").unwrap(), file.id);
    }
    test.erase(pages[0], true).unwrap();
    let orphans = test.wiki.assets().orphaned().unwrap();
    let last_paths: Vec<_> = orphans
        .into_iter()
        .map(|orphan| match orphan.state {
            AssetState::Orphaned { last_path, .. } => last_path.to_string(),
            other @ (AssetState::Live | AssetState::Deleted { .. }) => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(last_paths, ["/x", "/x/b", "/x/b/c"]);
}

#[test]
fn file_is_found_by_its_pages_former_paths() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let asset = test.upload(page, "a.txt", b"old").unwrap();
    test.advance(1);
    test.rename(page, "/b", false).unwrap();
    test.advance(1);
    test.rename(page, "/c", false).unwrap();
    for at in ["/a", "/b", "/c"] {
        assert_eq!(find(&test, at, "a.txt").unwrap(), asset.id, "{at}");
    }
    // The page now at the path comes first, with its files.
    let newer = test.page("/a", "text");
    assert_eq!(find(&test, "/a", "a.txt").unwrap(), asset.id);
    let own = test.upload(newer, "a.txt", b"new").unwrap();
    assert_eq!(find(&test, "/a", "a.txt").unwrap(), own.id);
    // Of the pages that left the path, the last one.
    test.advance(1);
    test.rename(newer, "/d", false).unwrap();
    assert_eq!(find(&test, "/a", "a.txt").unwrap(), own.id);
    test.wiki.assets().delete(own.id).unwrap();
    assert_eq!(find(&test, "/a", "a.txt").unwrap(), asset.id);
    test.delete(page, false).unwrap();
    assert!(matches!(
        find(&test, "/b", "a.txt"),
        Err(AssetError::NoSuchName(_))
    ));
}

#[test]
fn deleted_page_finds_files_by_all_its_paths() {
    let test = TestWiki::new();
    let find_in_trash = |page, at: &str, name: &str| {
        test.wiki
            .assets()
            .find_in_trash(page, &path(at), &file_name(name))
            .map_err(|error| error.to_string())
    };
    let page = test.page("/a", "text");
    let asset = test.upload(page, "a.txt", b"own").unwrap();
    let deleted_file = test.upload(page, "thrown.txt", b"x").unwrap();
    test.wiki.assets().delete(deleted_file.id).unwrap();
    test.advance(1);
    test.rename(page, "/b", false).unwrap();
    let beneath = test.page("/b/c", "text");
    let below = test.upload(beneath, "c.txt", b"below").unwrap();
    let elsewhere = test.page("/x", "text");
    let live_file = test.upload(elsewhere, "x.txt", b"alive").unwrap();
    let deleted_page = test.page("/y", "text");
    test.upload(deleted_page, "y.txt", b"of another deletion")
        .unwrap();
    test.delete(deleted_page, false).unwrap();
    test.delete(page, true).unwrap();
    // Pages that take these paths have files of their own. The files of the old text stay the same.
    for at in ["/a", "/b"] {
        let new_page = test.page(at, "text");
        test.upload(new_page, "other.txt", b"x").unwrap();
    }
    let new_page = test.wiki.pages().resolve(&path("/b")).unwrap().id;
    test.upload(new_page, "a.txt", b"of the newcomer").unwrap();

    assert_eq!(find_in_trash(page, "/b", "a.txt"), Ok(asset.id));
    assert_eq!(find_in_trash(page, "/a", "a.txt"), Ok(asset.id));
    assert_eq!(find_in_trash(page, "/b/c", "c.txt"), Ok(below.id));
    assert_eq!(find_in_trash(page, "/x", "x.txt"), Ok(live_file.id));
    assert!(find_in_trash(page, "/b", "thrown.txt").is_err());
    assert!(find_in_trash(page, "/y", "y.txt").is_err());
    assert!(find_in_trash(page, "/nowhere", "a.txt").is_err());
    test.restore(page, "/z", true).unwrap();
    assert_eq!(find_in_trash(page, "/z", "a.txt"), Ok(asset.id));
    assert!(find_in_trash(page, "/nowhere", "a.txt").is_err());
}
