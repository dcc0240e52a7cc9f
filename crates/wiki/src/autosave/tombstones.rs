//! Records that replace the autosave entry of a tab after a save, so that a message in flight during
//! the save does not restore the entry.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;

use crate::autosave::next_scan::NextScan;
use crate::autosave::write::{UnsavedText, remove};
use crate::autosave::{JournalError, MAX_TAB_BYTES};
use crate::id::{PageId, UserId};
use crate::model::journal::JournalEnd;
use crate::store::{Direction, JOURNAL, JOURNAL_END, JOURNAL_KEY, Read, StorageError, WriteTxn};

/// The time for which an end is remembered. No message is in flight for longer.
const REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);
/// Ends the autosave entry of a tab that saved the page, in the same transaction. `raised` is true if
/// the save made `revision`, and false if that existed before.
pub(crate) fn end_of_tab(
    txn: &WriteTxn,
    next_scan: &NextScan,
    (page, user, tab): (PageId, UserId, &str),
    (revision, raised): (u64, bool),
    now: Timestamp,
) -> Result<(), StorageError> {
    if !(1..=MAX_TAB_BYTES).contains(&tab.len()) {
        return Ok(());
    }
    let (page, user) = (page.to_bytes(), user.to_bytes());
    let key = (&page, &user, tab);
    let head = match txn.get(JOURNAL_KEY, key)? {
        Some(id) => txn.get(JOURNAL, &id)?,
        None => None,
    };
    let before = txn.get(JOURNAL_END, key)?;
    let before = before.filter(|before| before.revision == revision);
    let count = head.as_ref().map_or(0, |head| head.seq);
    let count = before.map_or(count, |before| count.max(before.seq));
    if let Some(head) = head {
        remove(txn, &head)?;
    }
    let end = JournalEnd {
        revision,
        // Text that is based on a new revision was typed after the save, regardless of its count.
        seq: if raised { 0 } else { count },
        ended_at: now,
    };
    let there = txn.count(JOURNAL_END)?;
    if next_scan.is_due(there) {
        let forgotten = forget_old(txn, now)?;
        next_scan.scanned(there - forgotten);
    }
    txn.put(JOURNAL_END, key, &end)
}

/// Refuses a text from before its tab's last save.
pub(super) fn refuse_late(txn: &WriteTxn, text: &UnsavedText) -> Result<(), JournalError> {
    let (page, user) = (text.page_id.to_bytes(), text.user.to_bytes());
    let Some(end) = txn.get(JOURNAL_END, (&page, &user, text.tab.as_str()))? else {
        return Ok(());
    };
    let base = text.base_revision.unwrap_or(0);
    if base < end.revision {
        return Err(JournalError::Saved {
            revision: end.revision,
        });
    }
    // The save made no revision that could separate texts before it from texts after it. The count decides.
    if base == end.revision && text.seq <= end.seq {
        return Err(JournalError::Stale { kept: end.seq });
    }
    Ok(())
}

/// Removes old ends and returns their number.
fn forget_old(txn: &WriteTxn, now: Timestamp) -> Result<u64, StorageError> {
    let mut old = Vec::new();
    txn.scan::<_, JournalEnd, (&[u8; 16], &[u8; 16], &str)>(
        JOURNAL_END,
        ..,
        Direction::Ascending,
        |(page, user, tab), end| {
            let age = now.duration_since(end.ended_at).unsigned_abs();
            if age > REMEMBERED {
                old.push((*page, *user, tab.to_owned()));
            }
            ControlFlow::Continue(())
        },
    )?;
    for (page, user, tab) in &old {
        txn.remove(JOURNAL_END, (page, user, tab.as_str()))?;
    }
    Ok(old.len() as u64)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use fumikura_base::entropy::SeededEntropy;

    use super::*;
    use crate::store::Store;
    use crate::upgrade::upgrade;

    #[test]
    fn old_tombstones_are_removed_in_increasingly_rare_scans() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wiki.redb");
        let store = Store::open(&path, Duration::ZERO, |_| Ok(()), upgrade).unwrap();
        let entropy = SeededEntropy::new(1);
        let began = Timestamp::UNIX_EPOCH;
        let user = UserId::generate(began, &entropy);
        let next_scan = NextScan::default();
        let mut looks = 0;
        let mut save = |now| -> u64 {
            let page = PageId::generate(now, &entropy);
            let before = next_scan.0.load(Ordering::Relaxed);
            let counted: Result<u64, StorageError> = store.write(|txn| {
                end_of_tab(txn, &next_scan, (page, user, "tab"), (1, true), now)?;
                txn.count(JOURNAL_END)
            });
            if next_scan.0.load(Ordering::Relaxed) != before {
                looks += 1;
            }
            counted.unwrap()
        };
        for n in 1..=600 {
            assert_eq!(save(began), n);
        }
        // At 64, 128, 256 and 512.
        let later = began + REMEMBERED + Duration::from_secs(1);
        for n in 601..=1024 {
            assert_eq!(save(later), n);
        }
        // Now 600 are old.
        assert_eq!(save(later), 425);
        assert_eq!(looks, 5);
    }
}
