//! Lists by path: subtrees, both directions, and the cursor.

use fumikura_wiki::*;

use crate::support::{Bench, path};

fn list(
    bench: &Bench,
    prefix: &str,
    cursor: Option<&str>,
    backwards: bool,
    limit: usize,
) -> (Vec<String>, bool) {
    let query = ListingQuery {
        prefix: path(prefix),
        cursor: cursor.map(path),
        backwards,
        limit,
        with_deleted: false,
    };
    let listing = bench.wiki.list_pages(&query).unwrap();
    (
        listing
            .items
            .iter()
            .map(|page| page.path.to_string())
            .collect(),
        listing.has_more,
    )
}

fn bench() -> Bench {
    let bench = Bench::new();
    for at in ["/a", "/a-b", "/a/x", "/a/y", "/b", "/旅/京都"] {
        bench.page(at, at);
    }
    bench
        .wiki
        .create_draft(&path("/a/draft"), bench.aya)
        .unwrap();
    bench
}

#[test]
fn prefix_lists_a_subtree_without_drafts() {
    let bench = bench();
    assert_eq!(
        list(&bench, "/a", None, false, 50),
        (vec!["/a".into(), "/a/x".into(), "/a/y".into()], false)
    );
    assert_eq!(
        list(&bench, "/", None, false, 50).0,
        ["/", "/a", "/a-b", "/a/x", "/a/y", "/b", "/旅/京都"]
    );
    assert_eq!(
        list(&bench, "/nothing", None, false, 50).0,
        Vec::<String>::new()
    );
}

#[test]
fn cursor_is_exclusive_in_both_directions() {
    let bench = bench();
    assert_eq!(
        list(&bench, "/", None, false, 2),
        (vec!["/".into(), "/a".into()], true)
    );
    assert_eq!(
        list(&bench, "/", Some("/a"), false, 2),
        (vec!["/a-b".into(), "/a/x".into()], true)
    );
    assert_eq!(
        list(&bench, "/", Some("/b"), false, 2),
        (vec!["/旅/京都".into()], false)
    );
    assert_eq!(
        list(&bench, "/", Some("/b"), true, 2),
        (vec!["/a/x".into(), "/a/y".into()], true)
    );
    assert_eq!(
        list(&bench, "/a", Some("/a/y"), true, 5),
        (vec!["/a".into(), "/a/x".into()], false)
    );
    assert_eq!(list(&bench, "/a", Some("/a"), true, 5), (vec![], false));
}

#[test]
fn cursor_visits_each_page_once_with_any_limit() {
    let bench = bench();
    let all = list(&bench, "/", None, false, 50).0;
    for limit in 1..=7 {
        let (mut seen, mut cursor): (Vec<String>, Option<String>) = (Vec::new(), None);
        loop {
            let (items, more) = list(&bench, "/", cursor.as_deref(), false, limit);
            seen.extend(items);
            cursor = seen.last().cloned();
            if !more {
                break;
            }
        }
        assert_eq!(seen, all, "{limit}");
    }
}
