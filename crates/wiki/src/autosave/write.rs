//! Stores and discards autosave entries.

use std::ops::ControlFlow;

use crate::autosave::error::{AutosaveError, MAX_BYTES, MAX_ENTRIES, MAX_TAB_BYTES};
use crate::autosave::tombstones::refuse_late;
use crate::id::{AutosaveId, PageId, UserId};
use crate::model::autosave::AutosaveHead;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::parts::Autosave;
use crate::path::PagePath;
use crate::store::{
    AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TEXT, Direction, Read, StorageError, WriteTxn,
};

/// The number of characters of a text that a list shows.
const BEGINNING_CHARS: usize = 200;

/// Text that was typed and not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsavedText {
    /// The page or draft that is being edited. It may not exist, or no longer exist.
    pub page_id: PageId,
    /// The author of the text.
    pub user: UserId,
    /// The tab in which it is typed: 1 to 64 bytes.
    pub tab: String,
    /// The path for which the text is written.
    pub path: PagePath,
    /// The revision on which the edit is based; `None` for a new page.
    pub base_revision: Option<u64>,
    /// The tab's own count, which rises with each message.
    pub seq: u64,
    /// The text.
    pub source: String,
}

impl Autosave<'_> {
    /// Stores unsaved text. It replaces the previous entry of this tab for the same page.
    ///
    /// # Errors
    /// [`AutosaveError::Stale`] if newer text is stored, [`AutosaveError::Saved`] if the tab has
    /// saved since, [`AutosaveError::Full`] if the user has too much unsaved text.
    pub fn put(&self, text: UnsavedText) -> Result<AutosaveId, AutosaveError> {
        if text.tab.is_empty() || text.tab.len() > MAX_TAB_BYTES {
            return Err(AutosaveError::InvalidTab);
        }
        if text.source.len() > MAX_SOURCE_BYTES {
            return Err(AutosaveError::TooLarge(text.source.len()));
        }
        self.store.write(|txn| {
            refuse_late(txn, &text)?;
            let now = self.clock.now();
            let key = (
                &text.page_id.to_bytes(),
                &text.user.to_bytes(),
                text.tab.as_str(),
            );
            let existing = match txn.get(AUTOSAVE_KEY, key)? {
                Some(id) => txn.get(AUTOSAVE, &id)?,
                None => None,
            };
            if let Some(existing) = &existing
                && text.seq < existing.seq
            {
                return Err(AutosaveError::Stale { seq: existing.seq });
            }
            let size = text.source.len() as u64;
            check_quota(txn, text.user, existing.as_ref(), size)?;
            let id = existing.map_or_else(|| AutosaveId::generate(now, self.entropy), |it| it.id);
            let head = AutosaveHead {
                id,
                page_id: text.page_id,
                user: text.user,
                tab: text.tab.clone(),
                path: text.path,
                base_revision: text.base_revision,
                seq: text.seq,
                updated_at: now,
                size,
                beginning: beginning(&text.source),
            };
            txn.put(AUTOSAVE_KEY, key, &id.to_bytes())?;
            txn.put(AUTOSAVE, &id.to_bytes(), &head)?;
            txn.put(AUTOSAVE_TEXT, &id.to_bytes(), &text.source)?;
            Ok(id)
        })
    }

    /// Discards an autosave entry of a user. With a count, text with a higher count is not discarded.
    ///
    /// # Errors
    /// [`AutosaveError::NotFound`] if the user has no entry with this id, [`AutosaveError::Stale`] if
    /// newer text is stored.
    pub fn discard(
        &self,
        user: UserId,
        id: AutosaveId,
        seq: Option<u64>,
    ) -> Result<(), AutosaveError> {
        self.store.write(|txn| {
            let head = txn
                .get(AUTOSAVE, &id.to_bytes())?
                .filter(|head| head.user == user);
            let head = head.ok_or(AutosaveError::NotFound)?;
            if seq.is_some_and(|seq| seq < head.seq) {
                return Err(AutosaveError::Stale { seq: head.seq });
            }
            remove(txn, &head)?;
            Ok(())
        })
    }
}

/// Refuses a text of `size` bytes that replaces `existing` if the user would then exceed the limits.
fn check_quota(
    txn: &WriteTxn,
    user: UserId,
    existing: Option<&AutosaveHead>,
    size: u64,
) -> Result<(), AutosaveError> {
    let (mut entries, mut bytes) = (0, 0);
    txn.scan::<_, AutosaveHead, &[u8; 16]>(AUTOSAVE, .., Direction::Ascending, |_, head| {
        if head.user == user && existing.is_none_or(|existing| existing.id != head.id) {
            entries += 1;
            bytes += head.size;
        }
        ControlFlow::Continue(())
    })?;
    check_limits(
        (entries, bytes),
        existing.map(|existing| existing.size),
        size,
    )
}

/// Checks that a text of `size` bytes fits beside the others and in place of one of `existing` bytes. A
/// text that is not longer than its predecessor always fits.
fn check_limits(
    (others, other_bytes): (usize, u64),
    existing: Option<u64>,
    size: u64,
) -> Result<(), AutosaveError> {
    let (entries, bytes) = (others + 1, other_bytes + size);
    let is_allowed = match existing {
        Some(existing) => size <= existing || bytes <= MAX_BYTES,
        None => entries <= MAX_ENTRIES && bytes <= MAX_BYTES,
    };
    if is_allowed {
        Ok(())
    } else {
        Err(AutosaveError::Full { entries, bytes })
    }
}

/// Returns the beginning of a text that its entry is listed with.
pub(crate) fn beginning(text: &str) -> String {
    text.chars().take(BEGINNING_CHARS).collect()
}

/// Removes an entry with its text.
pub(super) fn remove(txn: &WriteTxn, head: &AutosaveHead) -> Result<(), StorageError> {
    txn.remove(
        AUTOSAVE_KEY,
        (
            &head.page_id.to_bytes(),
            &head.user.to_bytes(),
            head.tab.as_str(),
        ),
    )?;
    txn.remove(AUTOSAVE_TEXT, &head.id.to_bytes())?;
    txn.remove(AUTOSAVE, &head.id.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(others: (usize, u64), existing: Option<u64>, size: u64, is_allowed: bool) {
        assert_eq!(check_limits(others, existing, size).is_ok(), is_allowed);
    }

    #[test]
    fn entry_count_and_size_per_user_are_limited() {
        check((0, 0), None, MAX_BYTES, true);
        check((0, 0), None, MAX_BYTES + 1, false);
        check((MAX_ENTRIES - 1, 0), None, 1, true);
        check((MAX_ENTRIES, 0), None, 1, false);
        check((9, MAX_BYTES - 5), None, 5, true);
        check((9, MAX_BYTES - 5), None, 6, false);
        // A replacement for a stored text.
        check((MAX_ENTRIES, 0), Some(1), 2, true);
        check((9, MAX_BYTES - 5), Some(2), 5, true);
        check((9, MAX_BYTES - 5), Some(2), 6, false);
        check((9, MAX_BYTES + 5), Some(6), 6, true);
    }
}
