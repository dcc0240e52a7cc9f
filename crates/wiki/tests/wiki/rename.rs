//! Renames one page or a subtree, completely or not at all: revisions, links and former paths.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

pub(crate) fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    test.pages(["/a", "/a-b", "/a/x", "/a/x/1", "/ab", "/b", "/旅/京都"]);
    test
}

/// Describes the target of `path`: here, the new path of the page that was there, or nowhere.
pub(crate) fn redirect(test: &TestWiki, at: &str) -> String {
    match test.wiki.pages().resolve(&path(at)) {
        Ok(_) => "here".to_owned(),
        Err(ResolveError::Moved { to, .. }) => to.to_string(),
        Err(ResolveError::NotFound(_) | ResolveError::Deleted { .. }) => "nowhere".to_owned(),
        Err(other) => panic!("{other:?}"),
    }
}

#[track_caller]
pub(crate) fn check(page: &str, to: &str, recursive: bool, expected: &[&str]) {
    let test = sample_wiki();
    let renamed = test.rename(test.at(page), to, recursive).unwrap();
    assert_eq!(test.page_paths(), expected);
    for page in &renamed.pages {
        assert_eq!(test.wiki.pages().path(page.page_id).unwrap(), page.path);
        assert_eq!(page.revision, 2);
    }
    test.check_tables();
}

#[test]
fn page_is_renamed_alone_or_with_its_subtree() {
    check(
        "/a",
        "/c",
        false,
        &["/a-b", "/a/x", "/a/x/1", "/ab", "/b", "/c", "/旅/京都"],
    );
    check(
        "/a",
        "/c",
        true,
        &["/a-b", "/ab", "/b", "/c", "/c/x", "/c/x/1", "/旅/京都"],
    );
    check(
        "/a",
        "/b/deep/er",
        true,
        &[
            "/a-b",
            "/ab",
            "/b",
            "/b/deep/er",
            "/b/deep/er/x",
            "/b/deep/er/x/1",
            "/旅/京都",
        ],
    );
    // Without its subpages, a page may move beneath its old path.
    check(
        "/a",
        "/a/y",
        false,
        &["/a-b", "/a/x", "/a/x/1", "/a/y", "/ab", "/b", "/旅/京都"],
    );
    check(
        "/a/x",
        "/旅",
        true,
        &["/a", "/a-b", "/ab", "/b", "/旅", "/旅/1", "/旅/京都"],
    );
}

#[test]
fn subtree_can_move_up_one_level() {
    let test = TestWiki::new();
    let [_, middle, below] = test.pages(["/a/b", "/a/b/b", "/a/b/b/b"]);
    test.rename(test.at("/a/b"), "/a", true).unwrap();
    assert_eq!(test.page_paths(), ["/a", "/a/b", "/a/b/b"]);
    assert_eq!(test.wiki.pages().path(middle).unwrap(), path("/a/b"));
    assert_eq!(test.wiki.pages().path(below).unwrap(), path("/a/b/b"));
    test.check_tables();
}

#[test]
fn rename_adds_a_revision_with_the_same_text() {
    let test = TestWiki::new();
    let [garden] = test.pages(["/庭"]);
    let page = test.page("/a", "[x](/庭) [y](/none)");
    test.advance(60);
    let request = RenameRequest {
        user: test.ben,
        ..test.renaming(page, "/b", false)
    };
    let renamed = test.wiki.tree().rename(&request).unwrap();
    assert_eq!(renamed.revision, 2);
    assert_eq!(renamed.warnings, []);
    assert_eq!(test.text(page), "[x](/庭) [y](/none)");
    let meta = test.wiki.pages().meta(page, None).unwrap();
    assert_eq!(meta.revisions, Some((1, 2)));
    assert_eq!(meta.rename_revisions, [1, 2]);
    let revision = meta.revision.unwrap();
    assert_eq!(revision.user_name, "Ben");
    let rename = revision.rename.unwrap();
    assert_eq!((rename.from, rename.to), (Some(path("/a")), path("/b")));
    let refs = [("/none".to_owned(), None), ("/庭".to_owned(), Some(garden))];
    assert_eq!(rename.link_refs, refs.into());
    let first = test.wiki.pages().meta(page, Some(1)).unwrap();
    assert_eq!(first.revision.unwrap().rename.unwrap().to, path("/a"));
}

#[test]
fn pages_linking_to_a_renamed_page_are_unchanged() {
    let test = TestWiki::new();
    let target = test.page("/target", "");
    let linking: Vec<PageId> = (0..50)
        .map(|n| test.page(&format!("/links/{n}"), "[a](/target) [b](../target?x#y)"))
        .collect();
    test.rename(target, "/elsewhere", false).unwrap();
    for page in linking {
        let text = test.wiki.pages().source(page, None).unwrap();
        assert_eq!(
            text.version,
            VersionTag {
                revision: 1,
                amends: 0
            }
        );
        assert_eq!(text.source, "[a](/elsewhere) [b](/elsewhere?x#y)");
    }
    test.check_tables();
}

#[test]
fn links_within_a_subtree_survive_its_move() {
    let test = TestWiki::new();
    test.pages(["/a", "/a/y"]);
    let page = test.page("/a/x", "[y](y) [up](../a) [[/a/y]]");
    let renamed = test.rename(test.at("/a"), "/旅/b", true).unwrap();
    assert_eq!(renamed.warnings, []);
    assert_eq!(test.text(page), "[y](/旅/b/y) [up](/旅/b) [[/旅/b/y]]");
    test.check_tables();
}

#[test]
fn only_file_links_leaving_the_subtree_are_reported() {
    let test = TestWiki::new();
    test.pages(["/a", "/a/y"]);
    test.page(
        "/a/x",
        "![](asset:own) ![](asset:../y/f) ![](asset:../../b/f) ![](asset:/a/y/f)",
    );
    let warnings = |renamed: RenameOutcome| -> Vec<String> {
        let warnings = renamed.warnings.into_iter().map(|warning| warning.warning);
        warnings
            .map(|warning| format!("{}: {} → {}", warning.link, warning.before, warning.after))
            .collect()
    };
    let renamed = test.rename(test.at("/a"), "/旅/c", true).unwrap();
    assert_eq!(warnings(renamed), ["asset:../../b/f: /b/f → /旅/b/f"]);
    let renamed = test.rename(test.at("/旅/c/x"), "/z", false).unwrap();
    assert_eq!(
        warnings(renamed),
        [
            "asset:../y/f: /旅/c/y/f → /y/f",
            "asset:../../b/f: /旅/b/f → "
        ]
    );
}

#[test]
fn relative_link_with_another_target_is_reported() {
    let test = TestWiki::new();
    test.pages(["/a"]);
    test.page("/a/x", "[n](new) [n](/absolute)");
    let renamed = test.rename(test.at("/a"), "/b", true).unwrap();
    let warning = LinkWarning {
        link: "new".to_owned(),
        before: "/a/new".to_owned(),
        after: "/b/new".to_owned(),
    };
    let page = path("/b/x");
    assert_eq!(renamed.warnings, [PageWarning { page, warning }]);
    test.check_tables();
}

#[test]
fn rename_binds_links_waiting_for_the_new_path() {
    let test = TestWiki::new();
    let waiting = test.page("/w", "[b](/b)");
    let page = test.page("/a", "");
    test.rename(page, "/b", false).unwrap();
    test.rename(page, "/c", false).unwrap();
    assert_eq!(test.text(waiting), "[b](/c)");
    test.check_tables();
}

#[test]
fn former_path_leads_to_its_last_page() {
    let test = TestWiki::new();
    let first = test.page("/a", "first");
    test.rename(first, "/b", false).unwrap();
    assert_eq!(redirect(&test, "/a"), "/b");
    test.rename(first, "/c", false).unwrap();
    assert_eq!(
        (redirect(&test, "/a"), redirect(&test, "/b")),
        ("/c".into(), "/c".into())
    );
    test.advance(1);
    let second = test.page("/a", "second");
    assert_eq!(redirect(&test, "/a"), "here");
    test.advance(1);
    test.rename(second, "/d", false).unwrap();
    assert_eq!(redirect(&test, "/a"), "/d");
    // A page in the trash has no current path.
    test.delete(second, false).unwrap();
    assert_eq!(
        (redirect(&test, "/a"), redirect(&test, "/d")),
        ("/c".into(), "nowhere".into())
    );
    test.erase(first, false).unwrap();
    assert_eq!(
        (redirect(&test, "/a"), redirect(&test, "/b")),
        ("nowhere".into(), "nowhere".into())
    );
    test.check_tables();
}

#[test]
fn page_can_be_renamed_back_repeatedly() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    for round in 0..3 {
        test.advance(1);
        assert_eq!(
            test.rename(page, "/b", false).unwrap().revision,
            2 * round + 2
        );
        assert_eq!(
            (redirect(&test, "/a"), redirect(&test, "/b")),
            ("/b".into(), "here".into())
        );
        test.rename(page, "/a", false).unwrap();
        assert_eq!(
            (redirect(&test, "/a"), redirect(&test, "/b")),
            ("here".into(), "/a".into())
        );
    }
    test.check_tables();
}

/// Returns the error, and checks that nothing has changed.
#[track_caller]
pub(crate) fn expect_refusal(
    test: &TestWiki,
    page: PageId,
    to: &str,
    recursive: bool,
) -> RenameError {
    let before = test.page_paths();
    let error = test.rename(page, to, recursive).unwrap_err();
    assert_eq!(test.page_paths(), before);
    test.check_tables();
    error
}

#[test]
fn invalid_renames_are_refused_with_a_reason() {
    let test = sample_wiki();
    let (a, root) = (test.at("/a"), test.at("/"));
    for recursive in [false, true] {
        for taken in ["/a", "/a/", "/b", "/"] {
            let error = expect_refusal(&test, a, taken, recursive);
            assert!(matches!(error, RenameError::Taken(PathTaken::Page(at)) if at == path(taken)));
        }
        for to in ["/c", "/", "/a"] {
            let error = expect_refusal(&test, root, to, recursive);
            assert!(matches!(error, RenameError::RootProtected), "{error:?}");
        }
    }
    for to in ["/a/x", "/a/x/1", "/a/new"] {
        let error = expect_refusal(&test, a, to, true);
        assert!(
            matches!(error, RenameError::IntoItself { .. }),
            "{to} {error:?}"
        );
    }
    let error = expect_refusal(&test, a, "/a/x", false);
    assert!(
        matches!(error, RenameError::Taken(PathTaken::Page(_))),
        "{error:?}"
    );
    let unknown_id: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        expect_refusal(&test, unknown_id, "/c", false),
        RenameError::NotFound
    ));
    let request = RenameRequest {
        user: UserId::from_bytes([7; 16]),
        ..test.renaming(a, "/c", false)
    };
    assert!(matches!(
        test.wiki.tree().rename(&request),
        Err(RenameError::NoUser)
    ));
    test.delete(a, false).unwrap();
    assert!(matches!(
        expect_refusal(&test, a, "/c", false),
        RenameError::Deleted
    ));
}

#[test]
fn nothing_moves_if_the_last_page_cannot() {
    let test = TestWiki::new();
    test.pages(["/a", "/a/1", "/a/2", "/a/z", "/b/z"]);
    let a = test.at("/a");
    let error = expect_refusal(&test, a, "/b", true);
    assert!(matches!(error, RenameError::Taken(PathTaken::Page(at)) if at == path("/b/z")));
    assert_eq!(
        test.wiki.pages().meta(a, None).unwrap().revisions,
        Some((1, 1))
    );

    let deep = format!("/a{}", "/d".repeat(60));
    test.page(&deep, "deep");
    let error = expect_refusal(&test, a, "/1/2/3/4/5", true);
    assert!(matches!(
        error,
        RenameError::InvalidPath { path: at, reason: InvalidPath::TooDeep(65) } if at == path(&deep)
    ));
    let long = format!("/a/{}", "l".repeat(1000));
    test.page(&long, "long");
    let error = expect_refusal(&test, a, &format!("/{}", "t".repeat(30)), true);
    assert!(matches!(
        error,
        RenameError::InvalidPath {
            reason: InvalidPath::TooLong(1032),
            ..
        }
    ));
    test.rename(a, "/c", true).unwrap();
}

#[test]
fn draft_at_the_target_blocks_until_it_expires() {
    let test = sample_wiki();
    let a = test.at("/a");
    test.wiki
        .pages()
        .create_draft(&path("/c"), test.ben)
        .unwrap();
    for recursive in [false, true] {
        let error = expect_refusal(&test, a, "/c", recursive);
        let RenameError::Taken(PathTaken::Draft {
            path: at,
            user_name,
            ..
        }) = error
        else {
            panic!("{error:?}")
        };
        assert_eq!((at, user_name.as_str()), (path("/c"), "Ben"));
    }
    test.advance(301);
    test.rename(a, "/c", true).unwrap();
    assert_eq!(test.wiki.locks().sweep().unwrap(), []);
    test.check_tables();
}

#[test]
fn subtree_with_a_locked_page_needs_its_token() {
    let test = sample_wiki();
    let (a, deep) = (test.at("/a"), test.at("/a/x/1"));
    let lock = test.wiki.locks().acquire(deep, test.ben).unwrap();
    let error = expect_refusal(&test, a, "/c", true);
    let RenameError::Gate(GateError::Required {
        path: at,
        user_name,
        expire,
    }) = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((at, user_name.as_str()), (path("/a/x/1"), "Ben"));
    assert_eq!(expire, lock.expire);
    let with = |token| RenameRequest {
        token: Some(token),
        ..test.renaming(a, "/c", true)
    };
    let elsewhere = test.wiki.locks().acquire(test.at("/b"), test.ben).unwrap();
    for wrong in [elsewhere.token, LockToken::from_bytes([0; 16])] {
        let error = test.wiki.tree().rename(&with(wrong)).unwrap_err();
        assert!(
            matches!(error, RenameError::Gate(GateError::Invalid)),
            "{error:?}"
        );
    }
    // Without its subpages, the page is not locked.
    test.rename(a, "/alone", false).unwrap();
    test.rename(a, "/a", false).unwrap();
    test.wiki.tree().rename(&with(lock.token)).unwrap();
    assert_eq!(test.wiki.pages().path(deep).unwrap(), path("/c/x/1"));
    test.wiki
        .pages()
        .save(test.by_token(deep, lock.token, "saved after all"))
        .unwrap();
    test.check_tables();
}

#[test]
fn subtree_with_two_locks_cannot_be_renamed() {
    let test = sample_wiki();
    let a = test.at("/a");
    let own = test.wiki.locks().acquire(a, test.aya).unwrap();
    test.wiki
        .locks()
        .acquire(test.at("/a/x"), test.aya)
        .unwrap();
    let request = RenameRequest {
        token: Some(own.token),
        ..test.renaming(a, "/c", true)
    };
    match test.wiki.tree().rename(&request) {
        Err(RenameError::Gate(GateError::Required { path: at, .. })) => {
            assert_eq!(at, path("/a/x"));
        }
        other => panic!("{other:?}"),
    }
    test.wiki
        .tree()
        .rename(&RenameRequest {
            recursive: false,
            ..request
        })
        .unwrap();
    test.check_tables();
}

#[test]
fn expired_lock_does_not_block_a_rename() {
    let test = sample_wiki();
    let a = test.at("/a");
    let lock = test
        .wiki
        .locks()
        .acquire(test.at("/a/x"), test.ben)
        .unwrap();
    test.advance(301);
    let late = RenameRequest {
        token: Some(lock.token),
        ..test.renaming(a, "/c", true)
    };
    let error = test.wiki.tree().rename(&late).unwrap_err();
    assert!(
        matches!(error, RenameError::Gate(GateError::Invalid)),
        "{error:?}"
    );
    test.rename(a, "/c", true).unwrap();
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
    test.check_tables();
}
