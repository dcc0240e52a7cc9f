//! The wiki as of a moment (docs/spec/wiki.md, The wiki as of a moment).

use std::collections::BTreeMap;
use std::io::{self, Cursor};
use std::time::Duration;

use fumikura_wiki::*;
use jiff::Timestamp;

use crate::archive_support::ignore_progress;
use crate::support::{TestWiki, file_name, path};

impl TestWiki {
    /// Lets a minute pass, and returns the moment before it.
    pub(crate) fn moment(&self) -> Timestamp {
        let now = self.clock_now();
        self.advance(60);
        now
    }

    pub(crate) fn rewrite(&self, page: PageId, source: &str) -> u64 {
        let any = SaveRequest {
            if_match: Some(Precondition::Any),
            ..self.save_request(page, source)
        };
        self.wiki.pages().save(any).unwrap().version.revision
    }

    pub(crate) fn amend(&self, page: PageId, source: &str) {
        let any = SaveRequest {
            if_match: Some(Precondition::Any),
            amend: true,
            ..self.save_request(page, source)
        };
        self.wiki.pages().save(any).unwrap();
    }

    /// The paths and texts of all pages of a moment, except the root page.
    fn then(&self, at: Timestamp) -> Vec<String> {
        let listed = self.wiki.past(at).list(&everything()).unwrap().items;
        let shown = listed.into_iter().map(|page| {
            let text = self.wiki.past(at).source(page.page_id).unwrap().source;
            format!("{} {text}", page.path)
        });
        shown.collect()
    }
}

pub(crate) fn everything() -> ListingQuery {
    ListingQuery {
        prefix: PagePath::root(),
        cursor: Some(PagePath::root()),
        backwards: false,
        limit: 1_000_000,
        with_deleted: false,
    }
}

#[test]
fn page_has_its_text_of_then() {
    let test = TestWiki::new();
    let before = test.moment();
    let page = test.page("/a", "# one");
    let first = test.moment();
    test.rewrite(page, "# two");
    let second = test.moment();
    let titles = [first, second].map(|at| test.wiki.past(at).resolve(&path("/a")).unwrap().title);
    assert_eq!(titles, ["one", "two"].map(|title| Some(title.to_owned())));
    assert_eq!(test.then(first), ["/a # one"]);
    assert_eq!(test.then(second), ["/a # two"]);
    assert_eq!(test.then(before), [""; 0]);
    let missing = test.wiki.past(before).resolve(&path("/a"));
    assert!(matches!(missing, Err(PastError::NothingAt { .. })));
}

#[test]
fn wiki_is_empty_before_its_first_page() {
    let test = TestWiki::new();
    let past = test.wiki.past("2020-01-01T00:00:00Z".parse().unwrap());
    let children = past.children(&PagePath::root(), None, 10).unwrap();
    assert_eq!(children.items, []);
    let all = ListingQuery {
        cursor: None,
        ..everything()
    };
    assert_eq!(past.list(&all).unwrap().items, []);
}

#[test]
fn swapped_pages_have_their_former_paths() {
    let test = TestWiki::new();
    let [a, b] = test.pages(["/a", "/b"]);
    let before = test.moment();
    test.rename(a, "/c", false).unwrap();
    let between = test.moment();
    test.rename(b, "/a", false).unwrap();
    test.rename(a, "/b", false).unwrap();
    let after = test.moment();
    let ids = |at| {
        ["/a", "/b", "/c"].map(|on| test.wiki.past(at).resolve(&path(on)).ok().map(|it| it.id))
    };
    assert_eq!(ids(before), [Some(a), Some(b), None]);
    assert_eq!(ids(between), [None, Some(b), Some(a)]);
    assert_eq!(ids(after), [Some(b), Some(a), None]);
}

#[test]
fn page_deleted_since_is_there() {
    let test = TestWiki::new();
    let page = test.page("/a", "old");
    let before = test.moment();
    test.delete(page, false).unwrap();
    let in_trash = test.moment();
    let other = test.page("/a", "new");
    let after = test.moment();
    assert_eq!(test.then(before), ["/a old"]);
    assert_eq!(test.then(in_trash), [""; 0]);
    assert_eq!(test.then(after), ["/a new"]);
    assert_eq!(
        test.wiki.past(after).resolve(&path("/a")).unwrap().id,
        other
    );
    let gone = test.wiki.past(in_trash).source(page);
    assert!(matches!(gone, Err(PastError::NotPresent(at)) if at == in_trash));
}

#[test]
fn restored_page_was_away_while_another_was_there() {
    let test = TestWiki::new();
    let page = test.page("/a", "first");
    let start = test.moment();
    test.delete(page, false).unwrap();
    test.moment();
    let other = test.page("/a", "second");
    let between = test.moment();
    test.delete(other, false).unwrap();
    test.restore(page, "/a", false).unwrap();
    let end = test.moment();
    assert_eq!(test.then(start), ["/a first"]);
    assert_eq!(test.then(between), ["/a second"]);
    assert_eq!(test.then(end), ["/a first"]);
}

#[test]
fn restore_to_another_path_is_followed() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let start = test.moment();
    test.delete(page, false).unwrap();
    test.moment();
    test.restore(page, "/b", false).unwrap();
    let restored = test.moment();
    test.delete(page, false).unwrap();
    test.moment();
    test.restore(page, "/c", false).unwrap();
    let again = test.moment();
    test.rename(page, "/d", false).unwrap();
    let end = test.moment();
    assert_eq!(test.then(start), ["/a text"]);
    assert_eq!(test.then(restored), ["/b text"]);
    assert_eq!(test.then(again), ["/c text"]);
    assert_eq!(test.then(end), ["/d text"]);
}

#[test]
fn links_lead_to_the_paths_of_then() {
    let test = TestWiki::new();
    let target = test.page("/to", "# Old");
    test.page("/from", "[x](/to) [y](/later) [[/to]]");
    let before = test.moment();
    test.rename(target, "/moved", false).unwrap();
    test.rewrite(target, "# New");
    test.page("/later", "");
    test.delete(target, false).unwrap();
    test.page("/moved", "another");
    let now = test.clock_now();
    let past = test.wiki.past(before);
    let from = past.resolve(&path("/from")).unwrap().id;
    assert_eq!(
        past.source(from).unwrap().source,
        "[x](/to) [y](/later) [[/to]]"
    );
    let links = past.meta(from).unwrap().linked_pages;
    let links: Vec<_> = links
        .iter()
        .map(|link| (link.path.as_str(), link.title.as_deref()))
        .collect();
    assert_eq!(links, [("/to", Some("Old"))]);
    // Its path belongs to another page, so that only the id is left.
    let now = test.wiki.past(now).source(from).unwrap().source;
    assert_eq!(
        now,
        format!("[x](page:{target}) [y](/later) [[page:{target}]]")
    );
}

#[test]
fn link_waits_until_its_page_comes() {
    let test = TestWiki::new();
    let from = test.page("/from", "[x](/to)");
    let target = test.page("/a", "");
    let before = test.moment();
    test.rename(target, "/to", false).unwrap();
    let after = test.moment();
    test.rename(target, "/b", false).unwrap();
    let shown = |at| test.wiki.past(at).source(from).unwrap().source;
    assert_eq!(
        [before, after, test.clock_now()].map(shown),
        ["[x](/to)", "[x](/to)", "[x](/b)"]
    );
}

#[test]
fn removed_revisions_are_named() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    let first = test.moment();
    let kept_from = test.clock_now();
    test.rewrite(page, "two");
    test.wiki.revisions().compact(page, 2, None).unwrap();
    let removed =
        |error: PastError| matches!(error, PastError::Removed { oldest } if oldest == kept_from);
    let past = test.wiki.past(first);
    assert!(removed(past.resolve(&path("/a")).unwrap_err()));
    assert!(removed(past.source(page).unwrap_err()));
    assert_eq!(test.then(first), [""; 0]);
    assert_eq!(test.then(kept_from), ["/a two"]);
}

#[test]
fn permanently_deleted_page_is_not_there() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    test.page("/b", "[a](/a)");
    let before = test.moment();
    test.erase(page, false).unwrap();
    assert_eq!(test.then(before), ["/b [a](/a)"]);
    assert!(test.wiki.past(before).source(page).is_err());
}

#[test]
fn amended_revision_counts_from_its_amendment() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    test.moment();
    test.rewrite(page, "two");
    let second = test.moment();
    test.amend(page, "three");
    let third = test.moment();
    assert_eq!(test.then(second), ["/a one"]);
    assert_eq!(test.then(third), ["/a three"]);
}

#[test]
fn clock_set_back_shows_the_highest_revision() {
    let test = TestWiki::new();
    let page = test.page("/a", "one");
    let noon = test.moment();
    test.rewrite(page, "two");
    test.clock.put_back(Duration::from_secs(3600));
    test.rewrite(page, "three");
    let back = test.clock_now();
    assert_eq!(test.then(back), ["/a three"]);
    assert_eq!(test.then(noon), ["/a three"]);
    assert_eq!(test.then(back - Duration::from_secs(1)), [""; 0]);
}

#[test]
fn files_are_those_of_then() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let none = test.moment();
    let first = test.upload(page, "a.png", b"1").unwrap().id;
    let one = test.moment();
    test.wiki.assets().delete(first).unwrap();
    let deleted = test.moment();
    let second = test.upload(page, "a.png", b"2").unwrap().id;
    let two = test.moment();
    let found = |at| {
        test.wiki
            .past(at)
            .find_file(&path("/a"), &file_name("a.png"))
            .ok()
    };
    assert_eq!(
        [none, one, deleted, two].map(found),
        [None, Some(first), None, Some(second)]
    );
    // Never another file in its place.
    test.wiki.assets().purge(first).unwrap();
    assert_eq!(found(one), None);
    test.wiki
        .assets()
        .rename(second, file_name("b.png"))
        .unwrap();
    let renamed = test.moment();
    assert_eq!(found(two), None);
    assert_eq!(test.wiki.past(renamed).files(page).unwrap(), []);
}

#[test]
fn file_is_found_after_its_page_moved() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let file = test.upload(page, "a.png", b"1").unwrap().id;
    let before = test.moment();
    test.rename(page, "/b", false).unwrap();
    let after = test.moment();
    let found = |at, on| {
        test.wiki
            .past(at)
            .find_file(&path(on), &file_name("a.png"))
            .ok()
    };
    assert_eq!(found(before, "/a"), Some(file));
    assert_eq!(found(before, "/b"), None);
    assert_eq!(found(after, "/a"), Some(file));
    assert_eq!(found(after, "/b"), Some(file));
}

#[test]
fn children_are_those_of_then() {
    let test = TestWiki::new();
    let [_, page, _] = test.pages(["/a", "/a/b", "/a-b"]);
    test.page("/a/b/c", "");
    let before = test.moment();
    test.delete(page, true).unwrap();
    let children = test
        .wiki
        .past(before)
        .children(&PagePath::root(), None, 10)
        .unwrap();
    let shown = children
        .items
        .iter()
        .map(|child| (child.name.as_str(), child.pages));
    assert_eq!(shown.collect::<Vec<_>>(), [("a", 2), ("a-b", 0)]);
    let part = test
        .wiki
        .past(before)
        .children(&path("/a"), None, 1)
        .unwrap();
    assert_eq!(part.items[0].page_id, Some(page));
    assert!(!part.has_more);
}

#[test]
fn list_continues_from_its_anchor() {
    let test = TestWiki::new();
    test.pages(["/a", "/b", "/c"]);
    let at = test.moment();
    let listed = |cursor: &str, backwards| {
        let query = ListingQuery {
            cursor: Some(path(cursor)),
            backwards,
            limit: 1,
            ..everything()
        };
        let list = test.wiki.past(at).list(&query).unwrap();
        (list.items[0].path.to_string(), list.has_more)
    };
    assert_eq!(listed("/a", false), ("/b".to_owned(), true));
    assert_eq!(listed("/b", false), ("/c".to_owned(), false));
    assert_eq!(listed("/b", true), ("/a".to_owned(), true));
}

#[test]
fn export_has_the_wiki_of_then() {
    let test = TestWiki::new();
    let page = test.page("/a", "![](asset:x.txt) [b](/b)");
    test.upload(page, "x.txt", b"then").unwrap();
    let other = test.page("/b", "");
    let before = test.moment();
    test.rename(other, "/c", false).unwrap();
    test.delete(page, false).unwrap();
    let exported = |form| {
        let (aside, mut out) = (tempfile::tempdir().unwrap(), Vec::new());
        let archives = test.wiki.archives();
        let export = archives
            .begin_past_export(aside.path(), form, before)
            .unwrap();
        archives
            .write_export(export, &mut out, &mut ignore_progress)
            .unwrap();
        entries(out)
    };
    let archive = exported(ExportForm::Archive);
    assert_eq!(archive["pages/a.md"], "![](asset:x.txt) [b](/b)");
    assert_eq!(archive["pages/a.files/x.txt"], "then");
    assert!(archive.contains_key("pages/b.md") && !archive.contains_key("pages/c.md"));
    assert!(archive["fumikura.json"].contains(&format!("\"exported_at\": \"{before}\"")));
    assert_eq!(
        exported(ExportForm::Vault)["a.md"],
        "![](a.files/x.txt) [b](b.md)"
    );
}

fn entries(archive: Vec<u8>) -> BTreeMap<String, String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut entries = BTreeMap::new();
    for number in 0..zip.len() {
        let entry = zip.by_index(number).unwrap();
        let name = entry.name().unwrap().into_owned();
        entries.insert(name, io::read_to_string(entry).unwrap());
    }
    entries
}
