//! A draft whose lock has expired is gone for every caller, swept or not.

use std::fmt::Debug;

use fumikura_wiki::*;

use crate::support::{Bench, file_name, path};

#[track_caller]
fn gone<T: Debug, E: Debug>(outcome: Result<T, E>, is_gone: impl FnOnce(&E) -> bool) {
    let error = outcome.expect_err("it is still there");
    assert!(is_gone(&error), "{error:?}");
}

/// Tries all operations of a page on the draft.
fn check(bench: &Bench, draft: PageId, token: LockToken, file: AssetId) {
    let wiki = &bench.wiki;
    let page = |error: &PageError| matches!(error, PageError::NotFound);
    gone(wiki.page_path(draft), page);
    gone(wiki.page_meta(draft, None), page);
    gone(wiki.parent(draft), page);
    gone(wiki.source(draft, None), page);
    gone(wiki.raw_source(draft, None), page);
    gone(wiki.history(draft, Wording::En, None), page);
    gone(wiki.backlinks(draft, None, 10), page);
    gone(wiki.links(draft), page);
    let past = |error: &HistoryError| matches!(error, HistoryError::Page(PageError::NotFound));
    gone(wiki.rollback(draft, 1, bench.aya, Some(token)), past);
    gone(wiki.compact(draft, 1, Some(token)), past);
    let lock = |error: &LockError| matches!(error, LockError::PageNotFound);
    gone(wiki.lock_status(draft), lock);
    gone(wiki.acquire_lock(draft, bench.aya), lock);
    gone(wiki.take_over_lock(draft, bench.aya), lock);
    let asset = |error: &AssetError| matches!(error, AssetError::PageNotFound);
    gone(wiki.assets(draft, true), asset);
    gone(bench.bring(draft, "late.txt", b"late"), asset);
    gone(wiki.find_asset(&path("/a/x"), &file_name("a.txt")), asset);
    gone(wiki.set_asset_owner(file, draft), asset);
    gone(bench.rename(draft, "/b", false), |error| {
        matches!(error, RenameError::NotFound)
    });
    gone(bench.restore(draft, "/b", false), |error| {
        matches!(error, RestoreError::NotFound)
    });
    gone(bench.delete(draft, false), |error| {
        matches!(error, DeleteError::NotFound)
    });
}

#[test]
fn expired_draft_is_gone_for_every_operation() {
    let bench = Bench::new();
    let other = bench.page("/other", "text");
    let file = bench.bring(other, "b.txt", b"b").unwrap().id;
    let (draft, lock) = bench.wiki.create_draft(&path("/a/x"), bench.aya).unwrap();
    bench.bring(draft, "a.txt", b"a").unwrap();
    let late = bench.wiki.begin_asset(draft, file_name("late.txt"), None);
    bench.advance(299);
    assert_eq!(bench.wiki.page_path(draft).unwrap(), path("/a/x"));
    bench.advance(1);
    check(&bench, draft, lock.token, file);
    gone(bench.wiki.finish_asset(late.unwrap(), bench.aya), |error| {
        matches!(error, AssetError::PageNotFound)
    });
    bench.wiki.sweep_locks().unwrap();
    check(&bench, draft, lock.token, file);
}
