//! What a transaction changed, as it is told to those who watch the wiki.

use jiff::Timestamp;

use crate::id::{AssetId, PageId};
use crate::path::PagePath;

/// Something that is otherwise now than before a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A page, or a draft that moved along with pages.
    Page {
        /// The page.
        page_id: PageId,
        /// Where it stands now; for a deleted one, where it stood.
        path: PagePath,
        /// Its newest revision; 0 for a draft.
        revision: u64,
        /// What became of it.
        kind: PageChange,
    },
    /// A file.
    Asset {
        /// Its page; none for one whose page is gone for good.
        page_id: Option<PageId>,
        /// The file.
        asset_id: AssetId,
        /// What became of it.
        kind: AssetChange,
    },
    /// Someone holds a page now, by a new token.
    Locked {
        /// The page or draft.
        page_id: PageId,
        /// Who holds it.
        user_name: String,
        /// Until when, unless the lock is renewed.
        expire: Timestamp,
    },
    /// Nobody holds the page any more. A draft is gone with its lock.
    Unlocked {
        /// The page or draft.
        page_id: PageId,
    },
    /// The settings.
    Settings,
    /// A commit failed in such a way that nobody knows whether it happened: anything may be otherwise.
    Unknown,
}

/// What became of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageChange {
    /// It was saved for the first time.
    Created,
    /// It has another text.
    Saved,
    /// It stands at another path.
    Renamed,
    /// It was deleted, into the bin or for good.
    Deleted,
    /// It came back from the bin.
    Restored,
    /// Its oldest revisions were removed.
    Compacted,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetChange {
    /// It was brought.
    Added,
    /// It has another name.
    Renamed,
    /// It was deleted, by itself or with its page.
    Deleted,
    /// It came back, by itself or with its page.
    Restored,
    /// It went to another page, or came from one; a zombie came to a page.
    Moved,
    /// It is gone for good.
    Purged,
}

impl Change {
    /// Its place among the changes of one transaction: whoever hears that a page is free finds its new
    /// text and files.
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
