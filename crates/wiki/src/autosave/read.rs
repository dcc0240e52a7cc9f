//! Reads autosave entries to offer them back.

use std::ops::ControlFlow;

use crate::autosave::AutosaveError;
use crate::id::{AutosaveId, PageId, UserId};
use crate::model::autosave::AutosaveHead;
use crate::model::page::PageIndex;
use crate::parts::Autosave;
use crate::path::PagePath;
use crate::store::{
    AUTOSAVE, AUTOSAVE_TEXT, Direction, PAGE_INDEX, PAGE_PATH, Read, ReadTxn, StorageError,
};

/// The maximum size of a text in a list, in bytes.
const MAX_LISTED_TEXT: u64 = 64 * 1024;
/// The maximum total size of the texts in a list, in bytes.
const MAX_LISTED_TOTAL: u64 = 1024 * 1024;

/// An autosave entry, as it is offered back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AutosaveEntry {
    /// The origin of the text.
    pub head: AutosaveHead,
    /// The text; `None` in a list if it exceeds the limits of a list.
    pub source: Option<String>,
    /// True if the page for which it was written exists.
    pub page_exists: bool,
}

impl Autosave<'_> {
    /// A user's autosave entries of all tabs, newest first. With a path, only those that were
    /// written for it or for the page that is there now. Short texts are included: at most 64 KiB
    /// each, and 1 MiB together. [`Autosave::text`] returns the others.
    ///
    /// # Errors
    /// If the database fails.
    pub fn entries(
        &self,
        user: UserId,
        path: Option<&PagePath>,
    ) -> Result<Vec<AutosaveEntry>, StorageError> {
        self.store.read(|txn: &ReadTxn| {
            let existing = match path {
                Some(path) => txn.get(PAGE_PATH, path.as_str())?.map(PageId::from_bytes),
                None => None,
            };
            let is_included = |head: &AutosaveHead| {
                head.user == user
                    && path.is_none_or(|path| head.path == *path || Some(head.page_id) == existing)
            };
            let mut heads = Vec::new();
            txn.scan::<_, AutosaveHead, &[u8; 16]>(
                AUTOSAVE,
                ..,
                Direction::Ascending,
                |_, head| {
                    if is_included(&head) {
                        heads.push(head);
                    }
                    ControlFlow::Continue(())
                },
            )?;
            heads.sort_by_key(|head| std::cmp::Reverse(head.updated_at));
            let mut room = MAX_LISTED_TOTAL;
            let mut entries = Vec::with_capacity(heads.len());
            for head in heads {
                let with_text = head.size <= MAX_LISTED_TEXT.min(room);
                if with_text {
                    room -= head.size;
                }
                entries.push(entry(txn, head, with_text)?);
            }
            Ok(entries)
        })
    }

    /// An autosave entry of a user, with its complete text.
    ///
    /// # Errors
    /// [`AutosaveError::NotFound`] if the user has no entry with this id.
    pub fn text(&self, user: UserId, id: AutosaveId) -> Result<AutosaveEntry, AutosaveError> {
        self.store.read(|txn: &ReadTxn| {
            let head = txn
                .get(AUTOSAVE, &id.to_bytes())?
                .filter(|head| head.user == user);
            Ok(entry(txn, head.ok_or(AutosaveError::NotFound)?, true)?)
        })
    }
}

fn entry(
    txn: &ReadTxn,
    head: AutosaveHead,
    with_text: bool,
) -> Result<AutosaveEntry, StorageError> {
    let source = with_text.then(|| text_of(txn, &head)).transpose()?;
    let page = txn.get(PAGE_INDEX, &head.page_id.to_bytes())?;
    Ok(AutosaveEntry {
        head,
        source,
        page_exists: matches!(page, Some(PageIndex::Page(_))),
    })
}

fn text_of(txn: &ReadTxn, head: &AutosaveHead) -> Result<String, StorageError> {
    txn.get(AUTOSAVE_TEXT, &head.id.to_bytes())?
        .ok_or_else(|| StorageError::Damaged {
            table: "journal_text",
            reason: format!("the text of {} is missing", head.id),
        })
}
