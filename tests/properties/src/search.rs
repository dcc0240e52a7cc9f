//! Queries of an index with several segments and deletions: each finds the pages that a scan finds.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fumikura_search::{Budget, Directory, Index, PageFacts, PageKey, PageText, Query, extract};

const SOURCES: [&str; 12] = [
    "# 京都の旅\n\n秋に寺を見る。#旅/京都",
    "---\ntags: [旅]\n---\n# Göteborg\n\nsmørrebrød, naïve, Straße",
    "サーバー管理 ｻｰﾊﾞの管理 がぎぐ ばびぶ",
    "a database, data bases, walking walks C++ foo_bar 100%",
    "重跑gen-itgc後、結果を見る\n第３章 第13章",
    "*\u{FE0F}\u{20E3} 1\u{FE0F}\u{20E3} q\u{303} \u{301} é",
    "กำลัง ทำ ไป",
    "한국어를 数据库 鐵道 鉄道 ⻑野",
    "2026.4.10 2026-04-10 12.5 12,5 1.2.3",
    "# Pictures\n\n![](asset:a.png) → 😀👩‍👩‍👧",
    "人々 馬鹿々々しい すゝめ ㈱",
    "",
];

struct Pages {
    index: Index,
    directory: Directory,
    texts: Vec<PageText>,
}

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let index = Index::open(folder.path()).expect("an index");
    let texts: Vec<PageText> = SOURCES.iter().map(|source| extract(source)).collect();
    let mut writer = index.writer().expect("a writer");
    for (number, text) in texts.iter().enumerate() {
        writer.put(&key(number), 1, text).expect("it is added");
        if number % 3 == 2 {
            writer.commit().expect("it is committed");
        }
    }
    // These are deleted from their segments.
    for (number, text) in texts.iter().enumerate().step_by(4) {
        writer.put(&key(number), 2, text).expect("it is added");
    }
    writer.commit().expect("it is committed");
    index.reload().expect("it can be read");
    let facts = (0..texts.len()).map(|number| PageFacts {
        key: key(number),
        path: format!("/旅/p{number}/é"),
        former: Vec::new(),
        title: None,
        deleted: false,
        updated: 0,
        author: "森 Aya".to_owned(),
        version: 1,
    });
    Pages {
        index,
        directory: facts.collect(),
        texts,
    }
});

fn key(number: usize) -> PageKey {
    (number as u128).to_be_bytes()
}

/// Checks one input.
pub fn search(typed: &str) {
    let Ok(query) = Query::parse(typed) else {
        return;
    };
    let pages = &*PAGES;
    let matches = |number: &usize| {
        let facts = pages.directory.get(&key(*number)).expect("it is there");
        let weight = query.weigh(facts, &pages.texts[*number], &Budget::unlimited());
        weight.is_ok_and(|weight| weight.is_some())
    };
    let scanned: BTreeSet<usize> = (0..pages.texts.len()).filter(matches).collect();
    let hits = pages.index.find(&query, &pages.directory);
    let hits = hits.expect("the index can be read").into_iter();
    let found = hits.map(|hit| u128::from_be_bytes(hit.key) as usize);
    // Regular expressions are matched by the caller.
    let found: BTreeSet<usize> = found
        .filter(|number| !query.has_regex() || matches(number))
        .collect();
    assert_eq!(found, scanned);
}
