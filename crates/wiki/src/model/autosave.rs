//! Autosave entries: text that was typed and not saved, stored apart from the pages.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{AutosaveId, PageId, UserId};
use crate::model::micros;
use crate::path::PagePath;

/// An entry without its text, which is in a table of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutosaveHead {
    /// The entry's id.
    pub id: AutosaveId,
    /// The page or draft that was edited. It may no longer exist.
    pub page_id: PageId,
    /// The author of the text.
    pub user: UserId,
    /// The browser tab or window in which the text was typed.
    pub tab: String,
    /// The path at which the text was to appear.
    pub path: PagePath,
    /// The revision on which the edit is based; `None` for a new page.
    pub base_revision: Option<u64>,
    /// The tab's own counter: a late message with a lower value is refused.
    pub seq: u64,
    /// The time when the text was last received.
    #[serde(with = "micros")]
    pub updated_at: Timestamp,
    /// The length of the text in bytes.
    pub size: u64,
    /// The text's first 200 characters.
    pub beginning: String,
}

/// A record that a tab has saved, and that its earlier autosave entries are obsolete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AutosaveTombstone {
    /// The page's latest revision after the save. Texts based on older revisions precede it.
    pub(crate) revision: u64,
    /// The counter of the save. Texts based on this revision with this or a lower counter precede it too.
    pub(crate) seq: u64,
    #[serde(with = "micros")]
    pub(crate) ended_at: Timestamp,
}
