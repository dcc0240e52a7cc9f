//! Errors of creating, finding, reading and saving pages.

use jiff::Timestamp;

use crate::id::{PageId, UserId};
use crate::model::page::MAX_SOURCE_BYTES;
use crate::pages::VersionTag;
use crate::path::PagePath;
use crate::store::StorageError;
use crate::tree::PathTaken;

/// The reason why a draft was not created. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error(transparent)]
    Taken(#[from] PathTaken),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl CreateError {
    /// Returns the user's own draft if it has the path: the user can take over its lock.
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

/// The reason why a path leads to no page.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// There is nothing at the path.
    #[error("there is no page at {0}")]
    NotFound(PagePath),
    /// There is nothing at the path any more: the page that left it last is at another path now.
    #[error("the page that was at {path} is now at {to}")]
    Moved {
        /// The requested path.
        path: PagePath,
        /// The current path of the page.
        to: PagePath,
        /// The page in the trash that left the path after that page.
        in_trash: Option<PageId>,
    },
    /// There is no page at the path; one that was is in the trash. Or the path names a page in the trash.
    #[error("the page that was at {path} is in the trash")]
    Deleted {
        /// The last path of the page.
        path: PagePath,
        /// The page; if there are several, the one that was deleted last.
        page_id: PageId,
    },
    /// A user is writing a page there and has not saved it yet.
    #[error("{user_name} is writing a page at {path}; it has not been saved yet")]
    Draft {
        path: PagePath,
        /// The draft.
        page_id: PageId,
        /// The owner of the draft.
        user: UserId,
        /// The name of the owner.
        user_name: String,
        /// The end of the draft, unless its lock is renewed.
        expire: Timestamp,
    },
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl ResolveError {
    /// Returns the user's own draft if it is at the path: the user can take over its lock.
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

/// The reason why a page can't be read.
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
    /// The revision was removed to save space.
    #[error("revision {0} was removed")]
    Collected(u64),
    /// The page is in the trash. The field is its last path.
    #[error("the page that was at {0} is in the trash")]
    Deleted(PagePath),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// The reason why a page was not saved. Nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// No page has this id; a draft whose lock has ended is gone.
    #[error("no page has this id; if it was a new page, its lock has ended")]
    NotFound,
    /// The page is deleted.
    #[error("the page is deleted")]
    Deleted,
    /// The page is locked, and the request has no token.
    #[error("{user_name} is editing this page")]
    LockRequired {
        /// The user who holds the lock.
        user_name: String,
        /// The end of the lock, unless it is renewed.
        expire: Timestamp,
    },
    /// The token is wrong, was replaced by a newer one, or has expired.
    #[error("the lock has ended, or another one took its place")]
    LockInvalid,
    /// The request has neither a token nor the version on which the text is based.
    #[error("name the version that the text is based on (If-Match), or lock the page first")]
    PreconditionRequired,
    /// The page has changed since the version on which the text is based.
    #[error("the page has changed since; its newest version is {0}")]
    PreconditionFailed(VersionTag),
    /// Only the author of the latest revision may overwrite it.
    #[error("the newest revision was written by {0}; only they can amend it")]
    NotAuthor(String),
    /// The text is too long.
    #[error("the text is {0} bytes long; at most {MAX_SOURCE_BYTES} are allowed")]
    TooLarge(usize),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}
