//! Pathological texts: their links are read in bounded time, and the texts are preserved.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use fumikura_wiki::*;

use crate::support::TestWiki;

/// A limit that quadratic time for any of these texts would far exceed, on a slow machine and without optimization.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Saves the text, reads it, and saves it again.
#[track_caller]
fn check(test: &TestWiki, page: PageId, what: &str, text: &str) {
    let writer = Instant::now();
    test.put(page, text);
    let shown = test.text(page);
    assert!(!test.put(page, &shown).changed, "{what}");
    let elapsed = writer.elapsed();
    assert!(shown == text, "{what} was changed");
    assert!(elapsed < TIME_LIMIT, "{what} took {elapsed:?}");
}

#[test]
fn repeated_markers_take_bounded_time() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let marks = [
        "> ",
        ">",
        "[",
        "![",
        "![](",
        "[[",
        "[[/a",
        "[[/x]]",
        "]",
        "](",
        "(",
        "\\",
        "`",
        "``a`",
        "<",
        "<a ",
        "<!--",
        "*",
        "_a ",
        "~~",
        "&",
        "&amp;",
        "- ",
        "1. ",
        "- a\n",
        "|",
        "a|b\n-|-\n",
        "[a](",
        "[a](<",
        "[a](b \"",
        "[a](b '",
        "[a](b (",
        "[a]: ",
        "[a]: b\n",
        "[^a]: ",
        "[^1]",
        "^[",
        "https://e.org/[",
        "page:",
        "\t",
        "\r",
        "\n",
        "[a](/x%",
        "[a](&amp;&#35;",
        "---\n",
    ];
    for mark in marks {
        check(&test, page, mark, &mark.repeat(100_000));
    }
}

#[test]
fn two_runs_of_markers_take_bounded_time() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let heaps = [
        ("> ", "a\n"),
        ("- ", "a\n"),
        ("1. ", "[a]: b\n"),
        ("- ", "===\n"),
        ("[a](b \"", "a\n"),
        ("[a](b '", "[a]: b\n"),
        ("[a](b (", "a|b\n-|-\n"),
        ("[", "]"),
        ("[", "](b)"),
        ("![", "](/b)"),
        ("[[", "]]"),
        ("`", "a`"),
        ("<", ">"),
        ("[a](", ")"),
        ("[a](<", ">)"),
    ];
    for (one, other) in heaps {
        let text = one.repeat(30_000) + &other.repeat(30_000);
        check(&test, page, &format!("{one:?} and {other:?}"), &text);
        let text = one.to_owned() + &other.repeat(60_000);
        check(&test, page, &format!("one {one:?}, then {other:?}"), &text);
    }
}

#[test]
fn ten_mebibytes_of_links_take_bounded_time() {
    let test = TestWiki::new();
    let target = test.page("/旅/京都", "");
    let page = test.page("/a", "");
    let line =
        "- 秋の[京都](/旅/京都#光)へ、[[/旅/奈良|奈良]]へ、[外](https://example.org/庭)へ。\n";
    check(
        &test,
        page,
        "1 MiB of links",
        &line.repeat((1 << 20) / line.len()),
    );
    let text = line.repeat(MAX_SOURCE_BYTES / line.len());
    let writer = Instant::now();
    assert!(test.put(page, &text).source == text);
    let elapsed = writer.elapsed();
    assert!(elapsed < TIME_LIMIT, "10 MiB of links took {elapsed:?}");
    assert!(
        test.raw(page)
            .starts_with(&format!("- 秋の[京都](page:{target}#光)"))
    );
    let mut distinct = String::new();
    for number in 0..20_000 {
        writeln!(distinct, "[a](/none/{number})").unwrap();
    }
    check(&test, page, "20,000 paths without a page", &distinct);
    assert_eq!(test.wiki.links().of_page(page).unwrap().len(), 20_000);
    test.put(page, "");
    assert_eq!(test.wiki.links().of_page(page).unwrap(), []);
}
