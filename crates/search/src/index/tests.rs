//! Tests: the index finds the same pages as a scan of every text.

use std::collections::BTreeSet;

use fumikura_base::budget::Budget;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::facts::{Directory, PageFacts};
use crate::query::Query;
use crate::text::{PageText, extract};

pub(super) struct Pages {
    folder: TempDir,
    index: Index,
    directory: Directory,
    texts: Vec<PageText>,
}

fn key(number: usize) -> PageKey {
    (number as u128).to_be_bytes()
}

fn facts(number: usize, path: &str) -> PageFacts {
    PageFacts {
        key: key(number),
        path: path.to_owned(),
        former: Vec::new(),
        title: None,
        deleted: false,
        updated: number as i64,
        author: "Aya".to_owned(),
        version: 1,
    }
}

impl Pages {
    pub(super) fn new(sources: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(folder.path()).unwrap();
        let titled = |source: &&str| {
            let title = source.lines().find_map(|line| line.strip_prefix("# "));
            extract(source).with_title(title.map(str::to_owned))
        };
        let texts: Vec<PageText> = sources.iter().map(titled).collect();
        let mut writer = index.writer().unwrap();
        for (number, text) in texts.iter().enumerate() {
            writer.put(&key(number), 1, text).unwrap();
            // Several segments.
            if number % 7 == 3 {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        writer.finish().unwrap();
        index.reload().unwrap();
        let all = (0..sources.len()).map(|number| facts(number, &format!("/p{number}")));
        let directory = all.collect();
        Self {
            folder,
            index,
            directory,
            texts,
        }
    }

    pub(super) fn found(&self, typed: &str) -> BTreeSet<usize> {
        let query = Query::parse(typed).unwrap();
        let found = self.index.find(&query, &self.directory).unwrap();
        found
            .iter()
            .map(|found| u128::from_be_bytes(found.key) as usize)
            // Regular expressions are matched by the caller.
            .filter(|number| !query.has_regex() || self.matches(&query, *number))
            .collect()
    }

    fn matches(&self, query: &Query, number: usize) -> bool {
        let facts = self.directory.get(&key(number)).unwrap();
        let weight = query.weigh(facts, &self.texts[number], &Budget::unlimited());
        weight.unwrap().is_some()
    }

    pub(super) fn scanned(&self, typed: &str) -> BTreeSet<usize> {
        let query = Query::parse(typed).unwrap();
        let all = 0..self.texts.len();
        all.filter(|number| self.matches(&query, *number)).collect()
    }

    #[track_caller]
    fn check(&self, typed: &str, expected: &[usize]) {
        assert_eq!(
            self.found(typed),
            expected.iter().copied().collect(),
            "{typed:?}"
        );
        assert_eq!(
            self.scanned(typed),
            self.found(typed),
            "{typed:?}: the scan differs"
        );
    }
}

#[test]
fn fields_narrow_a_query() {
    let pages = Pages::new(&[
        "---\ntags: [旅/京都]\n---\n# 旅\n\n寺",
        "# 寺\n\n旅 ![](asset:a.png)",
        "text #旅",
    ]);
    pages.check("title:旅", &[0]);
    pages.check("旅", &[0, 1, 2]);
    pages.check("tag:旅", &[0, 2]);
    pages.check("tag:旅/京都", &[0]);
    pages.check("has:picture", &[1]);
    pages.check("path:/p1", &[1]);
    pages.check("path:p2", &[2]);
    pages.check("p2", &[2]);
    pages.check("旅 path:/", &[0, 1, 2]);
    pages.check("旅 before:2000", &[0, 1, 2]);
    pages.check("旅 after:2000", &[]);
    pages.check("-has:picture", &[0, 2]);
    pages.check("regex:[旅寺] path:/p1", &[1]);
    pages.check("-regex:tex. path:/", &[0, 1]);
}

#[test]
fn changes_are_found_after_a_commit() {
    let pages = Pages::new(&["one", "two"]);
    let mut writer = pages.index.writer().unwrap();
    writer.put(&key(0), 2, &extract("three")).unwrap();
    writer.remove(&key(1));
    assert_eq!(pages.found("one"), BTreeSet::from([0]));
    writer.commit().unwrap();
    pages.index.reload().unwrap();
    assert_eq!(pages.found("one OR two"), BTreeSet::new());
    assert_eq!(pages.found("three"), BTreeSet::from([0]));
    let versions = pages.index.versions().unwrap();
    assert_eq!(versions.into_iter().collect::<Vec<_>>(), [(key(0), 2)]);
}

#[test]
fn unusable_folder_differs_from_io_error() {
    let pages = Pages::new(&["one"]);
    let folder = pages.folder.path();
    let opened = |folder: &Path| Index::open(folder).map(|_| ());
    assert!(opened(folder).is_ok());
    std::fs::write(folder.join("format"), "another\n").unwrap();
    assert!(matches!(opened(folder), Err(IndexError::Unusable(_))));
    std::fs::remove_file(folder.join("format")).unwrap();
    assert!(matches!(opened(folder), Err(IndexError::Unusable(_))));
    let file = folder.join("a file");
    std::fs::write(&file, "").unwrap();
    assert!(matches!(opened(&file), Err(IndexError::Io(_))));
}

#[test]
fn special_file_makes_the_index_unusable() {
    let names = |pages: &Pages| -> BTreeSet<_> {
        let entries = std::fs::read_dir(pages.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect()
    };
    // Names of segments are random: each index has a file of each kind.
    let count = names(&Pages::new(&["one"])).len();
    assert!(count > 8, "{count}");
    for number in 0..count {
        let pages = Pages::new(&["one"]);
        let name = names(&pages).into_iter().nth(number).unwrap();
        let file = pages.folder.path().join(&name);
        std::fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let opened = Index::open(pages.folder.path());
        let writer = opened.and_then(|index| index.writer().map(drop));
        assert!(writer.is_err(), "{}", name.display());
    }
}

#[test]
fn last_word_of_a_huge_line_is_found() {
    let source = format!("{}quokka", "京都 word, ".repeat(800_000));
    assert!(source.len() > 10_000_000);
    let pages = Pages::new(&[&source, "short"]);
    assert_eq!(pages.found("quokka").len(), 1);
    let query = Query::parse("quokka").unwrap();
    let shown = pages.texts[0].snippets(&query, 2, &Budget::unlimited());
    assert_eq!(shown.len(), 1);
    assert!(shown[0].text.len() < 1000 && shown[0].text.ends_with("quokka"));
}

#[test]
fn combining_marks_alone_match_only_themselves() {
    let pages = Pages::new(&["x", "q\u{303}", "é", "*", "1\u{20E3}"]);
    pages.check("\u{301}", &[]);
    pages.check("\u{303}", &[1]);
    pages.check("*\u{FE0F}\u{20E3}", &[4]);
    pages.check("x \u{301}", &[]);
    pages.check("x OR \u{301}", &[0]);
    pages.check("-\u{301}", &[0, 1, 2, 3, 4]);
    pages.check("\"\u{301}\"", &[]);
    pages.check("title:\u{301} OR path:\u{301}", &[]);
}

#[test]
fn same_marks_between_numbers_rank_first() {
    let loose = "2026-4-10 ".repeat(40);
    let far = format!("{} 2026.4.10", "word ".repeat(300));
    let pages = Pages::new(&[&loose, &far, "12,5", "on 12.5", "# 12,5\n\n12,5"]);
    for (typed, first, others) in [("2026.4.10", 1, &[0][..]), ("12.5", 3, &[2, 4])] {
        let query = Query::parse(typed).unwrap();
        let hits = pages.index.find(&query, &pages.directory).unwrap();
        let of = |number: usize| {
            hits.iter()
                .find(|hit| hit.key == key(number))
                .unwrap()
                .weight
        };
        let scanned = |number: usize| {
            let facts = pages.directory.get(&key(number)).unwrap();
            let weight = query.weigh(facts, &pages.texts[number], &Budget::unlimited());
            weight.unwrap().unwrap()
        };
        for other in others {
            assert!(of(first) > of(*other), "{typed} in {other}");
            assert!(
                scanned(first) > scanned(*other),
                "{typed} in {other}, scanned"
            );
        }
    }
}

/// A page that folds to more than the limit, of marks that are no words: U+2057 becomes four.
#[test]
fn long_pages_are_indexed_to_the_limit() {
    let grows = format!("first {}", "\u{2057}".repeat(2_700_000));
    let pages = Pages::new(&["first", &grows]);
    assert_eq!(pages.found("first"), BTreeSet::from([0, 1]));
    assert_eq!(pages.index.cut_pages().unwrap(), [key(1)]);
}

fn source() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-c]{1,6}",
        "[アイウー]{1,5}",
        "[日本語京都]{1,5}",
        "[a-b]{1,3}[日本]{1,2}",
        "[áa][a-c]{1,2}",
        "[0-2]{1,2}[.,][0-2]",
    ];
    let mark = prop_oneof![
        Just(""),
        Just(" "),
        Just("、"),
        Just("\n"),
        Just("\n\n"),
        Just("-")
    ];
    prop::collection::vec((word, mark), 0..20)
        .prop_map(|parts| parts.into_iter().map(|(word, mark)| word + mark).collect())
}

/// Queries of any characters, and of those with a meaning.
fn typed() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        any::<String>(),
        "[-\"「 OR:a-c一ーア\u{301}\u{303}\u{20E3}\u{FE0F}\u{E33}]{0,6}",
        Just(" OR ".to_owned()),
        "(title|path|tag|has):[a-cé日本/]{1,3}",
        "[a-cé一-三アー]{1,4}",
        "[\"]?[0-2][.,-][0-2][.,-]?[0-2]?",
    ];
    prop::collection::vec(part, 1..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A query that is refused is no failure.
    #[test]
    fn no_query_panics(
        sources in prop::collection::vec(source(), 8..12),
        queries in prop::collection::vec(typed(), 40),
    ) {
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let pages = Pages::new(&sources);
        for typed in queries {
            if Query::parse(&typed).is_ok() {
                prop_assert_eq!(pages.scanned(&typed), pages.found(&typed), "{:?}", typed);
            }
        }
    }

    /// Queries are parts of the pages. The index finds the same pages as a scan.
    #[test]
    fn the_index_finds_what_a_scan_finds(
        sources in prop::collection::vec(source(), 1..12),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 1usize..8), 20),
    ) {
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let pages = Pages::new(&sources);
        for (page, start, length) in cuts {
            let text = page.get(&pages.texts).body().text();
            let characters: Vec<char> = text.chars().collect();
            if characters.is_empty() {
                continue;
            }
            let start = start.index(characters.len());
            let typed: String = characters[start..].iter().take(length).collect();
            let (scanned, found) = (pages.scanned(&typed), pages.found(&typed));
            prop_assert_eq!(scanned, found, "{:?}", typed);
        }
    }
}
