//! Tests of reorganizing pages.

use super::*;
use crate::assets::AssetError;
use crate::fixture::{self, TestWiki};
use crate::locks::GateError;
use crate::pages::ResolveError;
use crate::wiki::Wiki;

fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

fn text(wiki: &Wiki, page: PageId) -> String {
    wiki.pages().source(page, None).unwrap().source
}

fn files(wiki: &Wiki, page: PageId) -> Vec<String> {
    let files = wiki.assets().of_page(page, false).unwrap();
    files
        .into_iter()
        .map(|file| file.file_name.to_string())
        .collect()
}

fn merge(test: &TestWiki, page_id: PageId, into: PageId) -> Result<MergeOutcome, ReorganizeError> {
    test.wiki.reorganize().merge(&MergeRequest {
        page_id,
        into,
        user: test.user,
        token: None,
    })
}

fn unmerge(
    test: &TestWiki,
    page_id: PageId,
    into: PageId,
    merged: &MergeOutcome,
) -> Result<(), ReorganizeError> {
    test.wiki.reorganize().unmerge(&UnmergeRequest {
        page_id,
        into,
        revision: merged.revision,
        files: merged.files.clone(),
        pages: merged.pages.clone(),
        user: test.user,
    })
}

#[track_caller]
fn check_integrity(wiki: &Wiki) {
    let report = wiki.check(crate::Depth::Everything).unwrap();
    assert_eq!(report.faults, [], "{report:?}");
}

#[test]
fn duplicate_has_the_text_and_its_own_files() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    test.page("/旅/宿", "");
    let page = test.page("/旅/京都", "# 京都\n\n![](asset:a.txt) [宿](宿)\n");
    fixture::file(wiki, page, test.user, "a.txt");

    let copy = wiki.reorganize().duplicate(page, test.user).unwrap();
    assert_eq!(copy.path, path("/旅/京都 2"));
    let expected = text(wiki, page).replace("# 京都", "# 京都 2");
    assert_eq!(text(wiki, copy.page_id), expected);
    assert_eq!(files(wiki, copy.page_id), ["a.txt"]);
    let original = wiki.assets().of_page(page, false).unwrap()[0].id;
    wiki.assets().purge(original).unwrap();
    let kept = wiki.assets().of_page(copy.page_id, false).unwrap()[0].id;
    assert_eq!(wiki.assets().open(kept).unwrap().asset.size, 8);
    check_integrity(wiki);
}

#[test]
fn merged_footnotes_keep_their_texts() {
    let test = TestWiki::new();
    let into = test.page("/a", "a[^1]\n\n[^1]: one");
    let page = test.page("/b", "# B\n\nb[^1] c[^x]\n\n[^1]: two\n[^x]: three");
    merge(&test, page, into).unwrap();
    let expected = "a[^1]\n\n[^1]: one\n\n# B\n\nb[^2] c[^x]\n\n[^2]: two\n[^x]: three\n";
    assert_eq!(text(&test.wiki, into), expected);
}

#[test]
fn duplicates_are_numbered() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let duplicate = |page| test.wiki.reorganize().duplicate(page, test.user).unwrap();
    let second = duplicate(page);
    assert_eq!(second.path, path("/a 2"));
    assert_eq!(duplicate(second.page_id).path, path("/a 3"));
    assert_eq!(duplicate(page).path, path("/a 4"));
    let year = test.page("/2026", "text");
    assert_eq!(duplicate(year).path, path("/2026 2"));
}

#[test]
fn failed_copy_creates_no_page() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let file = fixture::file(&test.wiki, page, test.user, "a.txt");
    let (folder, place) = test.wiki.assets().place(file);
    std::fs::remove_file(folder.join(place)).unwrap();
    let failed = test.wiki.reorganize().duplicate(page, test.user);
    assert!(matches!(
        failed,
        Err(ReorganizeError::Asset(AssetError::Storage(_)))
    ));
    let copy = test.wiki.pages().resolve(&path("/a 2"));
    assert!(matches!(copy, Err(ResolveError::NotFound(_))));
}

#[test]
fn extracted_links_keep_their_meaning() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    test.page("/a/other", "");
    let page = test.page("/a/b", "text");
    fixture::file(wiki, page, test.user, "b c.txt");
    let part =
        "## Part\n\n[o](other#x) [[/a/other|o]] [new](new) ![](<asset:b c.txt>) [self](#part)\n";

    let created = wiki
        .reorganize()
        .extract(page, path("/deep/er/part"), part, test.user)
        .unwrap();
    assert_eq!(
        text(wiki, created.page_id),
        "## Part\n\n[o](/a/other#x) [[/a/other|o]] [new](/a/new) ![](<asset:/a/b/b c.txt>) [self](#part)\n"
    );
    let taken = wiki
        .reorganize()
        .extract(page, path("/a/b"), part, test.user);
    assert!(matches!(taken, Err(ReorganizeError::Taken(_))));
    check_integrity(wiki);
}

#[test]
fn merged_page_is_appended_under_its_title() {
    #[track_caller]
    fn check(source: &str, expected: &str) {
        let test = TestWiki::new();
        let into = test.page("/to", "# To\n\nfirst\n");
        let page = test.page("/from/here", source);
        merge(&test, page, into).unwrap();
        assert_eq!(
            text(&test.wiki, into),
            format!("# To\n\nfirst\n\n{expected}\n")
        );
        check_integrity(&test.wiki);
    }
    check("second", "# here\n\nsecond");
    check("\n# Here\n\n## More\n", "# Here\n\n## More");
    check("Here\n===\ntext", "Here\n===\n\ntext");
    check(
        "[n](near) [t](/to#x)",
        "# here\n\n[n](/from/near) [t](/to#x)",
    );
    check(
        "---\ntags: [a]\n---\n# Here\ntext",
        "# Here\n\n```yaml\ntags: [a]\n```\n\ntext",
    );
}

#[test]
fn merged_properties_name_paths() {
    let test = TestWiki::new();
    test.page("/to", "# To");
    let into = test.page("/q", "# Q");
    let page = test.page("/p", "---\nby: \"[[/to]]\"\n---\n# P\n\n[[/to]]");
    merge(&test, page, into).unwrap();
    let text = test.wiki.pages().source(into, None).unwrap().source;
    assert!(
        text.contains("by: \"[[/to]]\"") && !text.contains("page:"),
        "{text}"
    );
}

#[test]
fn merge_moves_files_and_links() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    let into = test.page("/to", "[f](/from)");
    let page = test.page("/from", "![](asset:a.txt) ![](asset:b.txt) [me](/from#x)");
    let other = test.page("/other", "[f](/from#x) ![](asset:/from/b.txt)");
    for (page, name) in [(into, "a.txt"), (page, "a.txt"), (page, "b.txt")] {
        fixture::file(wiki, page, test.user, name);
    }

    let merged = merge(&test, page, into).unwrap();
    assert_eq!(files(wiki, into), ["a-2.txt", "a.txt", "b.txt"]);
    assert_eq!(
        text(wiki, into),
        "[f](/to)\n\n# from\n\n![](asset:a-2.txt) ![](asset:b.txt) [me](/to#x)\n"
    );
    assert_eq!(text(wiki, other), "[f](/to#x) ![](asset:/from/b.txt)");
    let b = crate::FileName::new("b.txt").unwrap();
    assert!(wiki.assets().find(&path("/from"), &b).is_ok());
    let moved = wiki.pages().resolve(&path("/from"));
    assert!(
        matches!(moved, Err(ResolveError::Moved { to, in_trash: None, .. }) if to == path("/to"))
    );
    check_integrity(wiki);

    unmerge(&test, page, into, &merged).unwrap();
    assert_eq!(text(wiki, into), "[f](/from)");
    assert_eq!(text(wiki, other), "[f](/from#x) ![](asset:/from/b.txt)");
    assert_eq!(files(wiki, into), ["a.txt"]);
    assert_eq!(files(wiki, page), ["a.txt", "b.txt"]);
    assert_eq!(wiki.pages().resolve(&path("/from")).unwrap().id, page);
    check_integrity(wiki);
}

#[test]
fn merge_is_refused_while_a_page_is_edited() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    let ids = [("/from", "x"), ("/to", "y"), ("/other", "[f](/from)")];
    let [page, into, other] = ids.map(|(at, text)| test.page(at, text));
    for edited in [page, into, other] {
        let lock = wiki.locks().acquire(edited, test.user).unwrap();
        let refused = merge(&test, page, into);
        assert!(matches!(
            refused,
            Err(ReorganizeError::Gate(GateError::Required { .. }))
        ));
        assert_eq!(text(wiki, into), "y");
        wiki.locks().release(edited, lock.token).unwrap();
    }
    assert!(matches!(
        merge(&test, page, page),
        Err(ReorganizeError::IntoItself)
    ));
    assert!(merge(&test, page, into).is_ok());
}

#[test]
fn merge_is_not_undone_after_a_change() {
    let test = TestWiki::new();
    let [page, into] = ["/from", "/to"].map(|at| test.page(at, at));
    let merged = merge(&test, page, into).unwrap();
    let rolled = test.wiki.revisions().rollback(into, 1, test.user, None);
    rolled.unwrap();
    let refused = unmerge(&test, page, into, &merged);
    assert!(matches!(refused, Err(ReorganizeError::Changed(at)) if at == path("/to")));
}

fn rename_file(
    test: &TestWiki,
    asset: crate::id::AssetId,
    name: &str,
) -> Result<RenamedFile, ReorganizeError> {
    test.wiki.reorganize().rename_file(&FileRename {
        asset,
        name: crate::file_name::FileName::new(name).unwrap(),
        user: test.user,
    })
}

#[test]
fn file_is_renamed_in_the_text_and_back() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    let source = "![](asset:de\\.txt) [[/a]] [x](asset:%61.txt)";
    let page = test.page("/a", source);
    let asset = fixture::file(wiki, page, test.user, "a.txt");
    let renamed = rename_file(&test, asset, "b.txt").unwrap();
    assert_eq!(
        (renamed.revision, files(wiki, page)),
        (Some(2), vec!["b.txt".to_owned()])
    );
    let changed = "![](asset:de\\.txt) [[/a]] [x](asset:b.txt)";
    assert_eq!(text(wiki, page), changed);
    let undone = rename_file(&test, asset, "a.txt").unwrap();
    assert_eq!(
        (undone.revision, files(wiki, page)),
        (Some(3), vec!["a.txt".to_owned()])
    );
    assert_eq!(text(wiki, page), source);
    check_integrity(wiki);
}

#[test]
fn file_renamed_back_keeps_later_text() {
    let test = TestWiki::new();
    let page = test.page("/a", "[x](asset:%61.txt)");
    let asset = fixture::file(&test.wiki, page, test.user, "a.txt");
    rename_file(&test, asset, "b.txt").unwrap();
    fixture::amend(&test.wiki, page, test.user, "[x](asset:b.txt) more");
    let back = rename_file(&test, asset, "a.txt").unwrap();
    assert_eq!(back.revision, Some(3));
    assert_eq!(text(&test.wiki, page), "[x](asset:a.txt) more");
}

#[test]
fn locked_page_keeps_its_file_names() {
    let test = TestWiki::new();
    let wiki = &test.wiki;
    let page = test.page("/a", "[x](asset:a.txt)");
    let asset = fixture::file(wiki, page, test.user, "a.txt");
    let other = fixture::file(wiki, page, test.user, "unused.txt");
    wiki.locks().acquire(page, test.user).unwrap();
    let refused = rename_file(&test, asset, "b.txt");
    assert!(matches!(
        refused,
        Err(ReorganizeError::Gate(GateError::Required { .. }))
    ));
    assert_eq!(text(wiki, page), "[x](asset:a.txt)");
    // The text does not name this one, but the text that is being written may.
    assert!(rename_file(&test, other, "c.txt").is_err());
    assert_eq!(files(wiki, page), ["a.txt", "unused.txt"]);
}
