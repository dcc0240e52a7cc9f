//! Titles that contain the names of other pages: they follow renames without being rewritten.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

/// The page's title, which all views must agree on.
#[track_caller]
fn title_of(test: &TestWiki, page: PageId) -> Option<String> {
    let wiki = &test.wiki;
    let meta = wiki.pages().meta(page, None).unwrap();
    let title = meta.title;
    let at = meta.path_state.path().clone();
    assert_eq!(wiki.pages().resolve(&at).unwrap().title, title);
    let query = ListingQuery {
        prefix: at,
        cursor: None,
        backwards: false,
        limit: 1,
        with_deleted: false,
    };
    assert_eq!(wiki.pages().list(&query).unwrap().items[0].title, title);
    let found = wiki.search().find("", 100).unwrap();
    let found = found.into_iter().find(|found| found.page_id == page);
    let spans = found.unwrap().title;
    let whole = spans.map(|spans| spans.into_iter().map(|span| span.text).collect::<String>());
    assert_eq!(whole, title);
    // The search index agrees.
    test.check_tables();
    title
}

fn found(test: &TestWiki, typed: &str) -> Vec<PageId> {
    let found = test.wiki.search().find(typed, 100).unwrap();
    found.into_iter().map(|page| page.page_id).collect()
}

#[test]
fn title_follows_the_page_it_names() {
    let test = TestWiki::new();
    let kyoto = test.page("/旅/京都", "");
    let page = test.page("/p", "# [[/旅/京都]] と [[/旅/京都|古都]] [[/旅/京都#寺]]");
    assert_eq!(title_of(&test, page).unwrap(), "京都 と 古都 京都#寺");
    assert_eq!(found(&test, "京都 寺"), [page]);
    test.rename(kyoto, "/旅/奈良", false).unwrap();
    assert_eq!(found(&test, "京都"), []);
    assert_eq!(found(&test, "奈良 寺"), [page]);
    assert_eq!(title_of(&test, page).unwrap(), "奈良 と 古都 奈良#寺");
    assert_eq!(
        test.wiki.pages().meta(page, None).unwrap().revisions,
        Some((1, 1))
    );
    // In the trash, the other page keeps its name.
    test.delete(kyoto, false).unwrap();
    assert_eq!(title_of(&test, page).unwrap(), "奈良 と 古都 奈良#寺");
    test.restore(kyoto, "/100% [x]", false).unwrap();
    assert_eq!(
        title_of(&test, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
    test.erase(kyoto, false).unwrap();
    assert_eq!(
        title_of(&test, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
    let test = test.reopen();
    assert_eq!(
        title_of(&test, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
}

#[test]
fn title_contains_the_title_of_the_page_it_names() {
    let test = TestWiki::new();
    let kyoto = test.page("/kyoto", "# Kyoto in [[/autumn]]");
    let autumn = test.page("/autumn", "# Autumn");
    let page = test.page("/p", "# On [[/kyoto]], [[/kyoto|there]], [[/kyoto#寺]]");
    // A title within a title names further pages by their paths.
    assert_eq!(
        title_of(&test, page).unwrap(),
        "On Kyoto in autumn, there, Kyoto in autumn#寺"
    );
    assert_eq!(title_of(&test, kyoto).unwrap(), "Kyoto in Autumn");
    test.rename(autumn, "/fall", false).unwrap();
    assert_eq!(found(&test, "on fall"), [page]);
    test.put(kyoto, "# Old [[/p]]");
    assert_eq!(title_of(&test, page).unwrap(), "On Old p, there, Old p#寺");
    // Without its own title, and in the trash, the other page is named by its path.
    test.put(kyoto, "no heading");
    assert_eq!(title_of(&test, page).unwrap(), "On kyoto, there, kyoto#寺");
    test.put(kyoto, "# Back");
    test.delete(kyoto, false).unwrap();
    assert_eq!(title_of(&test, page).unwrap(), "On kyoto, there, kyoto#寺");
}

#[test]
fn metadata_lists_linked_pages() {
    let test = TestWiki::new();
    let (first, second) = (test.page("/b", "# B"), test.page("/a", "plain"));
    let trashed = test.page("/gone", "# Gone");
    let page = test.page("/p", "[[/b]] [a](/a) [[/b#x]] [[/gone]] [[/later]]");
    test.delete(trashed, false).unwrap();
    let linked = |revision| {
        let meta = test.wiki.pages().meta(page, revision).unwrap();
        let pages = meta.linked_pages.into_iter();
        pages
            .map(|linked| (linked.page_id, linked.title))
            .collect::<Vec<_>>()
    };
    let mut expected = [(first, Some("B".to_owned())), (second, None)];
    expected.sort();
    let mut found = linked(None);
    found.sort();
    assert_eq!(found, expected);
    test.put(page, "nothing");
    assert_eq!(linked(Some(1)), []);
}

#[test]
fn title_follows_a_page_created_later() {
    for restored in [false, true] {
        let test = TestWiki::new();
        let page = test.page("/p", "# [[/later]]");
        assert_eq!(title_of(&test, page).unwrap(), "later");
        let later = test.page("/later", "");
        assert_eq!(title_of(&test, page).unwrap(), "later");
        test.rename(later, "/moved", false).unwrap();
        assert_eq!(title_of(&test, page).unwrap(), "moved");
        // The page itself moves. From then on its link names the other page by id.
        if restored {
            test.delete(page, false).unwrap();
            test.restore(page, "/q", false).unwrap();
        } else {
            test.rename(page, "/q", false).unwrap();
        }
        assert_eq!(title_of(&test, page).unwrap(), "moved");
        test.rename(later, "/moved/again", false).unwrap();
        assert_eq!(title_of(&test, page).unwrap(), "again");
    }
}

#[test]
fn title_follows_its_own_page() {
    let test = TestWiki::new();
    let page = test.page("/one", "# [[/one]]");
    assert_eq!(title_of(&test, page).unwrap(), "one");
    test.rename(page, "/two", false).unwrap();
    assert_eq!(title_of(&test, page).unwrap(), "two");
    test.wiki
        .pages()
        .save(test.by_version(page, 2, 0, "# other"))
        .unwrap();
    assert_eq!(title_of(&test, page).unwrap(), "other");
    test.wiki
        .revisions()
        .rollback(page, 1, test.aya, None)
        .unwrap();
    assert_eq!(title_of(&test, page).unwrap(), "two");
}

#[test]
fn trash_and_backlinks_show_the_same_title() {
    let test = TestWiki::new();
    let target = test.page("/t", "");
    let page = test.page("/p", "# to [[/t]]");
    test.rename(target, "/t2", false).unwrap();
    let backlinks = test.wiki.links().backlinks(target, None, 10).unwrap();
    assert_eq!(backlinks[0].title.as_deref(), Some("to t2"));
    test.delete(page, false).unwrap();
    assert_eq!(
        test.wiki.tree().trash(None, 1).unwrap()[0].title.as_deref(),
        Some("to t2")
    );
    let deleted = test.wiki.tree().deleted_pages_at(&path("/p")).unwrap();
    assert_eq!(deleted[0].title.as_deref(), Some("to t2"));
}

#[test]
fn long_title_of_page_names_is_cut() {
    let test = TestWiki::new();
    let target = test.page("/t", "");
    let page = test.page("/p", &format!("# {}", "[[/t]] ".repeat(1000)));
    test.rename(target, &format!("/{}", "長".repeat(80)), false)
        .unwrap();
    let title = title_of(&test, page).unwrap();
    assert!((500..=512).contains(&title.len()), "{}", title.len());
    // A character with a meaning in the table has none in a text.
    let page = test.page("/q", "# a\0/t\0b");
    assert_eq!(title_of(&test, page).unwrap(), "a\u{fffd}/t\u{fffd}b");
}
