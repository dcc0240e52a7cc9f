//! Deletes pages into the trash and permanently, alone or with their subpages, completely or not at all.

use fumikura_wiki::*;

use crate::support::{Bench, file_name, path};

fn bench() -> Bench {
    let bench = Bench::new();
    bench.pages(["/a", "/a-b", "/a/x", "/a/x/1", "/b"]);
    bench
}

fn bin(bench: &Bench) -> Vec<String> {
    let pages = bench.wiki.trash(None, 1000).unwrap().into_iter();
    pages.map(|page| page.path.to_string()).collect()
}

#[test]
fn page_is_deleted_alone_or_with_its_subtree() {
    let bench = bench();
    let deleted = bench.delete(bench.at("/a"), false).unwrap();
    assert_eq!(deleted.pages.len(), 1);
    assert_eq!(bench.standing(), ["/a†", "/a-b", "/a/x", "/a/x/1", "/b"]);
    bench.is_whole();
    bench.advance(1);
    let deleted = bench.delete(bench.at("/a/x"), true).unwrap();
    let paths: Vec<_> = deleted
        .pages
        .iter()
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(paths, ["/a/x", "/a/x/1"]);
    assert_eq!(bench.standing(), ["/a†", "/a-b", "/a/x†", "/a/x/1†", "/b"]);
    assert_eq!(bin(&bench), ["/a/x", "/a/x/1", "/a"]);
    bench.is_whole();
}

#[test]
fn deleted_page_is_read_only() {
    let bench = bench();
    let a = bench.at("/a");
    bench.delete(a, false).unwrap();
    let text = bench.wiki.source(a, None).unwrap();
    assert!(text.deleted);
    assert_eq!(text.source, "/a");
    let meta = bench.wiki.page_meta(a, None).unwrap();
    assert_eq!(meta.path_state, PagePathState::LastDeleted(path("/a")));
    assert!(matches!(
        bench.wiki.page_path(a),
        Err(PageError::Deleted(_))
    ));
    assert!(matches!(bench.wiki.parent(a), Err(PageError::Deleted(_))));
    assert!(matches!(
        bench.wiki.acquire_lock(a, bench.aya),
        Err(LockError::Deleted)
    ));
    let save = bench.wiki.save(bench.by_version(a, 1, 0, "changed"));
    assert!(matches!(save, Err(SaveError::Deleted)), "{save:?}");
    assert!(matches!(bench.delete(a, false), Err(DeleteError::Deleted)));
    assert!(matches!(bench.delete(a, true), Err(DeleteError::Deleted)));
}

#[test]
fn trash_records_who_deleted_a_page_and_when() {
    let bench = bench();
    let request = DeleteRequest {
        user: bench.ben,
        ..bench.deleting(bench.at("/a/x"), true)
    };
    bench.wiki.delete(&request).unwrap();
    let later = bench.clock_now();
    let pages = bench.wiki.trash(None, 10).unwrap();
    assert_eq!(pages.len(), 2);
    for page in &pages {
        assert_eq!((page.user_name.as_str(), page.revision), ("Ben", 1));
        assert_eq!((page.deleted_at, page.deletion), (later, pages[0].deletion));
    }
    assert_eq!(
        bench.wiki.trash(Some(&pages[0].cursor()), 1).unwrap(),
        pages[1..]
    );
    assert_eq!(bench.wiki.trash(Some(&pages[1].cursor()), 10).unwrap(), []);
}

#[test]
fn deleted_pages_at_a_path_come_newest_first() {
    let bench = Bench::new();
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        let id = bench.page("/a", text);
        bench.advance(1);
        bench.delete(id, false).unwrap();
        ids.insert(0, id);
    }
    let here = bench.page("/a", "four");
    let candidates = bench.wiki.deleted_pages_at(&path("/a")).unwrap();
    let found: Vec<_> = candidates.iter().map(|page| page.page_id).collect();
    assert_eq!(found, ids);
    assert_eq!(bench.wiki.deleted_pages_at(&path("/b")).unwrap(), []);
    assert_eq!(bench.standing(), ["/a†", "/a†", "/a†", "/a"]);
    bench.delete(here, false).unwrap();
    bench.restore(ids[2], "/a", false).unwrap();
    assert_eq!(bench.text(bench.at("/a")), "one");
    assert_eq!(bench.wiki.deleted_pages_at(&path("/a")).unwrap().len(), 3);
    bench.is_whole();
}

#[test]
fn deleted_page_counts_subpages_deleted_with_it() {
    let bench = bench();
    let along = |pages: Vec<DeletedPage>| -> Vec<(String, usize)> {
        let pages = pages.into_iter();
        pages
            .map(|page| (page.path.to_string(), page.subpages))
            .collect()
    };
    // A subpage that was deleted before.
    bench.delete(bench.at("/a/x/1"), false).unwrap();
    bench.page("/a/y", "");
    bench.page("/a/x/2", "");
    bench.advance(1);
    bench.delete(bench.at("/a"), true).unwrap();
    let told = [
        ("/a", 3),
        ("/a/x", 1),
        ("/a/x/2", 0),
        ("/a/y", 0),
        ("/a/x/1", 0),
    ];
    let told: Vec<_> = told.map(|(path, along)| (path.to_owned(), along)).into();
    assert_eq!(along(bench.wiki.trash(None, 1000).unwrap()), told);
    for (at, count) in told {
        let here = along(bench.wiki.deleted_pages_at(&path(&at)).unwrap());
        assert_eq!(here, [(at, count)]);
    }
}

#[test]
fn listing_never_splits_deleted_pages_of_one_path() {
    let bench = Bench::new();
    for at in ["/a", "/b", "/b", "/b", "/c", "/d"] {
        let id = bench.page(at, at);
        bench.delete(id, false).unwrap();
    }
    bench.pages(["/b", "/c/x", "/e"]);
    let list = |cursor: Option<&str>, backwards, limit| {
        let query = ListingQuery {
            prefix: PagePath::root(),
            cursor: cursor.map(path),
            backwards,
            limit,
            with_deleted: true,
        };
        let listing = bench.wiki.list_pages(&query).unwrap();
        let paths = listing.items.iter().map(|page| page.path.to_string());
        (paths.collect::<Vec<_>>(), listing.has_more)
    };
    let all = ["/", "/a", "/b", "/b", "/b", "/b", "/c", "/c/x", "/d", "/e"];
    assert_eq!(
        list(None, false, 50),
        (all.map(str::to_owned).into(), false)
    );
    assert_eq!(
        list(None, false, 5),
        (all[..2].iter().map(|s| (*s).into()).collect(), true)
    );
    assert_eq!(
        list(Some("/a"), false, 1),
        (all[2..6].iter().map(|s| (*s).into()).collect(), true)
    );
    assert_eq!(
        list(Some("/c"), true, 4),
        (all[2..6].iter().map(|s| (*s).into()).collect(), true)
    );
    for limit in 1..=11 {
        for backwards in [false, true] {
            let (mut met, mut cursor): (Vec<String>, Option<String>) = Default::default();
            if backwards {
                cursor = Some("/f".to_owned());
            }
            loop {
                let (mut part, more) = list(cursor.as_deref(), backwards, limit);
                if backwards {
                    cursor = part.first().cloned();
                    part.append(&mut met);
                    met = part;
                } else {
                    cursor = part.last().cloned();
                    met.append(&mut part);
                }
                if !more {
                    break;
                }
            }
            assert_eq!(met, all, "{limit} {backwards}");
        }
    }
}

#[test]
fn deletion_with_the_token_releases_the_lock() {
    let bench = bench();
    let (a, x) = (bench.at("/a"), bench.at("/a/x"));
    let lock = bench.wiki.acquire_lock(x, bench.ben).unwrap();
    for erase in [false, true] {
        let request = bench.deleting(a, true);
        let refused = if erase {
            bench.wiki.erase(&request)
        } else {
            bench.wiki.delete(&request)
        };
        match refused {
            Err(DeleteError::Gate(GateError::Required {
                path: at,
                user_name,
                ..
            })) => {
                assert_eq!((at, user_name.as_str()), (path("/a/x"), "Ben"));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(bench.standing(), ["/a", "/a-b", "/a/x", "/a/x/1", "/b"]);
    let request = DeleteRequest {
        token: Some(lock.token),
        ..bench.deleting(a, true)
    };
    let deleted = bench.wiki.delete(&request).unwrap();
    assert_eq!(deleted.unlocked, [x]);
    assert!(matches!(
        bench.wiki.renew_lock(x, lock.token),
        Err(LockError::Invalid)
    ));
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.is_whole();
}

#[test]
fn deletion_removes_an_expired_lock() {
    let bench = bench();
    let a = bench.at("/a");
    bench.wiki.acquire_lock(a, bench.ben).unwrap();
    bench.advance(301);
    assert_eq!(bench.delete(a, true).unwrap().unlocked, [a]);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.is_whole();
}

#[test]
fn draft_is_erased_only_with_its_token() {
    let bench = bench();
    let (draft, lock) = bench.wiki.create_draft(&path("/d"), bench.aya).unwrap();
    bench
        .bring(draft, "picture.png", b"\x89PNG\r\n\x1a\n\0")
        .unwrap();
    for (erase, token) in [(false, None), (true, None)] {
        let request = DeleteRequest {
            token,
            ..bench.deleting(draft, false)
        };
        let refused = if erase {
            bench.wiki.erase(&request)
        } else {
            bench.wiki.delete(&request)
        };
        assert!(matches!(
            refused,
            Err(DeleteError::Gate(GateError::Required { .. }))
        ));
    }
    let wrong = DeleteRequest {
        token: Some(LockToken::from_bytes([0; 16])),
        ..bench.deleting(draft, false)
    };
    assert!(matches!(
        bench.wiki.delete(&wrong),
        Err(DeleteError::Gate(GateError::Invalid))
    ));
    let request = DeleteRequest {
        token: Some(lock.token),
        ..bench.deleting(draft, false)
    };
    let deleted = bench.wiki.delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (0, &[draft][..])
    );
    assert!(matches!(
        bench.wiki.page_path(draft),
        Err(PageError::NotFound)
    ));
    assert_eq!(bench.wiki.orphaned_assets().unwrap().len(), 0);
    bench.is_whole();
}

#[test]
fn subpage_drafts_need_their_token_unless_expired() {
    let bench = bench();
    let a = bench.at("/a");
    let (draft, lock) = bench
        .wiki
        .create_draft(&path("/a/draft"), bench.ben)
        .unwrap();
    let refused = bench.delete(a, true).unwrap_err();
    assert!(matches!(
        refused,
        DeleteError::Gate(GateError::Required { path: at, .. }) if at == path("/a/draft")
    ));
    // Without its subpages, the page leaves the draft at its path.
    bench.delete(a, false).unwrap();
    bench.restore(a, "/a", false).unwrap();
    let request = DeleteRequest {
        token: Some(lock.token),
        ..bench.deleting(a, true)
    };
    let deleted = bench.wiki.delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (3, &[draft][..])
    );
    bench.is_whole();

    let (dead, _) = bench
        .wiki
        .create_draft(&path("/b/draft"), bench.ben)
        .unwrap();
    bench.advance(301);
    assert!(matches!(
        bench.delete(dead, false),
        Err(DeleteError::NotFound)
    ));
    assert_eq!(bench.delete(bench.at("/b"), true).unwrap().unlocked, [dead]);
    bench.is_whole();
}

#[test]
fn deleting_a_draft_moves_its_subpages_to_trash() {
    let bench = bench();
    let (draft, lock) = bench.wiki.create_draft(&path("/d"), bench.aya).unwrap();
    bench.pages(["/d/x"]);
    let request = DeleteRequest {
        token: Some(lock.token),
        ..bench.deleting(draft, true)
    };
    let deleted = bench.wiki.delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (1, &[draft][..])
    );
    assert_eq!(
        bench.standing(),
        ["/a", "/a-b", "/a/x", "/a/x/1", "/b", "/d/x†"]
    );
}

#[test]
fn root_page_cannot_be_deleted() {
    let bench = bench();
    let root = bench.at("/");
    for recursive in [false, true] {
        assert!(matches!(
            bench.delete(root, recursive),
            Err(DeleteError::RootProtected)
        ));
        assert!(matches!(
            bench.erase(root, recursive),
            Err(DeleteError::RootProtected)
        ));
    }
    assert_eq!(bench.standing().len(), 5);
    assert_eq!(bench.at("/"), root);
}

#[test]
fn unknown_pages_and_users_are_refused() {
    let bench = bench();
    let nobody: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        bench.delete(nobody, true),
        Err(DeleteError::NotFound)
    ));
    assert!(matches!(
        bench.erase(nobody, true),
        Err(DeleteError::NotFound)
    ));
    let request = DeleteRequest {
        user: UserId::from_bytes([7; 16]),
        ..bench.deleting(bench.at("/a"), false)
    };
    assert!(matches!(
        bench.wiki.delete(&request),
        Err(DeleteError::NoUser)
    ));
}

#[test]
fn erased_page_leaves_its_path_and_orphaned_files() {
    let bench = Bench::new();
    let [target] = bench.pages(["/target"]);
    let links_here = bench.page("/links", "[a](/a)");
    let page = bench.page("/a", "[t](/target) [n](/none)");
    let file = bench.bring(page, "f.txt", b"words").unwrap();
    bench.rename(page, "/b", false).unwrap();
    bench.delete(page, false).unwrap();
    assert_eq!(bench.erase(page, false).unwrap().pages.len(), 1);
    for revision in [None, Some(1)] {
        assert!(matches!(
            bench.wiki.source(page, revision),
            Err(PageError::NotFound)
        ));
    }
    assert!(matches!(
        bench.erase(page, false),
        Err(DeleteError::NotFound)
    ));
    assert_eq!(bench.text(links_here), "[a](/b)");
    let zombies = bench.wiki.orphaned_assets().unwrap();
    assert_eq!(zombies.len(), 1);
    assert_eq!(
        (zombies[0].id, &zombies[0].file_name),
        (file.id, &file_name("f.txt"))
    );
    assert_eq!(bench.standing(), ["/links", "/target"]);
    assert_eq!(bench.at("/target"), target);
    bench.is_whole();
}

#[test]
fn erasing_a_subtree_spares_its_deleted_pages() {
    let bench = bench();
    bench.delete(bench.at("/a/x/1"), false).unwrap();
    bench.erase(bench.at("/a"), true).unwrap();
    assert_eq!(bench.standing(), ["/a-b", "/a/x/1†", "/b"]);
    bench.is_whole();
}

#[test]
fn erasing_from_trash_takes_the_whole_deletion() {
    let bench = bench();
    let a = bench.at("/a");
    bench.delete(bench.at("/a/x/1"), false).unwrap();
    bench.delete(a, true).unwrap();
    bench.pages(["/a", "/a/x"]);
    bench.erase(a, true).unwrap();
    assert_eq!(bench.standing(), ["/a", "/a-b", "/a/x", "/a/x/1†", "/b"]);
    bench.is_whole();
}

#[test]
fn autosave_entry_outlives_its_page() {
    let bench = bench();
    let page_id = bench.at("/a");
    bench
        .wiki
        .put_unsaved(UnsavedText {
            page_id,
            user: bench.aya,
            tab: "tab".to_owned(),
            path: path("/a"),
            base_revision: Some(1),
            seq: 1,
            source: "not saved yet".to_owned(),
        })
        .unwrap();
    bench.erase(page_id, false).unwrap();
    let kept = bench.wiki.unsaved(bench.aya, Some(&path("/a"))).unwrap();
    assert_eq!(
        (kept[0].source.as_deref(), kept[0].page_exists),
        (Some("not saved yet"), false)
    );
    bench.is_whole();
}
