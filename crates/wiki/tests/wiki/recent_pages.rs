//! The pages that a user read last.

use fumikura_wiki::*;

use crate::support::TestWiki;

fn visited(test: &TestWiki, user: UserId) -> Vec<String> {
    let pages = test.wiki.visits().recent_pages(user).unwrap().into_iter();
    pages.map(|page| page.path.to_string()).collect()
}

#[test]
fn pages_are_listed_once_per_user_latest_first() {
    let test = TestWiki::new();
    let [a, b, c] = test.pages(["/a", "/b", "/c"]);
    for page in [a, b, c, a] {
        test.wiki.visits().visit_page(test.aya, page).unwrap();
    }
    assert_eq!(visited(&test, test.aya), ["/a", "/c", "/b"]);
    assert!(visited(&test, test.ben).is_empty());
    test.wiki.visits().visit_page(test.ben, b).unwrap();
    assert_eq!(visited(&test, test.aya), ["/a", "/c", "/b"]);
    assert_eq!(visited(&test, test.ben), ["/b"]);
}

#[test]
fn visits_survive_a_restart() {
    let test = TestWiki::new();
    let page = test.page("/a", "# Alpha");
    test.wiki.visits().visit_page(test.aya, page).unwrap();
    let test = test.reopen();
    let [only] = <[_; 1]>::try_from(test.wiki.visits().recent_pages(test.aya).unwrap()).unwrap();
    assert_eq!((only.page_id, only.title.as_deref()), (page, Some("Alpha")));
}

#[test]
fn latest_fifty_are_kept() {
    let test = TestWiki::new();
    let pages: Vec<PageId> = (0..60)
        .map(|number| test.page(&format!("/p{number}"), ""))
        .collect();
    for page in &pages {
        test.wiki.visits().visit_page(test.aya, *page).unwrap();
    }
    let recent = test.wiki.visits().recent_pages(test.aya).unwrap();
    let latest = pages.iter().rev().take(50).copied();
    assert!(recent.iter().map(|page| page.page_id).eq(latest));
}

#[test]
fn visits_follow_renames_and_hide_deleted_pages() {
    let test = TestWiki::new();
    let [a, b] = test.pages(["/a", "/b"]);
    test.wiki.visits().visit_page(test.aya, a).unwrap();
    test.wiki.visits().visit_page(test.aya, b).unwrap();
    test.rename(a, "/moved", false).unwrap();
    assert_eq!(visited(&test, test.aya), ["/b", "/moved"]);
    test.delete(b, false).unwrap();
    assert_eq!(visited(&test, test.aya), ["/moved"]);
    let refused = test.wiki.visits().visit_page(test.aya, b);
    assert!(matches!(refused, Err(PageError::Deleted(_))), "{refused:?}");
    test.restore(b, "/b", false).unwrap();
    assert_eq!(visited(&test, test.aya), ["/b", "/moved"]);
    test.wiki.visits().visit_page(test.aya, a).unwrap();
    assert_eq!(visited(&test, test.aya), ["/moved", "/b"]);
}

#[test]
fn erased_page_is_neither_listed_nor_visited() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    test.wiki.visits().visit_page(test.aya, page).unwrap();
    test.erase(page, false).unwrap();
    assert!(visited(&test, test.aya).is_empty());
    let refused = test.wiki.visits().visit_page(test.aya, page);
    assert!(matches!(refused, Err(PageError::NotFound)), "{refused:?}");
}
