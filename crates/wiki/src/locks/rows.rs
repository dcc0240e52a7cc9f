//! The rows of locks and the pages that they hold. Every change to either goes through this module,
//! which keeps them consistent.

use crate::assets;
use crate::id::{LockToken, PageId, UserId};
use crate::locks::{LockError, Moment};
use crate::model::change::Change;
use crate::model::lock::LockInfo;
use crate::model::page::{DraftInfo, PageIndex};
use crate::repository;
use crate::store::{LOCK, PAGE_INDEX, Read, StorageError, USER, WriteTxn};

/// Proof that, in this transaction, the caller's token holds the page.
pub(crate) struct LockedPage {
    pub(crate) lock: LockInfo,
    pub(crate) page: PageIndex,
}

/// The token of the lock on a page or draft.
pub(crate) fn lock_token_of(page: &PageIndex) -> Option<LockToken> {
    match page {
        PageIndex::Page(info) => info.lock_token,
        PageIndex::Draft(draft) => Some(draft.lock_token),
    }
}

/// The lock that holds the page now. An expired lock that was not swept yet holds nothing.
pub(crate) fn active_lock(
    txn: &impl Read,
    page: &PageIndex,
    moment: Moment,
) -> Result<Option<LockInfo>, StorageError> {
    let Some(token) = lock_token_of(page) else {
        return Ok(None);
    };
    Ok(txn
        .get(LOCK, &token.to_bytes())?
        .filter(|lock: &LockInfo| moment.is_active(lock)))
}

/// The page or draft with this id. A draft whose lock has expired counts as removed, swept or not.
pub(crate) fn existing_page(
    txn: &impl Read,
    page_id: PageId,
    moment: Moment,
) -> Result<Option<PageIndex>, StorageError> {
    let Some(page) = txn.get(PAGE_INDEX, &page_id.to_bytes())? else {
        return Ok(None);
    };
    let is_gone = match &page {
        PageIndex::Page(_) => false,
        PageIndex::Draft(_) => active_lock(txn, &page, moment)?.is_none(),
    };
    Ok((!is_gone).then_some(page))
}

impl LockedPage {
    /// Checks that `token` holds the page now.
    pub(crate) fn verify(
        txn: &WriteTxn,
        page_id: PageId,
        token: LockToken,
        moment: Moment,
    ) -> Result<Self, LockError> {
        let page = existing_page(txn, page_id, moment)?.ok_or(LockError::PageNotFound)?;
        let lock = active_lock(txn, &page, moment)?
            .filter(|lock| lock.token == token)
            .ok_or(LockError::Invalid)?;
        Ok(Self { lock, page })
    }
}

/// Grants a new lock, which replaces that of the page. The caller writes the row of the page.
pub(crate) fn grant(txn: &WriteTxn, lock: LockInfo) -> Result<LockInfo, StorageError> {
    txn.put(LOCK, &lock.token.to_bytes(), &lock)?;
    txn.report(Change::Locked {
        page_id: lock.page,
        user_name: name_of(txn, lock.user)?,
        expire: lock.expire,
    });
    Ok(lock)
}

/// Ends the lock: its row is removed, the page is unlocked, and a draft is removed (docs/spec/wiki.md, Locks).
pub(crate) fn release(
    txn: &WriteTxn,
    lock: &LockInfo,
    page: PageIndex,
) -> Result<(), StorageError> {
    match page {
        PageIndex::Page(mut info) => {
            unlock(txn, lock.page, lock.token)?;
            info.lock_token = None;
            repository::put(txn, PAGE_INDEX, lock.page, Some(&PageIndex::Page(info)))
        }
        PageIndex::Draft(draft) => remove_draft(txn, &draft),
    }
}

/// Unlocks a page by removing the lock's row. The caller writes the row of the page.
pub(crate) fn unlock(txn: &WriteTxn, page: PageId, token: LockToken) -> Result<(), StorageError> {
    txn.report(Change::Unlocked { page_id: page });
    remove_row(txn, token)
}

/// Removes the row of a lock that holds nothing, or that was replaced.
pub(super) fn remove_row(txn: &WriteTxn, token: LockToken) -> Result<(), StorageError> {
    txn.remove(LOCK, &token.to_bytes())
}

/// Removes a draft with its path, its lock and its files (docs/spec/wiki.md, Files).
pub(crate) fn remove_draft(txn: &WriteTxn, draft: &DraftInfo) -> Result<(), StorageError> {
    unlock(txn, draft.page_id, draft.lock_token)?;
    assets::remove_of_draft(txn, draft.page_id)?;
    repository::put(txn, PAGE_INDEX, draft.page_id, None)
}

/// The name to show for a lock's holder.
pub(crate) fn name_of(txn: &impl Read, user: UserId) -> Result<String, StorageError> {
    let row = txn.get(USER, &user.to_bytes())?;
    // Users are never removed. If a row were missing, the lock is still shown, with the id.
    Ok(row.map_or_else(|| user.to_string(), |user| user.name.to_string()))
}

/// Builds the error that names the holder.
pub(crate) fn held_error(
    txn: &impl Read,
    lock: &LockInfo,
    moment: Moment,
) -> Result<LockError, StorageError> {
    Ok(LockError::Held {
        user_name: name_of(txn, lock.user)?,
        expire: moment.end(lock),
    })
}
