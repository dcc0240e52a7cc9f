//! Titles that contain the names of other pages: they follow renames without being rewritten.

use fumikura_wiki::*;

use crate::support::{Bench, path};

/// The page's title, which all views must agree on.
#[track_caller]
fn called(bench: &Bench, page: PageId) -> Option<String> {
    let wiki = &bench.wiki;
    let meta = wiki.page_meta(page, None).unwrap();
    let title = meta.title;
    let at = meta.path_state.path().clone();
    assert_eq!(wiki.resolve(&at).unwrap().title, title);
    let query = ListingQuery {
        prefix: at,
        cursor: None,
        backwards: false,
        limit: 1,
        with_deleted: false,
    };
    assert_eq!(wiki.list_pages(&query).unwrap().items[0].title, title);
    let found = wiki.search("", 100).unwrap();
    let found = found.into_iter().find(|found| found.page_id == page);
    let spans = found.unwrap().title;
    let whole = spans.map(|spans| spans.into_iter().map(|span| span.text).collect::<String>());
    assert_eq!(whole, title);
    // The search index agrees.
    bench.is_whole();
    title
}

fn found(bench: &Bench, typed: &str) -> Vec<PageId> {
    let found = bench.wiki.search(typed, 100).unwrap();
    found.into_iter().map(|page| page.page_id).collect()
}

#[test]
fn title_follows_the_page_it_names() {
    let bench = Bench::new();
    let kyoto = bench.page("/旅/京都", "");
    let page = bench.page("/p", "# [[/旅/京都]] と [[/旅/京都|古都]] [[/旅/京都#寺]]");
    assert_eq!(called(&bench, page).unwrap(), "京都 と 古都 京都#寺");
    assert_eq!(found(&bench, "京都 寺"), [page]);
    bench.rename(kyoto, "/旅/奈良", false).unwrap();
    assert_eq!(found(&bench, "京都"), []);
    assert_eq!(found(&bench, "奈良 寺"), [page]);
    assert_eq!(called(&bench, page).unwrap(), "奈良 と 古都 奈良#寺");
    assert_eq!(
        bench.wiki.page_meta(page, None).unwrap().revisions,
        Some((1, 1))
    );
    // In the trash, the other page keeps its name.
    bench.delete(kyoto, false).unwrap();
    assert_eq!(called(&bench, page).unwrap(), "奈良 と 古都 奈良#寺");
    bench.restore(kyoto, "/100% [x]", false).unwrap();
    assert_eq!(
        called(&bench, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
    bench.erase(kyoto, false).unwrap();
    assert_eq!(
        called(&bench, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
    let bench = bench.reopened();
    assert_eq!(
        called(&bench, page).unwrap(),
        "100% [x] と 古都 100% [x]#寺"
    );
}

#[test]
fn title_follows_a_page_created_later() {
    for restored in [false, true] {
        let bench = Bench::new();
        let page = bench.page("/p", "# [[/later]]");
        assert_eq!(called(&bench, page).unwrap(), "later");
        let later = bench.page("/later", "");
        assert_eq!(called(&bench, page).unwrap(), "later");
        bench.rename(later, "/moved", false).unwrap();
        assert_eq!(called(&bench, page).unwrap(), "moved");
        // The page itself moves. From then on its link names the other page by id.
        if restored {
            bench.delete(page, false).unwrap();
            bench.restore(page, "/q", false).unwrap();
        } else {
            bench.rename(page, "/q", false).unwrap();
        }
        assert_eq!(called(&bench, page).unwrap(), "moved");
        bench.rename(later, "/moved/again", false).unwrap();
        assert_eq!(called(&bench, page).unwrap(), "again");
    }
}

#[test]
fn title_follows_its_own_page() {
    let bench = Bench::new();
    let page = bench.page("/one", "# [[/one]]");
    assert_eq!(called(&bench, page).unwrap(), "one");
    bench.rename(page, "/two", false).unwrap();
    assert_eq!(called(&bench, page).unwrap(), "two");
    bench
        .wiki
        .save(bench.by_version(page, 2, 0, "# other"))
        .unwrap();
    assert_eq!(called(&bench, page).unwrap(), "other");
    bench.wiki.rollback(page, 1, bench.aya, None).unwrap();
    assert_eq!(called(&bench, page).unwrap(), "two");
}

#[test]
fn trash_and_backlinks_show_the_same_title() {
    let bench = Bench::new();
    let target = bench.page("/t", "");
    let page = bench.page("/p", "# to [[/t]]");
    bench.rename(target, "/t2", false).unwrap();
    let backlinks = bench.wiki.backlinks(target, None, 10).unwrap();
    assert_eq!(backlinks[0].title.as_deref(), Some("to t2"));
    bench.delete(page, false).unwrap();
    assert_eq!(
        bench.wiki.trash(None, 1).unwrap()[0].title.as_deref(),
        Some("to t2")
    );
    let there = bench.wiki.deleted_pages_at(&path("/p")).unwrap();
    assert_eq!(there[0].title.as_deref(), Some("to t2"));
}

#[test]
fn long_title_of_page_names_is_cut() {
    let bench = Bench::new();
    let target = bench.page("/t", "");
    let page = bench.page("/p", &format!("# {}", "[[/t]] ".repeat(1000)));
    bench
        .rename(target, &format!("/{}", "長".repeat(80)), false)
        .unwrap();
    let title = called(&bench, page).unwrap();
    assert!((500..=512).contains(&title.len()), "{}", title.len());
    // A character with a meaning in the table has none in a text.
    let page = bench.page("/q", "# a\0/t\0b");
    assert_eq!(called(&bench, page).unwrap(), "a\u{fffd}/t\u{fffd}b");
}
