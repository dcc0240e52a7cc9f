//! Checks that a page may move to a path.

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::locks::{Moment, status};
use crate::model::page::{DraftInfo, PageIndex};
use crate::path::PagePath;
use crate::store::{PAGE_INDEX, PAGE_PATH, Read, StorageError};

/// A path is already taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathTaken {
    #[error("a page already exists at {0}")]
    Page(PagePath),
    /// A page that a user is writing and has not saved yet.
    #[error("{user_name} is writing a page at {path}")]
    Draft {
        path: PagePath,
        /// The draft.
        page_id: PageId,
        /// The user who is writing it.
        user: UserId,
        user_name: String,
        /// The time at which its lock expires unless it is renewed.
        expire: Timestamp,
    },
}

/// The state of a path.
pub(crate) enum PathStatus {
    /// The path is free, or only taken by a page that is about to leave.
    Free,
    /// A draft whose lock has expired and which the sweeper has not removed yet. Remove it first.
    ExpiredDraft(DraftInfo),
    Taken(PathTaken),
}

/// Checks a path. `leaving` returns true for a page that is about to leave the path.
pub(crate) fn read(
    txn: &impl Read,
    path: &PagePath,
    moment: Moment,
    leaving: impl FnOnce(PageId) -> bool,
) -> Result<PathStatus, StorageError> {
    let Some(id) = txn.get(PAGE_PATH, path.as_str())? else {
        return Ok(PathStatus::Free);
    };
    if leaving(PageId::from_bytes(id)) {
        return Ok(PathStatus::Free);
    }
    let page = txn.get(PAGE_INDEX, &id)?;
    let Some(page @ PageIndex::Draft(_)) = page else {
        return Ok(PathStatus::Taken(PathTaken::Page(path.clone())));
    };
    match (status(txn, &page, moment)?, page) {
        (Some(lock), _) => Ok(PathStatus::Taken(PathTaken::Draft {
            path: path.clone(),
            page_id: PageId::from_bytes(id),
            user: lock.user,
            user_name: lock.user_name,
            expire: lock.expire,
        })),
        (None, PageIndex::Draft(draft)) => Ok(PathStatus::ExpiredDraft(draft)),
        (None, PageIndex::Page(_)) => Ok(PathStatus::Taken(PathTaken::Page(path.clone()))),
    }
}
