//! Unsaved text: put away while someone types, offered back when they return. It outlives the lock,
//! the draft and the process.

use std::ops::ControlFlow;

use crate::id::{JournalId, PageId, UserId};
use crate::model::journal::JournalHead;
use crate::model::page::PageIndex;
use crate::pages::MAX_SOURCE_BYTES;
use crate::path::PagePath;
use crate::store::{
    Direction, JOURNAL, JOURNAL_KEY, JOURNAL_TEXT, PAGE_INDEX, PAGE_PATH, Read, ReadTxn,
    StorageError, WriteTxn,
};
use crate::wiki::Wiki;

/// The longest name of a tab, in bytes.
const MAX_TAB_BYTES: usize = 64;

/// Text that was typed and not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsavedText {
    /// The page or draft that is being edited. It need not exist (any more).
    pub page_id: PageId,
    /// Whose text it is.
    pub user: UserId,
    /// The tab that it is typed in: 1 to 64 bytes.
    pub tab: String,
    /// The path at which the text is to appear.
    pub path: PagePath,
    /// The revision that the edit began from; none for a new page.
    pub base_revision: Option<u64>,
    /// The tab's own count, rising with each message.
    pub seq: u64,
    /// The text.
    pub source: String,
}

/// Unsaved text as it is offered back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// Where it comes from.
    pub head: JournalHead,
    /// The text.
    pub source: String,
    /// Whether the page it was written for is there.
    pub page_exists: bool,
}

/// Unsaved text was not put away, or not taken out. What was there is still there.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A message with a higher count came before this one.
    #[error("newer text of this tab is kept already (its count is {kept})")]
    Stale {
        /// The count of what is kept.
        kept: u64,
    },
    /// The tab's name is empty or longer than 64 bytes.
    #[error("a tab's name has 1 to {MAX_TAB_BYTES} bytes")]
    InvalidTab,
    /// The text is longer than a page can be.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are kept")]
    TooLarge(usize),
    /// There is no such entry of this person.
    #[error("there is no such unsaved text")]
    NotFound,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Wiki {
    /// Puts unsaved text away, in place of what this tab put away for the same page before.
    ///
    /// # Errors
    /// [`JournalError::Stale`] when newer text is there.
    pub fn put_unsaved(&self, text: UnsavedText) -> Result<JournalId, JournalError> {
        if text.tab.is_empty() || text.tab.len() > MAX_TAB_BYTES {
            return Err(JournalError::InvalidTab);
        }
        if text.source.len() > MAX_SOURCE_BYTES {
            return Err(JournalError::TooLarge(text.source.len()));
        }
        self.store.write(|txn| {
            let now = self.clock.now();
            let key = (
                &text.page_id.to_bytes(),
                &text.user.to_bytes(),
                text.tab.as_str(),
            );
            let id = match txn.get(JOURNAL_KEY, key)?.map(JournalId::from_bytes) {
                Some(id) => {
                    let kept = txn.get(JOURNAL, &id.to_bytes())?.map_or(0, |head| head.seq);
                    if text.seq < kept {
                        return Err(JournalError::Stale { kept });
                    }
                    id
                }
                None => JournalId::generate(now, &*self.entropy),
            };
            let head = JournalHead {
                id,
                page_id: text.page_id,
                user: text.user,
                tab: text.tab.clone(),
                path: text.path,
                base_revision: text.base_revision,
                seq: text.seq,
                updated_at: now,
            };
            txn.put(JOURNAL_KEY, key, &id.to_bytes())?;
            txn.put(JOURNAL, &id.to_bytes(), &head)?;
            txn.put(JOURNAL_TEXT, &id.to_bytes(), &text.source)?;
            Ok(id)
        })
    }

    /// A person's unsaved text of all tabs, newest first; with a path, only what was written for it
    /// or for the page that is there now.
    ///
    /// # Errors
    /// When the database fails.
    pub fn unsaved(
        &self,
        user: UserId,
        path: Option<&PagePath>,
    ) -> Result<Vec<JournalEntry>, StorageError> {
        self.store.read(|txn: &ReadTxn| {
            let there = match path {
                Some(path) => txn.get(PAGE_PATH, path.as_str())?.map(PageId::from_bytes),
                None => None,
            };
            let wanted = |head: &JournalHead| {
                head.user == user
                    && path.is_none_or(|path| head.path == *path || Some(head.page_id) == there)
            };
            let mut heads = Vec::new();
            txn.scan::<_, JournalHead, &[u8; 16]>(JOURNAL, .., Direction::Ascending, |_, head| {
                if wanted(&head) {
                    heads.push(head);
                }
                ControlFlow::Continue(())
            })?;
            heads.sort_by_key(|head| std::cmp::Reverse(head.updated_at));
            heads.into_iter().map(|head| entry(txn, head)).collect()
        })
    }

    /// Forgets a person's unsaved text.
    ///
    /// # Errors
    /// [`JournalError::NotFound`] when there is none with this id.
    pub fn discard_unsaved(&self, user: UserId, id: JournalId) -> Result<(), JournalError> {
        self.store.write(|txn| {
            let head = txn
                .get(JOURNAL, &id.to_bytes())?
                .filter(|head| head.user == user);
            remove(txn, &head.ok_or(JournalError::NotFound)?)?;
            Ok(())
        })
    }
}

/// Forgets what this tab put away for the page, if it did.
pub(crate) fn remove_of_tab(
    txn: &WriteTxn,
    page: PageId,
    user: UserId,
    tab: &str,
) -> Result<(), StorageError> {
    let Some(id) = txn.get(JOURNAL_KEY, (&page.to_bytes(), &user.to_bytes(), tab))? else {
        return Ok(());
    };
    match txn.get(JOURNAL, &id)? {
        Some(head) => remove(txn, &head),
        None => Ok(()),
    }
}

fn remove(txn: &WriteTxn, head: &JournalHead) -> Result<(), StorageError> {
    txn.remove(
        JOURNAL_KEY,
        (
            &head.page_id.to_bytes(),
            &head.user.to_bytes(),
            head.tab.as_str(),
        ),
    )?;
    txn.remove(JOURNAL_TEXT, &head.id.to_bytes())?;
    txn.remove(JOURNAL, &head.id.to_bytes())
}

fn entry(txn: &ReadTxn, head: JournalHead) -> Result<JournalEntry, StorageError> {
    let source =
        txn.get(JOURNAL_TEXT, &head.id.to_bytes())?
            .ok_or_else(|| StorageError::Damaged {
                table: "journal_text",
                reason: format!("the text of {} is missing", head.id),
            })?;
    let page = txn.get(PAGE_INDEX, &head.page_id.to_bytes())?;
    Ok(JournalEntry {
        head,
        source,
        page_exists: matches!(page, Some(PageIndex::Page(_))),
    })
}
