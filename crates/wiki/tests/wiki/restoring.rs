//! Restores pages from the trash: alone or with their subpages, to the same path or another one.

use fumikura_wiki::*;

use crate::support::{Bench, file_name, path};

#[test]
fn restored_page_is_unchanged() {
    let bench = Bench::new();
    let target = bench.page("/target", "");
    let links_here = bench.page("/links", "[a](/a)");
    let page = bench.page("/a", "[t](/target) [n](none)");
    bench.rename(page, "/b", false).unwrap();
    bench.bring(page, "kept.txt", b"words").unwrap();
    let meta = bench.wiki.page_meta(page, None).unwrap();
    bench.delete(page, false).unwrap();
    bench.is_whole();
    let restored = bench.restore(page, "/b", false).unwrap();
    let expected = ChangedPage {
        page_id: page,
        path: path("/b"),
        revision: 2,
    };
    assert_eq!(
        (restored.pages, restored.warnings),
        (vec![expected], vec![])
    );
    assert_eq!(bench.wiki.page_meta(page, None).unwrap(), meta);
    assert_eq!(bench.text(page), "[t](/target) [n](none)");
    assert_eq!(
        bench.wiki.source(page, Some(1)).unwrap().source,
        "[t](/target) [n](none)"
    );
    let files = bench.wiki.assets(page, false).unwrap();
    assert_eq!(files[0].file_name, file_name("kept.txt"));
    assert_eq!(bench.at("/target"), target);
    assert_eq!(bench.text(links_here), "[a](/b)");
    assert_eq!(bench.wiki.deleted_pages_at(&path("/b")).unwrap(), []);
    assert!(
        matches!(bench.wiki.resolve(&path("/a")), Err(ResolveError::Moved { to, .. }) if to == path("/b"))
    );
    bench.is_whole();
}

#[test]
fn links_follow_a_page_out_of_the_trash() {
    let bench = Bench::new();
    let page = bench.page("/a", "");
    let links_here = bench.page("/links", "[a](/a#x)");
    bench.delete(page, false).unwrap();
    assert_eq!(bench.text(links_here), "[a](/a#x)");
    bench.restore(page, "/旅/a", false).unwrap();
    assert_eq!(bench.text(links_here), "[a](/旅/a#x)");
    bench.is_whole();
}

#[test]
fn restore_returns_only_pages_deleted_together() {
    let bench = Bench::new();
    let [a, _, one, two] = bench.pages(["/a", "/a/x", "/a/x/1", "/a/x/2"]);
    bench.delete(one, false).unwrap();
    bench.delete(a, true).unwrap();
    bench.restore(two, "/elsewhere", false).unwrap();
    let restored = bench.restore(a, "/c", true).unwrap();
    let paths: Vec<_> = restored
        .pages
        .iter()
        .map(|page| page.path.as_str())
        .collect();
    assert_eq!(paths, ["/c", "/c/x"]);
    assert_eq!(bench.standing(), ["/a/x/1†", "/c", "/c/x", "/elsewhere"]);
    bench.is_whole();
    bench.restore(one, "/a/x/1", true).unwrap();
    assert_eq!(bench.standing(), ["/a/x/1", "/c", "/c/x", "/elsewhere"]);
    bench.is_whole();
}

#[test]
fn restoring_one_page_leaves_others_in_trash() {
    let bench = Bench::new();
    let [a, x] = bench.pages(["/a", "/a/x"]);
    bench.delete(a, true).unwrap();
    bench.restore(x, "/a/x", false).unwrap();
    assert_eq!(bench.standing(), ["/a†", "/a/x"]);
    bench.is_whole();
}

#[test]
fn page_restored_elsewhere_redirects_its_old_path() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    bench.delete(page, false).unwrap();
    bench.advance(60);
    bench.restore(page, "/b", false).unwrap();
    let went = |at| match bench.wiki.resolve(&path(at)) {
        Err(ResolveError::Moved { to, .. }) => to.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(went("/a"), "/b");
    let meta = bench.wiki.page_meta(page, None).unwrap();
    assert_eq!(
        (meta.revisions, meta.rename_revisions),
        (Some((1, 1)), vec![1])
    );
    bench.is_whole();

    // A page that used the path since has left it later.
    let second = bench.page("/c", "second");
    bench.delete(second, false).unwrap();
    bench.advance(60);
    let third = bench.page("/c", "third");
    bench.rename(third, "/third", false).unwrap();
    bench.advance(60);
    bench.restore(second, "/second", false).unwrap();
    assert_eq!(went("/c"), "/third");
    bench.is_whole();
}

#[test]
fn links_survive_a_restore_elsewhere() {
    let bench = Bench::new();
    let page = bench.page("/a/p", "[waits](q) [is](r) [not yet](s) [abs](/a/q)");
    let r = bench.page("/a/r", "");
    bench.page("/a/q", "");
    bench.delete(page, false).unwrap();
    bench.restore(page, "/b/p", false).unwrap();
    assert_eq!(
        bench.text(page),
        "[waits](/a/q) [is](/a/r) [not yet](s) [abs](/a/q)"
    );
    bench.is_whole();
    let s = bench.page("/b/s", "");
    assert_eq!(
        bench.text(page),
        "[waits](/a/q) [is](/a/r) [not yet](/b/s) [abs](/a/q)"
    );
    bench.rename(r, "/r", false).unwrap();
    bench.rename(s, "/s", false).unwrap();
    assert_eq!(
        bench.text(page),
        "[waits](/a/q) [is](/r) [not yet](/s) [abs](/a/q)"
    );
    assert_eq!(
        bench.wiki.page_meta(page, None).unwrap().revisions,
        Some((1, 1))
    );
    bench.is_whole();
}

#[test]
fn restore_binds_links_waiting_for_its_path() {
    let bench = Bench::new();
    let page = bench.page("/a", "");
    bench.delete(page, false).unwrap();
    let waiting = bench.page("/w", "[b](/b)");
    bench.restore(page, "/b", false).unwrap();
    bench.rename(page, "/c", false).unwrap();
    assert_eq!(bench.text(waiting), "[b](/c)");
    bench.is_whole();
}

#[test]
fn files_deleted_before_their_page_stay_deleted() {
    let bench = Bench::new();
    let page = bench.page("/a", "");
    let gone = bench.bring(page, "gone.txt", b"1").unwrap();
    bench.wiki.delete_asset(gone.id).unwrap();
    bench.bring(page, "kept.txt", b"2").unwrap();
    bench.delete(page, true).unwrap();
    bench.restore(page, "/a", true).unwrap();
    let names = |with_deleted| {
        let files = bench.wiki.assets(page, with_deleted).unwrap();
        files
            .iter()
            .map(|file| file.file_name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(false), ["kept.txt"]);
    assert_eq!(names(true).len(), 2);
    bench.is_whole();
}

#[track_caller]
fn refused(bench: &Bench, page: PageId, to: &str, recursive: bool) -> RestoreError {
    let before = bench.standing();
    let error = bench.restore(page, to, recursive).unwrap_err();
    assert_eq!(bench.standing(), before);
    bench.is_whole();
    error
}

#[test]
fn invalid_restores_are_refused_with_a_reason() {
    let bench = Bench::new();
    let [a, b, _] = bench.pages(["/a", "/b", "/a/z"]);
    for recursive in [false, true] {
        assert!(matches!(
            refused(&bench, b, "/c", recursive),
            RestoreError::NotDeleted
        ));
    }
    let nobody: PageId = "01JD0000000000000000000000".parse().unwrap();
    assert!(matches!(
        refused(&bench, nobody, "/c", false),
        RestoreError::NotFound
    ));
    let (draft, _) = bench.wiki.create_draft(&path("/draft"), bench.ben).unwrap();
    assert!(matches!(
        refused(&bench, draft, "/c", false),
        RestoreError::Draft
    ));
    bench.delete(a, true).unwrap();
    for taken in ["/b", "/"] {
        let error = refused(&bench, a, taken, false);
        assert!(matches!(error, RestoreError::Taken(PathTaken::Page(at)) if at == path(taken)));
    }
    let error = refused(&bench, a, "/draft", false);
    assert!(matches!(
        error,
        RestoreError::Taken(PathTaken::Draft { user_name, .. }) if user_name == "Ben"
    ));
    let held = bench.wiki.acquire_lock(b, bench.aya).unwrap();
    let request = RestoreRequest {
        page_id: a,
        to: path("/a"),
        recursive: false,
        token: Some(held.token),
    };
    let error = bench.wiki.restore(&request).unwrap_err();
    assert!(
        matches!(error, RestoreError::Gate(GateError::Invalid)),
        "{error:?}"
    );
    // An expired draft makes room.
    bench.advance(301);
    bench.restore(a, "/draft", false).unwrap();
    bench.is_whole();
}

#[test]
fn nothing_is_restored_if_one_page_cannot_be() {
    let bench = Bench::new();
    let [a, ..] = bench.pages(["/a", "/a/1", "/a/2", "/a/z"]);
    bench.delete(a, true).unwrap();
    bench.pages(["/a/z"]);
    let error = refused(&bench, a, "/a", true);
    assert!(matches!(error, RestoreError::Taken(PathTaken::Page(at)) if at == path("/a/z")));
    let deep = "/d".repeat(64);
    let error = refused(&bench, a, &deep, true);
    assert!(matches!(
        error,
        RestoreError::InvalidPath { path: at, reason: InvalidPath::TooDeep(65) } if at == path("/a/1")
    ));
    bench.restore(a, "/a", false).unwrap();
    bench.is_whole();
}
