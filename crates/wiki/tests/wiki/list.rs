//! Lists by path: subtrees, both directions, and the cursor.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

fn list(
    test: &TestWiki,
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
    let listing = test.wiki.pages().list(&query).unwrap();
    (
        listing
            .items
            .iter()
            .map(|page| page.path.to_string())
            .collect(),
        listing.has_more,
    )
}

fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    for at in ["/a", "/a-b", "/a/x", "/a/y", "/b", "/旅/京都"] {
        test.page(at, at);
    }
    test.wiki
        .pages()
        .create_draft(&path("/a/draft"), test.aya)
        .unwrap();
    test
}

#[test]
fn prefix_lists_a_subtree_without_drafts() {
    let test = sample_wiki();
    assert_eq!(
        list(&test, "/a", None, false, 50),
        (vec!["/a".into(), "/a/x".into(), "/a/y".into()], false)
    );
    assert_eq!(
        list(&test, "/", None, false, 50).0,
        ["/", "/a", "/a-b", "/a/x", "/a/y", "/b", "/旅/京都"]
    );
    assert_eq!(
        list(&test, "/nothing", None, false, 50).0,
        Vec::<String>::new()
    );
}

#[test]
fn cursor_is_exclusive_in_both_directions() {
    let test = sample_wiki();
    assert_eq!(
        list(&test, "/", None, false, 2),
        (vec!["/".into(), "/a".into()], true)
    );
    assert_eq!(
        list(&test, "/", Some("/a"), false, 2),
        (vec!["/a-b".into(), "/a/x".into()], true)
    );
    assert_eq!(
        list(&test, "/", Some("/b"), false, 2),
        (vec!["/旅/京都".into()], false)
    );
    assert_eq!(
        list(&test, "/", Some("/b"), true, 2),
        (vec!["/a/x".into(), "/a/y".into()], true)
    );
    assert_eq!(
        list(&test, "/a", Some("/a/y"), true, 5),
        (vec!["/a".into(), "/a/x".into()], false)
    );
    assert_eq!(list(&test, "/a", Some("/a"), true, 5), (vec![], false));
}

#[test]
fn cursor_visits_each_page_once_with_any_limit() {
    let test = sample_wiki();
    let all = list(&test, "/", None, false, 50).0;
    for limit in 1..=7 {
        let (mut seen, mut cursor): (Vec<String>, Option<String>) = (Vec::new(), None);
        loop {
            let (items, more) = list(&test, "/", cursor.as_deref(), false, limit);
            seen.extend(items);
            cursor = seen.last().cloned();
            if !more {
                break;
            }
        }
        assert_eq!(seen, all, "{limit}");
    }
}
