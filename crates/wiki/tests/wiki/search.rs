//! Finds pages by their titles and paths, after any changes.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

/// The found pages by their titles, or else their paths, with the matches in brackets.
fn found(test: &TestWiki, typed: &str) -> Vec<String> {
    let marked = |spans: &[MatchSpan]| -> String {
        let marked = spans.iter().map(|span| match span.matched {
            true => format!("[{}]", span.text),
            false => span.text.clone(),
        });
        marked.collect()
    };
    let found = test.wiki.search().find(typed, 20).unwrap();
    assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    found
        .iter()
        .map(|page| match &page.title {
            Some(title) => format!("{} ({})", marked(title), marked(&page.path)),
            None => marked(&page.path),
        })
        .collect()
}

fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    test.page("/旅/京都", "# 京都の旅\n");
    test.page("/旅/ガイド", "# 旅のガイド\n");
    test.page("/trips", "no title");
    test.page("/trips/New York", "text\n\nNew York\n===\n");
    test.wiki
        .pages()
        .create_draft(&path("/trips/draft"), test.aya)
        .unwrap();
    test
}

#[test]
fn best_matches_come_first_without_drafts() {
    let test = sample_wiki();
    assert_eq!(found(&test, "京都"), ["京都の旅 (/旅/[京都])"]);
    assert_eq!(
        found(&test, "旅"),
        ["[旅]のガイド (/旅/ガイド)", "京都の[旅] (/旅/京都)"]
    );
    assert_eq!(found(&test, "がいど"), ["旅のガイド (/旅/[ガイド])"]);
    assert_eq!(found(&test, "ＮＥＷ"), ["[New] York (/trips/New York)"]);
    assert_eq!(
        found(&test, "york trip"),
        ["New [York] (/[trip]s/New York)"]
    );
    assert_eq!(
        found(&test, "trps"),
        ["/[tr]i[ps]", "New York (/[tr]i[ps]/New York)"]
    );
    assert_eq!(found(&test, "draft"), Vec::<String>::new());
}

#[test]
fn empty_query_lists_all_pages_by_path() {
    let test = sample_wiki();
    for typed in ["", " ", "\u{3000}\t"] {
        let all = found(&test, typed);
        assert_eq!(all.len(), 5);
        assert!(all[0].ends_with("(/)"), "{all:?}");
        assert_eq!(all[1..3], ["/trips", "New York (/trips/New York)"]);
    }
    assert_eq!(test.wiki.search().find("", 2).unwrap().len(), 2);
    assert_eq!(test.wiki.search().find("", 0).unwrap().len(), 0);
}

#[test]
fn changes_are_found_at_once() {
    let test = sample_wiki();
    assert_eq!(found(&test, "奈良"), Vec::<String>::new());
    let id = test.page("/奈良", "text");
    assert_eq!(found(&test, "奈良"), ["/[奈良]"]);
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "# 鹿"))
        .unwrap();
    assert_eq!(found(&test, "鹿"), ["[鹿] (/奈良)"]);
    test.wiki
        .pages()
        .save(test.by_version(id, 2, 0, "# 大仏"))
        .unwrap();
    assert_eq!(found(&test, "鹿"), Vec::<String>::new());
    test.wiki
        .revisions()
        .rollback(id, 2, test.ben, None)
        .unwrap();
    assert_eq!(found(&test, "鹿"), ["[鹿] (/奈良)"]);
    test.wiki
        .revisions()
        .rollback(id, 1, test.ben, None)
        .unwrap();
    assert_eq!(found(&test, "鹿"), Vec::<String>::new());
    test.rename(id, "/関西/奈良", false).unwrap();
    assert_eq!(found(&test, "関西"), ["/[関西]/奈良"]);
    let test = test.reopen();
    assert_eq!(found(&test, "関西"), ["/[関西]/奈良"]);
}

#[test]
fn next_search_sees_changes_of_a_subtree() {
    let test = sample_wiki();
    assert_eq!(found(&test, "york").len(), 1);
    test.wiki.locks().sweep().unwrap();
    test.advance(3600);
    test.wiki.locks().sweep().unwrap();
    let trips = test.at("/trips");
    test.rename(trips, "/old", true).unwrap();
    assert_eq!(found(&test, "trips"), Vec::<String>::new());
    assert_eq!(found(&test, "old york"), ["New [York] (/[old]/New York)"]);
    test.delete(trips, true).unwrap();
    assert_eq!(found(&test, "york"), Vec::<String>::new());
    test.restore(trips, "/new", true).unwrap();
    assert_eq!(found(&test, "york"), ["New [York] (/new/New York)"]);
    test.erase(trips, true).unwrap();
    assert_eq!(found(&test, "york"), Vec::<String>::new());
}

#[test]
fn refused_rename_does_not_affect_the_index() {
    let test = sample_wiki();
    assert_eq!(found(&test, "trips").len(), 2);
    let trips = test.at("/trips");
    assert!(test.rename(trips, "/旅", false).is_ok());
    assert!(test.rename(trips, "/", false).is_err());
    assert_eq!(found(&test, "trips").len(), 1);
}

#[test]
fn overlong_query_is_refused() {
    let test = sample_wiki();
    let longest = "あ ".repeat(MAX_QUERY_CHARS / 2);
    assert_eq!(test.wiki.search().find(&longest, 20).unwrap(), []);
    assert!(matches!(
        test.wiki.search().find(&format!("{longest}x"), 20),
        Err(SearchError::TooLong)
    ));
}

#[test]
fn titles_are_listed_with_pages() {
    let test = sample_wiki();
    let query = ListingQuery {
        prefix: path("/trips"),
        cursor: None,
        backwards: false,
        limit: 10,
        with_deleted: false,
    };
    let listed = test.wiki.pages().list(&query).unwrap().items;
    let titles: Vec<_> = listed.iter().map(|page| page.title.as_deref()).collect();
    assert_eq!(titles, [None, Some("New York")]);
    let id = test.at("/旅/京都");
    let title = test.wiki.pages().meta(id, None).unwrap().title;
    assert_eq!(title.as_deref(), Some("京都の旅"));
}

#[test]
fn searchable_pages_have_versions_and_former_paths() {
    let test = sample_wiki();
    let id = test.wiki.pages().resolve(&path("/旅/京都")).unwrap().id;
    let page = test.wiki.search().searchable_page(id).unwrap().unwrap();
    assert_eq!(page.title.as_deref(), Some("京都の旅"));
    assert_eq!((page.version.revision, page.version.amends), (1, 0));
    assert_eq!(page.user_name, "Aya");
    test.rename(id, "/京都", false).unwrap();
    let page = test.wiki.search().searchable_page(id).unwrap().unwrap();
    assert_eq!(page.former_paths, [path("/旅/京都")]);
    let all = test.wiki.search().searchable_pages().unwrap();
    assert!(all.contains(&page));
    assert!(all.iter().all(|page| page.path.as_str() != "/trips/draft"));
}

#[test]
fn forms_of_one_character_find_each_other() {
    let test = TestWiki::new();
    test.page("/a", "# 鐵道と人々\n");
    assert_eq!(found(&test, "鉄道"), ["[鐵道]と人々 (/a)"]);
    assert_eq!(found(&test, "人人"), ["鐵道と[人々] (/a)"]);
}
