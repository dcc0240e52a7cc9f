//! The links of old revisions: a path that was bound to a page keeps that page permanently.

use fumikura_wiki::*;

use crate::support::{Bench, path};

fn save(bench: &Bench, page: PageId, text: &str) {
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        ..bench.bare(page, text)
    };
    assert!(bench.wiki.save(request).unwrap().changed);
}

fn read(bench: &Bench, page: PageId, revision: u64) -> (String, String) {
    let (shown, raw) = (
        bench.wiki.source(page, Some(revision)),
        bench.wiki.raw_source(page, Some(revision)),
    );
    (shown.unwrap().source, raw.unwrap().source)
}

/// The ways in which a revision becomes an old one.
const WAYS: [fn(&Bench, PageId); 4] = [
    |bench, page| save(bench, page, "no link"),
    |bench, page| {
        bench.rename(page, "/q", false).unwrap();
        save(bench, page, "no link");
    },
    |bench, page| {
        bench.wiki.rollback(page, 1, bench.ben, None).unwrap();
        save(bench, page, "no link");
    },
    |bench, page| {
        bench.delete(page, false).unwrap();
        bench.restore(page, "/q", false).unwrap();
        save(bench, page, "no link");
    },
];

#[test]
fn old_revision_keeps_its_bound_page() {
    for way in WAYS {
        let bench = Bench::new();
        let page = bench.page("/p", "first");
        save(&bench, page, "[x](/later#y)");
        let meant = bench.page("/later", "");
        bench.rename(meant, "/moved", false).unwrap();
        assert_eq!(read(&bench, page, 2).0, "[x](/moved#y)");
        assert_eq!(read(&bench, page, 2).1, "[x](/later#y)");
        way(&bench, page);
        bench.page("/later", "another one");
        let (shown, raw) = read(&bench, page, 2);
        assert_eq!(
            (shown.as_str(), raw),
            ("[x](/moved#y)", format!("[x](page:{meant}#y)"))
        );
        let done = bench.wiki.rollback(page, 2, bench.aya, None).unwrap();
        assert_eq!(done.warnings, []);
        assert_eq!(bench.text(page), "[x](/moved#y)");
    }
}

#[test]
fn rollback_links_to_an_erased_pages_last_path() {
    for comes in [false, true] {
        let bench = Bench::new();
        let meant = bench.page("/a b", "");
        let page = bench.page("/p", "[x](</a b#y>) [[/a b]]");
        save(&bench, page, "no link");
        bench.erase(meant, false).unwrap();
        let another = comes.then(|| bench.page("/a b", ""));
        let done = bench.wiki.rollback(page, 1, bench.aya, None).unwrap();
        assert_eq!(done.warnings, []);
        assert_eq!(bench.text(page), "[x](</a b#y>) [[/a b]]");
        let (kept, link) = match another {
            Some(page_id) => (
                format!("[x](<page:{page_id}#y>) [[page:{page_id}]]"),
                PageLink::Page {
                    path: Some(path("/a b")),
                    page_id,
                    deleted: false,
                },
            ),
            None => (bench.text(page), PageLink::Waiting(path("/a b"))),
        };
        assert_eq!(read(&bench, page, 3).1, kept);
        assert_eq!(bench.wiki.links(page).unwrap(), [link]);
        bench.is_whole();
    }
}

#[test]
fn later_page_does_not_bind_an_old_revision() {
    let bench = Bench::new();
    let page = bench.page("/p", "[x](/later)");
    save(&bench, page, "no link");
    bench.page("/later", "");
    assert_eq!(read(&bench, page, 1).1, "[x](/later)");
}

#[test]
fn amended_text_freezes_no_links() {
    let bench = Bench::new();
    let page = bench.page("/p", "[x](/later)");
    bench.page("/later", "");
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        amend: true,
        ..bench.bare(page, "[y](/none)")
    };
    bench.wiki.save(request).unwrap();
    assert_eq!(read(&bench, page, 1).1, "[y](/none)");
    assert_eq!(
        bench.wiki.links(page).unwrap(),
        [PageLink::Waiting(path("/none"))]
    );
}

#[test]
fn difference_shows_only_the_writers_changes() {
    let bench = Bench::new();
    let page = bench.page("/p", "[x](/later)\n");
    let meant = bench.page("/later", "");
    bench.rename(meant, "/moved", false).unwrap();
    let served = bench.text(page);
    save(&bench, page, &(served + "a word\n"));
    let diff = bench.wiki.diff(page, 1, 2).unwrap();
    assert_eq!((diff.text.added, diff.text.removed), (1, 0));
}

#[test]
fn unreplaceable_path_is_reported_on_rollback() {
    // With an id in place of `/b c`, everything up to the last parenthesis would be one destination.
    let text = "[x](/d(e)[[/b c|x]][x](/d\\(e?f)g)";
    for comes in [false, true] {
        let bench = Bench::new();
        bench.page("/d(e", "");
        let page = bench.page("/p", text);
        let meant = bench.page("/b c", "");
        save(&bench, page, "no link");
        bench.rename(meant, "/moved", false).unwrap();
        if comes {
            bench.page("/b c", "another one");
        }
        assert!(read(&bench, page, 1).1.contains("[[/b c|x]]"));
        let done = bench.wiki.rollback(page, 1, bench.aya, None).unwrap();
        let warnings: Vec<_> = done
            .warnings
            .iter()
            .map(|told| {
                (
                    told.link.as_str(),
                    told.before.as_str(),
                    told.after.as_str(),
                )
            })
            .collect();
        assert_eq!(warnings, [("/b c", "/moved", "/b c")], "{comes}");
    }
}
