//! Why a page was not made, found, read or saved.

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::pages::{MAX_SOURCE_BYTES, VersionTag};
use crate::path::PagePath;
use crate::store::StorageError;
use crate::tree::PathTaken;

/// A draft was not made. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Something is there already.
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl CreateError {
    /// The person's own draft, if that is what is in the way: they can take its lock over.
    #[must_use]
    pub fn draft_of(&self, person: UserId) -> Option<PageId> {
        match self {
            Self::Taken(PathTaken::Draft { page_id, user, .. }) => {
                (*user == person).then_some(*page_id)
            }
            Self::Taken(PathTaken::Page(_)) | Self::Storage(_) => None,
        }
    }
}

/// A path leads to no page.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing is there.
    #[error("there is no page at {0}")]
    NotFound(PagePath),
    /// Nothing is there any more: the page that left the path last is elsewhere now.
    #[error("the page that was at {path} is now at {to}")]
    Moved {
        /// The path that was asked for.
        path: PagePath,
        /// Where the page is.
        to: PagePath,
    },
    /// No page is there; one that was is in the trash.
    #[error("the page that was at {path} is in the trash")]
    Deleted {
        /// The path that was asked for.
        path: PagePath,
        /// The page; of several the one that was deleted last.
        page_id: PageId,
    },
    /// Someone is writing a page there and has not saved it yet.
    #[error("{user_name} is writing a page at {path}; it has not been saved yet")]
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
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl ResolveError {
    /// The person's own draft, if that is what is there: they can take its lock over.
    #[must_use]
    pub fn draft_of(&self, person: UserId) -> Option<PageId> {
        match self {
            Self::Draft { page_id, user, .. } => (*user == person).then_some(*page_id),
            Self::NotFound(_) | Self::Moved { .. } | Self::Deleted { .. } | Self::Storage(_) => {
                None
            }
        }
    }
}

/// A page can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// No page has this id.
    #[error("no page has this id")]
    NotFound,
    /// The page has not been saved yet.
    #[error("the page has not been saved yet")]
    Draft,
    /// The page never had this revision.
    #[error("the page has no revision {0}")]
    NoSuchRevision(u64),
    /// The revision was removed to save room.
    #[error("revision {0} was removed")]
    Collected(u64),
    /// The page is in the trash, and was here before.
    #[error("the page that was at {0} is in the trash")]
    Deleted(PagePath),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// A page was not saved. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// No page has this id; a draft whose lock ended is gone.
    #[error("no page has this id; if it was a new page, its lock has ended")]
    NotFound,
    /// The page is deleted.
    #[error("the page is deleted")]
    Deleted,
    /// Someone holds the page, and no token came with the text.
    #[error("{user_name} is editing this page")]
    LockRequired {
        /// Who.
        user_name: String,
        /// Until when, unless the lock is renewed.
        expire: Timestamp,
    },
    /// The token is wrong, was replaced by a newer one, or its time is over.
    #[error("the lock has ended, or another one took its place")]
    LockInvalid,
    /// Neither a token nor the version that the text is based on came with it.
    #[error("say which version the text is based on (If-Match), or lock the page first")]
    PreconditionRequired,
    /// The page has moved on from the version that the text is based on.
    #[error("the page has changed since; its newest version is {0}")]
    PreconditionFailed(VersionTag),
    /// Only the author of the newest revision may overwrite it.
    #[error("the newest revision was written by {0}; only they can amend it")]
    NotAuthor(String),
    /// The text is too long.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are allowed")]
    TooLarge(usize),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
