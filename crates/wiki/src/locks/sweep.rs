//! Ends expired locks, with the drafts that they held: plans first, then applies.

use crate::id::PageId;
use crate::locks::Moment;
use crate::locks::list::{all_locks, is_draft};
use crate::locks::rows::{lock_token_of, release, remove_row};
use crate::model::lock::LockInfo;
use crate::parts::Locks;
use crate::store::{PAGE_INDEX, Read, StorageError, WriteTxn};

/// A lock that was not ended by its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleasedLock {
    /// The page or draft that it held.
    pub page_id: PageId,
    /// True if a draft was removed with it.
    pub draft: bool,
}

/// The locks to end now.
fn plan(locks: Vec<LockInfo>, moment: Moment) -> Vec<LockInfo> {
    locks
        .into_iter()
        .filter(|lock| !moment.is_active(lock))
        .collect()
}

/// Ends the planned locks, each once.
fn apply(txn: &WriteTxn, plan: Vec<LockInfo>) -> Result<Vec<ReleasedLock>, StorageError> {
    let mut released = Vec::with_capacity(plan.len());
    for lock in plan {
        let page = txn.get(PAGE_INDEX, &lock.page.to_bytes())?;
        match page {
            Some(page) if lock_token_of(&page) == Some(lock.token) => {
                let draft = is_draft(&page);
                release(txn, &lock, page)?;
                released.push(ReleasedLock {
                    page_id: lock.page,
                    draft,
                });
            }
            // The page is gone or has another token: only the row is left.
            Some(_) | None => remove_row(txn, lock.token)?,
        }
    }
    Ok(released)
}

impl Locks<'_> {
    /// Ends the expired locks. Call it every 10 seconds (docs/spec/wiki.md, Locks). Returns the pages that
    /// were unlocked.
    ///
    /// # Errors
    /// If the database fails. The next call then ends the locks.
    pub fn sweep(&self) -> Result<Vec<ReleasedLock>, StorageError> {
        let moment = self.lock_time.moment();
        // Most sweeps find nothing. This avoids a durable transaction without changes.
        if plan(self.store.read(all_locks)?, moment).is_empty() {
            return Ok(Vec::new());
        }
        self.store
            .write(|txn| apply(txn, plan(all_locks(txn)?, moment)))
    }
}
