//! The links of old revisions: a path that was bound to a page keeps that page permanently.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

fn save(test: &TestWiki, page: PageId, text: &str) {
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        ..test.save_request(page, text)
    };
    assert!(test.wiki.pages().save(request).unwrap().changed);
}

fn read(test: &TestWiki, page: PageId, revision: u64) -> (String, String) {
    let (shown, raw) = (
        test.wiki.pages().source(page, Some(revision)),
        test.wiki.pages().raw_source(page, Some(revision)),
    );
    (shown.unwrap().source, raw.unwrap().source)
}

/// The ways in which a revision becomes an old one.
const SUPERSEDE: [fn(&TestWiki, PageId); 4] = [
    |test, page| save(test, page, "no link"),
    |test, page| {
        test.rename(page, "/q", false).unwrap();
        save(test, page, "no link");
    },
    |test, page| {
        test.wiki
            .revisions()
            .rollback(page, 1, test.ben, None)
            .unwrap();
        save(test, page, "no link");
    },
    |test, page| {
        test.delete(page, false).unwrap();
        test.restore(page, "/q", false).unwrap();
        save(test, page, "no link");
    },
];

#[test]
fn old_revision_keeps_its_bound_page() {
    for supersede in SUPERSEDE {
        let test = TestWiki::new();
        let page = test.page("/p", "first");
        save(&test, page, "[x](/later#y)");
        let bound_page = test.page("/later", "");
        test.rename(bound_page, "/moved", false).unwrap();
        assert_eq!(read(&test, page, 2).0, "[x](/moved#y)");
        assert_eq!(read(&test, page, 2).1, "[x](/later#y)");
        supersede(&test, page);
        test.page("/later", "another one");
        let (shown, raw) = read(&test, page, 2);
        assert_eq!(
            (shown.as_str(), raw),
            ("[x](/moved#y)", format!("[x](page:{bound_page}#y)"))
        );
        let done = test
            .wiki
            .revisions()
            .rollback(page, 2, test.aya, None)
            .unwrap();
        assert_eq!(done.warnings, []);
        assert_eq!(test.text(page), "[x](/moved#y)");
    }
}

#[test]
fn rollback_links_to_an_erased_pages_last_path() {
    for path_is_taken in [false, true] {
        let test = TestWiki::new();
        let bound_page = test.page("/a b", "");
        let page = test.page("/p", "[x](</a b#y>) [[/a b]]");
        save(&test, page, "no link");
        test.erase(bound_page, false).unwrap();
        let another = path_is_taken.then(|| test.page("/a b", ""));
        let done = test
            .wiki
            .revisions()
            .rollback(page, 1, test.aya, None)
            .unwrap();
        assert_eq!(done.warnings, []);
        assert_eq!(test.text(page), "[x](</a b#y>) [[/a b]]");
        let (kept, link) = match another {
            Some(page_id) => (
                format!("[x](<page:{page_id}#y>) [[page:{page_id}]]"),
                PageLink::Page {
                    path: Some(path("/a b")),
                    page_id,
                    deleted: false,
                },
            ),
            None => (test.text(page), PageLink::Waiting(path("/a b"))),
        };
        assert_eq!(read(&test, page, 3).1, kept);
        assert_eq!(test.wiki.links().of_page(page).unwrap(), [link]);
        test.check_tables();
    }
}

#[test]
fn later_page_does_not_bind_an_old_revision() {
    let test = TestWiki::new();
    let page = test.page("/p", "[x](/later)");
    save(&test, page, "no link");
    test.page("/later", "");
    assert_eq!(read(&test, page, 1).1, "[x](/later)");
}

#[test]
fn amended_text_freezes_no_links() {
    let test = TestWiki::new();
    let page = test.page("/p", "[x](/later)");
    test.page("/later", "");
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        amend: true,
        ..test.save_request(page, "[y](/none)")
    };
    test.wiki.pages().save(request).unwrap();
    assert_eq!(read(&test, page, 1).1, "[y](/none)");
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/none"))]
    );
}

#[test]
fn difference_shows_only_the_writers_changes() {
    let test = TestWiki::new();
    let page = test.page("/p", "[x](/later)\n");
    let bound_page = test.page("/later", "");
    test.rename(bound_page, "/moved", false).unwrap();
    let served = test.text(page);
    save(&test, page, &(served + "a word\n"));
    let diff = test.wiki.revisions().diff(page, 1, 2).unwrap();
    assert_eq!((diff.text.added, diff.text.removed), (1, 0));
}

#[test]
fn unreplaceable_path_is_reported_on_rollback() {
    // With an id in place of `/b c`, everything up to the last parenthesis would be one destination.
    let text = "[x](/d(e)[[/b c|x]][x](/d\\(e?f)g)";
    for path_is_taken in [false, true] {
        let test = TestWiki::new();
        test.page("/d(e", "");
        let page = test.page("/p", text);
        let bound_page = test.page("/b c", "");
        save(&test, page, "no link");
        test.rename(bound_page, "/moved", false).unwrap();
        if path_is_taken {
            test.page("/b c", "another one");
        }
        assert!(read(&test, page, 1).1.contains("[[/b c|x]]"));
        let done = test
            .wiki
            .revisions()
            .rollback(page, 1, test.aya, None)
            .unwrap();
        let warnings: Vec<_> = done
            .warnings
            .iter()
            .map(|warning| {
                (
                    warning.link.as_str(),
                    warning.before.as_str(),
                    warning.after.as_str(),
                )
            })
            .collect();
        assert_eq!(warnings, [("/b c", "/moved", "/b c")], "{path_is_taken}");
    }
}
