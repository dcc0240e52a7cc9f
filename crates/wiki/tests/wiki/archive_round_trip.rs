//! Pages with any texts and moves: an archive has the same contents in a new wiki.

use std::collections::BTreeSet;

use fumikura_wiki::*;
use proptest::prelude::*;
use proptest::sample::select;

use crate::archive_support::{exported, id_at, import};
use crate::support::{TestWiki, path};

const PATHS: [&str; 5] = ["/a", "/a/b c", "/a/b c/d(e)", "/日本", "/a.files/x"];

const TEXT_PIECES: [&str; 28] = [
    "[x](/a)",
    "[x](</a/b c> \"t\")",
    "[x](/a/b%20c#here)",
    "[x](b%20c)",
    "[[/日本]]",
    "[[/日本|text]]",
    "[[/a/b c/d(e)]]",
    "![x](asset:../a/f.png)",
    "[x](/not/yet?q)",
    "[x](beside)",
    "[x][r]",
    "\n\n[r]: /日本\n\n",
    "`[x](/a)`",
    "\n```\n[[/a]]\n```\n",
    "<b title='[x](/a)'>",
    "[x](",
    ")",
    "[[",
    "]]",
    "\\",
    "> ",
    "- ",
    "\r\n",
    "\n",
    "# t ",
    "か\u{3099}",
    "x",
    " ",
];

/// The fate of a page after it was written.
#[derive(Debug, Clone, Copy)]
enum Fate {
    StaysInPlace,
    IsRenamed,
    IsDeleted,
    /// It moves, and another page takes its path.
    IsReplaced,
}

fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&TEXT_PIECES[..]), 0..10).prop_map(|all| all.concat())
}

fn fates() -> impl Strategy<Value = Fate> {
    use Fate::{IsDeleted, IsRenamed, IsReplaced, StaysInPlace};
    select(vec![
        StaysInPlace,
        StaysInPlace,
        IsRenamed,
        IsDeleted,
        IsReplaced,
    ])
}

fn apply_fate(test: &TestWiki, at: &str, fate: Fate, number: usize) {
    let page_id = id_at(test, at);
    test.advance(1);
    let rename = |to: String| {
        let request = RenameRequest {
            page_id,
            to: path(&to),
            user: test.aya,
            token: None,
            recursive: false,
        };
        test.wiki.tree().rename(&request).unwrap();
    };
    match fate {
        Fate::StaysInPlace => {}
        Fate::IsRenamed => rename(format!("/moved/{number}")),
        Fate::IsReplaced => {
            rename(format!("/moved/{number}"));
            test.page(at, "after [[/a]]");
        }
        Fate::IsDeleted => {
            let request = DeleteRequest {
                page_id,
                user: test.aya,
                token: None,
                recursive: false,
            };
            test.wiki.tree().delete(&request).unwrap();
        }
    }
}

/// The targets of a page's links: pages by their ids, and waiting paths.
fn targets(test: &TestWiki, page: PageId) -> BTreeSet<String> {
    let links = test.wiki.links().of_page(page).unwrap().into_iter();
    let shown = test.text(page);
    let target = |link| match link {
        // Shown, and therefore exported, by its last path.
        PageLink::Page {
            page_id,
            path: Some(path),
            deleted: true,
        } if !shown.contains(&format!("page:{page_id}")) => path.to_string(),
        PageLink::Page { page_id, .. } => page_id.to_string(),
        PageLink::Waiting(path) => path.to_string(),
    };
    links.map(target).collect()
}

/// A few wikis by default, and many in a full run.
fn config() -> ProptestConfig {
    let is_full = std::env::var_os("FUMIKURA_FULL").is_some();
    ProptestConfig {
        cases: if is_full { 400 } else { 24 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]
    #[test]
    fn archive_round_trip_preserves_texts_and_links(
        first in prop::collection::vec(texts(), PATHS.len()),
        second in prop::collection::vec(texts(), PATHS.len()),
        fates in prop::collection::vec(fates(), PATHS.len()),
    ) {
        let (from, to) = (TestWiki::new(), TestWiki::new());
        to.advance(1000);
        for (at, text) in PATHS.iter().zip(&first) {
            from.page(at, text);
        }
        for (at, text) in PATHS.iter().zip(&second) {
            let page = id_at(&from, at);
            from.wiki.pages().save(from.by_version(page, 1, 0, text)).unwrap();
        }
        for (number, (at, fate)) in PATHS.iter().zip(&fates).enumerate() {
            apply_fate(&from, at, *fate, number);
        }
        let archive = exported(&from);
        let done = import(&to, &archive, OnConflict::Fail).unwrap();
        for page in &done.created {
            let (theirs, ours) = (from.text(page.page_id), to.text(page.page_id));
            prop_assert_eq!(&theirs, &ours, "{}", page.path);
            prop_assert_eq!(
                targets(&from, page.page_id),
                targets(&to, page.page_id),
                "{}: {:?}", page.path, ours
            );
        }
        let again = import(&to, &archive, OnConflict::Replace).unwrap();
        prop_assert_eq!(again.replaced, []);
    }
}
