//! Finds pages by their titles and paths, after any changes.

use fumikura_wiki::*;

use crate::support::{Bench, path};

/// The found pages by their titles, or else their paths, with the matches in brackets.
fn found(bench: &Bench, typed: &str) -> Vec<String> {
    let marked = |spans: &[MatchSpan]| -> String {
        let marked = spans.iter().map(|span| match span.matched {
            true => format!("[{}]", span.text),
            false => span.text.clone(),
        });
        marked.collect()
    };
    let found = bench.wiki.search(typed, 20).unwrap();
    assert!(found.is_sorted_by(|a, b| a.score >= b.score));
    found
        .iter()
        .map(|page| match &page.title {
            Some(title) => format!("{} ({})", marked(title), marked(&page.path)),
            None => marked(&page.path),
        })
        .collect()
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.page("/旅/京都", "# 京都の旅\n");
    bench.page("/旅/ガイド", "# 旅のガイド\n");
    bench.page("/trips", "no title");
    bench.page("/trips/New York", "text\n\nNew York\n===\n");
    bench
        .wiki
        .create_draft(&path("/trips/draft"), bench.aya)
        .unwrap();
    bench
}

#[test]
fn best_matches_come_first_without_drafts() {
    let bench = bench();
    assert_eq!(found(&bench, "京都"), ["京都の旅 (/旅/[京都])"]);
    assert_eq!(
        found(&bench, "旅"),
        ["[旅]のガイド (/旅/ガイド)", "京都の[旅] (/旅/京都)"]
    );
    assert_eq!(found(&bench, "がいど"), ["旅のガイド (/旅/[ガイド])"]);
    assert_eq!(found(&bench, "ＮＥＷ"), ["[New] York (/trips/New York)"]);
    assert_eq!(
        found(&bench, "york trip"),
        ["New [York] (/[trip]s/New York)"]
    );
    assert_eq!(
        found(&bench, "trps"),
        ["/[tr]i[ps]", "New York (/[tr]i[ps]/New York)"]
    );
    assert_eq!(found(&bench, "draft"), Vec::<String>::new());
}

#[test]
fn empty_query_lists_all_pages_by_path() {
    let bench = bench();
    for typed in ["", " ", "\u{3000}\t"] {
        let all = found(&bench, typed);
        assert_eq!(all.len(), 5);
        assert!(all[0].ends_with("(/)"), "{all:?}");
        assert_eq!(all[1..3], ["/trips", "New York (/trips/New York)"]);
    }
    assert_eq!(bench.wiki.search("", 2).unwrap().len(), 2);
    assert_eq!(bench.wiki.search("", 0).unwrap().len(), 0);
}

#[test]
fn changes_are_found_at_once() {
    let bench = bench();
    assert_eq!(found(&bench, "奈良"), Vec::<String>::new());
    let id = bench.page("/奈良", "text");
    assert_eq!(found(&bench, "奈良"), ["/[奈良]"]);
    bench.wiki.save(bench.by_version(id, 1, 0, "# 鹿")).unwrap();
    assert_eq!(found(&bench, "鹿"), ["[鹿] (/奈良)"]);
    bench
        .wiki
        .save(bench.by_version(id, 2, 0, "# 大仏"))
        .unwrap();
    assert_eq!(found(&bench, "鹿"), Vec::<String>::new());
    bench.wiki.rollback(id, 2, bench.ben, None).unwrap();
    assert_eq!(found(&bench, "鹿"), ["[鹿] (/奈良)"]);
    bench.wiki.rollback(id, 1, bench.ben, None).unwrap();
    assert_eq!(found(&bench, "鹿"), Vec::<String>::new());
    bench.rename(id, "/関西/奈良", false).unwrap();
    assert_eq!(found(&bench, "関西"), ["/[関西]/奈良"]);
    let bench = bench.reopened();
    assert_eq!(found(&bench, "関西"), ["/[関西]/奈良"]);
}

#[test]
fn next_search_sees_changes_of_a_subtree() {
    let bench = bench();
    assert_eq!(found(&bench, "york").len(), 1);
    bench.wiki.sweep_locks().unwrap();
    bench.advance(3600);
    bench.wiki.sweep_locks().unwrap();
    let trips = bench.at("/trips");
    bench.rename(trips, "/old", true).unwrap();
    assert_eq!(found(&bench, "trips"), Vec::<String>::new());
    assert_eq!(found(&bench, "old york"), ["New [York] (/[old]/New York)"]);
    bench.delete(trips, true).unwrap();
    assert_eq!(found(&bench, "york"), Vec::<String>::new());
    bench.restore(trips, "/new", true).unwrap();
    assert_eq!(found(&bench, "york"), ["New [York] (/new/New York)"]);
    bench.erase(trips, true).unwrap();
    assert_eq!(found(&bench, "york"), Vec::<String>::new());
}

#[test]
fn refused_rename_does_not_affect_the_index() {
    let bench = bench();
    assert_eq!(found(&bench, "trips").len(), 2);
    let trips = bench.at("/trips");
    assert!(bench.rename(trips, "/旅", false).is_ok());
    assert!(bench.rename(trips, "/", false).is_err());
    assert_eq!(found(&bench, "trips").len(), 1);
}

#[test]
fn overlong_query_is_refused() {
    let bench = bench();
    let longest = "あ ".repeat(MAX_QUERY_CHARS / 2);
    assert_eq!(bench.wiki.search(&longest, 20).unwrap(), []);
    assert!(matches!(
        bench.wiki.search(&format!("{longest}x"), 20),
        Err(SearchError::TooLong)
    ));
}

#[test]
fn titles_are_listed_with_pages() {
    let bench = bench();
    let query = ListingQuery {
        prefix: path("/trips"),
        cursor: None,
        backwards: false,
        limit: 10,
        with_deleted: false,
    };
    let listed = bench.wiki.list_pages(&query).unwrap().items;
    let titles: Vec<_> = listed.iter().map(|page| page.title.as_deref()).collect();
    assert_eq!(titles, [None, Some("New York")]);
    let id = bench.at("/旅/京都");
    let title = bench.wiki.page_meta(id, None).unwrap().title;
    assert_eq!(title.as_deref(), Some("京都の旅"));
}

#[test]
fn searchable_pages_have_versions_and_former_paths() {
    let bench = bench();
    let id = bench.wiki.resolve(&path("/旅/京都")).unwrap().id;
    let page = bench.wiki.searchable_page(id).unwrap().unwrap();
    assert_eq!(page.title.as_deref(), Some("京都の旅"));
    assert_eq!((page.version.revision, page.version.amends), (1, 0));
    assert_eq!(page.user_name, "Aya");
    bench.rename(id, "/京都", false).unwrap();
    let page = bench.wiki.searchable_page(id).unwrap().unwrap();
    assert_eq!(page.former_paths, [path("/旅/京都")]);
    let all = bench.wiki.searchable_pages().unwrap();
    assert!(all.contains(&page));
    assert!(all.iter().all(|page| page.path.as_str() != "/trips/draft"));
}
