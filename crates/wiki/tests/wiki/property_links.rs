//! Links in the properties of a page: they are stored as ids, and follow their pages.

use fumikura_wiki::*;

use crate::support::TestWiki;

/// Checks how a link to `/to` in a property is read after that page has moved to `at`.
#[track_caller]
fn check_rename(written: &str, at: &str, expected: &str) {
    let test = TestWiki::new();
    let to = test.page("/to", "");
    let page = test.page("/p", written);
    assert_eq!(test.text(page), written);
    assert!(test.raw(page).contains(&format!("page:{to}")), "{written}");
    test.rename(to, at, false).unwrap();
    assert_eq!(test.text(page), expected);
    // The text is read back as the same one.
    let before = test.raw(page);
    test.wiki
        .pages()
        .save(test.by_version(page, 1, 0, &format!("{expected}\n")))
        .unwrap();
    assert_eq!(test.raw(page), before + "\n");
    let properties = test.wiki.pages().meta(page, None).unwrap().properties;
    assert_eq!(properties.fault, None);
}

#[test]
fn property_links_follow_a_rename() {
    check_rename(
        "---\n# a comment\nrelated:   \"[[/to]]\"   # [[/to]]\nb: 1.0\n---\n[x](/to)",
        "/旅/京都",
        "---\n# a comment\nrelated:   \"[[/旅/京都]]\"   # [[/to]]\nb: 1.0\n---\n[x](/旅/京都)",
    );
    check_rename(
        "---\r\nall: ['[[/to#x|T]]', \"see [[/to]]\", c]\r\nmore:\r\n  - '[[ /to ]]'\r\n---\r\n",
        "/a b",
        "---\r\nall: ['[[/a b#x|T]]', \"see [[/a b]]\", c]\r\nmore:\r\n  - '[[ /a b ]]'\r\n---\r\n",
    );
    check_rename(
        "---\na: |-  # [[/to]]\n  [[/to]]\n\n  and [[/to?q]]\nb: >\n  [[/to]]\n---\n",
        "/it's: #1",
        "---\na: |-  # [[/to]]\n  [[/it's: %231]]\n\n  and [[/it's: %231?q]]\nb: >\n  [[/it's: %231]]\n---\n",
    );
}

#[test]
fn new_paths_are_valid_in_their_quotes() {
    let path = "/it's \"q\" [b]: #c\\d";
    check_rename(
        "---\na: '[[/to]]'\n---\n",
        path,
        "---\na: '[[/it''s \"q\" %5Bb%5D: %23c%5Cd]]'\n---\n",
    );
    check_rename(
        "---\na: \"[[/to]]\"\n---\n",
        path,
        "---\na: \"[[/it's \\\"q\\\" %5Bb%5D: %23c%5Cd]]\"\n---\n",
    );
    check_rename(
        "---\na: see [[/to]]\n---\n",
        path,
        "---\na: see [[/it's \"q\" %5Bb%5D%3A %23c%5Cd]]\n---\n",
    );
}

#[test]
fn front_matter_with_a_fault_stays() {
    let test = TestWiki::new();
    let to = test.page("/to", "");
    let text = "---\na: '[[/to]]'\nb: 'open\n---\n";
    let page = test.page("/p", text);
    test.rename(to, "/a", false).unwrap();
    assert_eq!(test.raw(page), text);
}

#[test]
fn property_links_are_backlinks() {
    let test = TestWiki::new();
    let to = test.page("/to", "");
    let page = test.page("/p", "---\na: '[[/to]]'\nb: '[[/new]]'\n---\n");
    assert_eq!(test.backlinks(to), [page]);
    let new = test.page("/new", "");
    assert_eq!(test.backlinks(new), [page]);
    test.rename(new, "/newer", false).unwrap();
    assert_eq!(test.text(page), "---\na: '[[/to]]'\nb: '[[/newer]]'\n---\n");
}

#[test]
fn property_links_survive_deleting_and_restoring() {
    let test = TestWiki::new();
    let to = test.page("/to", "");
    let page = test.page("/p", "---\na: ['[[/to]]']\n---\n");
    test.delete(to, false).unwrap();
    assert_eq!(test.text(page), "---\na: ['[[/to]]']\n---\n");
    test.page("/to", "another");
    assert_eq!(test.text(page), "---\na: ['[[/to@trash]]']\n---\n");
    test.restore(to, "/back", false).unwrap();
    assert_eq!(test.text(page), "---\na: ['[[/back]]']\n---\n");
}

#[test]
fn property_links_follow_a_moved_subtree() {
    let test = TestWiki::new();
    test.pages(["/a", "/a/x", "/b"]);
    let inner = test.page("/a/p", "---\nup: \"[[/a]]\"\nnext: [\"[[/a/x]]\"]\n---\n");
    let outer = test.page("/q", "---\nsee: '[[/a/x]]'\n---\n");
    test.rename(test.at("/a"), "/b/c", true).unwrap();
    assert_eq!(
        test.text(inner),
        "---\nup: \"[[/b/c]]\"\nnext: [\"[[/b/c/x]]\"]\n---\n"
    );
    assert_eq!(test.text(outer), "---\nsee: '[[/b/c/x]]'\n---\n");
    let properties = test.wiki.pages().meta(outer, None).unwrap().properties;
    assert_eq!(properties.items[0].values, ["[[/b/c/x]]"]);
}

#[test]
fn queries_know_the_current_paths() {
    let test = TestWiki::new();
    let to = test.page("/to", "");
    test.page("/p", "---\na: '[[/to]]'\n---\n");
    let found = |value: &str| {
        let query = PageQuery {
            conditions: vec![Condition {
                property: "a".to_owned(),
                comparison: Comparison::Is,
                value: format!("[[{value}]]"),
            }],
            limit: 9,
            ..PageQuery::default()
        };
        test.wiki.catalogue().query(&query).unwrap().total
    };
    assert_eq!(found("/to"), 1);
    test.rename(to, "/there", false).unwrap();
    assert_eq!((found("/to"), found("/there")), (0, 1));
    test.delete(to, false).unwrap();
    assert_eq!(found("/there"), 1);
    let other = test.page("/there", "");
    assert_eq!((found("/there"), found("/there@trash")), (0, 1));
    test.rename(other, "/elsewhere", false).unwrap();
    assert_eq!(found("/there"), 1);
}
