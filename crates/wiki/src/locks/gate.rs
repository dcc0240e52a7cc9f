//! Checks locks before pages are moved, deleted or rewritten. A locked page is changed only with
//! its token. A subtree is locked if anything in it is.

use jiff::Timestamp;

use crate::id::LockToken;
use crate::locks::Moment;
use crate::locks::rows::{active_lock, name_of};
use crate::model::lock::LockInfo;
use crate::model::page::{DraftInfo, PageIndex, PageInfo};
use crate::path::PagePath;
use crate::store::{Read, StorageError};

/// A change was refused because of a lock. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// A user holds a page or draft that would change, and the request lacks its token.
    #[error("{user_name} is editing {path}")]
    Required {
        /// The path of the page or draft.
        path: PagePath,
        /// The name of the holder.
        user_name: String,
        /// The time at which the lock ends unless it is renewed.
        expire: Timestamp,
    },
    /// The token of the request holds nothing that would change: it is wrong, was replaced by a
    /// newer one, or has expired.
    #[error("the lock has ended, or another one took its place")]
    Invalid,
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Proof that, in this transaction, a saved page may be changed: it is unlocked, or the caller holds
/// it. The caller's lock stays.
pub(crate) struct UnlockedPage {
    pub(crate) info: PageInfo,
}

impl UnlockedPage {
    /// Checks that a caller with `token`, or without one, may change the page.
    pub(crate) fn verify(
        txn: &impl Read,
        info: PageInfo,
        token: Option<LockToken>,
        moment: Moment,
    ) -> Result<Self, GateError> {
        let UnlockedPages { pages, .. } =
            UnlockedPages::verify(txn, vec![PageIndex::Page(info)], token, moment)?;
        let info = pages.into_iter().next().expect("BUG: one page was passed");
        Ok(Self { info })
    }
}

/// Proof that, in this transaction, several pages and drafts may be changed together.
#[derive(Default)]
pub(crate) struct UnlockedPages {
    pub(crate) pages: Vec<PageInfo>,
    /// The draft that the caller's token holds.
    pub(crate) draft: Option<DraftInfo>,
    /// Drafts whose locks have expired and which the sweeper has not removed yet. They count as removed.
    pub(crate) expired_drafts: Vec<DraftInfo>,
    /// The caller's own lock, on one of the pages or on the draft. It stays unless the change ends
    /// it.
    pub(crate) lock: Option<LockInfo>,
}

impl UnlockedPages {
    /// Checks that a caller with `token`, or without one, may change all of these. A token must
    /// hold one of them. Any other lock among them is an error.
    pub(crate) fn verify(
        txn: &impl Read,
        all: Vec<PageIndex>,
        token: Option<LockToken>,
        moment: Moment,
    ) -> Result<Self, GateError> {
        let mut unlocked = Self::default();
        let mut conflict = None;
        for page in all {
            let lock = active_lock(txn, &page, moment)?;
            let own = lock.as_ref().is_some_and(|lock| token == Some(lock.token));
            match (&lock, page) {
                (Some(lock), page) if !own => {
                    conflict.get_or_insert((lock.clone(), page));
                }
                (_, PageIndex::Page(info)) => unlocked.pages.push(info),
                (Some(_), PageIndex::Draft(draft)) => unlocked.draft = Some(draft),
                (None, PageIndex::Draft(draft)) => unlocked.expired_drafts.push(draft),
            }
            if own {
                unlocked.lock = lock;
            }
        }
        // A token that holds none of these is reported first, even if other locks are in the way.
        if token.is_some() && unlocked.lock.is_none() {
            return Err(GateError::Invalid);
        }
        match conflict {
            Some((lock, page)) => Err(lock_required(txn, &lock, &page, moment)?),
            None => Ok(unlocked),
        }
    }
}

/// Builds the error that names the holder.
fn lock_required(
    txn: &impl Read,
    lock: &LockInfo,
    page: &PageIndex,
    moment: Moment,
) -> Result<GateError, StorageError> {
    Ok(GateError::Required {
        path: page.path().clone(),
        user_name: name_of(txn, lock.user)?,
        expire: moment.end(lock),
    })
}
