//! Tombstones: records that replace the autosave entry of a tab after a save, so that a message in flight
//! during the save does not restore the entry.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;

use crate::autosave::error::{AutosaveError, MAX_TAB_BYTES};
use crate::autosave::next_scan::NextScan;
use crate::autosave::write::{UnsavedText, remove};
use crate::id::{PageId, UserId};
use crate::model::autosave::AutosaveTombstone;
use crate::store::{
    AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TOMBSTONE, Direction, Read, StorageError, WriteTxn,
};

/// The time for which a tombstone is kept. No message is in flight for longer.
const TOMBSTONE_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Ends the autosave entry of a tab that saved the page, in the same transaction. `is_new_revision` is true if
/// the save made `revision`, and false if that existed before.
pub(crate) fn end_entry_of_tab(
    txn: &WriteTxn,
    next_scan: &NextScan,
    (page, user, tab): (PageId, UserId, &str),
    (revision, is_new_revision): (u64, bool),
    now: Timestamp,
) -> Result<(), StorageError> {
    if !(1..=MAX_TAB_BYTES).contains(&tab.len()) {
        return Ok(());
    }
    let (page, user) = (page.to_bytes(), user.to_bytes());
    let key = (&page, &user, tab);
    let head = match txn.get(AUTOSAVE_KEY, key)? {
        Some(id) => txn.get(AUTOSAVE, &id)?,
        None => None,
    };
    let before = txn.get(AUTOSAVE_TOMBSTONE, key)?;
    let before = before.filter(|before| before.revision == revision);
    let count = head.as_ref().map_or(0, |head| head.seq);
    let count = before.map_or(count, |before| count.max(before.seq));
    if let Some(head) = head {
        remove(txn, &head)?;
    }
    let end = AutosaveTombstone {
        revision,
        // Text that is based on a new revision was typed after the save, whatever its count.
        seq: if is_new_revision { 0 } else { count },
        ended_at: now,
    };
    let existing = txn.count(AUTOSAVE_TOMBSTONE)?;
    if next_scan.is_due(existing) {
        let removed = remove_old(txn, now)?;
        next_scan.set_after_scan(existing - removed);
    }
    txn.put(AUTOSAVE_TOMBSTONE, key, &end)
}

/// Refuses a text from before its tab's last save.
pub(super) fn refuse_late(txn: &WriteTxn, text: &UnsavedText) -> Result<(), AutosaveError> {
    let (page, user) = (text.page_id.to_bytes(), text.user.to_bytes());
    let Some(end) = txn.get(AUTOSAVE_TOMBSTONE, (&page, &user, text.tab.as_str()))? else {
        return Ok(());
    };
    let base = text.base_revision.unwrap_or(0);
    if base < end.revision {
        return Err(AutosaveError::Saved {
            revision: end.revision,
        });
    }
    // The save made no revision that could separate texts before it from texts after it. The count decides.
    if base == end.revision && text.seq <= end.seq {
        return Err(AutosaveError::Stale { seq: end.seq });
    }
    Ok(())
}

/// Removes old tombstones and returns their number.
fn remove_old(txn: &WriteTxn, now: Timestamp) -> Result<u64, StorageError> {
    let mut old = Vec::new();
    txn.scan::<_, AutosaveTombstone, (&[u8; 16], &[u8; 16], &str)>(
        AUTOSAVE_TOMBSTONE,
        ..,
        Direction::Ascending,
        |(page, user, tab), end| {
            let age = now.duration_since(end.ended_at).unsigned_abs();
            if age > TOMBSTONE_LIFETIME {
                old.push((*page, *user, tab.to_owned()));
            }
            ControlFlow::Continue(())
        },
    )?;
    for (page, user, tab) in &old {
        txn.remove(AUTOSAVE_TOMBSTONE, (page, user, tab.as_str()))?;
    }
    Ok(old.len() as u64)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use fumikura_base::entropy::SeededEntropy;

    use super::*;
    use crate::store::Store;

    #[test]
    fn old_tombstones_are_removed_in_increasingly_rare_scans() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wiki.redb");
        let store = Store::open(&path, Duration::ZERO, |_| Ok(())).unwrap();
        let entropy = SeededEntropy::new(1);
        let began = Timestamp::UNIX_EPOCH;
        let user = UserId::generate(began, &entropy);
        let next_scan = NextScan::default();
        let mut scans = 0;
        let mut save = |now| -> u64 {
            let page = PageId::generate(now, &entropy);
            let before = next_scan.0.load(Ordering::Relaxed);
            let count: Result<u64, StorageError> = store.write(|txn| {
                end_entry_of_tab(txn, &next_scan, (page, user, "tab"), (1, true), now)?;
                txn.count(AUTOSAVE_TOMBSTONE)
            });
            if next_scan.0.load(Ordering::Relaxed) != before {
                scans += 1;
            }
            count.unwrap()
        };
        for n in 1..=600 {
            assert_eq!(save(began), n);
        }
        // At 64, 128, 256 and 512.
        let later = began + TOMBSTONE_LIFETIME + Duration::from_secs(1);
        for n in 601..=1024 {
            assert_eq!(save(later), n);
        }
        // Now 600 are old.
        assert_eq!(save(later), 425);
        assert_eq!(scans, 5);
    }
}
