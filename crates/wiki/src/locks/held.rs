//! Taking, renewing, releasing and looking at one page's lock.

use jiff::Timestamp;

use crate::id::{LockToken, PageId, UserId};
use crate::locks::rows::{
    LockedPage, drop_row, grant, held, holder_of, living, lock_that_counts, name_of, release,
};
use crate::locks::{LockError, Moment};
use crate::model::lock::LockInfo;
use crate::model::page::PageIndex;
use crate::store::{PAGE_INDEX, Read, StorageError, WriteTxn};
use crate::wiki::Wiki;

/// A lock as its holder gets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldLock {
    /// What proves that one holds it. A secret.
    pub token: LockToken,
    /// When it ends unless it is renewed.
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

/// What anyone may know about a page's lock: never the token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockStatus {
    /// Who holds it.
    pub user: UserId,
    /// Their name.
    pub user_name: String,
    /// When it ends unless it is renewed.
    pub expire: Timestamp,
}

impl Wiki {
    /// Takes the lock of a page.
    ///
    /// # Errors
    /// [`LockError::Held`] while someone has it, also oneself in another tab.
    pub fn acquire_lock(&self, page_id: PageId, user: UserId) -> Result<HeldLock, LockError> {
        self.store
            .write(|txn| take(self, txn, page_id, user, Held::Refused))
    }

    /// Takes the lock of a page, also from oneself: from a tab or a program that has ended without
    /// giving it back. A draft of one's own is taken over in the same way. The old token is nothing
    /// from then on.
    ///
    /// # Errors
    /// [`LockError::Held`] while someone else has it.
    pub fn take_over_lock(&self, page_id: PageId, user: UserId) -> Result<HeldLock, LockError> {
        self.store
            .write(|txn| take(self, txn, page_id, user, Held::ReplacedIfOwn))
    }

    /// Replaces a lock by a new one that lasts its full time from now.
    ///
    /// # Errors
    /// [`LockError::Invalid`] when the token does not hold the page (any more).
    pub fn renew_lock(&self, page_id: PageId, token: LockToken) -> Result<HeldLock, LockError> {
        self.store.write(|txn| {
            let LockedPage { lock, page } = LockedPage::verify(txn, page_id, token, self.moment())?;
            let renewed = grant(self, txn, page_id, lock.user)?;
            drop_row(txn, lock.token)?;
            let page = with_token(page, renewed.token);
            txn.put(PAGE_INDEX, &page_id.to_bytes(), &page)?;
            Ok(renewed.into())
        })
    }

    /// Gives a lock back. A draft goes with it.
    ///
    /// # Errors
    /// [`LockError::Invalid`] when the token does not hold the page (any more).
    pub fn release_lock(&self, page_id: PageId, token: LockToken) -> Result<(), LockError> {
        self.store.write(|txn: &WriteTxn| {
            let LockedPage { lock, page } = LockedPage::verify(txn, page_id, token, self.moment())?;
            Ok(release(txn, &lock, page)?)
        })
    }

    /// Who holds the page, if someone does.
    ///
    /// # Errors
    /// [`LockError::PageNotFound`] for an unknown id.
    pub fn lock_status(&self, page_id: PageId) -> Result<Option<LockStatus>, LockError> {
        self.store.read(|txn| {
            let moment = self.moment();
            let page = living(txn, page_id, moment)?.ok_or(LockError::PageNotFound)?;
            Ok(status(txn, &page, moment)?)
        })
    }
}

/// What becomes of a lock that is there when one is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Refused,
    ReplacedIfOwn,
}

fn take(
    wiki: &Wiki,
    txn: &WriteTxn,
    page_id: PageId,
    user: UserId,
    there: Held,
) -> Result<HeldLock, LockError> {
    let page = txn
        .get(PAGE_INDEX, &page_id.to_bytes())?
        .ok_or(LockError::PageNotFound)?;
    let moment = wiki.moment();
    match (lock_that_counts(txn, &page, moment)?, &page) {
        (Some(lock), _) if there == Held::ReplacedIfOwn && lock.user == user => {}
        (Some(lock), _) => return Err(held(txn, &lock, moment)?),
        (None, PageIndex::Page(info)) if info.path_state.is_deleted() => {
            return Err(LockError::Deleted);
        }
        (None, PageIndex::Page(_)) => {}
        // A draft lives as long as its lock: the sweeper has yet to come.
        (None, PageIndex::Draft(_)) => return Err(LockError::PageNotFound),
    }
    if let Some(ended) = holder_of(&page) {
        drop_row(txn, ended)?;
    }
    let lock = grant(wiki, txn, page_id, user)?;
    txn.put(
        PAGE_INDEX,
        &page_id.to_bytes(),
        &with_token(page, lock.token),
    )?;
    Ok(lock.into())
}

/// Who holds what the page id stands for.
pub(crate) fn status(
    txn: &impl Read,
    page: &PageIndex,
    moment: Moment,
) -> Result<Option<LockStatus>, StorageError> {
    let Some(lock) = lock_that_counts(txn, page, moment)? else {
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
