//! Checks that unreadable data is reported, and that the check continues.

use fumikura_base::entropy::{Entropy, random_bytes};

use super::*;
use crate::model::page::{SourceText, StoredSource};

/// Writes a row that can't be read, in place of another or beside it.
fn corrupt<'k, K: Key, V>(
    txn: &WriteTxn,
    table: Table<K, V>,
    key: impl std::borrow::Borrow<K::SelfType<'k>>,
) {
    put(txn, table.read_as::<()>(), key, &());
}

/// The faults that the check reports for a row that `corrupt` wrote.
const WORDS: &str = "a row can't be read";

#[test]
fn unreadable_rows_of_pages_are_reported() {
    check(&[
        (|_, txn| corrupt(txn, META, "other"), "meta", WORDS),
        (
            |_, txn| corrupt(txn, PAGE_PATH, "/page"),
            "page_path",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, PAGE_INDEX, &sample.page),
            "page_index",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, PAGE_SOURCE, (&sample.page, 1)),
            "page_source",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, PAGE_TITLE, &sample.page),
            "page_title",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, PAGE_LINKS, &sample.page),
            "page_links",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, DELETION, &sample.deleted),
            "deletion",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, FORMER_PATHS, &sample.page),
            "former_paths",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, UNRECORDED_MOVE, &sample.page),
            "untold_move",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, LOCK, &sample.token),
            "lock",
            WORDS,
        ),
    ]);
}

#[test]
fn unreadable_rows_beside_pages_are_reported() {
    check(&[
        (
            |sample, txn| corrupt(txn, ASSET, &sample.asset),
            "asset",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, ASSET_NAME, (&sample.page, "a.txt")),
            "asset_name",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, ASSET_PAGE, &sample.asset),
            "asset_page",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, USER, &sample.user),
            "user",
            WORDS,
        ),
        (|_, txn| corrupt(txn, USER_NAME, "Aya"), "user_name", WORDS),
        (
            |sample, txn| corrupt(txn, AUTOSAVE, &sample.autosave),
            "journal",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, AUTOSAVE_TEXT, &sample.autosave),
            "journal_text",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, AUTOSAVE_KEY, (&sample.page, &sample.user, TAB)),
            "journal_key",
            WORDS,
        ),
        (
            |sample, txn| corrupt(txn, AUTOSAVE_TOMBSTONE, (&sample.page, &sample.user, TAB)),
            "journal_end",
            WORDS,
        ),
        (
            |_, txn| corrupt(txn, SETTINGS, "settings"),
            "settings",
            WORDS,
        ),
        (|_, txn| corrupt(txn, SESSION, &[1; 32]), "session", WORDS),
    ]);
}

#[test]
fn unreadable_text_is_reported_despite_readable_head() {
    let sample = SampleWiki::new();
    let head = PAGE_SOURCE.read_as();
    let cut_off = |txn: &WriteTxn| {
        let newest = txn.get(PAGE_SOURCE, (&sample.page, 2))?.unwrap();
        txn.put(head, (&sample.page, 2), &newest.head)
    };
    sample.wiki.store.write(cut_off).unwrap();
    let faults = sample.faults();
    assert!(
        faults.iter().all(|fault| fault.place == "page_source"),
        "{faults:#?}"
    );
    assert!(!faults.is_empty());
}

#[test]
fn damaged_text_is_reported_by_page_and_revision() {
    let sample = SampleWiki::new();
    let stored = PAGE_SOURCE.read_as::<StoredSource>();
    let damage = |txn: &WriteTxn| {
        let mut newest = txn.get(PAGE_SOURCE, (&sample.page, 2))?.unwrap();
        newest.source = "a text that is long enough to be compressed\n".repeat(10);
        txn.put(PAGE_SOURCE, (&sample.page, 2), &newest)?;
        let mut row = txn.get(stored, (&sample.page, 2))?.unwrap();
        let SourceText::Zstd(frame) = &mut row.text else {
            panic!("the text is not compressed");
        };
        let middle = frame.len() / 2;
        frame[middle] ^= 1;
        txn.put(stored, (&sample.page, 2), &row)
    };
    sample.wiki.store.write(damage).unwrap();
    let page = PageId::from_bytes(sample.page);
    let row = format!("revision 2 of {page}: its compressed text can't be read: ");
    let error = sample
        .wiki
        .pages()
        .source(page, None)
        .unwrap_err()
        .to_string();
    assert!(error.contains(&row), "{error}");
    let faults = sample.faults();
    let reported = faults.iter().any(|fault| fault.words.contains(&row));
    assert!(reported, "{faults:#?}");
    // The revisions around it can be read.
    sample.wiki.pages().source(page, Some(1)).unwrap();
}

#[test]
fn torn_database_is_refused_or_fully_checked() {
    let SampleWiki {
        wiki,
        clock,
        folder,
        ..
    } = SampleWiki::new();
    drop(wiki);
    let database = folder.path().join("wiki.redb");
    let whole = std::fs::read(&database).unwrap();
    let written: Vec<usize> = (1..whole.len() / 4096)
        .map(|page| page * 4096)
        .filter(|page| whole[*page..page + 4096].iter().any(|byte| *byte != 0))
        .collect();
    let (mut refused, mut reported) = (0, 0);
    for seed in 0..120 {
        let random = SeededEntropy::new(seed);
        let number = |below: usize| u32::from_le_bytes(random_bytes(&random)) as usize % below;
        let mut torn = whole.clone();
        let page = written[number(written.len())];
        match number(3) {
            0 => torn[page..page + 4096].fill(0),
            1 => random.fill(&mut torn[page..page + 4096]),
            _ => random.fill(&mut torn[page + 100..page + 100 + number(3000)]),
        }
        std::fs::write(&database, &torn).unwrap();
        match try_open(folder.path(), &clock) {
            Ok(wiki) => {
                let faults = wiki.check(Depth::Everything).unwrap().faults;
                reported += usize::from(!faults.is_empty());
            }
            Err(OpenError::Damaged { .. }) => {
                refused += 1;
                assert!(std::fs::read(&database).unwrap() == torn, "seed {seed}");
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(
        refused > 5 && reported > 5,
        "{refused} refused, {reported} reported"
    );
}
