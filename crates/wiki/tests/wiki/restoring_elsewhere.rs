//! Restores a page to another path: its path at each revision, and the targets of its links.

use fumikura_wiki::*;

use crate::support::{Bench, path};

/// The page's path at each of its revisions, which the list, each revision's metadata and each
/// difference must agree on.
#[track_caller]
fn stood(bench: &Bench, page: PageId) -> Vec<String> {
    let list = bench.wiki.revisions(page, None, 100).unwrap().items;
    let listed: Vec<String> = list.iter().rev().map(|at| at.path.to_string()).collect();
    for (item, listed) in list.iter().rev().zip(&listed) {
        let number = item.info.revision;
        let meta = bench.wiki.page_meta(page, Some(number)).unwrap();
        assert_eq!(meta.path_then.as_str(), listed, "revision {number}");
        let diff = bench.wiki.diff(page, number, list[0].info.revision);
        assert_eq!(diff.unwrap().from.path.as_str(), listed);
    }
    listed
}

fn renamed(bench: &Bench, page: PageId, revision: u64) -> Option<(Option<String>, String)> {
    let meta = bench.wiki.page_meta(page, Some(revision)).unwrap();
    let rename = meta.revision.unwrap().rename?;
    Some((
        rename.from.map(|path| path.to_string()),
        rename.to.to_string(),
    ))
}

fn from_to(from: &str, to: &str) -> Option<(Option<String>, String)> {
    Some((Some(from.to_owned()), to.to_owned()))
}

fn save(bench: &Bench, page: PageId, text: &str, amend: bool) {
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        amend,
        ..bench.bare(page, text)
    };
    assert!(bench.wiki.save(request).unwrap().changed);
}

fn elsewhere(bench: &Bench, page: PageId, to: &str) {
    bench.delete(page, false).unwrap();
    bench.advance(1);
    bench.restore(page, to, false).unwrap();
}

#[test]
fn rollback_after_restore_resolves_from_revision_path() {
    let bench = Bench::new();
    let page = bench.page("/x/a", "one");
    elsewhere(&bench, page, "/y/b");
    save(&bench, page, "[l](c)", false);
    save(&bench, page, "other", false);
    assert_eq!(stood(&bench, page), ["/x/a", "/y/b", "/y/b"]);
    bench.page("/x/c", "not meant");
    let done = bench.wiki.rollback(page, 2, bench.aya, None).unwrap();
    assert_eq!(done.warnings, []);
    assert_eq!(bench.text(page), "[l](c)");
    assert_eq!(
        bench.wiki.links(page).unwrap(),
        [PageLink::Waiting(path("/y/c"))]
    );
}

#[test]
fn next_revision_records_the_restored_path() {
    let bench = Bench::new();
    let target = bench.page("/t", "");
    let page = bench.page("/a", "[t](/t) [n](none)");
    elsewhere(&bench, page, "/b");
    let meta = bench.wiki.page_meta(page, None).unwrap();
    assert_eq!(meta.rename_revisions, [1]);
    assert_eq!(stood(&bench, page), ["/b"]);
    // A save without a change makes no revision, and the move stays unrecorded.
    let same = bench.text(page);
    assert!(
        !bench
            .wiki
            .save(bench.by_version(page, 1, 0, &same))
            .unwrap()
            .changed
    );
    save(&bench, page, "two", false);
    save(&bench, page, "three", false);
    assert_eq!(stood(&bench, page), ["/a", "/b", "/b"]);
    let meta = bench.wiki.page_meta(page, Some(2)).unwrap();
    assert_eq!(meta.rename_revisions, [1, 2]);
    let rename = meta.revision.unwrap().rename.unwrap();
    assert_eq!((rename.from, rename.to), (Some(path("/a")), path("/b")));
    let refs: Vec<_> = rename.link_refs.into_iter().collect();
    assert_eq!(
        refs,
        [("/none".to_owned(), None), ("/t".to_owned(), Some(target))]
    );
    let diff = bench.wiki.diff(page, 1, 3).unwrap();
    let told: Vec<_> = diff.renames.iter().map(|at| at.info.revision).collect();
    assert_eq!(told, [2]);
    let history = bench.wiki.history(page, Wording::En, None).unwrap();
    assert!(history.contains("renamed from /a to /b"), "{history}");
}

#[test]
fn rollback_records_restore_and_resolves_old_paths() {
    let bench = Bench::new();
    let page = bench.page("/a/p", "[l](c)");
    save(&bench, page, "two", false);
    let c = bench.page("/a/c", "");
    elsewhere(&bench, page, "/b/p");
    bench.wiki.rollback(page, 1, bench.ben, None).unwrap();
    assert_eq!(stood(&bench, page), ["/a/p", "/a/p", "/b/p"]);
    assert_eq!(renamed(&bench, page, 3), from_to("/a/p", "/b/p"));
    let raw = bench.wiki.raw_source(page, None).unwrap().source;
    assert_eq!(raw, format!("[l](page:{c})"));
}

#[test]
fn rename_records_the_restored_path_too() {
    let bench = Bench::new();
    let page = bench.page("/a", "one");
    elsewhere(&bench, page, "/b");
    bench.rename(page, "/c", false).unwrap();
    save(&bench, page, "three", false);
    assert_eq!(stood(&bench, page), ["/a", "/c", "/c"]);
    assert_eq!(renamed(&bench, page, 2), from_to("/a", "/c"));
    assert_eq!(renamed(&bench, page, 3), None);
    // Back to the path of the last revision: a new revision, and no other path.
    elsewhere(&bench, page, "/d");
    bench.rename(page, "/c", false).unwrap();
    assert_eq!(stood(&bench, page), ["/a", "/c", "/c", "/c"]);
    assert_eq!(renamed(&bench, page, 4), from_to("/c", "/c"));
    let history = bench.wiki.history(page, Wording::En, None).unwrap();
    assert!(history.contains("The page came back to /c."), "{history}");
}

#[test]
fn amended_revision_records_the_restored_path() {
    let bench = Bench::new();
    let page = bench.page("/x/a", "one");
    elsewhere(&bench, page, "/y/b");
    // From now on the first revision has the new path.
    save(&bench, page, "[l](c)", true);
    save(&bench, page, "two", false);
    assert_eq!(stood(&bench, page), ["/y/b", "/y/b"]);
    assert_eq!(renamed(&bench, page, 1), from_to("/x/a", "/y/b"));
    bench.wiki.rollback(page, 1, bench.aya, None).unwrap();
    assert_eq!(
        bench.wiki.links(page).unwrap(),
        [PageLink::Waiting(path("/y/c"))]
    );
    // An amended save becomes a move to the new path; an amended rename keeps its old path.
    elsewhere(&bench, page, "/z");
    save(&bench, page, "three", true);
    assert_eq!(renamed(&bench, page, 3), from_to("/y/b", "/z"));
    bench.rename(page, "/z2", false).unwrap();
    elsewhere(&bench, page, "/z3");
    save(&bench, page, "four", true);
    assert_eq!(renamed(&bench, page, 4), from_to("/z", "/z3"));
    let meta = bench.wiki.page_meta(page, None).unwrap();
    assert_eq!(meta.rename_revisions, [1, 3, 4]);
    assert_eq!(stood(&bench, page), ["/y/b", "/y/b", "/z", "/z3"]);
}

#[test]
fn several_restores_record_first_and_last_path() {
    let bench = Bench::new();
    let page = bench.page("/a", "one");
    elsewhere(&bench, page, "/b");
    elsewhere(&bench, page, "/c");
    let bench = bench.reopened();
    save(&bench, page, "two", false);
    assert_eq!(renamed(&bench, page, 2), from_to("/a", "/c"));
    elsewhere(&bench, page, "/d");
    elsewhere(&bench, page, "/c");
    save(&bench, page, "three", false);
    assert_eq!(renamed(&bench, page, 3), None);
    assert_eq!(stood(&bench, page), ["/a", "/c", "/c"]);
    // A permanent deletion leaves nothing behind.
    elsewhere(&bench, page, "/e");
    bench.erase(page, false).unwrap();
}

#[test]
fn path_is_known_after_its_revision_is_compacted() {
    let bench = Bench::new();
    let page = bench.page("/a", "one");
    save(&bench, page, "two", false);
    save(&bench, page, "three", false);
    bench.wiki.compact(page, 2, None).unwrap();
    elsewhere(&bench, page, "/b");
    assert_eq!(stood(&bench, page), ["/a", "/b"]);
    save(&bench, page, "four", false);
    assert_eq!(stood(&bench, page), ["/a", "/a", "/b"]);
    bench.wiki.compact(page, 3, None).unwrap();
    assert_eq!(stood(&bench, page), ["/a", "/b"]);
    assert_eq!(
        bench.wiki.page_meta(page, None).unwrap().rename_revisions,
        [4]
    );
}

/// The warnings of a restore: the page, the link, and its old and new target.
fn warned(restored: RestoreOutcome) -> Vec<[String; 4]> {
    let warnings = restored.warnings.into_iter();
    warnings
        .map(|PageWarning { page, warning }| {
            let LinkWarning {
                link,
                before,
                after,
            } = warning;
            [page.to_string(), link, before, after]
        })
        .collect()
}

fn warning(page: &str, link: &str, before: &str, after: &str) -> [String; 4] {
    [page, link, before, after].map(str::to_owned)
}

#[test]
fn restore_reports_links_with_another_target() {
    let bench = Bench::new();
    bench.page("/a/known", "");
    let text =
        "[k](known) [w](waits) [abs](/waits) ![](asset:own) ![](asset:../f/x) [up](../../up)";
    let page = bench.page("/a/p", text);
    bench.delete(page, false).unwrap();
    assert_eq!(
        warned(bench.restore(page, "/a/p", false).unwrap()),
        [[""; 4]; 0]
    );
    bench.delete(page, false).unwrap();
    let expected = [
        warning("/b/c/p", "waits", "/a/waits", "/b/c/waits"),
        warning("/b/c/p", "asset:../f/x", "/a/f/x", "/b/c/f/x"),
        warning("/b/c/p", "../../up", "", "/up"),
    ];
    assert_eq!(
        warned(bench.restore(page, "/b/c/p", false).unwrap()),
        expected
    );
}

#[test]
fn file_links_within_restored_subtree_are_not_reported() {
    let bench = Bench::new();
    let text = "![](asset:../q/f) ![](asset:../../r/f)";
    let [top, page, _] = bench.pages(["/a", "/a/p", "/a/q"]);
    save(&bench, page, text, false);
    bench.delete(top, true).unwrap();
    let expected = [warning("/b/c/p", "asset:../../r/f", "/r/f", "/b/r/f")];
    assert_eq!(warned(bench.restore(top, "/b/c", true).unwrap()), expected);
    // Without its subpages, the page leaves them behind.
    bench.delete(page, false).unwrap();
    let told = warned(bench.restore(page, "/p", false).unwrap());
    assert_eq!(told[0], warning("/p", "asset:../q/f", "/b/c/q/f", "/q/f"));
    assert_eq!(told.len(), 2);
}
