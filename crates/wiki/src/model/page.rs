//! Pages, drafts, and what happened at each revision (docs/spec/wiki.md, Pages and revisions).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{LockToken, PageId, UserId};
use crate::model::micros;
use crate::path::PagePath;

/// What a page id stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PageIndex {
    /// A page with at least one revision.
    Page(PageInfo),
    /// A path taken by someone who has not saved yet: no source, no revision.
    Draft(DraftInfo),
}

impl PageIndex {
    /// Where the page or draft stands, or stood when it was deleted.
    pub(crate) fn path(&self) -> &PagePath {
        match self {
            Self::Page(info) => info.path_state.path(),
            Self::Draft(draft) => &draft.path,
        }
    }
}

/// A page that has been saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageInfo {
    pub(crate) page_id: PageId,
    pub(crate) path_state: PagePathState,
    /// The newest revision.
    pub(crate) latest: u64,
    /// The oldest revision that is still kept.
    pub(crate) gc_min: u64,
    /// The lock that holds the page, if one does.
    pub(crate) lock_token: Option<LockToken>,
    /// The revisions at which the path was given or changed, ascending; the first save is always
    /// among them, so that the path at any revision can be told.
    pub(crate) rename_revisions: Vec<u64>,
}

/// A page that was begun and not saved yet. It lives as long as its lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DraftInfo {
    pub(crate) page_id: PageId,
    pub(crate) path: PagePath,
    /// The lock that holds the draft.
    pub(crate) lock_token: LockToken,
}

/// Where a page stands, or stood when it was deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PagePathState {
    /// The page is at this path.
    Current(PagePath),
    /// The page was at this path when it was deleted.
    LastDeleted(PagePath),
}

impl PagePathState {
    /// The path, whether the page is still there or not.
    #[must_use]
    pub fn path(&self) -> &PagePath {
        match self {
            Self::Current(path) | Self::LastDeleted(path) => path,
        }
    }

    /// Whether the page is deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        matches!(self, Self::LastDeleted(_))
    }
}

/// What happened at a revision, without its text. The leading fields of [`StoredSource`], so that
/// they can be read without touching the text behind them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceHead {
    pub(crate) revision: u64,
    #[serde(with = "micros")]
    pub(crate) created_at: Timestamp,
    /// Who made the revision.
    pub(crate) author: UserId,
    /// The author's name as it was then.
    pub(crate) user_name: String,
    /// Set where the path was given or changed.
    pub(crate) rename: Option<RenameInfo>,
    /// How often this revision has been overwritten by its author.
    pub(crate) amends: u32,
}

/// A revision: what happened, and the Markdown text. Stored as a [`StoredSource`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageSource {
    pub(crate) head: SourceHead,
    pub(crate) source: String,
}

/// The row of a revision.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredSource {
    pub(crate) head: SourceHead,
    /// The length of the text in bytes, before compression.
    pub(crate) bytes: u64,
    pub(crate) text: SourceText,
}

/// The text of a revision, compressed where that makes it shorter.
#[derive(Serialize, Deserialize)]
pub(crate) enum SourceText {
    /// The text itself.
    Plain(String),
    /// A zstd frame.
    Zstd(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// How a page came by its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenameInfo {
    /// Where the revision before was made; none when the page was made.
    pub from: Option<PagePath>,
    /// The path from this revision on.
    pub to: PagePath,
    /// What the page's links meant just before, by normalized path; none where a link led to no page.
    pub link_refs: BTreeMap<String, Option<PageId>>,
}
