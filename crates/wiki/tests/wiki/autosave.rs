//! Autosave entries outlive the lock, the draft and the process.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

fn unsaved_text(test: &TestWiki, page_id: PageId, at: &str, seq: u64, source: &str) -> UnsavedText {
    UnsavedText {
        page_id,
        user: test.aya,
        tab: "tab-1".to_owned(),
        path: path(at),
        base_revision: None,
        seq,
        source: source.to_owned(),
    }
}

/// A text that is based on a revision.
fn unsaved_text_based_on(
    test: &TestWiki,
    page_id: PageId,
    revision: u64,
    seq: u64,
    source: &str,
) -> UnsavedText {
    UnsavedText {
        base_revision: Some(revision),
        ..unsaved_text(test, page_id, "/a", seq, source)
    }
}

fn stored_texts(test: &TestWiki, at: &str) -> Vec<String> {
    test.wiki
        .autosave()
        .entries(test.aya, Some(&path(at)))
        .unwrap()
        .into_iter()
        .map(|entry| entry.source.unwrap())
        .collect()
}

#[test]
fn late_autosave_does_not_replace_newer_text() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let first = test
        .wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "a"))
        .unwrap();
    assert_eq!(
        test.wiki
            .autosave()
            .put(unsaved_text(&test, id, "/a", 3, "abc"))
            .unwrap(),
        first
    );
    assert!(matches!(
        test.wiki
            .autosave()
            .put(unsaved_text(&test, id, "/a", 2, "ab")),
        Err(AutosaveError::Stale { seq: 3 })
    ));
    assert_eq!(stored_texts(&test, "/a"), ["abc"]);
}

#[test]
fn text_of_expired_draft_is_found_by_path() {
    let test = TestWiki::new();
    let (id, _) = test
        .wiki
        .pages()
        .create_draft(&path("/new"), test.aya)
        .unwrap();
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/new", 1, "not lost"))
        .unwrap();
    test.advance(301);
    test.wiki.locks().sweep().unwrap();
    let test = test.reopen();
    let entries = test
        .wiki
        .autosave()
        .entries(test.aya, Some(&path("/new")))
        .unwrap();
    assert_eq!(
        (entries[0].source.as_deref(), entries[0].page_exists),
        (Some("not lost"), false)
    );
}

#[test]
fn save_ends_the_entry_of_its_tab_only() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "mine"))
        .unwrap();
    test.wiki
        .autosave()
        .put(UnsavedText {
            tab: "tab-2".into(),
            ..unsaved_text(&test, id, "/a", 1, "other tab")
        })
        .unwrap();
    test.wiki
        .autosave()
        .put(UnsavedText {
            user: test.ben,
            ..unsaved_text(&test, id, "/a", 1, "Ben's")
        })
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..test.by_version(id, 1, 0, "mine")
    };
    test.wiki.pages().save(save).unwrap();
    assert_eq!(stored_texts(&test, "/a"), ["other tab"]);
    assert_eq!(
        test.wiki.autosave().entries(test.ben, None).unwrap().len(),
        1
    );
    test.wiki
        .autosave()
        .put(unsaved_text_based_on(&test, id, 2, 1, "begun anew"))
        .unwrap();
}

#[test]
fn refused_save_keeps_the_entry() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "mine"))
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..test.by_version(id, 9, 0, "mine")
    };
    assert!(test.wiki.pages().save(save).is_err());
    assert_eq!(stored_texts(&test, "/a"), ["mine"]);
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "mine still"))
        .unwrap();
}

#[test]
fn entry_is_discarded_only_by_its_owner() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let entry = test
        .wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "mine"))
        .unwrap();
    assert!(matches!(
        test.wiki.autosave().discard(test.ben, entry, None),
        Err(AutosaveError::NotFound)
    ));
    test.wiki.autosave().discard(test.aya, entry, None).unwrap();
    assert!(matches!(
        test.wiki.autosave().discard(test.aya, entry, None),
        Err(AutosaveError::NotFound)
    ));
    assert!(stored_texts(&test, "/a").is_empty());
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 0, "again"))
        .unwrap();
}

#[test]
fn newer_text_is_not_discarded() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let put = |seq, source| {
        let text = unsaved_text(&test, id, "/a", seq, source);
        test.wiki.autosave().put(text).unwrap()
    };
    let entry = put(3, "seen");
    put(4, "seen, and more");
    for _ in 0..2 {
        assert!(matches!(
            test.wiki.autosave().discard(test.aya, entry, Some(3)),
            Err(AutosaveError::Stale { seq: 4 })
        ));
        assert_eq!(stored_texts(&test, "/a"), ["seen, and more"]);
    }
    let discarded = test.wiki.autosave().discard(test.aya, entry, Some(4));
    discarded.unwrap();
    assert!(stored_texts(&test, "/a").is_empty());
}

/// A save of the page by the tab.
fn by_tab(test: &TestWiki, id: PageId, revision: u64, source: &str) -> SaveRequest {
    SaveRequest {
        tab: Some("tab-1".into()),
        ..test.by_version(id, revision, 0, source)
    }
}

#[track_caller]
fn check_refused(test: &TestWiki, text: UnsavedText, saved: Option<u64>) {
    let before = stored_texts(test, "/a");
    match (test.wiki.autosave().put(text), saved) {
        (Err(AutosaveError::Saved { revision }), Some(saved)) => assert_eq!(revision, saved),
        (Err(AutosaveError::Stale { .. }), None) => {}
        (other, _) => panic!("{other:?}"),
    }
    assert_eq!(stored_texts(test, "/a"), before);
}

#[test]
fn autosave_from_before_a_save_is_refused() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    for seq in [1, 2, 3] {
        test.wiki
            .autosave()
            .put(unsaved_text_based_on(&test, id, 1, seq, "typed"))
            .unwrap();
    }
    test.wiki
        .pages()
        .save(by_tab(&test, id, 1, "saved"))
        .unwrap();
    for seq in [1, 2, 3, 4, 100] {
        check_refused(
            &test,
            unsaved_text_based_on(&test, id, 1, seq, "late"),
            Some(2),
        );
    }
    check_refused(&test, unsaved_text(&test, id, "/a", 1, "late"), Some(2));
    // The next edit in this tab counts from the beginning, and is based on the saved revision.
    test.wiki
        .autosave()
        .put(unsaved_text_based_on(&test, id, 2, 1, "the next editing"))
        .unwrap();
    check_refused(
        &test,
        unsaved_text_based_on(&test, id, 1, 2, "late"),
        Some(2),
    );
    assert_eq!(stored_texts(&test, "/a"), ["the next editing"]);
    // Another tab has not saved: its text is still valid.
    let other = UnsavedText {
        tab: "tab-2".into(),
        ..unsaved_text_based_on(&test, id, 1, 1, "of another tab")
    };
    test.wiki.autosave().put(other).unwrap();
}

#[test]
fn autosave_from_before_the_first_save_is_refused() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.wiki
        .autosave()
        .put(unsaved_text(&test, id, "/a", 1, "first"))
        .unwrap();
    let save = SaveRequest {
        tab: Some("tab-1".into()),
        ..test.by_token(id, lock.token, "first")
    };
    test.wiki.pages().save(save).unwrap();
    check_refused(&test, unsaved_text(&test, id, "/a", 2, "late"), Some(1));
    test.wiki
        .autosave()
        .put(unsaved_text_based_on(&test, id, 1, 1, "next"))
        .unwrap();
}

#[test]
fn saves_without_a_revision_compare_sequence_numbers() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let put = |seq, source: &str| {
        let text = unsaved_text_based_on(&test, id, 1, seq, source);
        test.wiki.autosave().put(text).unwrap()
    };
    put(6, "typed");
    let amend = SaveRequest {
        amend: true,
        ..by_tab(&test, id, 1, "amended")
    };
    test.wiki.pages().save(amend).unwrap();
    for seq in [1, 5, 6] {
        check_refused(
            &test,
            unsaved_text_based_on(&test, id, 1, seq, "late"),
            None,
        );
    }
    put(7, "the next editing");
    test.wiki
        .pages()
        .save(by_tab(&test, id, 1, "amended"))
        .unwrap();
    check_refused(&test, unsaved_text_based_on(&test, id, 1, 7, "late"), None);
    // Once more, as after a lost answer: there is no entry from which to count.
    test.wiki
        .pages()
        .save(by_tab(&test, id, 1, "amended"))
        .unwrap();
    check_refused(&test, unsaved_text_based_on(&test, id, 1, 7, "late"), None);
    put(8, "and the next");
}

#[test]
fn tombstone_survives_a_restart() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    test.wiki
        .autosave()
        .put(unsaved_text_based_on(&test, id, 1, 2, "typed"))
        .unwrap();
    test.wiki
        .pages()
        .save(by_tab(&test, id, 1, "saved"))
        .unwrap();
    let test = test.reopen();
    check_refused(
        &test,
        unsaved_text_based_on(&test, id, 1, 1, "late"),
        Some(2),
    );
}

#[test]
fn full_quota_refuses_new_entries_and_keeps_old() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let long = "x".repeat(MAX_SOURCE_BYTES);
    let of_tab = |number: usize, source: &str| UnsavedText {
        tab: format!("tab-{number}"),
        ..unsaved_text(&test, id, "/a", 1, source)
    };
    for number in 0..25 {
        test.wiki.autosave().put(of_tab(number, &long)).unwrap();
    }
    match test.wiki.autosave().put(of_tab(25, &long)) {
        Err(AutosaveError::Full { entries, bytes }) => {
            assert_eq!((entries, bytes), (26, 26 * MAX_SOURCE_BYTES as u64));
        }
        other => panic!("{other:?}"),
    }
    // A shorter text fits, each of the others stays, and existing entries can still change.
    test.wiki.autosave().put(of_tab(25, "short")).unwrap();
    assert_eq!(
        test.wiki.autosave().entries(test.aya, None).unwrap().len(),
        26
    );
    test.wiki.autosave().put(of_tab(3, &long)).unwrap();
    let ben = UnsavedText {
        user: test.ben,
        ..of_tab(1, &long)
    };
    test.wiki.autosave().put(ben).unwrap();
    // A discarded entry makes room.
    let oldest = test
        .wiki
        .autosave()
        .entries(test.aya, None)
        .unwrap()
        .pop()
        .unwrap();
    test.wiki
        .autosave()
        .discard(test.aya, oldest.head.id, None)
        .unwrap();
    test.wiki.autosave().put(of_tab(26, &long)).unwrap();
}

#[test]
fn listing_omits_long_texts_that_can_be_fetched() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let of_tab = |tab: &str, source: &str| UnsavedText {
        tab: tab.to_owned(),
        ..unsaved_text(&test, id, "/a", 1, source)
    };
    let long = format!("{}{}", "あ".repeat(250), "x".repeat(64 * 1024));
    let entry = test.wiki.autosave().put(of_tab("long", &long)).unwrap();
    for number in 0..20 {
        test.advance(1);
        let text = "y".repeat(60 * 1024);
        test.wiki
            .autosave()
            .put(of_tab(&format!("tab-{number}"), &text))
            .unwrap();
    }
    let listed = test
        .wiki
        .autosave()
        .entries(test.aya, Some(&path("/a")))
        .unwrap();
    let with_text = listed.iter().filter(|entry| entry.source.is_some()).count();
    assert_eq!((listed.len(), with_text), (21, 17));
    assert!(listed[0].source.is_some(), "the newest comes with its text");
    let last = listed.last().unwrap();
    assert_eq!(
        (last.head.id, last.head.size, last.source.as_ref()),
        (entry, long.len() as u64, None)
    );
    assert_eq!(last.head.beginning, "あ".repeat(200));
    let whole = test.wiki.autosave().text(test.aya, entry).unwrap();
    assert_eq!(whole.source.as_deref(), Some(long.as_str()));
    assert!(matches!(
        test.wiki.autosave().text(test.ben, entry),
        Err(AutosaveError::NotFound)
    ));
}
