//! Checks that unreadable data is reported, and that the check continues.

use fumikura_base::entropy::{Entropy, random_bytes};

use super::*;
use crate::model::page::{SourceText, StoredSource};

/// Writes a row that can't be read, in place of another or beside it.
fn ruin<'k, K: Key, V>(
    txn: &WriteTxn,
    table: Table<K, V>,
    key: impl std::borrow::Borrow<K::SelfType<'k>>,
) {
    put(txn, table.read_as::<()>(), key, &());
}

#[test]
fn unreadable_rows_are_reported() {
    const WORDS: &str = "a row can't be read";
    check(&[
        (|_, txn| ruin(txn, META, "other"), "meta", WORDS),
        (|_, txn| ruin(txn, PAGE_PATH, "/page"), "page_path", WORDS),
        (
            |full, txn| ruin(txn, PAGE_INDEX, &full.page),
            "page_index",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, PAGE_SOURCE, (&full.page, 1)),
            "page_source",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, PAGE_TITLE, &full.page),
            "page_title",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, PAGE_LINKS, &full.page),
            "page_links",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, DELETION, &full.deleted),
            "deletion",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, FORMER_PATHS, &full.page),
            "former_paths",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, UNTOLD_MOVE, &full.page),
            "untold_move",
            WORDS,
        ),
        (|full, txn| ruin(txn, LOCK, &full.token), "lock", WORDS),
        (|full, txn| ruin(txn, ASSET, &full.asset), "asset", WORDS),
        (
            |full, txn| ruin(txn, ASSET_NAME, (&full.page, "a.txt")),
            "asset_name",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, ASSET_PAGE, &full.asset),
            "asset_page",
            WORDS,
        ),
        (|full, txn| ruin(txn, USER, &full.person), "user", WORDS),
        (|_, txn| ruin(txn, USER_NAME, "Aya"), "user_name", WORDS),
        (
            |full, txn| ruin(txn, JOURNAL, &full.journal),
            "journal",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, JOURNAL_TEXT, &full.journal),
            "journal_text",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, JOURNAL_KEY, (&full.page, &full.person, TAB)),
            "journal_key",
            WORDS,
        ),
        (
            |full, txn| ruin(txn, JOURNAL_END, (&full.page, &full.person, TAB)),
            "journal_end",
            WORDS,
        ),
        (|_, txn| ruin(txn, SETTINGS, "settings"), "settings", WORDS),
        (|_, txn| ruin(txn, SESSION, &[1; 32]), "session", WORDS),
    ]);
}

#[test]
fn unreadable_text_is_reported_despite_readable_head() {
    let full = Full::new();
    let head = PAGE_SOURCE.read_as();
    let cut_off = |txn: &WriteTxn| {
        let newest = txn.get(PAGE_SOURCE, (&full.page, 2))?.unwrap();
        txn.put(head, (&full.page, 2), &newest.head)
    };
    full.wiki.store.write(cut_off).unwrap();
    let faults = full.faults();
    assert!(
        faults.iter().all(|fault| fault.place == "page_source"),
        "{faults:#?}"
    );
    assert!(!faults.is_empty());
}

#[test]
fn damaged_text_is_reported_by_page_and_revision() {
    let full = Full::new();
    let stored = PAGE_SOURCE.read_as::<StoredSource>();
    let damage = |txn: &WriteTxn| {
        let mut newest = txn.get(PAGE_SOURCE, (&full.page, 2))?.unwrap();
        newest.source = "a text that is long enough to be compressed\n".repeat(10);
        txn.put(PAGE_SOURCE, (&full.page, 2), &newest)?;
        let mut row = txn.get(stored, (&full.page, 2))?.unwrap();
        let SourceText::Zstd(frame) = &mut row.text else {
            panic!("the text is not compressed");
        };
        let middle = frame.len() / 2;
        frame[middle] ^= 1;
        txn.put(stored, (&full.page, 2), &row)
    };
    full.wiki.store.write(damage).unwrap();
    let page = PageId::from_bytes(full.page);
    let row = format!("revision 2 of {page}: its compressed text can't be read: ");
    let error = full.wiki.source(page, None).unwrap_err().to_string();
    assert!(error.contains(&row), "{error}");
    let faults = full.faults();
    let told = faults.iter().any(|fault| fault.words.contains(&row));
    assert!(told, "{faults:#?}");
    // The revisions around it can be read.
    full.wiki.source(page, Some(1)).unwrap();
}

#[test]
fn torn_database_is_refused_or_fully_checked() {
    let Full {
        wiki,
        clock,
        folder,
        ..
    } = Full::new();
    drop(wiki);
    let database = folder.path().join("wiki.redb");
    let whole = std::fs::read(&database).unwrap();
    let written: Vec<usize> = (1..whole.len() / 4096)
        .map(|page| page * 4096)
        .filter(|page| whole[*page..page + 4096].iter().any(|byte| *byte != 0))
        .collect();
    let (mut refused, mut told) = (0, 0);
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
                told += usize::from(!faults.is_empty());
            }
            Err(OpenError::Damaged { .. }) => {
                refused += 1;
                assert!(std::fs::read(&database).unwrap() == torn, "seed {seed}");
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(refused > 5 && told > 5, "{refused} refused, {told} told");
}
