//! Deletes pages into the trash and permanently, alone or with their subpages, completely or not at all.

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name, path};

fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    test.pages(["/a", "/a-b", "/a/x", "/a/x/1", "/b"]);
    test
}

fn trash_paths(test: &TestWiki) -> Vec<String> {
    let pages = test.wiki.tree().trash(None, 1000).unwrap().into_iter();
    pages.map(|page| page.path.to_string()).collect()
}

#[test]
fn page_is_deleted_alone_or_with_its_subtree() {
    let test = sample_wiki();
    let deleted = test.delete(test.at("/a"), false).unwrap();
    assert_eq!(deleted.pages.len(), 1);
    assert_eq!(test.page_paths(), ["/a†", "/a-b", "/a/x", "/a/x/1", "/b"]);
    test.check_tables();
    test.advance(1);
    let deleted = test.delete(test.at("/a/x"), true).unwrap();
    let paths: Vec<_> = deleted
        .pages
        .iter()
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(paths, ["/a/x", "/a/x/1"]);
    assert_eq!(test.page_paths(), ["/a†", "/a-b", "/a/x†", "/a/x/1†", "/b"]);
    assert_eq!(trash_paths(&test), ["/a/x", "/a/x/1", "/a"]);
    test.check_tables();
}

#[test]
fn deleted_page_is_read_only() {
    let test = sample_wiki();
    let a = test.at("/a");
    test.delete(a, false).unwrap();
    let text = test.wiki.pages().source(a, None).unwrap();
    assert!(text.deleted);
    assert_eq!(text.source, "/a");
    let meta = test.wiki.pages().meta(a, None).unwrap();
    assert_eq!(meta.path_state, PagePathState::LastDeleted(path("/a")));
    assert!(matches!(
        test.wiki.pages().path(a),
        Err(PageError::Deleted(_))
    ));
    assert!(matches!(
        test.wiki.tree().parent(a),
        Err(PageError::Deleted(_))
    ));
    assert!(matches!(
        test.wiki.locks().acquire(a, test.aya),
        Err(LockError::Deleted)
    ));
    let save = test.wiki.pages().save(test.by_version(a, 1, 0, "changed"));
    assert!(matches!(save, Err(SaveError::Deleted)), "{save:?}");
    assert!(matches!(test.delete(a, false), Err(DeleteError::Deleted)));
    assert!(matches!(test.delete(a, true), Err(DeleteError::Deleted)));
}

#[test]
fn trash_records_who_deleted_a_page_and_when() {
    let test = sample_wiki();
    let request = DeleteRequest {
        user: test.ben,
        ..test.deleting(test.at("/a/x"), true)
    };
    test.wiki.tree().delete(&request).unwrap();
    let later = test.clock_now();
    let pages = test.wiki.tree().trash(None, 10).unwrap();
    assert_eq!(pages.len(), 2);
    for page in &pages {
        assert_eq!((page.user_name.as_str(), page.revision), ("Ben", 1));
        assert_eq!((page.deleted_at, page.deletion), (later, pages[0].deletion));
    }
    assert_eq!(
        test.wiki.tree().trash(Some(&pages[0].cursor()), 1).unwrap(),
        pages[1..]
    );
    assert_eq!(
        test.wiki
            .tree()
            .trash(Some(&pages[1].cursor()), 10)
            .unwrap(),
        []
    );
}

#[test]
fn deleted_pages_at_a_path_come_newest_first() {
    let test = TestWiki::new();
    let mut ids = Vec::new();
    for text in ["one", "two", "three"] {
        let id = test.page("/a", text);
        test.advance(1);
        test.delete(id, false).unwrap();
        ids.insert(0, id);
    }
    let counts = test.page("/a", "four");
    let candidates = test.wiki.tree().deleted_pages_at(&path("/a")).unwrap();
    let found: Vec<_> = candidates.iter().map(|page| page.page_id).collect();
    assert_eq!(found, ids);
    assert_eq!(test.wiki.tree().deleted_pages_at(&path("/b")).unwrap(), []);
    assert_eq!(test.page_paths(), ["/a†", "/a†", "/a†", "/a"]);
    test.delete(counts, false).unwrap();
    test.restore(ids[2], "/a", false).unwrap();
    assert_eq!(test.text(test.at("/a")), "one");
    assert_eq!(
        test.wiki
            .tree()
            .deleted_pages_at(&path("/a"))
            .unwrap()
            .len(),
        3
    );
    test.check_tables();
}

#[test]
fn deleted_page_counts_subpages_deleted_with_it() {
    let test = sample_wiki();
    let subpage_counts = |pages: Vec<DeletedPage>| -> Vec<(String, usize)> {
        let pages = pages.into_iter();
        pages
            .map(|page| (page.path.to_string(), page.subpages))
            .collect()
    };
    // A subpage that was deleted before.
    test.delete(test.at("/a/x/1"), false).unwrap();
    test.page("/a/y", "");
    test.page("/a/x/2", "");
    test.advance(1);
    test.delete(test.at("/a"), true).unwrap();
    let expected = [
        ("/a", 3),
        ("/a/x", 1),
        ("/a/x/2", 0),
        ("/a/y", 0),
        ("/a/x/1", 0),
    ];
    let expected: Vec<_> = expected
        .map(|(path, count)| (path.to_owned(), count))
        .into();
    assert_eq!(
        subpage_counts(test.wiki.tree().trash(None, 1000).unwrap()),
        expected
    );
    for (at, count) in expected {
        let counts = subpage_counts(test.wiki.tree().deleted_pages_at(&path(&at)).unwrap());
        assert_eq!(counts, [(at, count)]);
    }
}

#[test]
fn listing_never_splits_deleted_pages_of_one_path() {
    let test = TestWiki::new();
    for at in ["/a", "/b", "/b", "/b", "/c", "/d"] {
        let id = test.page(at, at);
        test.delete(id, false).unwrap();
    }
    test.pages(["/b", "/c/x", "/e"]);
    let list = |cursor: Option<&str>, backwards, limit| {
        let query = ListingQuery {
            prefix: PagePath::root(),
            cursor: cursor.map(path),
            backwards,
            limit,
            with_deleted: true,
        };
        let listing = test.wiki.pages().list(&query).unwrap();
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
            let (mut listed, mut cursor): (Vec<String>, Option<String>) = Default::default();
            if backwards {
                cursor = Some("/f".to_owned());
            }
            loop {
                let (mut part, more) = list(cursor.as_deref(), backwards, limit);
                if backwards {
                    cursor = part.first().cloned();
                    part.append(&mut listed);
                    listed = part;
                } else {
                    cursor = part.last().cloned();
                    listed.append(&mut part);
                }
                if !more {
                    break;
                }
            }
            assert_eq!(listed, all, "{limit} {backwards}");
        }
    }
}

#[test]
fn deletion_with_the_token_releases_the_lock() {
    let test = sample_wiki();
    let (a, x) = (test.at("/a"), test.at("/a/x"));
    let lock = test.wiki.locks().acquire(x, test.ben).unwrap();
    for erase in [false, true] {
        let request = test.deleting(a, true);
        let refused = if erase {
            test.wiki.tree().erase(&request)
        } else {
            test.wiki.tree().delete(&request)
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
    assert_eq!(test.page_paths(), ["/a", "/a-b", "/a/x", "/a/x/1", "/b"]);
    let request = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(a, true)
    };
    let deleted = test.wiki.tree().delete(&request).unwrap();
    assert_eq!(deleted.unlocked, [x]);
    assert!(matches!(
        test.wiki.locks().renew(x, lock.token),
        Err(LockError::Invalid)
    ));
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.check_tables();
}

#[test]
fn deletion_removes_an_expired_lock() {
    let test = sample_wiki();
    let a = test.at("/a");
    test.wiki.locks().acquire(a, test.ben).unwrap();
    test.advance(301);
    assert_eq!(test.delete(a, true).unwrap().unlocked, [a]);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.check_tables();
}

#[test]
fn draft_is_erased_only_with_its_token() {
    let test = sample_wiki();
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/d"), test.aya)
        .unwrap();
    test.upload(draft, "picture.png", b"\x89PNG\r\n\x1a\n\0")
        .unwrap();
    for (erase, token) in [(false, None), (true, None)] {
        let request = DeleteRequest {
            token,
            ..test.deleting(draft, false)
        };
        let refused = if erase {
            test.wiki.tree().erase(&request)
        } else {
            test.wiki.tree().delete(&request)
        };
        assert!(matches!(
            refused,
            Err(DeleteError::Gate(GateError::Required { .. }))
        ));
    }
    let wrong_token = DeleteRequest {
        token: Some(LockToken::from_bytes([0; 16])),
        ..test.deleting(draft, false)
    };
    assert!(matches!(
        test.wiki.tree().delete(&wrong_token),
        Err(DeleteError::Gate(GateError::Invalid))
    ));
    let request = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(draft, false)
    };
    let deleted = test.wiki.tree().delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (0, &[draft][..])
    );
    assert!(matches!(
        test.wiki.pages().path(draft),
        Err(PageError::NotFound)
    ));
    assert_eq!(test.wiki.assets().orphaned().unwrap().len(), 0);
    test.check_tables();
}

#[test]
fn subpage_drafts_need_their_token_unless_expired() {
    let test = sample_wiki();
    let a = test.at("/a");
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a/draft"), test.ben)
        .unwrap();
    let refused = test.delete(a, true).unwrap_err();
    assert!(matches!(
        refused,
        DeleteError::Gate(GateError::Required { path: at, .. }) if at == path("/a/draft")
    ));
    // Without its subpages, the page leaves the draft at its path.
    test.delete(a, false).unwrap();
    test.restore(a, "/a", false).unwrap();
    let request = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(a, true)
    };
    let deleted = test.wiki.tree().delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (3, &[draft][..])
    );
    test.check_tables();

    let (expired, _) = test
        .wiki
        .pages()
        .create_draft(&path("/b/draft"), test.ben)
        .unwrap();
    test.advance(301);
    assert!(matches!(
        test.delete(expired, false),
        Err(DeleteError::NotFound)
    ));
    assert_eq!(
        test.delete(test.at("/b"), true).unwrap().unlocked,
        [expired]
    );
    test.check_tables();
}

#[test]
fn deleting_a_draft_moves_its_subpages_to_trash() {
    let test = sample_wiki();
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/d"), test.aya)
        .unwrap();
    test.pages(["/d/x"]);
    let request = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(draft, true)
    };
    let deleted = test.wiki.tree().delete(&request).unwrap();
    assert_eq!(
        (deleted.pages.len(), &deleted.unlocked[..]),
        (1, &[draft][..])
    );
    assert_eq!(
        test.page_paths(),
        ["/a", "/a-b", "/a/x", "/a/x/1", "/b", "/d/x†"]
    );
}

#[test]
fn root_page_cannot_be_deleted() {
    let test = sample_wiki();
    let root = test.at("/");
    for recursive in [false, true] {
        assert!(matches!(
            test.delete(root, recursive),
            Err(DeleteError::RootProtected)
        ));
        assert!(matches!(
            test.erase(root, recursive),
            Err(DeleteError::RootProtected)
        ));
    }
    assert_eq!(test.page_paths().len(), 5);
    assert_eq!(test.at("/"), root);
}

#[test]
fn unknown_pages_and_users_are_refused() {
    let test = sample_wiki();
    let unknown_id: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        test.delete(unknown_id, true),
        Err(DeleteError::NotFound)
    ));
    assert!(matches!(
        test.erase(unknown_id, true),
        Err(DeleteError::NotFound)
    ));
    let request = DeleteRequest {
        user: UserId::from_bytes([7; 16]),
        ..test.deleting(test.at("/a"), false)
    };
    assert!(matches!(
        test.wiki.tree().delete(&request),
        Err(DeleteError::NoUser)
    ));
}

#[test]
fn erased_page_leaves_its_path_and_orphaned_files() {
    let test = TestWiki::new();
    let [target] = test.pages(["/target"]);
    let links_here = test.page("/links", "[a](/a)");
    let page = test.page("/a", "[t](/target) [n](/none)");
    let file = test.upload(page, "f.txt", b"words").unwrap();
    test.rename(page, "/b", false).unwrap();
    test.delete(page, false).unwrap();
    assert_eq!(test.erase(page, false).unwrap().pages.len(), 1);
    for revision in [None, Some(1)] {
        assert!(matches!(
            test.wiki.pages().source(page, revision),
            Err(PageError::NotFound)
        ));
    }
    assert!(matches!(
        test.erase(page, false),
        Err(DeleteError::NotFound)
    ));
    assert_eq!(test.text(links_here), "[a](/b)");
    let orphans = test.wiki.assets().orphaned().unwrap();
    assert_eq!(orphans.len(), 1);
    assert_eq!(
        (orphans[0].id, &orphans[0].file_name),
        (file.id, &file_name("f.txt"))
    );
    assert_eq!(test.page_paths(), ["/links", "/target"]);
    assert_eq!(test.at("/target"), target);
    test.check_tables();
}

#[test]
fn erasing_a_subtree_spares_its_deleted_pages() {
    let test = sample_wiki();
    test.delete(test.at("/a/x/1"), false).unwrap();
    test.erase(test.at("/a"), true).unwrap();
    assert_eq!(test.page_paths(), ["/a-b", "/a/x/1†", "/b"]);
    test.check_tables();
}

#[test]
fn erasing_from_trash_takes_the_whole_deletion() {
    let test = sample_wiki();
    let a = test.at("/a");
    test.delete(test.at("/a/x/1"), false).unwrap();
    test.delete(a, true).unwrap();
    test.pages(["/a", "/a/x"]);
    test.erase(a, true).unwrap();
    assert_eq!(test.page_paths(), ["/a", "/a-b", "/a/x", "/a/x/1†", "/b"]);
    test.check_tables();
}

#[test]
fn autosave_entry_outlives_its_page() {
    let test = sample_wiki();
    let page_id = test.at("/a");
    test.wiki
        .autosave()
        .put(UnsavedText {
            page_id,
            user: test.aya,
            tab: "tab".to_owned(),
            path: path("/a"),
            base_revision: Some(1),
            seq: 1,
            source: "not saved yet".to_owned(),
        })
        .unwrap();
    test.erase(page_id, false).unwrap();
    let entries = test
        .wiki
        .autosave()
        .entries(test.aya, Some(&path("/a")))
        .unwrap();
    assert_eq!(
        (entries[0].source.as_deref(), entries[0].page_exists),
        (Some("not saved yet"), false)
    );
    test.check_tables();
}
