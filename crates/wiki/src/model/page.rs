//! Pages, drafts, and the metadata of revisions (docs/spec/wiki.md, Pages and revisions).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{LockToken, PageId, UserId};
use crate::model::micros;
use crate::path::PagePath;

/// The maximum length of a page's source in bytes.
pub const MAX_SOURCE_BYTES: usize = 10 * 1024 * 1024;

/// The entry of a page id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PageIndex {
    /// A page with at least one revision.
    Page(PageInfo),
    /// A path reserved by a user who has not saved yet: no source, no revision.
    Draft(DraftInfo),
}

impl PageIndex {
    /// Returns the id of the page or draft.
    pub(crate) fn page_id(&self) -> PageId {
        match self {
            Self::Page(info) => info.page_id,
            Self::Draft(draft) => draft.page_id,
        }
    }

    /// Returns the path of a saved page that is not deleted.
    pub(crate) fn present_path(&self) -> Option<&PagePath> {
        match self {
            Self::Page(info) => match &info.path_state {
                PagePathState::Current(path) => Some(path),
                PagePathState::LastDeleted(_) => None,
            },
            Self::Draft(_) => None,
        }
    }

    /// Returns the path of the page or draft, or the last path of a deleted page.
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
    /// The latest revision.
    pub(crate) latest: u64,
    /// The oldest revision that still exists.
    pub(crate) gc_min: u64,
    /// The lock of the page, if it is locked.
    pub(crate) lock_token: Option<LockToken>,
    /// The revisions that set the path, ascending. The first save is always among them, so that the path at any
    /// revision is known.
    pub(crate) rename_revisions: Vec<u64>,
}

/// A page that was begun and not saved yet. It lasts as long as its lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DraftInfo {
    pub(crate) page_id: PageId,
    pub(crate) path: PagePath,
    /// The lock of the draft.
    pub(crate) lock_token: LockToken,
}

/// The path of a page, or its last path if it is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PagePathState {
    Current(PagePath),
    LastDeleted(PagePath),
}

impl PagePathState {
    /// Returns the path, of an existing or a deleted page.
    #[must_use]
    pub fn path(&self) -> &PagePath {
        match self {
            Self::Current(path) | Self::LastDeleted(path) => path,
        }
    }

    /// Returns true if the page is deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        matches!(self, Self::LastDeleted(_))
    }
}

/// The metadata of a revision, without its text. These are the leading fields of [`StoredSource`], so that they
/// can be read without the text that follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceHead {
    pub(crate) revision: u64,
    #[serde(with = "micros")]
    pub(crate) created_at: Timestamp,
    /// The author of the revision.
    pub(crate) author: UserId,
    /// The author's name at that time.
    pub(crate) user_name: String,
    /// The rename, if the revision set the path.
    pub(crate) rename: Option<RenameInfo>,
    /// The number of times that its author has overwritten this revision.
    pub(crate) amends: u32,
}

/// A revision: its metadata and the Markdown text. Stored as a [`StoredSource`].
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

/// The text of a revision, compressed if that makes it shorter.
#[derive(Serialize, Deserialize)]
pub(crate) enum SourceText {
    /// The text itself.
    Plain(String),
    /// A zstd frame.
    Zstd(#[serde(with = "serde_bytes")] Vec<u8>),
}

/// The change of a page's path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct RenameInfo {
    /// The former path; null if the page was created.
    #[cfg_attr(feature = "wire", schema(value_type = Option<String>))]
    pub from: Option<PagePath>,
    /// The path from this revision on.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub to: PagePath,
    /// The former bindings of the page's links, by normalized path: a page's id, or null.
    #[cfg_attr(feature = "wire", schema(value_type = BTreeMap<String, Option<String>>))]
    pub link_refs: BTreeMap<String, Option<PageId>>,
}
