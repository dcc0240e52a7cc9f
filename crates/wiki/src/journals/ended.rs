//! What a tab's save leaves behind in place of its unsaved text, so that a message that was on its way
//! meanwhile does not bring the text back.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::journals::write::{UnsavedText, remove};
use crate::journals::{JournalError, MAX_TAB_BYTES};
use crate::model::journal::JournalEnd;
use crate::store::{Direction, JOURNAL, JOURNAL_END, JOURNAL_KEY, Read, StorageError, WriteTxn};

/// How long an end is remembered; no message is on its way for longer.
const REMEMBERED: Duration = Duration::from_secs(24 * 60 * 60);
/// How many ends there are before the old ones among them are looked for.
const FEW: u64 = 64;

/// Ends the unsaved text of a tab that saved the page, in the same transaction. `raised` says whether
/// the save made `revision`, or whether that was there before.
pub(crate) fn end_of_tab(
    txn: &WriteTxn,
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
        // What is based on a new revision was typed after the save, whatever its count.
        seq: if raised { 0 } else { count },
        ended_at: now,
    };
    if txn.count(JOURNAL_END)? >= FEW {
        forget_old(txn, now)?;
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
    // The save made no revision by which before and after could be told apart: the count decides.
    if base == end.revision && text.seq <= end.seq {
        return Err(JournalError::Stale { kept: end.seq });
    }
    Ok(())
}

fn forget_old(txn: &WriteTxn, now: Timestamp) -> Result<(), StorageError> {
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
    for (page, user, tab) in old {
        txn.remove(JOURNAL_END, (&page, &user, tab.as_str()))?;
    }
    Ok(())
}
