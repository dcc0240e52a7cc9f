//! Unsaved text: what someone typed and has not saved, kept apart from the pages.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{JournalId, PageId, UserId};
use crate::model::micros;
use crate::path::PagePath;

/// An entry without its text, which lies in a table of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    /// The entry's id.
    pub id: JournalId,
    /// The page or draft that was being edited. It may be gone.
    pub page_id: PageId,
    /// Whose text it is.
    pub user: UserId,
    /// The browser tab or window that it was typed in.
    pub tab: String,
    /// The path at which the text was to appear.
    pub path: PagePath,
    /// The revision that the edit began from; none for a new page.
    pub base_revision: Option<u64>,
    /// The tab's own count: a late message with a lower one is refused.
    pub seq: u64,
    /// When the text last came.
    #[serde(with = "micros")]
    pub updated_at: Timestamp,
    /// How long the text is, in bytes.
    pub size: u64,
    /// The text's first 200 characters.
    pub beginning: String,
}

/// The same as schema 1 had it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalHeadOfSchema1 {
    pub(crate) id: JournalId,
    pub(crate) page_id: PageId,
    pub(crate) user: UserId,
    pub(crate) tab: String,
    pub(crate) path: PagePath,
    pub(crate) base_revision: Option<u64>,
    pub(crate) seq: u64,
    #[serde(with = "micros")]
    pub(crate) updated_at: Timestamp,
}

impl JournalHeadOfSchema1 {
    /// With what is told of the text since.
    pub(crate) fn with_text(self, size: u64, beginning: String) -> JournalHead {
        JournalHead {
            id: self.id,
            page_id: self.page_id,
            user: self.user,
            tab: self.tab,
            path: self.path,
            base_revision: self.base_revision,
            seq: self.seq,
            updated_at: self.updated_at,
            size,
            beginning,
        }
    }
}

/// That a tab has saved, and what it had put away until then is no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalEnd {
    /// The page's newest revision after the save; texts based on older ones are from before it.
    pub(crate) revision: u64,
    /// Texts based on this very revision with this count or a lower one are from before it too.
    pub(crate) seq: u64,
    #[serde(with = "micros")]
    pub(crate) ended_at: Timestamp,
}
