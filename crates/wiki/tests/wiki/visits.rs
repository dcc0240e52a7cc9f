//! The pages that a user read last.

use fumikura_wiki::*;

use crate::support::Bench;

fn visited(bench: &Bench, person: UserId) -> Vec<String> {
    let pages = bench.wiki.recent_pages(person).unwrap().into_iter();
    pages.map(|page| page.path.to_string()).collect()
}

#[test]
fn pages_are_listed_once_per_user_latest_first() {
    let bench = Bench::new();
    let [a, b, c] = bench.pages(["/a", "/b", "/c"]);
    for page in [a, b, c, a] {
        bench.wiki.visit(bench.aya, page).unwrap();
    }
    assert_eq!(visited(&bench, bench.aya), ["/a", "/c", "/b"]);
    assert!(visited(&bench, bench.ben).is_empty());
    bench.wiki.visit(bench.ben, b).unwrap();
    assert_eq!(visited(&bench, bench.aya), ["/a", "/c", "/b"]);
    assert_eq!(visited(&bench, bench.ben), ["/b"]);
}

#[test]
fn visits_survive_a_restart() {
    let bench = Bench::new();
    let page = bench.page("/a", "# Alpha");
    bench.wiki.visit(bench.aya, page).unwrap();
    let bench = bench.reopened();
    let [only] = <[_; 1]>::try_from(bench.wiki.recent_pages(bench.aya).unwrap()).unwrap();
    assert_eq!((only.page_id, only.title.as_deref()), (page, Some("Alpha")));
}

#[test]
fn latest_fifty_are_kept() {
    let bench = Bench::new();
    let pages: Vec<PageId> = (0..60)
        .map(|number| bench.page(&format!("/p{number}"), ""))
        .collect();
    for page in &pages {
        bench.wiki.visit(bench.aya, *page).unwrap();
    }
    let kept = bench.wiki.recent_pages(bench.aya).unwrap();
    let latest = pages.iter().rev().take(50).copied();
    assert!(kept.iter().map(|page| page.page_id).eq(latest));
}

#[test]
fn visits_follow_renames_and_hide_deleted_pages() {
    let bench = Bench::new();
    let [a, b] = bench.pages(["/a", "/b"]);
    bench.wiki.visit(bench.aya, a).unwrap();
    bench.wiki.visit(bench.aya, b).unwrap();
    bench.rename(a, "/moved", false).unwrap();
    assert_eq!(visited(&bench, bench.aya), ["/b", "/moved"]);
    bench.delete(b, false).unwrap();
    assert_eq!(visited(&bench, bench.aya), ["/moved"]);
    let refused = bench.wiki.visit(bench.aya, b);
    assert!(matches!(refused, Err(PageError::Deleted(_))), "{refused:?}");
    bench.restore(b, "/b", false).unwrap();
    assert_eq!(visited(&bench, bench.aya), ["/b", "/moved"]);
    bench.wiki.visit(bench.aya, a).unwrap();
    assert_eq!(visited(&bench, bench.aya), ["/moved", "/b"]);
}

#[test]
fn erased_page_is_neither_listed_nor_visited() {
    let bench = Bench::new();
    let page = bench.page("/a", "");
    bench.wiki.visit(bench.aya, page).unwrap();
    bench.erase(page, false).unwrap();
    assert!(visited(&bench, bench.aya).is_empty());
    let refused = bench.wiki.visit(bench.aya, page);
    assert!(matches!(refused, Err(PageError::NotFound)), "{refused:?}");
}
