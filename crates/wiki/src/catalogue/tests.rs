//! Tests of tags, queries, and the rename of a tag.

use std::time::Duration;

use super::*;
use crate::fixture::{self, TestWiki};
use crate::reorganize::{ReorganizeError, TagRename};

pub(super) fn amended(test: &TestWiki, page_id: PageId, source: &str) {
    fixture::amend(&test.wiki, page_id, test.user, source);
}

fn tags(test: &TestWiki) -> Vec<(String, usize)> {
    let tags = test.wiki.catalogue().tags().unwrap();
    tags.into_iter()
        .map(|count| (count.tag, count.pages))
        .collect()
}

fn paths(test: &TestWiki, query: PageQuery) -> Vec<String> {
    let query = PageQuery {
        limit: 100,
        ..query
    };
    let found = test.wiki.catalogue().query(&query).unwrap();
    assert_eq!(found.total, found.items.len());
    found
        .items
        .iter()
        .map(|page| page.path.to_string())
        .collect()
}

fn condition(property: &str, comparison: Comparison, value: &str) -> PageQuery {
    PageQuery {
        conditions: vec![Condition {
            property: property.to_owned(),
            comparison,
            value: value.to_owned(),
        }],
        ..PageQuery::default()
    }
}

#[test]
fn tags_follow_every_change() {
    let test = TestWiki::new();
    let one = test.page("/a", "---\ntags: [旅, Ｗalk]\n---\n#walk #旅/京都");
    test.clock.advance(Duration::from_secs(1));
    test.page("/b", "#WALK");
    let named = |tags: &[(&str, usize)]| -> Vec<(String, usize)> {
        tags.iter()
            .map(|(tag, pages)| ((*tag).to_owned(), *pages))
            .collect()
    };
    assert_eq!(
        tags(&test),
        named(&[("Ｗalk", 2), ("旅", 1), ("旅/京都", 1)])
    );
    amended(&test, one, "none");
    assert_eq!(tags(&test), named(&[("WALK", 1)]));
}

#[test]
fn queries_combine_place_tag_and_properties() {
    let test = TestWiki::new();
    test.page("/p", "");
    test.page("/p/a", "---\nrating: 10\nstatus: Open\ntags: [x/y]\n---\n");
    test.page("/p/b", "---\nrating: 9.5\ndue: 2026-11-20\n---\n# B");
    test.page("/p/b/c", "#X");
    let p = || Some(PagePath::new("/p").unwrap());
    let below = |children| PageQuery {
        below: p(),
        children,
        ..PageQuery::default()
    };
    assert_eq!(paths(&test, below(false)), ["/p/a", "/p/b", "/p/b/c"]);
    assert_eq!(paths(&test, below(true)), ["/p/a", "/p/b"]);
    let tagged = PageQuery {
        tag: Some("ｘ".to_owned()),
        ..PageQuery::default()
    };
    assert_eq!(paths(&test, tagged), ["/p/a", "/p/b/c"]);
    let names = test.wiki.catalogue().properties().unwrap();
    let names: Vec<(&str, usize)> = names
        .iter()
        .map(|(name, pages)| (&**name, *pages))
        .collect();
    assert_eq!(names, [("due", 1), ("rating", 2), ("status", 1)]);
    assert_eq!(
        paths(&test, condition("rating", Comparison::More, "9.5")),
        ["/p/a"]
    );
    assert_eq!(
        paths(&test, condition("status", Comparison::Is, "open")),
        ["/p/a"]
    );
    assert_eq!(
        paths(&test, condition("due", Comparison::AtMost, "2026-11-30")),
        ["/p/b"]
    );
    let sorted = PageQuery {
        sort: Some(PageSort {
            by: "rating".to_owned(),
            descending: true,
        }),
        ..below(false)
    };
    assert_eq!(paths(&test, sorted), ["/p/a", "/p/b", "/p/b/c"]);
}

#[test]
fn tag_rename_changes_all_pages_and_is_undone() {
    let test = TestWiki::new();
    let text = "---\ntags: [\"旅\", b] # c\n---\n#旅 `#旅` #旅/京都 #旅行";
    let one = test.page("/a", text);
    let other = test.page("/b", "no tag");
    let rename = |from: &str, to: &str| {
        let rename = TagRename {
            from: from.to_owned(),
            to: to.to_owned(),
            user: test.user,
        };
        test.wiki.reorganize().rename_tag(&rename)
    };
    let changed = rename("旅", "trip").unwrap();
    assert_eq!(changed.len(), 1);
    let shown = |page| test.wiki.pages().source(page, None).unwrap();
    let renamed = "---\ntags: [trip, b] # c\n---\n#trip `#旅` #trip/京都 #旅行";
    assert_eq!(shown(one).source, renamed);
    assert_eq!(shown(other).version.revision, 1);
    test.wiki
        .reorganize()
        .undo_tag_rename(&changed, test.user)
        .unwrap();
    assert_eq!(shown(one).source, text);
    assert!(matches!(
        rename("旅", "a b"),
        Err(ReorganizeError::InvalidTag(_))
    ));
}

#[test]
fn locked_page_prevents_the_rename() {
    let test = TestWiki::new();
    let one = test.page("/a", "#x");
    let other = test.page("/b", "#x");
    test.wiki.locks().acquire(other, test.user).unwrap();
    let rename = TagRename {
        from: "x".to_owned(),
        to: "y".to_owned(),
        user: test.user,
    };
    let refused = test.wiki.reorganize().rename_tag(&rename);
    assert!(
        matches!(refused, Err(ReorganizeError::Gate(_))),
        "{refused:?}"
    );
    assert_eq!(test.wiki.pages().source(one, None).unwrap().source, "#x");
}
