//! Acquires, renews, releases and queries the lock of one page.

use jiff::Timestamp;
use serde::Serialize;

use crate::id::{LockToken, PageId, UserId};
use crate::locks::rows::{
    LockedPage, active_lock, existing_page, grant, held_error, lock_token_of, name_of, release,
    remove_row,
};
use crate::locks::{LockError, Moment};
use crate::model::lock::LockInfo;
use crate::model::page::PageIndex;
use crate::parts::Locks;
use crate::repository;
use crate::store::{PAGE_INDEX, Read, StorageError, WriteTxn};

/// A lock, as returned to its holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HeldLock {
    /// Proves that the caller holds the lock. A secret.
    pub token: LockToken,
    /// The time at which it ends unless it is renewed.
    pub expire: Timestamp,
}

impl From<LockInfo> for HeldLock {
    fn from(lock: LockInfo) -> Self {
        Self {
            token: lock.token,
            expire: lock.expire,
        }
    }
}

/// The public state of a page's lock. It never includes the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockStatus {
    /// The holder.
    pub user: UserId,
    /// The name of the holder.
    pub user_name: String,
    /// The time at which the lock ends unless it is renewed.
    pub expire: Timestamp,
}

impl Locks<'_> {
    /// Acquires the lock of a page.
    ///
    /// # Errors
    /// [`LockError::Held`] if the page is locked, also by the same user in another tab.
    pub fn acquire(&self, page_id: PageId, user: UserId) -> Result<HeldLock, LockError> {
        self.store
            .write(|txn| self.acquire_in(txn, page_id, user, IfHeld::Refuse))
    }

    /// Acquires the lock of a page, also if the same user holds it: in a tab or a program that has
    /// ended without releasing it. The user's own draft is taken over in the same way. The old
    /// token becomes invalid.
    ///
    /// # Errors
    /// [`LockError::Held`] if another user holds it.
    pub fn take_over(&self, page_id: PageId, user: UserId) -> Result<HeldLock, LockError> {
        self.store
            .write(|txn| self.acquire_in(txn, page_id, user, IfHeld::TakeOverOwn))
    }

    /// Replaces a lock by a new one with the full lifetime.
    ///
    /// # Errors
    /// [`LockError::Invalid`] if the token does not or no longer hold the page.
    pub fn renew(&self, page_id: PageId, token: LockToken) -> Result<HeldLock, LockError> {
        self.store.write(|txn| {
            let LockedPage { lock, page } =
                LockedPage::verify(txn, page_id, token, self.lock_time.moment())?;
            let renewed = grant(
                txn,
                self.lock_time.new_lock(page_id, lock.user, self.entropy),
            )?;
            remove_row(txn, lock.token)?;
            repository::put(
                txn,
                PAGE_INDEX,
                page_id,
                Some(&with_token(page, renewed.token)),
            )?;
            Ok(renewed.into())
        })
    }

    /// Releases a lock. A draft is removed with it.
    ///
    /// # Errors
    /// [`LockError::Invalid`] if the token does not or no longer hold the page.
    pub fn release(&self, page_id: PageId, token: LockToken) -> Result<(), LockError> {
        self.store.write(|txn: &WriteTxn| {
            let LockedPage { lock, page } =
                LockedPage::verify(txn, page_id, token, self.lock_time.moment())?;
            Ok(release(txn, &lock, page)?)
        })
    }

    /// Returns the lock of a page, if there is one.
    ///
    /// # Errors
    /// [`LockError::PageNotFound`] for an unknown id.
    pub fn status(&self, page_id: PageId) -> Result<Option<LockStatus>, LockError> {
        self.store.read(|txn| {
            let moment = self.lock_time.moment();
            let page = existing_page(txn, page_id, moment)?.ok_or(LockError::PageNotFound)?;
            Ok(status(txn, &page, moment)?)
        })
    }

    fn acquire_in(
        &self,
        txn: &WriteTxn,
        page_id: PageId,
        user: UserId,
        if_held: IfHeld,
    ) -> Result<HeldLock, LockError> {
        let page = txn
            .get(PAGE_INDEX, &page_id.to_bytes())?
            .ok_or(LockError::PageNotFound)?;
        let moment = self.lock_time.moment();
        match (active_lock(txn, &page, moment)?, &page) {
            (Some(lock), _) if if_held == IfHeld::TakeOverOwn && lock.user == user => {}
            (Some(lock), _) => return Err(held_error(txn, &lock, moment)?),
            (None, PageIndex::Page(info)) if info.path_state.is_deleted() => {
                return Err(LockError::Deleted);
            }
            (None, PageIndex::Page(_)) => {}
            // A draft lives as long as its lock. The sweeper has not removed this one yet.
            (None, PageIndex::Draft(_)) => return Err(LockError::PageNotFound),
        }
        if let Some(expired) = lock_token_of(&page) {
            remove_row(txn, expired)?;
        }
        let lock = grant(txn, self.lock_time.new_lock(page_id, user, self.entropy))?;
        repository::put(
            txn,
            PAGE_INDEX,
            page_id,
            Some(&with_token(page, lock.token)),
        )?;
        Ok(lock.into())
    }
}

/// The policy for an existing lock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IfHeld {
    Refuse,
    TakeOverOwn,
}

/// The lock of a page or draft, if there is one.
pub(crate) fn status(
    txn: &impl Read,
    page: &PageIndex,
    moment: Moment,
) -> Result<Option<LockStatus>, StorageError> {
    let Some(lock) = active_lock(txn, page, moment)? else {
        return Ok(None);
    };
    Ok(Some(LockStatus {
        user: lock.user,
        user_name: name_of(txn, lock.user)?,
        expire: moment.end(&lock),
    }))
}

fn with_token(page: PageIndex, token: LockToken) -> PageIndex {
    match page {
        PageIndex::Page(mut info) => {
            info.lock_token = Some(token);
            PageIndex::Page(info)
        }
        PageIndex::Draft(mut draft) => {
            draft.lock_token = token;
            PageIndex::Draft(draft)
        }
    }
}
