//! Renames one page or a subtree, completely or not at all: revisions, links and former paths.

use fumikura_wiki::*;

use crate::support::{Bench, path};

pub(crate) fn bench() -> Bench {
    let bench = Bench::new();
    bench.pages(["/a", "/a-b", "/a/x", "/a/x/1", "/ab", "/b", "/旅/京都"]);
    bench
}

/// Describes the target of `path`: here, the new path of the page that was there, or nowhere.
pub(crate) fn went(bench: &Bench, at: &str) -> String {
    match bench.wiki.resolve(&path(at)) {
        Ok(_) => "here".to_owned(),
        Err(ResolveError::Moved { to, .. }) => to.to_string(),
        Err(ResolveError::NotFound(_) | ResolveError::Deleted { .. }) => "nowhere".to_owned(),
        Err(other) => panic!("{other:?}"),
    }
}

#[track_caller]
pub(crate) fn check(page: &str, to: &str, recursive: bool, expected: &[&str]) {
    let bench = bench();
    let renamed = bench.rename(bench.at(page), to, recursive).unwrap();
    assert_eq!(bench.standing(), expected);
    for page in &renamed.pages {
        assert_eq!(bench.wiki.page_path(page.page_id).unwrap(), page.path);
        assert_eq!(page.revision, 2);
    }
    bench.is_whole();
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
    let bench = Bench::new();
    let [_, middle, below] = bench.pages(["/a/b", "/a/b/b", "/a/b/b/b"]);
    bench.rename(bench.at("/a/b"), "/a", true).unwrap();
    assert_eq!(bench.standing(), ["/a", "/a/b", "/a/b/b"]);
    assert_eq!(bench.wiki.page_path(middle).unwrap(), path("/a/b"));
    assert_eq!(bench.wiki.page_path(below).unwrap(), path("/a/b/b"));
    bench.is_whole();
}

#[test]
fn rename_adds_a_revision_with_the_same_text() {
    let bench = Bench::new();
    let [garden] = bench.pages(["/庭"]);
    let page = bench.page("/a", "[x](/庭) [y](/none)");
    bench.advance(60);
    let request = RenameRequest {
        user: bench.ben,
        ..bench.renaming(page, "/b", false)
    };
    let renamed = bench.wiki.rename(&request).unwrap();
    assert_eq!(renamed.revision, 2);
    assert_eq!(renamed.warnings, []);
    assert_eq!(bench.text(page), "[x](/庭) [y](/none)");
    let meta = bench.wiki.page_meta(page, None).unwrap();
    assert_eq!(meta.revisions, Some((1, 2)));
    assert_eq!(meta.rename_revisions, [1, 2]);
    let revision = meta.revision.unwrap();
    assert_eq!(revision.user_name, "Ben");
    let rename = revision.rename.unwrap();
    assert_eq!((rename.from, rename.to), (Some(path("/a")), path("/b")));
    let refs = [("/none".to_owned(), None), ("/庭".to_owned(), Some(garden))];
    assert_eq!(rename.link_refs, refs.into());
    let first = bench.wiki.page_meta(page, Some(1)).unwrap();
    assert_eq!(first.revision.unwrap().rename.unwrap().to, path("/a"));
}

#[test]
fn pages_linking_to_a_renamed_page_are_unchanged() {
    let bench = Bench::new();
    let target = bench.page("/target", "");
    let linking: Vec<PageId> = (0..50)
        .map(|n| bench.page(&format!("/links/{n}"), "[a](/target) [b](../target?x#y)"))
        .collect();
    bench.rename(target, "/elsewhere", false).unwrap();
    for page in linking {
        let text = bench.wiki.source(page, None).unwrap();
        assert_eq!(
            text.version,
            VersionTag {
                revision: 1,
                amends: 0
            }
        );
        assert_eq!(text.source, "[a](/elsewhere) [b](/elsewhere?x#y)");
    }
    bench.is_whole();
}

#[test]
fn links_within_a_subtree_survive_its_move() {
    let bench = Bench::new();
    bench.pages(["/a", "/a/y"]);
    let page = bench.page("/a/x", "[y](y) [up](../a) [[/a/y]]");
    let renamed = bench.rename(bench.at("/a"), "/旅/b", true).unwrap();
    assert_eq!(renamed.warnings, []);
    assert_eq!(bench.text(page), "[y](/旅/b/y) [up](/旅/b) [[/旅/b/y]]");
    bench.is_whole();
}

#[test]
fn only_file_links_leaving_the_subtree_are_reported() {
    let bench = Bench::new();
    bench.pages(["/a", "/a/y"]);
    bench.page(
        "/a/x",
        "![](asset:own) ![](asset:../y/f) ![](asset:../../b/f) ![](asset:/a/y/f)",
    );
    let warnings = |renamed: RenameOutcome| -> Vec<String> {
        let told = renamed.warnings.into_iter().map(|told| told.warning);
        told.map(|told| format!("{}: {} → {}", told.link, told.before, told.after))
            .collect()
    };
    let renamed = bench.rename(bench.at("/a"), "/旅/c", true).unwrap();
    assert_eq!(warnings(renamed), ["asset:../../b/f: /b/f → /旅/b/f"]);
    let renamed = bench.rename(bench.at("/旅/c/x"), "/z", false).unwrap();
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
    let bench = Bench::new();
    bench.pages(["/a"]);
    bench.page("/a/x", "[n](new) [n](/absolute)");
    let renamed = bench.rename(bench.at("/a"), "/b", true).unwrap();
    let warning = LinkWarning {
        link: "new".to_owned(),
        before: "/a/new".to_owned(),
        after: "/b/new".to_owned(),
    };
    let page = path("/b/x");
    assert_eq!(renamed.warnings, [PageWarning { page, warning }]);
    bench.is_whole();
}

#[test]
fn rename_binds_links_waiting_for_the_new_path() {
    let bench = Bench::new();
    let waiting = bench.page("/w", "[b](/b)");
    let page = bench.page("/a", "");
    bench.rename(page, "/b", false).unwrap();
    bench.rename(page, "/c", false).unwrap();
    assert_eq!(bench.text(waiting), "[b](/c)");
    bench.is_whole();
}

#[test]
fn former_path_leads_to_its_last_page() {
    let bench = Bench::new();
    let first = bench.page("/a", "first");
    bench.rename(first, "/b", false).unwrap();
    assert_eq!(went(&bench, "/a"), "/b");
    bench.rename(first, "/c", false).unwrap();
    assert_eq!(
        (went(&bench, "/a"), went(&bench, "/b")),
        ("/c".into(), "/c".into())
    );
    bench.advance(1);
    let second = bench.page("/a", "second");
    assert_eq!(went(&bench, "/a"), "here");
    bench.advance(1);
    bench.rename(second, "/d", false).unwrap();
    assert_eq!(went(&bench, "/a"), "/d");
    // A page in the trash has no current path.
    bench.delete(second, false).unwrap();
    assert_eq!(
        (went(&bench, "/a"), went(&bench, "/d")),
        ("/c".into(), "nowhere".into())
    );
    bench.erase(first, false).unwrap();
    assert_eq!(
        (went(&bench, "/a"), went(&bench, "/b")),
        ("nowhere".into(), "nowhere".into())
    );
    bench.is_whole();
}

#[test]
fn page_can_be_renamed_back_repeatedly() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    for round in 0..3 {
        bench.advance(1);
        assert_eq!(
            bench.rename(page, "/b", false).unwrap().revision,
            2 * round + 2
        );
        assert_eq!(
            (went(&bench, "/a"), went(&bench, "/b")),
            ("/b".into(), "here".into())
        );
        bench.rename(page, "/a", false).unwrap();
        assert_eq!(
            (went(&bench, "/a"), went(&bench, "/b")),
            ("here".into(), "/a".into())
        );
    }
    bench.is_whole();
}

/// Returns the error, and checks that nothing has changed.
#[track_caller]
pub(crate) fn refused(bench: &Bench, page: PageId, to: &str, recursive: bool) -> RenameError {
    let before = bench.standing();
    let error = bench.rename(page, to, recursive).unwrap_err();
    assert_eq!(bench.standing(), before);
    bench.is_whole();
    error
}

#[test]
fn invalid_renames_are_refused_with_a_reason() {
    let bench = bench();
    let (a, root) = (bench.at("/a"), bench.at("/"));
    for recursive in [false, true] {
        for taken in ["/a", "/a/", "/b", "/"] {
            let error = refused(&bench, a, taken, recursive);
            assert!(matches!(error, RenameError::Taken(PathTaken::Page(at)) if at == path(taken)));
        }
        for to in ["/c", "/", "/a"] {
            let error = refused(&bench, root, to, recursive);
            assert!(matches!(error, RenameError::RootProtected), "{error:?}");
        }
    }
    for to in ["/a/x", "/a/x/1", "/a/new"] {
        let error = refused(&bench, a, to, true);
        assert!(
            matches!(error, RenameError::IntoItself { .. }),
            "{to} {error:?}"
        );
    }
    let error = refused(&bench, a, "/a/x", false);
    assert!(
        matches!(error, RenameError::Taken(PathTaken::Page(_))),
        "{error:?}"
    );
    let nobody: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        refused(&bench, nobody, "/c", false),
        RenameError::NotFound
    ));
    let request = RenameRequest {
        user: UserId::from_bytes([7; 16]),
        ..bench.renaming(a, "/c", false)
    };
    assert!(matches!(
        bench.wiki.rename(&request),
        Err(RenameError::NoUser)
    ));
    bench.delete(a, false).unwrap();
    assert!(matches!(
        refused(&bench, a, "/c", false),
        RenameError::Deleted
    ));
}

#[test]
fn nothing_moves_if_the_last_page_cannot() {
    let bench = Bench::new();
    bench.pages(["/a", "/a/1", "/a/2", "/a/z", "/b/z"]);
    let a = bench.at("/a");
    let error = refused(&bench, a, "/b", true);
    assert!(matches!(error, RenameError::Taken(PathTaken::Page(at)) if at == path("/b/z")));
    assert_eq!(
        bench.wiki.page_meta(a, None).unwrap().revisions,
        Some((1, 1))
    );

    let deep = format!("/a{}", "/d".repeat(60));
    bench.page(&deep, "deep");
    let error = refused(&bench, a, "/1/2/3/4/5", true);
    assert!(matches!(
        error,
        RenameError::InvalidPath { path: at, reason: InvalidPath::TooDeep(65) } if at == path(&deep)
    ));
    let long = format!("/a/{}", "l".repeat(1000));
    bench.page(&long, "long");
    let error = refused(&bench, a, &format!("/{}", "t".repeat(30)), true);
    assert!(matches!(
        error,
        RenameError::InvalidPath {
            reason: InvalidPath::TooLong(1032),
            ..
        }
    ));
    bench.rename(a, "/c", true).unwrap();
}

#[test]
fn draft_at_the_target_blocks_until_it_expires() {
    let bench = bench();
    let a = bench.at("/a");
    bench.wiki.create_draft(&path("/c"), bench.ben).unwrap();
    for recursive in [false, true] {
        let error = refused(&bench, a, "/c", recursive);
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
    bench.advance(301);
    bench.rename(a, "/c", true).unwrap();
    assert_eq!(bench.wiki.sweep_locks().unwrap(), []);
    bench.is_whole();
}

#[test]
fn subtree_with_a_locked_page_needs_its_token() {
    let bench = bench();
    let (a, deep) = (bench.at("/a"), bench.at("/a/x/1"));
    let lock = bench.wiki.acquire_lock(deep, bench.ben).unwrap();
    let error = refused(&bench, a, "/c", true);
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
        ..bench.renaming(a, "/c", true)
    };
    let elsewhere = bench.wiki.acquire_lock(bench.at("/b"), bench.ben).unwrap();
    for wrong in [elsewhere.token, LockToken::from_bytes([0; 16])] {
        let error = bench.wiki.rename(&with(wrong)).unwrap_err();
        assert!(
            matches!(error, RenameError::Gate(GateError::Invalid)),
            "{error:?}"
        );
    }
    // Without its subpages, the page is not locked.
    bench.rename(a, "/alone", false).unwrap();
    bench.rename(a, "/a", false).unwrap();
    bench.wiki.rename(&with(lock.token)).unwrap();
    assert_eq!(bench.wiki.page_path(deep).unwrap(), path("/c/x/1"));
    bench
        .wiki
        .save(bench.by_token(deep, lock.token, "saved after all"))
        .unwrap();
    bench.is_whole();
}

#[test]
fn subtree_with_two_locks_cannot_be_renamed() {
    let bench = bench();
    let a = bench.at("/a");
    let own = bench.wiki.acquire_lock(a, bench.aya).unwrap();
    bench
        .wiki
        .acquire_lock(bench.at("/a/x"), bench.aya)
        .unwrap();
    let request = RenameRequest {
        token: Some(own.token),
        ..bench.renaming(a, "/c", true)
    };
    match bench.wiki.rename(&request) {
        Err(RenameError::Gate(GateError::Required { path: at, .. })) => {
            assert_eq!(at, path("/a/x"));
        }
        other => panic!("{other:?}"),
    }
    bench
        .wiki
        .rename(&RenameRequest {
            recursive: false,
            ..request
        })
        .unwrap();
    bench.is_whole();
}

#[test]
fn expired_lock_does_not_block_a_rename() {
    let bench = bench();
    let a = bench.at("/a");
    let lock = bench
        .wiki
        .acquire_lock(bench.at("/a/x"), bench.ben)
        .unwrap();
    bench.advance(301);
    let late = RenameRequest {
        token: Some(lock.token),
        ..bench.renaming(a, "/c", true)
    };
    let error = bench.wiki.rename(&late).unwrap_err();
    assert!(
        matches!(error, RenameError::Gate(GateError::Invalid)),
        "{error:?}"
    );
    bench.rename(a, "/c", true).unwrap();
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
    bench.is_whole();
}
