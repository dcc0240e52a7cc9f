//! Invariants of any text: without links to pages it comes back byte for byte, its links survive being stored
//! and shown again, and nothing but their destinations changes.

use std::cell::Cell;

use proptest::prelude::*;
use proptest::sample::select;

use super::scan::scan;
use crate::fixture::TestWiki;
use crate::{PageId, PagePath, Precondition, RenameRequest, SaveOutcome, SaveRequest};

/// Existing pages, with paths that need care.
const PAGES: [&str; 6] = ["/a", "/b c", "/旅/庭", "/d(e", "/f%&g", "/p/h"];
/// The paths to which the pages are renamed.
const NEW_PATHS: [&str; 6] = [
    "/a/(a)",
    "/b]c' \"d\": #e",
    "/庭|`x`",
    "/<d>\\e",
    "/f*!_~",
    "/p/q r",
];

/// Pieces from which texts are made.
const PIECES: [&str; 78] = [
    "[x](/a)",
    "[x](</b c>)",
    "[x](/旅/庭 't')",
    "[x](/d\\(e?f)g)",
    "[x](/d(e)",
    "[x](/f%25&amp;g#h)",
    "[x](h)",
    "[x](../a)",
    "[x](/none)",
    "[x](none)",
    "![x](/a)",
    "[[/a]]",
    "[[/b c|x]]",
    "[[/旅/庭]]",
    "[[/none#x]]",
    "[r]: /a\n",
    "[r]: </b c> 't'\n",
    "[x][r]",
    "[r]",
    "[^1]",
    "[^1]: ",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "[[",
    "]]",
    "|",
    "`",
    "``",
    "```\n",
    "~~~\n",
    "<",
    ">",
    "<b c='",
    "</b>",
    "<div>\n",
    "<!--",
    "-->",
    "> ",
    "- ",
    "1. ",
    "  ",
    "    ",
    "\t",
    "\n",
    "\n\n",
    "\r\n",
    "# ",
    "---\n",
    "===\n",
    "|a|b|\n|-|-|\n",
    "\\",
    "\\\n",
    "*",
    "**",
    "_",
    "~~",
    "&",
    "&amp;",
    "\"",
    "'",
    "^",
    "^[",
    "!",
    "https://e.org/",
    "page:",
    "asset:x",
    "%20",
    "?",
    "#",
    "日本",
    "、",
    "か\u{3099}",
    "x",
    " ",
];

/// Fields of front matter; `k` is replaced by a name.
const FIELDS: [&str; 11] = [
    "k: \"[[/a]]\" # [[/a]]\n",
    "k: '[[/b c|x]] [[/none]]'\n",
    "k: see [[/旅/庭]] and [[/b c#d]] # x\n",
    "k:\n  - \"[[/d(e?f]] \\\"\\u65c5\"\n  - '[[/f%25&g^h]] it''s'\n",
    "k: |\n  [[/a]] [[/p/h]]\n\n  [[ /b c ]]\n",
    "k: >-\n  [[/旅/庭]]\n",
    "k: [\"[[/a]]\", '[[/p/h]]', x]\n",
    "k: {b: \"[[/b c]]\", c: 1.0}\r\n",
    "\"[[/a]]k\": 2026-11-20\n",
    "k: [[/a]]\n",
    "k: '[[/a]]\n",
];

struct TestPage {
    test: TestWiki,
    page: PageId,
}

impl TestPage {
    fn new(pages: &[&str]) -> Self {
        let test = TestWiki::new();
        for path in pages {
            test.page(path, "");
        }
        let page = test.page("/p/page", "");
        Self { test, page }
    }

    fn request(&self, source: &str) -> SaveRequest {
        SaveRequest {
            page_id: self.page,
            user: self.test.user,
            source: source.to_owned(),
            token: None,
            if_match: Some(Precondition::Any),
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        }
    }

    fn put(&self, source: &str) -> SaveOutcome {
        self.test.wiki.pages().save(self.request(source)).unwrap()
    }

    fn raw(&self) -> String {
        self.test
            .wiki
            .pages()
            .raw_source(self.page, None)
            .unwrap()
            .source
    }

    fn shown(&self) -> String {
        self.test
            .wiki
            .pages()
            .source(self.page, None)
            .unwrap()
            .source
    }

    fn rename(&self, from: &str, to: &str) {
        let request = RenameRequest {
            page_id: self.test.wiki.pages().resolve(&path_of(from)).unwrap().id,
            to: path_of(to),
            recursive: false,
            user: self.test.user,
            token: None,
        };
        self.test.wiki.tree().rename(&request).unwrap();
    }
}

fn path_of(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

/// Returns the text without the destinations of its links.
fn without_destinations(text: &str) -> Vec<&str> {
    let mut rest = Vec::new();
    let mut at = 0;
    for written in scan(text) {
        rest.push(&text[at..written.range.start]);
        at = written.range.end;
    }
    rest.push(&text[at..]);
    rest
}

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(select(&PIECES[..]), 0..24).prop_map(|all| all.concat());
    let fields = prop::collection::vec(select(&FIELDS[..]), 1..5);
    let with_fields = (fields, pieces.clone()).prop_map(|(fields, text)| {
        let fields = fields.iter().enumerate();
        let named = fields.map(|(number, field)| field.replacen('k', &format!("k{number}"), 1));
        format!("---\n{}---\n{text}", named.collect::<String>())
    });
    prop_oneof![4 => pieces, 3 => with_fields, 1 => "\\PC{0,40}"]
}

/// Runs this many cases, or fifty times as many if `FUMIKURA_FULL` is set.
fn config(cases: u32) -> ProptestConfig {
    let times = if std::env::var_os("FUMIKURA_FULL").is_some() {
        50
    } else {
        1
    };
    ProptestConfig {
        cases: cases * times,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

#[test]
fn text_without_page_links_is_preserved_exactly() {
    let page = TestPage::new(&[]);
    proptest!(config(400), |(text in texts())| {
        page.put(&text);
        prop_assert_eq!(&page.raw(), &text);
        prop_assert_eq!(&page.shown(), &text);
    });
}

#[test]
fn round_trip_keeps_links_and_all_other_text() {
    let page = TestPage::new(&PAGES);
    proptest!(config(400), |(text in texts())| {
        let saved = page.put(&text);
        let (raw, shown) = (page.raw(), page.shown());
        prop_assert_eq!(&saved.source, &shown);
        let rest = without_destinations(&text);
        prop_assert_eq!(&without_destinations(&raw), &rest, "{:?}", raw);
        prop_assert_eq!(&without_destinations(&shown), &rest, "{:?}", shown);
        for same in [&shown, &raw, &text] {
            prop_assert!(!page.put(same).changed, "{same:?} was {raw:?}");
        }
    });
}

#[test]
fn unreplaceable_link_survives_display_and_save() {
    let page = TestPage::new(&PAGES);
    // With an id in place of `/b c`, everything up to the last parenthesis would be one destination.
    let text = "[x](/d(e)[[/b c|x]][x](/d\\(e?f)g)";
    page.put(text);
    assert_eq!(page.raw(), text);
    let shown = page.shown();
    assert_eq!(shown, "[x](/d(e)[[/b c|x]][x](/d%28e?f)g)");
    assert!(!page.put(&shown).changed);
    assert_eq!(page.raw(), text);
}

#[test]
fn links_survive_renaming_all_their_pages() {
    let page = TestPage::new(&PAGES);
    let at_old_paths = Cell::new(true);
    proptest!(config(100), |(text in texts())| {
        page.put(&text);
        let before = page.shown();
        let rest = without_destinations(&text);
        let (from, to) = if at_old_paths.get() { (PAGES, NEW_PATHS) } else { (NEW_PATHS, PAGES) };
        for (from, to) in from.iter().zip(to) {
            page.rename(from, to);
        }
        at_old_paths.set(!at_old_paths.get());
        let (raw, after) = (page.raw(), page.shown());
        prop_assert_eq!(&without_destinations(&after), &rest, "{:?}", after);
        prop_assert!(!page.put(&after).changed, "{after:?} was {raw:?}");
        // A text that was read before the renames still means the same.
        prop_assert!(!page.put(&before).changed, "{before:?} was {raw:?}");
    });
}
