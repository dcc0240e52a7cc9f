//! A draft whose lock has expired is gone for every caller, swept or not.

use std::fmt::Debug;

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name, path};

#[track_caller]
fn assert_gone<T: Debug, E: Debug>(outcome: Result<T, E>, is_gone: impl FnOnce(&E) -> bool) {
    let error = outcome.expect_err("it is still there");
    assert!(is_gone(&error), "{error:?}");
}

/// Tries all operations of a page on the draft.
fn check(test: &TestWiki, draft: PageId, token: LockToken, file: AssetId) {
    let wiki = &test.wiki;
    let page = |error: &PageError| matches!(error, PageError::NotFound);
    assert_gone(wiki.pages().path(draft), page);
    assert_gone(wiki.pages().meta(draft, None), page);
    assert_gone(wiki.tree().parent(draft), page);
    assert_gone(wiki.pages().source(draft, None), page);
    assert_gone(wiki.pages().raw_source(draft, None), page);
    assert_gone(wiki.revisions().history(draft, Wording::En, None), page);
    assert_gone(wiki.links().backlinks(draft, None, 10), page);
    assert_gone(wiki.links().of_page(draft), page);
    let past = |error: &HistoryError| matches!(error, HistoryError::Page(PageError::NotFound));
    assert_gone(
        wiki.revisions().rollback(draft, 1, test.aya, Some(token)),
        past,
    );
    assert_gone(wiki.revisions().compact(draft, 1, Some(token)), past);
    let lock = |error: &LockError| matches!(error, LockError::PageNotFound);
    assert_gone(wiki.locks().status(draft), lock);
    assert_gone(wiki.locks().acquire(draft, test.aya), lock);
    assert_gone(wiki.locks().take_over(draft, test.aya), lock);
    let asset = |error: &AssetError| matches!(error, AssetError::PageNotFound);
    assert_gone(wiki.assets().of_page(draft, true), asset);
    assert_gone(test.upload(draft, "late.txt", b"late"), asset);
    assert_gone(
        wiki.assets().find(&path("/a/x"), &file_name("a.txt")),
        asset,
    );
    assert_gone(wiki.assets().set_owner(file, draft), asset);
    assert_gone(test.rename(draft, "/b", false), |error| {
        matches!(error, RenameError::NotFound)
    });
    assert_gone(test.restore(draft, "/b", false), |error| {
        matches!(error, RestoreError::NotFound)
    });
    assert_gone(test.delete(draft, false), |error| {
        matches!(error, DeleteError::NotFound)
    });
}

#[test]
fn expired_draft_is_gone_for_every_operation() {
    let test = TestWiki::new();
    let other = test.page("/other", "text");
    let file = test.upload(other, "b.txt", b"b").unwrap().id;
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a/x"), test.aya)
        .unwrap();
    test.upload(draft, "a.txt", b"a").unwrap();
    let late = test.wiki.assets().begin(draft, file_name("late.txt"), None);
    test.advance(299);
    assert_eq!(test.wiki.pages().path(draft).unwrap(), path("/a/x"));
    test.advance(1);
    check(&test, draft, lock.token, file);
    assert_gone(
        test.wiki.assets().finish(late.unwrap(), test.aya),
        |error| matches!(error, AssetError::PageNotFound),
    );
    test.wiki.locks().sweep().unwrap();
    check(&test, draft, lock.token, file);
}
