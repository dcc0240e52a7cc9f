//! Lists all locks, and ends them without their tokens, for administration.

use std::ops::ControlFlow;

use jiff::Timestamp;
use serde::Serialize;

use crate::id::PageId;
use crate::locks::rows::{active_lock, name_of, release};
use crate::locks::{LockError, ReleasedLock};
use crate::model::lock::LockInfo;
use crate::model::page::PageIndex;
use crate::parts::Locks;
use crate::path::PagePath;
use crate::store::{Direction, LOCK, PAGE_INDEX, Read, StorageError};

/// A lock in the list of all locks, without its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct ListedLock {
    /// The id of the page or draft.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub page_id: PageId,
    /// The path of the page or draft.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub path: PagePath,
    /// True if it is a draft, which is removed with its lock.
    pub draft: bool,
    /// The name of the lock's holder.
    pub user_name: String,
    /// The time at which the lock expires unless it is renewed.
    pub expire: Timestamp,
}

impl Locks<'_> {
    /// The current locks, by the paths of their pages and drafts.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self) -> Result<Vec<ListedLock>, StorageError> {
        self.store.read(|txn| {
            let moment = self.lock_time.moment();
            let mut listed = Vec::new();
            for lock in all_locks(txn)? {
                let Some(page) = txn.get(PAGE_INDEX, &lock.page.to_bytes())? else {
                    continue;
                };
                if active_lock(txn, &page, moment)?.as_ref() != Some(&lock) {
                    continue;
                }
                listed.push(ListedLock {
                    page_id: lock.page,
                    draft: is_draft(&page),
                    path: page.path().clone(),
                    user_name: name_of(txn, lock.user)?,
                    expire: moment.end(&lock),
                });
            }
            listed.sort_by(|one, other| one.path.cmp(&other.path));
            Ok(listed)
        })
    }

    /// Ends a page's lock, regardless of its holder. A draft is removed with it.
    ///
    /// # Errors
    /// [`LockError::NotHeld`] if the page is not locked.
    pub fn break_lock(&self, page_id: PageId) -> Result<ReleasedLock, LockError> {
        self.store.write(|txn| {
            let page = txn
                .get(PAGE_INDEX, &page_id.to_bytes())?
                .ok_or(LockError::PageNotFound)?;
            let lock =
                active_lock(txn, &page, self.lock_time.moment())?.ok_or(LockError::NotHeld)?;
            let draft = is_draft(&page);
            release(txn, &lock, page)?;
            Ok(ReleasedLock { page_id, draft })
        })
    }
}

pub(crate) fn all_locks(txn: &impl Read) -> Result<Vec<LockInfo>, StorageError> {
    let mut locks = Vec::new();
    txn.scan::<_, LockInfo, &[u8; 16]>(LOCK, .., Direction::Ascending, |_, lock| {
        locks.push(lock);
        ControlFlow::Continue(())
    })?;
    Ok(locks)
}

pub(super) fn is_draft(page: &PageIndex) -> bool {
    matches!(page, PageIndex::Draft(_))
}
