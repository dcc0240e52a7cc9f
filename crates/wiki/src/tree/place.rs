//! Whether a page may come to stand at a path.

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::locks::{Moment, status};
use crate::model::page::{DraftInfo, PageIndex};
use crate::path::PagePath;
use crate::store::{PAGE_INDEX, PAGE_PATH, Read, StorageError};

/// Something stands at a path already.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathTaken {
    /// A page.
    #[error("a page already exists at {0}")]
    Page(PagePath),
    /// A page that someone is writing and has not saved yet.
    #[error("{user_name} is writing a page at {path}")]
    Draft {
        /// The path.
        path: PagePath,
        /// The draft.
        page_id: PageId,
        /// Whose it is.
        user: UserId,
        /// Their name.
        user_name: String,
        /// Until when the draft is held unless its lock is renewed.
        expire: Timestamp,
    },
}

/// What there is at a path.
pub(crate) enum Place {
    /// Nothing, or only what is about to leave.
    Free,
    /// A draft whose lock has run out, to be taken away first: the sweeper has yet to come.
    Dead(DraftInfo),
    /// Something that stays.
    Taken(PathTaken),
}

/// Looks at a path; `leaving` says of what stands there whether it is about to leave.
pub(crate) fn look(
    txn: &impl Read,
    path: &PagePath,
    moment: Moment,
    leaving: impl FnOnce(PageId) -> bool,
) -> Result<Place, StorageError> {
    let Some(id) = txn.get(PAGE_PATH, path.as_str())? else {
        return Ok(Place::Free);
    };
    if leaving(PageId::from_bytes(id)) {
        return Ok(Place::Free);
    }
    let page = txn.get(PAGE_INDEX, &id)?;
    let Some(page @ PageIndex::Draft(_)) = page else {
        return Ok(Place::Taken(PathTaken::Page(path.clone())));
    };
    match (status(txn, &page, moment)?, page) {
        (Some(held), _) => Ok(Place::Taken(PathTaken::Draft {
            path: path.clone(),
            page_id: PageId::from_bytes(id),
            user: held.user,
            user_name: held.user_name,
            expire: held.expire,
        })),
        (None, PageIndex::Draft(draft)) => Ok(Place::Dead(draft)),
        (None, PageIndex::Page(_)) => Ok(Place::Taken(PathTaken::Page(path.clone()))),
    }
}
