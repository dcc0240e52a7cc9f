//! Restores a page to another path: its path at each revision, and the targets of its links.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

/// The page's path at each of its revisions, which the list, each revision's metadata and each
/// difference must agree on.
#[track_caller]
fn paths_of_revisions(test: &TestWiki, page: PageId) -> Vec<String> {
    let list = test.wiki.revisions().list(page, None, 100).unwrap().items;
    let listed: Vec<String> = list.iter().rev().map(|at| at.path.to_string()).collect();
    for (item, listed) in list.iter().rev().zip(&listed) {
        let number = item.info.revision;
        let meta = test.wiki.pages().meta(page, Some(number)).unwrap();
        assert_eq!(meta.path_then.as_str(), listed, "revision {number}");
        let diff = test
            .wiki
            .revisions()
            .diff(page, number, list[0].info.revision);
        assert_eq!(diff.unwrap().from.path.as_str(), listed);
    }
    listed
}

fn rename_of(test: &TestWiki, page: PageId, revision: u64) -> Option<(Option<String>, String)> {
    let meta = test.wiki.pages().meta(page, Some(revision)).unwrap();
    let rename = meta.revision.unwrap().rename?;
    Some((
        rename.from.map(|path| path.to_string()),
        rename.to.to_string(),
    ))
}

fn from_to(from: &str, to: &str) -> Option<(Option<String>, String)> {
    Some((Some(from.to_owned()), to.to_owned()))
}

fn save(test: &TestWiki, page: PageId, text: &str, amend: bool) {
    let request = SaveRequest {
        if_match: Some(Precondition::Any),
        amend,
        ..test.save_request(page, text)
    };
    assert!(test.wiki.pages().save(request).unwrap().changed);
}

fn restore_to(test: &TestWiki, page: PageId, to: &str) {
    test.delete(page, false).unwrap();
    test.advance(1);
    test.restore(page, to, false).unwrap();
}

#[test]
fn rollback_after_restore_resolves_from_revision_path() {
    let test = TestWiki::new();
    let page = test.page("/x/a", "one");
    restore_to(&test, page, "/y/b");
    save(&test, page, "[l](c)", false);
    save(&test, page, "other", false);
    assert_eq!(paths_of_revisions(&test, page), ["/x/a", "/y/b", "/y/b"]);
    test.page("/x/c", "not meant");
    let done = test
        .wiki
        .revisions()
        .rollback(page, 2, test.aya, None)
        .unwrap();
    assert_eq!(done.warnings, []);
    assert_eq!(test.text(page), "[l](c)");
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/y/c"))]
    );
}

#[test]
fn next_revision_records_the_restored_path() {
    let test = TestWiki::new();
    let target = test.page("/t", "");
    let page = test.page("/a", "[t](/t) [n](none)");
    restore_to(&test, page, "/b");
    let meta = test.wiki.pages().meta(page, None).unwrap();
    assert_eq!(meta.rename_revisions, [1]);
    assert_eq!(paths_of_revisions(&test, page), ["/b"]);
    // A save without a change makes no revision, and the move stays unrecorded.
    let same = test.text(page);
    assert!(
        !test
            .wiki
            .pages()
            .save(test.by_version(page, 1, 0, &same))
            .unwrap()
            .changed
    );
    save(&test, page, "two", false);
    save(&test, page, "three", false);
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/b", "/b"]);
    let meta = test.wiki.pages().meta(page, Some(2)).unwrap();
    assert_eq!(meta.rename_revisions, [1, 2]);
    let rename = meta.revision.unwrap().rename.unwrap();
    assert_eq!((rename.from, rename.to), (Some(path("/a")), path("/b")));
    let refs: Vec<_> = rename.link_refs.into_iter().collect();
    assert_eq!(
        refs,
        [("/none".to_owned(), None), ("/t".to_owned(), Some(target))]
    );
    let diff = test.wiki.revisions().diff(page, 1, 3).unwrap();
    let renames: Vec<_> = diff.renames.iter().map(|at| at.info.revision).collect();
    assert_eq!(renames, [2]);
    let history = test
        .wiki
        .revisions()
        .history(page, Wording::En, None)
        .unwrap();
    assert!(history.contains("renamed from /a to /b"), "{history}");
}

#[test]
fn rollback_records_restore_and_resolves_old_paths() {
    let test = TestWiki::new();
    let page = test.page("/a/p", "[l](c)");
    save(&test, page, "two", false);
    let c = test.page("/a/c", "");
    restore_to(&test, page, "/b/p");
    test.wiki
        .revisions()
        .rollback(page, 1, test.ben, None)
        .unwrap();
    assert_eq!(paths_of_revisions(&test, page), ["/a/p", "/a/p", "/b/p"]);
    assert_eq!(rename_of(&test, page, 3), from_to("/a/p", "/b/p"));
    let raw = test.wiki.pages().raw_source(page, None).unwrap().source;
    assert_eq!(raw, format!("[l](page:{c})"));
}

#[test]
fn rename_records_the_restored_path_too() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    restore_to(&test, page, "/b");
    test.rename(page, "/c", false).unwrap();
    save(&test, page, "three", false);
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/c", "/c"]);
    assert_eq!(rename_of(&test, page, 2), from_to("/a", "/c"));
    assert_eq!(rename_of(&test, page, 3), None);
    // Back to the path of the last revision: a new revision, and no other path.
    restore_to(&test, page, "/d");
    test.rename(page, "/c", false).unwrap();
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/c", "/c", "/c"]);
    assert_eq!(rename_of(&test, page, 4), from_to("/c", "/c"));
    let history = test
        .wiki
        .revisions()
        .history(page, Wording::En, None)
        .unwrap();
    assert!(history.contains("The page came back to /c."), "{history}");
}

#[test]
fn amended_revision_records_the_restored_path() {
    let test = TestWiki::new();
    let page = test.page("/x/a", "one");
    restore_to(&test, page, "/y/b");
    // From now on the first revision has the new path.
    save(&test, page, "[l](c)", true);
    save(&test, page, "two", false);
    assert_eq!(paths_of_revisions(&test, page), ["/y/b", "/y/b"]);
    assert_eq!(rename_of(&test, page, 1), from_to("/x/a", "/y/b"));
    test.wiki
        .revisions()
        .rollback(page, 1, test.aya, None)
        .unwrap();
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/y/c"))]
    );
    // An amended save becomes a move to the new path; an amended rename keeps its old path.
    restore_to(&test, page, "/z");
    save(&test, page, "three", true);
    assert_eq!(rename_of(&test, page, 3), from_to("/y/b", "/z"));
    test.rename(page, "/z2", false).unwrap();
    restore_to(&test, page, "/z3");
    save(&test, page, "four", true);
    assert_eq!(rename_of(&test, page, 4), from_to("/z", "/z3"));
    let meta = test.wiki.pages().meta(page, None).unwrap();
    assert_eq!(meta.rename_revisions, [1, 3, 4]);
    assert_eq!(
        paths_of_revisions(&test, page),
        ["/y/b", "/y/b", "/z", "/z3"]
    );
}

#[test]
fn several_restores_record_first_and_last_path() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    restore_to(&test, page, "/b");
    restore_to(&test, page, "/c");
    let test = test.reopen();
    save(&test, page, "two", false);
    assert_eq!(rename_of(&test, page, 2), from_to("/a", "/c"));
    restore_to(&test, page, "/d");
    restore_to(&test, page, "/c");
    save(&test, page, "three", false);
    assert_eq!(rename_of(&test, page, 3), None);
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/c", "/c"]);
    // A permanent deletion leaves nothing behind.
    restore_to(&test, page, "/e");
    test.erase(page, false).unwrap();
}

#[test]
fn path_is_known_after_its_revision_is_compacted() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    save(&test, page, "two", false);
    save(&test, page, "three", false);
    test.wiki.revisions().compact(page, 2, None).unwrap();
    restore_to(&test, page, "/b");
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/b"]);
    save(&test, page, "four", false);
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/a", "/b"]);
    test.wiki.revisions().compact(page, 3, None).unwrap();
    assert_eq!(paths_of_revisions(&test, page), ["/a", "/b"]);
    assert_eq!(
        test.wiki.pages().meta(page, None).unwrap().rename_revisions,
        [4]
    );
}

/// The warnings of a restore: the page, the link, and its old and new target.
fn warnings_of(restored: RestoreOutcome) -> Vec<[String; 4]> {
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
    let test = TestWiki::new();
    test.page("/a/known", "");
    let text =
        "[k](known) [w](waits) [abs](/waits) ![](asset:own) ![](asset:../f/x) [up](../../up)";
    let page = test.page("/a/p", text);
    test.delete(page, false).unwrap();
    assert_eq!(
        warnings_of(test.restore(page, "/a/p", false).unwrap()),
        [[""; 4]; 0]
    );
    test.delete(page, false).unwrap();
    let expected = [
        warning("/b/c/p", "waits", "/a/waits", "/b/c/waits"),
        warning("/b/c/p", "asset:../f/x", "/a/f/x", "/b/c/f/x"),
        warning("/b/c/p", "../../up", "", "/up"),
    ];
    assert_eq!(
        warnings_of(test.restore(page, "/b/c/p", false).unwrap()),
        expected
    );
}

#[test]
fn file_links_within_restored_subtree_are_not_reported() {
    let test = TestWiki::new();
    let text = "![](asset:../q/f) ![](asset:../../r/f)";
    let [top, page, _] = test.pages(["/a", "/a/p", "/a/q"]);
    save(&test, page, text, false);
    test.delete(top, true).unwrap();
    let expected = [warning("/b/c/p", "asset:../../r/f", "/r/f", "/b/r/f")];
    assert_eq!(
        warnings_of(test.restore(top, "/b/c", true).unwrap()),
        expected
    );
    // Without its subpages, the page leaves them behind.
    test.delete(page, false).unwrap();
    let warnings = warnings_of(test.restore(page, "/p", false).unwrap());
    assert_eq!(
        warnings[0],
        warning("/p", "asset:../q/f", "/b/c/q/f", "/q/f")
    );
    assert_eq!(warnings.len(), 2);
}
