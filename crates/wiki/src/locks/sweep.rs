//! Ending locks whose time is over, with the drafts that they held: first the plan, then the deed.

use crate::id::PageId;
use crate::locks::Moment;
use crate::locks::list::{all_locks, is_draft};
use crate::locks::rows::{drop_row, holder_of, release};
use crate::model::lock::LockInfo;
use crate::store::{PAGE_INDEX, Read, StorageError, WriteTxn};
use crate::wiki::Wiki;

/// A lock that was ended by somebody other than its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleasedLock {
    /// The page or draft that it held.
    pub page_id: PageId,
    /// Whether a draft went with it.
    pub draft: bool,
}

/// The locks that are to end now.
fn plan(locks: Vec<LockInfo>, moment: Moment) -> Vec<LockInfo> {
    locks
        .into_iter()
        .filter(|lock| !moment.counts(lock))
        .collect()
}

/// Ends the planned locks, each once.
fn apply(txn: &WriteTxn, plan: Vec<LockInfo>) -> Result<Vec<ReleasedLock>, StorageError> {
    let mut released = Vec::with_capacity(plan.len());
    for lock in plan {
        let page = txn.get(PAGE_INDEX, &lock.page.to_bytes())?;
        match page {
            Some(page) if holder_of(&page) == Some(lock.token) => {
                let draft = is_draft(&page);
                release(txn, &lock, page)?;
                released.push(ReleasedLock {
                    page_id: lock.page,
                    draft,
                });
            }
            // The page is gone or held by another token: only the row is left over.
            Some(_) | None => drop_row(txn, lock.token)?,
        }
    }
    Ok(released)
}

impl Wiki {
    /// Ends the locks whose time is over; to be called every 10 seconds (docs/spec/wiki.md, Locks). Says which
    /// pages are free now.
    ///
    /// # Errors
    /// When the database fails; the next call does the work then.
    pub fn sweep_locks(&self) -> Result<Vec<ReleasedLock>, StorageError> {
        let moment = self.moment();
        // Most sweeps find nothing, and a transaction that changes nothing need not be durable.
        if plan(self.store.read(all_locks)?, moment).is_empty() {
            return Ok(Vec::new());
        }
        self.store
            .write(|txn| apply(txn, plan(all_locks(txn)?, moment)))
    }
}
