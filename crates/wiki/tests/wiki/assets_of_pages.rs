//! Renames, deletes, restores and erases pages, and checks their files (docs/spec/wiki.md, Files).

use std::io::Read;

use fumikura_wiki::*;

use crate::support::{Bench, file_name, path};

fn state(bench: &Bench, asset: &Asset) -> AssetState {
    bench.wiki.asset(asset.id).unwrap().state
}

fn contents(bench: &Bench, asset: &Asset) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut opened = bench.wiki.open_asset(asset.id).unwrap();
    opened.file.read_to_end(&mut bytes).unwrap();
    bytes
}

fn find(bench: &Bench, at: &str, name: &str) -> Result<AssetId, AssetError> {
    bench.wiki.find_asset(&path(at), &file_name(name))
}

#[test]
fn files_are_deleted_and_restored_with_their_page() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    let kept = bench.bring(page, "kept.txt", b"kept").unwrap();
    let before = bench.bring(page, "before.txt", b"before").unwrap();
    bench.wiki.delete_asset(before.id).unwrap();
    let deleted_before = state(&bench, &before);
    bench.advance(10);
    bench.delete(page, false).unwrap();
    let with_page = true;
    let at = bench.clock_now();
    assert_eq!(state(&bench, &kept), AssetState::Deleted { at, with_page });
    assert_eq!(state(&bench, &before), deleted_before);
    assert_eq!(contents(&bench, &kept), b"kept");
    assert!(bench.wiki.assets(page, false).unwrap().is_empty());
    assert_eq!(bench.wiki.assets(page, true).unwrap().len(), 2);
    assert!(bench.wiki.orphaned_assets().unwrap().is_empty());
    assert!(find(&bench, "/a", "kept.txt").is_err());

    bench.restore(page, "/b", false).unwrap();
    assert_eq!(state(&bench, &kept), AssetState::Live);
    assert_eq!(state(&bench, &before), deleted_before);
    assert_eq!(find(&bench, "/b", "kept.txt").unwrap(), kept.id);
}

#[test]
fn files_of_a_deleted_page_cannot_be_changed() {
    let bench = Bench::new();
    let (page, other) = (bench.page("/a", "text"), bench.page("/b", "text"));
    let asset = bench.bring(page, "a.txt", b"a").unwrap();
    let before = bench.bring(page, "b.txt", b"b").unwrap();
    bench.wiki.delete_asset(before.id).unwrap();
    let name = file_name("late.txt");
    let late = bench.wiki.begin_asset(page, name, None).unwrap();
    let moving = bench.bring(other, "c.txt", b"c").unwrap();
    bench.delete(page, false).unwrap();
    for outcome in [
        bench.bring(page, "new.txt", b"new"),
        bench.wiki.finish_asset(late, bench.aya),
        bench.wiki.restore_asset(asset.id),
        bench.wiki.restore_asset(before.id),
        bench
            .wiki
            .set_asset_owner(moving.id, page)
            .map(|(_, after)| after),
    ] {
        assert!(
            matches!(outcome, Err(AssetError::PageDeleted)),
            "{outcome:?}"
        );
    }
    for outcome in [
        bench.wiki.rename_asset(asset.id, file_name("x")),
        bench.wiki.delete_asset(asset.id),
        bench
            .wiki
            .set_asset_owner(asset.id, other)
            .map(|(_, after)| after),
    ] {
        assert!(matches!(outcome, Err(AssetError::Deleted)), "{outcome:?}");
    }
    // It can be purged at any time.
    bench.wiki.purge_asset(asset.id).unwrap();
    bench.restore(page, "/a", false).unwrap();
    assert!(bench.wiki.assets(page, false).unwrap().is_empty());
}

#[test]
fn files_of_an_erased_page_are_orphaned() {
    let bench = Bench::new();
    for in_the_bin in [false, true] {
        let page = bench.page("/旅", "text");
        let live = bench.bring(page, "a.txt", b"live").unwrap();
        bench.advance(1);
        let deleted = bench.bring(page, "b.txt", b"deleted").unwrap();
        bench.wiki.delete_asset(deleted.id).unwrap();
        bench.advance(1);
        if in_the_bin {
            bench.delete(page, false).unwrap();
            bench.advance(1);
        }
        bench.erase(page, false).unwrap();
        let orphaned = AssetState::Orphaned {
            at: bench.clock_now(),
            last_path: path("/旅"),
        };
        let zombies = bench.wiki.orphaned_assets().unwrap();
        let ids: Vec<_> = zombies.iter().map(|asset| asset.id).collect();
        assert_eq!(ids, [live.id, deleted.id]);
        for zombie in &zombies {
            assert_eq!((zombie.page_id, &zombie.state), (None, &orphaned));
        }
        assert_eq!(contents(&bench, &live), b"live");
        assert!(matches!(
            bench.wiki.assets(page, true),
            Err(AssetError::PageNotFound)
        ));
        for outcome in [
            bench.wiki.restore_asset(live.id),
            bench.wiki.delete_asset(live.id),
            bench.wiki.rename_asset(live.id, file_name("x")),
        ] {
            assert!(matches!(outcome, Err(AssetError::Orphaned)), "{outcome:?}");
        }
        for zombie in zombies {
            bench.wiki.purge_asset(zombie.id).unwrap();
        }
        assert!(bench.wiki.orphaned_assets().unwrap().is_empty());
        assert!(matches!(
            bench.wiki.open_asset(live.id),
            Err(AssetError::NotFound)
        ));
    }
}

#[test]
fn orphaned_file_can_be_given_to_another_page() {
    let bench = Bench::new();
    let gone = bench.page("/gone", "text");
    let zombie = bench.bring(gone, "a.txt", b"a").unwrap();
    let other = bench.bring(gone, "b.txt", b"b").unwrap();
    bench.erase(gone, false).unwrap();
    let page = bench.page("/a", "text");
    bench.bring(page, "a.txt", b"in the way").unwrap();
    assert!(matches!(
        bench.wiki.set_asset_owner(zombie.id, page),
        Err(AssetError::NameTaken(_))
    ));
    assert_eq!(bench.wiki.orphaned_assets().unwrap().len(), 2);
    let free = bench.page("/b", "text");
    let (before, after) = bench.wiki.set_asset_owner(zombie.id, free).unwrap();
    assert_eq!(before.page_id, None);
    assert_eq!((after.page_id, after.state), (Some(free), AssetState::Live));
    bench.wiki.set_asset_owner(other.id, page).unwrap();
    assert_eq!(find(&bench, "/b", "a.txt").unwrap(), zombie.id);
    assert_eq!(find(&bench, "/a", "b.txt").unwrap(), other.id);
    assert!(bench.wiki.orphaned_assets().unwrap().is_empty());
    // It is not restored with the page that it came from.
    bench.delete(free, false).unwrap();
    bench.restore(free, "/b", false).unwrap();
    assert_eq!(contents(&bench, &zombie), b"a");
}

#[test]
fn subtree_takes_all_its_files_along() {
    let bench = Bench::new();
    let pages = ["/a", "/a/b", "/a/b/c"].map(|at| bench.page(at, "text"));
    let files = pages.map(|page| {
        bench.advance(1);
        bench.bring(page, "a.txt", b"a").unwrap()
    });
    let (draft, lock) = bench.wiki.create_draft(&path("/a/d"), bench.aya).unwrap();
    let of_draft = bench.bring(draft, "a.txt", b"a").unwrap();
    let with_draft = DeleteRequest {
        token: Some(lock.token),
        ..bench.deleting(pages[0], true)
    };
    bench.wiki.delete(&with_draft).unwrap();
    for file in &files {
        assert!(matches!(
            state(&bench, file),
            AssetState::Deleted {
                with_page: true,
                ..
            }
        ));
    }
    // A draft's file is permanently removed.
    assert!(matches!(
        bench.wiki.asset(of_draft.id),
        Err(AssetError::NotFound)
    ));
    bench.restore(pages[0], "/x", true).unwrap();
    for (file, at) in files.iter().zip(["/x", "/x/b", "/x/b/c"]) {
        assert_eq!(find(&bench, at, "a.txt").unwrap(), file.id);
    }
    bench.erase(pages[0], true).unwrap();
    let zombies = bench.wiki.orphaned_assets().unwrap();
    let last_paths: Vec<_> = zombies
        .into_iter()
        .map(|zombie| match zombie.state {
            AssetState::Orphaned { last_path, .. } => last_path.to_string(),
            other @ (AssetState::Live | AssetState::Deleted { .. }) => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(last_paths, ["/x", "/x/b", "/x/b/c"]);
}

#[test]
fn file_is_found_by_its_pages_former_paths() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    let asset = bench.bring(page, "a.txt", b"old").unwrap();
    bench.advance(1);
    bench.rename(page, "/b", false).unwrap();
    bench.advance(1);
    bench.rename(page, "/c", false).unwrap();
    for at in ["/a", "/b", "/c"] {
        assert_eq!(find(&bench, at, "a.txt").unwrap(), asset.id, "{at}");
    }
    // The page now at the path comes first, with its files.
    let newer = bench.page("/a", "text");
    assert_eq!(find(&bench, "/a", "a.txt").unwrap(), asset.id);
    let own = bench.bring(newer, "a.txt", b"new").unwrap();
    assert_eq!(find(&bench, "/a", "a.txt").unwrap(), own.id);
    // Of the pages that left the path, the last one.
    bench.advance(1);
    bench.rename(newer, "/d", false).unwrap();
    assert_eq!(find(&bench, "/a", "a.txt").unwrap(), own.id);
    bench.wiki.delete_asset(own.id).unwrap();
    assert_eq!(find(&bench, "/a", "a.txt").unwrap(), asset.id);
    bench.delete(page, false).unwrap();
    assert!(matches!(
        find(&bench, "/b", "a.txt"),
        Err(AssetError::NoSuchName(_))
    ));
}

#[test]
fn deleted_page_finds_files_by_all_its_paths() {
    let bench = Bench::new();
    let in_bin = |page, at: &str, name: &str| {
        bench
            .wiki
            .find_asset_in_trash(page, &path(at), &file_name(name))
            .map_err(|error| error.to_string())
    };
    let page = bench.page("/a", "text");
    let asset = bench.bring(page, "a.txt", b"own").unwrap();
    let thrown = bench.bring(page, "thrown.txt", b"x").unwrap();
    bench.wiki.delete_asset(thrown.id).unwrap();
    bench.advance(1);
    bench.rename(page, "/b", false).unwrap();
    let beneath = bench.page("/b/c", "text");
    let below = bench.bring(beneath, "c.txt", b"below").unwrap();
    let elsewhere = bench.page("/x", "text");
    let alive = bench.bring(elsewhere, "x.txt", b"alive").unwrap();
    let binned = bench.page("/y", "text");
    bench
        .bring(binned, "y.txt", b"of another deletion")
        .unwrap();
    bench.delete(binned, false).unwrap();
    bench.delete(page, true).unwrap();
    // Pages that take these paths have files of their own. The files of the old text stay the same.
    for at in ["/a", "/b"] {
        let newcomer = bench.page(at, "text");
        bench.bring(newcomer, "other.txt", b"x").unwrap();
    }
    let newcomer = bench.wiki.resolve(&path("/b")).unwrap().id;
    bench.bring(newcomer, "a.txt", b"of the newcomer").unwrap();

    assert_eq!(in_bin(page, "/b", "a.txt"), Ok(asset.id));
    assert_eq!(in_bin(page, "/a", "a.txt"), Ok(asset.id));
    assert_eq!(in_bin(page, "/b/c", "c.txt"), Ok(below.id));
    assert_eq!(in_bin(page, "/x", "x.txt"), Ok(alive.id));
    assert!(in_bin(page, "/b", "thrown.txt").is_err());
    assert!(in_bin(page, "/y", "y.txt").is_err());
    assert!(in_bin(page, "/nowhere", "a.txt").is_err());
    bench.restore(page, "/z", true).unwrap();
    assert_eq!(in_bin(page, "/z", "a.txt"), Ok(asset.id));
    assert!(in_bin(page, "/nowhere", "a.txt").is_err());
}
