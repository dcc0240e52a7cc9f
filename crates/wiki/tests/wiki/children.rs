//! A level of the tree: the children of a path, and the parent of a page.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    for at in [
        "/a",
        "/a/x",
        "/a/x/1",
        "/a-b",
        "/a-b/c",
        "/deep/er/page",
        "/旅/京都",
    ] {
        test.page(at, at);
    }
    for draft in ["/a/draft", "/draft", "/other/draft"] {
        test.wiki
            .pages()
            .create_draft(&path(draft), test.aya)
            .unwrap();
    }
    test
}

/// Names, each marked if there is no page, and with the number of pages beneath it.
fn children(test: &TestWiki, at: &str, after: Option<&str>, limit: usize) -> (Vec<String>, bool) {
    let Children { items, has_more } = test.wiki.tree().children(&path(at), after, limit).unwrap();
    let items = items.iter().map(|child| {
        let page = child.page_id.map(|id| test.wiki.pages().path(id).unwrap());
        assert!(page.is_none_or(|page| page == child.path));
        let own = if child.page_id.is_some() { "" } else { "?" };
        format!("{}{own} {}", child.name, child.pages)
    });
    (items.collect(), has_more)
}

#[track_caller]
fn check(at: &str, after: Option<&str>, limit: usize, expected: &[&str], more: bool) {
    let (items, has_more) = children(&sample_wiki(), at, after, limit);
    assert_eq!(
        (items, has_more),
        (
            expected.iter().map(|item| (*item).to_owned()).collect(),
            more
        )
    );
}

#[test]
fn level_lists_pages_and_bare_segments_without_drafts() {
    check("/", None, 50, &["a 2", "a-b 1", "deep? 1", "旅? 1"], false);
    check("/a", None, 50, &["x 1"], false);
    check("/deep", None, 50, &["er? 1"], false);
    check("/deep/er", None, 50, &["page 0"], false);
    check("/other", None, 50, &[], false);
    check("/none", None, 50, &[], false);
}

#[test]
fn level_is_read_in_parts() {
    check("/", None, 2, &["a 2", "a-b 1"], true);
    check("/", Some("a"), 2, &["a-b 1", "deep? 1"], true);
    check("/", Some("a-b"), 2, &["deep? 1", "旅? 1"], false);
    check("/", Some("b"), 1, &["deep? 1"], true);
    check("/", Some("旅"), 1, &[], false);
}

#[test]
fn parent_is_the_nearest_existing_ancestor() {
    let test = sample_wiki();
    let id = |at| test.wiki.pages().resolve(&path(at)).unwrap().id;
    for (at, above) in [("/a/x/1", "/a/x"), ("/a-b", "/"), ("/deep/er/page", "/")] {
        let parent = test.wiki.tree().parent(id(at)).unwrap().unwrap();
        assert_eq!(
            parent,
            Parent {
                page_id: id(above),
                path: path(above)
            },
            "{at}"
        );
    }
    assert_eq!(test.wiki.tree().parent(id("/")).unwrap(), None);
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a/draft/deeper"), test.aya)
        .unwrap();
    assert_eq!(
        test.wiki.tree().parent(draft).unwrap().unwrap().path,
        path("/a")
    );
}

#[test]
fn children_have_titles() {
    let test = TestWiki::new();
    test.page("/a/b", "# Beta");
    test.page("/a/c", "no heading");
    test.page("/a/d/e", "# Deep");
    let children = test.wiki.tree().children(&path("/a"), None, 10).unwrap();
    let titles: Vec<_> = children
        .items
        .iter()
        .map(|child| (child.name.as_str(), child.title.as_deref()))
        .collect();
    assert_eq!(titles, [("b", Some("Beta")), ("c", None), ("d", None)]);
}

#[test]
fn templates_are_named_by_their_paths() {
    let test = TestWiki::new();
    test.page("/templates/meeting", "# {{title}}: {{date}}");
    test.page("/templates/today", "# {{date:dddd}}");
    test.page("/notes/meeting", "# {{title}}");
    let titles = |parent: &str| {
        let children = test.wiki.tree().children(&path(parent), None, 10).unwrap();
        let titles = children.items.into_iter().filter_map(|child| child.title);
        titles.collect::<Vec<_>>()
    };
    assert_eq!(titles("/templates"), ["meeting: {{date}}", "today"]);
    assert_eq!(titles("/notes"), ["{{title}}"]);
}
