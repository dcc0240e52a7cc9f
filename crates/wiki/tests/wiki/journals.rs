//! Autosave entries outlive the lock, the draft and the process.

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

/// A text that is based on a revision.
fn based(bench: &Bench, page_id: PageId, revision: u64, seq: u64, source: &str) -> UnsavedText {
    UnsavedText {
        base_revision: Some(revision),
        ..typed(bench, page_id, "/a", seq, source)
    }
}

fn kept(bench: &Bench, at: &str) -> Vec<String> {
    bench
        .wiki
        .unsaved(bench.aya, Some(&path(at)))
        .unwrap()
        .into_iter()
        .map(|entry| entry.source.unwrap())
        .collect()
}

#[test]
fn late_autosave_does_not_replace_newer_text() {
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
        Err(AutosaveError::Stale { kept: 3 })
    ));
    assert_eq!(kept(&bench, "/a"), ["abc"]);
}

#[test]
fn text_of_expired_draft_is_found_by_path() {
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
        (entries[0].source.as_deref(), entries[0].page_exists),
        (Some("not lost"), false)
    );
}

#[test]
fn save_ends_the_entry_of_its_tab_only() {
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
        .put_unsaved(based(&bench, id, 2, 1, "begun anew"))
        .unwrap();
}

#[test]
fn refused_save_keeps_the_entry() {
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
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "mine still"))
        .unwrap();
}

#[test]
fn entry_is_discarded_only_by_its_owner() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let entry = bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "mine"))
        .unwrap();
    assert!(matches!(
        bench.wiki.discard_unsaved(bench.ben, entry, None),
        Err(AutosaveError::NotFound)
    ));
    bench.wiki.discard_unsaved(bench.aya, entry, None).unwrap();
    assert!(matches!(
        bench.wiki.discard_unsaved(bench.aya, entry, None),
        Err(AutosaveError::NotFound)
    ));
    assert!(kept(&bench, "/a").is_empty());
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 0, "again"))
        .unwrap();
}

#[test]
fn newer_text_is_not_discarded() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let put = |seq, source| {
        let text = typed(&bench, id, "/a", seq, source);
        bench.wiki.put_unsaved(text).unwrap()
    };
    let entry = put(3, "seen");
    put(4, "seen, and more");
    for _ in 0..2 {
        assert!(matches!(
            bench.wiki.discard_unsaved(bench.aya, entry, Some(3)),
            Err(AutosaveError::Stale { kept: 4 })
        ));
        assert_eq!(kept(&bench, "/a"), ["seen, and more"]);
    }
    let discarded = bench.wiki.discard_unsaved(bench.aya, entry, Some(4));
    discarded.unwrap();
    assert!(kept(&bench, "/a").is_empty());
}

/// A save of the page by the tab.
fn by_tab(bench: &Bench, id: PageId, revision: u64, source: &str) -> SaveRequest {
    SaveRequest {
        tab: Some("tab-1".into()),
        ..bench.by_version(id, revision, 0, source)
    }
}

#[track_caller]
fn is_refused(bench: &Bench, text: UnsavedText, saved: Option<u64>) {
    let before = kept(bench, "/a");
    match (bench.wiki.put_unsaved(text), saved) {
        (Err(AutosaveError::Saved { revision }), Some(saved)) => assert_eq!(revision, saved),
        (Err(AutosaveError::Stale { .. }), None) => {}
        (other, _) => panic!("{other:?}"),
    }
    assert_eq!(kept(bench, "/a"), before);
}

#[test]
fn autosave_from_before_a_save_is_refused() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    for seq in [1, 2, 3] {
        bench
            .wiki
            .put_unsaved(based(&bench, id, 1, seq, "typed"))
            .unwrap();
    }
    bench.wiki.save(by_tab(&bench, id, 1, "saved")).unwrap();
    for seq in [1, 2, 3, 4, 100] {
        is_refused(&bench, based(&bench, id, 1, seq, "late"), Some(2));
    }
    is_refused(&bench, typed(&bench, id, "/a", 1, "late"), Some(2));
    // The next edit in this tab counts from the beginning, and is based on the saved revision.
    bench
        .wiki
        .put_unsaved(based(&bench, id, 2, 1, "the next editing"))
        .unwrap();
    is_refused(&bench, based(&bench, id, 1, 2, "late"), Some(2));
    assert_eq!(kept(&bench, "/a"), ["the next editing"]);
    // Another tab has not saved: its text is still valid.
    let other = UnsavedText {
        tab: "tab-2".into(),
        ..based(&bench, id, 1, 1, "of another tab")
    };
    bench.wiki.put_unsaved(other).unwrap();
}

#[test]
fn autosave_from_before_the_first_save_is_refused() {
    let bench = Bench::new();
    let (id, lock) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    bench
        .wiki
        .put_unsaved(typed(&bench, id, "/a", 1, "first"))
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..bench.by_token(id, lock.token, "first")
    };
    bench.wiki.save(save).unwrap();
    is_refused(&bench, typed(&bench, id, "/a", 2, "late"), Some(1));
    bench
        .wiki
        .put_unsaved(based(&bench, id, 1, 1, "next"))
        .unwrap();
}

#[test]
fn saves_without_a_revision_compare_sequence_numbers() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let put = |seq, source: &str| {
        let text = based(&bench, id, 1, seq, source);
        bench.wiki.put_unsaved(text).unwrap()
    };
    put(6, "typed");
    let amend = SaveRequest {
        amend: true,
        ..by_tab(&bench, id, 1, "amended")
    };
    bench.wiki.save(amend).unwrap();
    for seq in [1, 5, 6] {
        is_refused(&bench, based(&bench, id, 1, seq, "late"), None);
    }
    put(7, "the next editing");
    bench.wiki.save(by_tab(&bench, id, 1, "amended")).unwrap();
    is_refused(&bench, based(&bench, id, 1, 7, "late"), None);
    // Once more, as after a lost answer: there is no entry from which to count.
    bench.wiki.save(by_tab(&bench, id, 1, "amended")).unwrap();
    is_refused(&bench, based(&bench, id, 1, 7, "late"), None);
    put(8, "and the next");
}

#[test]
fn tombstone_survives_a_restart() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    bench
        .wiki
        .put_unsaved(based(&bench, id, 1, 2, "typed"))
        .unwrap();
    bench.wiki.save(by_tab(&bench, id, 1, "saved")).unwrap();
    let bench = bench.reopened();
    is_refused(&bench, based(&bench, id, 1, 1, "late"), Some(2));
}

#[test]
fn full_quota_refuses_new_entries_and_keeps_old() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let long = "x".repeat(MAX_SOURCE_BYTES);
    let of_tab = |number: usize, source: &str| UnsavedText {
        tab: format!("tab-{number}"),
        ..typed(&bench, id, "/a", 1, source)
    };
    for number in 0..25 {
        bench.wiki.put_unsaved(of_tab(number, &long)).unwrap();
    }
    match bench.wiki.put_unsaved(of_tab(25, &long)) {
        Err(AutosaveError::Full { entries, bytes }) => {
            assert_eq!((entries, bytes), (26, 26 * MAX_SOURCE_BYTES as u64));
        }
        other => panic!("{other:?}"),
    }
    // A shorter text fits, each of the others stays, and existing entries can still change.
    bench.wiki.put_unsaved(of_tab(25, "short")).unwrap();
    assert_eq!(bench.wiki.unsaved(bench.aya, None).unwrap().len(), 26);
    bench.wiki.put_unsaved(of_tab(3, &long)).unwrap();
    let ben = UnsavedText {
        user: bench.ben,
        ..of_tab(1, &long)
    };
    bench.wiki.put_unsaved(ben).unwrap();
    // A discarded entry makes room.
    let oldest = bench.wiki.unsaved(bench.aya, None).unwrap().pop().unwrap();
    bench
        .wiki
        .discard_unsaved(bench.aya, oldest.head.id, None)
        .unwrap();
    bench.wiki.put_unsaved(of_tab(26, &long)).unwrap();
}

#[test]
fn listing_omits_long_texts_that_can_be_fetched() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let of_tab = |tab: &str, source: &str| UnsavedText {
        tab: tab.to_owned(),
        ..typed(&bench, id, "/a", 1, source)
    };
    let long = format!("{}{}", "あ".repeat(250), "x".repeat(64 * 1024));
    let entry = bench.wiki.put_unsaved(of_tab("long", &long)).unwrap();
    for number in 0..20 {
        bench.advance(1);
        let text = "y".repeat(60 * 1024);
        bench
            .wiki
            .put_unsaved(of_tab(&format!("tab-{number}"), &text))
            .unwrap();
    }
    let listed = bench.wiki.unsaved(bench.aya, Some(&path("/a"))).unwrap();
    let with_text = listed.iter().filter(|entry| entry.source.is_some()).count();
    assert_eq!((listed.len(), with_text), (21, 17));
    assert!(listed[0].source.is_some(), "the newest comes with its text");
    let last = listed.last().unwrap();
    assert_eq!(
        (last.head.id, last.head.size, last.source.as_ref()),
        (entry, long.len() as u64, None)
    );
    assert_eq!(last.head.beginning, "あ".repeat(200));
    let whole = bench.wiki.unsaved_text(bench.aya, entry).unwrap();
    assert_eq!(whole.source.as_deref(), Some(long.as_str()));
    assert!(matches!(
        bench.wiki.unsaved_text(bench.ben, entry),
        Err(AutosaveError::NotFound)
    ));
}
