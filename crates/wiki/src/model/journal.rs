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
}
