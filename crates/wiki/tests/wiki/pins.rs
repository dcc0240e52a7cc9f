//! The pages that a user has pinned, and the appearance of the tree.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

fn pinned(test: &TestWiki, user: UserId) -> Vec<String> {
    let pages = test.wiki.tree().pinned_pages(user).unwrap().into_iter();
    pages.map(|page| page.path.to_string()).collect()
}

#[test]
fn pins_are_kept_per_user_in_order() {
    let test = TestWiki::new();
    let [a, b, c] = test.pages(["/a", "/b", "/c"]);
    for page in [b, a, c, b] {
        test.wiki.tree().pin(test.aya, page).unwrap();
    }
    assert_eq!(pinned(&test, test.aya), ["/b", "/a", "/c"]);
    assert!(pinned(&test, test.ben).is_empty());
    test.wiki.tree().unpin(test.aya, a).unwrap();
    test.wiki.tree().unpin(test.aya, a).unwrap();
    let test = test.reopen();
    assert_eq!(pinned(&test, test.aya), ["/b", "/c"]);
    test.check_tables();
}

#[test]
fn pins_follow_renames_and_hide_deleted_pages() {
    let test = TestWiki::new();
    let [a, b, c] = test.pages(["/a", "/b", "/c"]);
    for page in [a, b] {
        test.wiki.tree().pin(test.aya, page).unwrap();
    }
    test.rename(a, "/moved", false).unwrap();
    assert_eq!(pinned(&test, test.aya), ["/moved", "/b"]);
    test.delete(a, false).unwrap();
    assert_eq!(pinned(&test, test.aya), ["/b"]);
    let refused = test.wiki.tree().pin(test.aya, a);
    assert!(matches!(
        refused,
        Err(PinError::Page(PageError::Deleted(_)))
    ));
    // A restored page is pinned again; a permanently deleted one is dropped.
    test.restore(a, "/back", false).unwrap();
    assert_eq!(pinned(&test, test.aya), ["/back", "/b"]);
    test.erase(a, false).unwrap();
    test.wiki.tree().pin(test.aya, c).unwrap();
    assert_eq!(pinned(&test, test.aya), ["/b", "/c"]);
    test.wiki.tree().unpin(test.aya, a).unwrap();
}

#[test]
fn at_most_a_hundred_pages_are_pinned() {
    let test = TestWiki::new();
    for number in 0..100 {
        let page = test.page(&format!("/p{number}"), "");
        test.wiki.tree().pin(test.aya, page).unwrap();
    }
    let more = test.page("/more", "");
    assert!(matches!(
        test.wiki.tree().pin(test.aya, more),
        Err(PinError::TooMany)
    ));
    assert_eq!(pinned(&test, test.aya).len(), 100);
}

#[test]
fn tree_view_is_kept_per_user() {
    let test = TestWiki::new();
    assert_eq!(
        test.wiki.tree().view(test.aya).unwrap(),
        TreeView::default()
    );
    let view = TreeView {
        sort: TreeSort::Changed,
        open: vec![path("/旅"), path("/旅/京都")],
        scroll: 280,
    };
    test.wiki.tree().set_view(test.aya, &view).unwrap();
    let test = test.reopen();
    assert_eq!(test.wiki.tree().view(test.aya).unwrap(), view);
    assert_eq!(
        test.wiki.tree().view(test.ben).unwrap(),
        TreeView::default()
    );
    test.check_tables();
    let many = TreeView {
        open: (0..1_001).map(|at| path(&format!("/{at}"))).collect(),
        ..view.clone()
    };
    let refused = test.wiki.tree().set_view(test.aya, &many);
    assert!(matches!(refused, Err(TreeViewError::TooManyOpen)));
    assert_eq!(test.wiki.tree().view(test.aya).unwrap(), view);
}
