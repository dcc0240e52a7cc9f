//! Unsaved text outlives the lock, the draft and the process.

use fumikura_wiki::*;

use crate::support::{Bench, path};

fn typed(bench: &Bench, page_id: PageId, at: &str, seq: u64, source: &str) -> UnsavedText {
    UnsavedText {
        page_id,
        user: bench.aya,
        tab: "tab-1".to_owned(),
        path: path(at),
        base_revision: None,
        seq,
        source: source.to_owned(),
    }
}

fn kept(bench: &Bench, at: &str) -> Vec<String> {
    bench
        .wiki
        .unsaved(bench.aya, Some(&path(at)))
        .unwrap()
        .into_iter()
        .map(|entry| entry.source)
        .collect()
}

#[test]
fn a_tab_keeps_its_newest_text_and_a_late_message_is_refused() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let first = bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "a"))
        .unwrap();
    assert_eq!(
        bench
            .wiki
            .put_unsaved(typed(&bench, id, "/a", 3, "abc"))
            .unwrap(),
        first
    );
    assert!(matches!(
        bench.wiki.put_unsaved(typed(&bench, id, "/a", 2, "ab")),
        Err(JournalError::Stale { kept: 3 })
    ));
    assert_eq!(kept(&bench, "/a"), ["abc"]);
}

#[test]
fn text_of_a_draft_that_is_gone_is_found_by_its_path_after_a_restart() {
    let bench = Bench::new();
    let (id, _) = bench.wiki.create_draft(&path("/new"), bench.aya).unwrap();
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/new", 1, "not lost"))
        .unwrap();
    bench.advance(301);
    bench.wiki.sweep_locks().unwrap();
    let bench = bench.reopened();
    let entries = bench.wiki.unsaved(bench.aya, Some(&path("/new"))).unwrap();
    assert_eq!(
        (entries[0].source.as_str(), entries[0].page_exists),
        ("not lost", false)
    );
}

#[test]
fn a_save_ends_the_unsaved_text_of_its_own_tab_only() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "mine"))
        .unwrap();
    bench
        .wiki
        .put_unsaved(UnsavedText {
            tab: "tab-2".into(),
            ..typed(&bench, id, "/a", 1, "other tab")
        })
        .unwrap();
    bench
        .wiki
        .put_unsaved(UnsavedText {
            user: bench.ben,
            ..typed(&bench, id, "/a", 1, "Ben's")
        })
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..bench.by_version(id, 1, 0, "mine")
    };
    bench.wiki.save(save).unwrap();
    assert_eq!(kept(&bench, "/a"), ["other tab"]);
    assert_eq!(bench.wiki.unsaved(bench.ben, None).unwrap().len(), 1);
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "begun anew"))
        .unwrap();
}

#[test]
fn a_refused_save_leaves_the_unsaved_text() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "mine"))
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..bench.by_version(id, 9, 0, "mine")
    };
    assert!(bench.wiki.save(save).is_err());
    assert_eq!(kept(&bench, "/a"), ["mine"]);
}

#[test]
fn unsaved_text_is_discarded_by_its_owner_alone() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let entry = bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "mine"))
        .unwrap();
    assert!(matches!(
        bench.wiki.discard_unsaved(bench.ben, entry),
        Err(JournalError::NotFound)
    ));
    bench.wiki.discard_unsaved(bench.aya, entry).unwrap();
    assert!(matches!(
        bench.wiki.discard_unsaved(bench.aya, entry),
        Err(JournalError::NotFound)
    ));
    assert!(kept(&bench, "/a").is_empty());
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 0, "again"))
        .unwrap();
}
