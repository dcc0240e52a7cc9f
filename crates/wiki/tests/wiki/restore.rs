//! Restores pages from the trash: alone or with their subpages, to the same path or another one.

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name, path};

#[test]
fn restored_page_is_unchanged() {
    let test = TestWiki::new();
    let target = test.page("/target", "");
    let links_here = test.page("/links", "[a](/a)");
    let page = test.page("/a", "[t](/target) [n](none)");
    test.rename(page, "/b", false).unwrap();
    test.upload(page, "kept.txt", b"words").unwrap();
    let meta = test.wiki.pages().meta(page, None).unwrap();
    test.delete(page, false).unwrap();
    test.check_tables();
    let restored = test.restore(page, "/b", false).unwrap();
    let expected = ChangedPage {
        page_id: page,
        path: path("/b"),
        revision: 2,
    };
    assert_eq!(
        (restored.pages, restored.warnings),
        (vec![expected], vec![])
    );
    assert_eq!(test.wiki.pages().meta(page, None).unwrap(), meta);
    assert_eq!(test.text(page), "[t](/target) [n](none)");
    assert_eq!(
        test.wiki.pages().source(page, Some(1)).unwrap().source,
        "[t](/target) [n](none)"
    );
    let files = test.wiki.assets().of_page(page, false).unwrap();
    assert_eq!(files[0].file_name, file_name("kept.txt"));
    assert_eq!(test.at("/target"), target);
    assert_eq!(test.text(links_here), "[a](/b)");
    assert_eq!(test.wiki.tree().deleted_pages_at(&path("/b")).unwrap(), []);
    assert!(
        matches!(test.wiki.pages().resolve(&path("/a")), Err(ResolveError::Moved { to, .. }) if to == path("/b"))
    );
    test.check_tables();
}

#[test]
fn links_follow_a_page_out_of_the_trash() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let links_here = test.page("/links", "[a](/a#x)");
    test.delete(page, false).unwrap();
    assert_eq!(test.text(links_here), "[a](/a#x)");
    test.restore(page, "/旅/a", false).unwrap();
    assert_eq!(test.text(links_here), "[a](/旅/a#x)");
    test.check_tables();
}

#[test]
fn restore_returns_only_pages_deleted_together() {
    let test = TestWiki::new();
    let [a, _, one, two] = test.pages(["/a", "/a/x", "/a/x/1", "/a/x/2"]);
    test.delete(one, false).unwrap();
    test.delete(a, true).unwrap();
    test.restore(two, "/elsewhere", false).unwrap();
    let restored = test.restore(a, "/c", true).unwrap();
    let paths: Vec<_> = restored
        .pages
        .iter()
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(paths, ["/c", "/c/x"]);
    assert_eq!(test.page_paths(), ["/a/x/1†", "/c", "/c/x", "/elsewhere"]);
    test.check_tables();
    test.restore(one, "/a/x/1", true).unwrap();
    assert_eq!(test.page_paths(), ["/a/x/1", "/c", "/c/x", "/elsewhere"]);
    test.check_tables();
}

#[test]
fn restoring_one_page_leaves_others_in_trash() {
    let test = TestWiki::new();
    let [a, x] = test.pages(["/a", "/a/x"]);
    test.delete(a, true).unwrap();
    test.restore(x, "/a/x", false).unwrap();
    assert_eq!(test.page_paths(), ["/a†", "/a/x"]);
    test.check_tables();
}

#[test]
fn page_restored_elsewhere_redirects_its_old_path() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    test.delete(page, false).unwrap();
    test.advance(60);
    test.restore(page, "/b", false).unwrap();
    let redirect = |at| match test.wiki.pages().resolve(&path(at)) {
        Err(ResolveError::Moved { to, .. }) => to.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(redirect("/a"), "/b");
    let meta = test.wiki.pages().meta(page, None).unwrap();
    assert_eq!(
        (meta.revisions, meta.rename_revisions),
        (Some((1, 1)), vec![1])
    );
    test.check_tables();

    // A page that used the path since has left it later.
    let second = test.page("/c", "second");
    test.delete(second, false).unwrap();
    test.advance(60);
    let third = test.page("/c", "third");
    test.rename(third, "/third", false).unwrap();
    test.advance(60);
    test.restore(second, "/second", false).unwrap();
    assert_eq!(redirect("/c"), "/third");
    test.check_tables();
}

#[test]
fn links_survive_a_restore_elsewhere() {
    let test = TestWiki::new();
    let page = test.page("/a/p", "[waits](q) [is](r) [not yet](s) [abs](/a/q)");
    let r = test.page("/a/r", "");
    test.page("/a/q", "");
    test.delete(page, false).unwrap();
    test.restore(page, "/b/p", false).unwrap();
    assert_eq!(
        test.text(page),
        "[waits](/a/q) [is](/a/r) [not yet](s) [abs](/a/q)"
    );
    test.check_tables();
    let s = test.page("/b/s", "");
    assert_eq!(
        test.text(page),
        "[waits](/a/q) [is](/a/r) [not yet](/b/s) [abs](/a/q)"
    );
    test.rename(r, "/r", false).unwrap();
    test.rename(s, "/s", false).unwrap();
    assert_eq!(
        test.text(page),
        "[waits](/a/q) [is](/r) [not yet](/s) [abs](/a/q)"
    );
    assert_eq!(
        test.wiki.pages().meta(page, None).unwrap().revisions,
        Some((1, 1))
    );
    test.check_tables();
}

#[test]
fn restore_binds_links_waiting_for_its_path() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    test.delete(page, false).unwrap();
    let waiting = test.page("/w", "[b](/b)");
    test.restore(page, "/b", false).unwrap();
    test.rename(page, "/c", false).unwrap();
    assert_eq!(test.text(waiting), "[b](/c)");
    test.check_tables();
}

#[test]
fn files_deleted_before_their_page_stay_deleted() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let deleted_file = test.upload(page, "gone.txt", b"1").unwrap();
    test.wiki.assets().delete(deleted_file.id).unwrap();
    test.upload(page, "kept.txt", b"2").unwrap();
    test.delete(page, true).unwrap();
    test.restore(page, "/a", true).unwrap();
    let names = |with_deleted| {
        let files = test.wiki.assets().of_page(page, with_deleted).unwrap();
        files
            .iter()
            .map(|file| file.file_name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["kept.txt"]);
    assert_eq!(names(true).len(), 2);
    test.check_tables();
}

#[track_caller]
fn expect_refusal(test: &TestWiki, page: PageId, to: &str, recursive: bool) -> RestoreError {
    let before = test.page_paths();
    let error = test.restore(page, to, recursive).unwrap_err();
    assert_eq!(test.page_paths(), before);
    test.check_tables();
    error
}

#[test]
fn invalid_restores_are_refused_with_a_reason() {
    let test = TestWiki::new();
    let [a, b, _] = test.pages(["/a", "/b", "/a/z"]);
    for recursive in [false, true] {
        assert!(matches!(
            expect_refusal(&test, b, "/c", recursive),
            RestoreError::NotDeleted
        ));
    }
    let unknown_id: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        expect_refusal(&test, unknown_id, "/c", false),
        RestoreError::NotFound
    ));
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/draft"), test.ben)
        .unwrap();
    assert!(matches!(
        expect_refusal(&test, draft, "/c", false),
        RestoreError::Draft
    ));
    test.delete(a, true).unwrap();
    for taken in ["/b", "/"] {
        let error = expect_refusal(&test, a, taken, false);
        assert!(matches!(error, RestoreError::Taken(PathTaken::Page(at)) if at == path(taken)));
    }
    let error = expect_refusal(&test, a, "/draft", false);
    assert!(matches!(
        error,
        RestoreError::Taken(PathTaken::Draft { user_name, .. }) if user_name == "Ben"
    ));
    let held = test.wiki.locks().acquire(b, test.aya).unwrap();
    let request = RestoreRequest {
        page_id: a,
        to: path("/a"),
        recursive: false,
        token: Some(held.token),
    };
    let error = test.wiki.tree().restore(&request).unwrap_err();
    assert!(
        matches!(error, RestoreError::Gate(GateError::Invalid)),
        "{error:?}"
    );
    // An expired draft makes room.
    test.advance(301);
    test.restore(a, "/draft", false).unwrap();
    test.check_tables();
}

#[test]
fn nothing_is_restored_if_one_page_cannot_be() {
    let test = TestWiki::new();
    let [a, ..] = test.pages(["/a", "/a/1", "/a/2", "/a/z"]);
    test.delete(a, true).unwrap();
    test.pages(["/a/z"]);
    let error = expect_refusal(&test, a, "/a", true);
    assert!(matches!(error, RestoreError::Taken(PathTaken::Page(at)) if at == path("/a/z")));
    let deep = "/d".repeat(64);
    let error = expect_refusal(&test, a, &deep, true);
    assert!(matches!(
        error,
        RestoreError::InvalidPath { path: at, reason: InvalidPath::TooDeep(65) } if at == path("/a/1")
    ));
    test.restore(a, "/a", false).unwrap();
    test.check_tables();
}
