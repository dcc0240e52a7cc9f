//! The changes of a transaction, as they are reported to watchers of the wiki.

use jiff::Timestamp;
use serde::Serialize;

use crate::id::{AssetId, PageId};
use crate::path::PagePath;

/// A difference between the states before and after a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A page, or a draft that moved along with pages.
    Page {
        page_id: PageId,
        /// Its current path, or its last path if it is deleted.
        path: PagePath,
        /// Its latest revision; 0 for a draft.
        revision: u64,
        kind: PageChange,
    },
    /// A file.
    Asset {
        /// Its page, or `None` if the page was erased.
        page_id: Option<PageId>,
        /// The file.
        asset_id: AssetId,
        kind: AssetChange,
    },
    /// A page was locked, with a new token.
    Locked {
        /// The page or draft.
        page_id: PageId,
        /// The user who holds the lock.
        user_name: String,
        /// The end of the lock, unless it is renewed.
        expire: Timestamp,
    },
    /// The page is no longer locked. A draft is removed with its lock.
    Unlocked {
        /// The page or draft.
        page_id: PageId,
    },
    Settings,
    /// A commit failed and may or may not have happened: anything may have changed.
    Unknown,
}

/// The kind of a page's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PageChange {
    /// It was saved for the first time.
    Created,
    /// Its text changed.
    Saved,
    /// Its path changed.
    Renamed,
    /// It was deleted, into the trash or for good.
    Deleted,
    /// It was restored from the trash.
    Restored,
    /// Its oldest revisions were removed.
    Compacted,
}

/// The kind of a file's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AssetChange {
    /// It was added.
    Added,
    /// Its name changed.
    Renamed,
    /// It was deleted, by itself or with its page.
    Deleted,
    /// It was restored, by itself or with its page.
    Restored,
    /// It moved to another page or from one, or an orphaned asset was given to a page.
    Moved,
    /// It was deleted for good.
    Purged,
}

impl Change {
    /// Returns its rank among the changes of one transaction: a client that learns that a page is unlocked
    /// already has its new text and files.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Page { .. } => 1,
            Self::Asset { .. } => 2,
            Self::Locked { .. } | Self::Unlocked { .. } => 3,
            Self::Settings => 4,
        }
    }
}
