//! What happens, told to the pages that are open.

mod change;
mod hub;

use fumikura_thumbs::{Changed, HeadersRead, Listed, Reach, RootId};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use hub::EventHub;

use crate::expiry::CountsDto;
use crate::jobs::{JobKind, JobRow, JobState};
use crate::operations::HashesFound;
use crate::rest_api::name_in_json;

/// Something that an open page may want to know. The name of the event is its `type`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub(crate) enum Event {
    /// A page has another text, is new, or stands elsewhere.
    #[serde(rename = "page.changed")]
    PageChanged {
        page_id: String,
        /// Where it stands now; for a deleted page, where it stood.
        path: String,
        /// Its newest revision; 0 for a draft.
        revision: u64,
        kind: PageChange,
    },
    /// Someone took a page's lock.
    #[serde(rename = "page.locked")]
    PageLocked {
        page_id: String,
        user_name: String,
        expire: jiff::Timestamp,
    },
    /// A page's lock ended.
    #[serde(rename = "page.unlocked")]
    PageUnlocked { page_id: String },
    /// A file that belongs to a page is new, changed or gone.
    #[serde(rename = "asset.changed")]
    AssetChanged {
        /// Null for a file whose page was deleted for good.
        page_id: Option<String>,
        asset_id: String,
        kind: AssetChange,
    },
    /// The settings are others now.
    #[serde(rename = "settings.changed")]
    SettingsChanged,
    /// The list of roots, or what a folder holds, is another now.
    #[serde(rename = "folder.changed")]
    FolderChanged {
        root: String,
        /// The folder, relative to the root; null where it is the list of roots.
        path: Option<String>,
        /// The path's bytes in base64, where they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
    },
    /// More is known of a folder's pictures; at most twice a second of one folder.
    #[serde(rename = "folder.read")]
    FolderRead {
        root: String,
        /// The folder, relative to the root.
        path: String,
        /// The path's bytes in base64, where they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        /// Whether all beneath it is meant, too; absent if not.
        #[serde(skip_serializing_if = "Option::is_none")]
        beneath: Option<bool>,
        /// How many pictures' headers are still to be read.
        unread: usize,
    },
    /// A listing that was `growing` can be asked for again: all names have been read, or can't be.
    #[serde(rename = "folder.listed")]
    FolderListed {
        root: String,
        /// The folder, relative to the root.
        path: String,
        /// The path's bytes in base64, where they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        listing: String,
    },
    /// The thumbnails' cache holds something else, or is being counted; at most twice a second.
    #[serde(rename = "cache.stats")]
    CacheStats,
    /// A run marked thumbnails and folder indexes that were not read for long.
    #[serde(rename = "ttl.run")]
    TtlRun { counts: CountsDto },
    /// A job began, went on, was paused, or ended.
    #[serde(rename = "job.progress")]
    JobProgress {
        job_id: String,
        kind: JobKind,
        state: JobState,
        done: u64,
        total: u64,
    },
    /// Rolling verification found files that are not as recorded.
    #[serde(rename = "hashes.found")]
    HashesFound {
        /// Files that the disk damaged.
        corrupt: u64,
        /// Files that were changed.
        changed: u64,
        /// Files that are gone or cannot be read.
        missing: u64,
    },
    /// Events were missed, or too much happened at once: look at everything again.
    #[serde(rename = "resync")]
    Resync,
}

/// How a page changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PageChange {
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

/// How a file changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AssetChange {
    /// It was brought.
    Added,
    /// It has another name.
    Renamed,
    /// It was deleted, by itself or with its page, and can be restored or given another page.
    Deleted,
    /// It came back, by itself or with its page.
    Restored,
    /// It went to another page, or came from one; a zombie came to a page.
    Moved,
    /// It is gone for good.
    Purged,
}

impl Event {
    /// The findings of rolling verification.
    pub(crate) fn hashes_found(found: HashesFound) -> Self {
        let HashesFound {
            corrupt,
            changed,
            missing,
        } = found;
        Self::HashesFound {
            corrupt,
            changed,
            missing,
        }
    }

    /// The root is in the list now, or no longer.
    pub(crate) fn roots_changed(root: RootId) -> Self {
        Self::FolderChanged {
            root: root.to_string(),
            path: None,
            path_bytes: None,
        }
    }

    /// The event's name on the stream.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::PageChanged { .. } => "page.changed",
            Self::PageLocked { .. } => "page.locked",
            Self::PageUnlocked { .. } => "page.unlocked",
            Self::AssetChanged { .. } => "asset.changed",
            Self::SettingsChanged => "settings.changed",
            Self::FolderChanged { .. } => "folder.changed",
            Self::FolderRead { .. } => "folder.read",
            Self::FolderListed { .. } => "folder.listed",
            Self::CacheStats => "cache.stats",
            Self::TtlRun { .. } => "ttl.run",
            Self::JobProgress { .. } => "job.progress",
            Self::HashesFound { .. } => "hashes.found",
            Self::Resync => "resync",
        }
    }
}

impl From<Changed> for Event {
    fn from(Changed { root, path }: Changed) -> Self {
        let (path, path_bytes) = name_in_json(path.as_bytes());
        Self::FolderChanged {
            root: root.to_string(),
            path: Some(path),
            path_bytes,
        }
    }
}

impl From<HeadersRead> for Event {
    fn from(read: HeadersRead) -> Self {
        let HeadersRead {
            root,
            path,
            reach,
            unread,
        } = read;
        let (path, path_bytes) = name_in_json(path.as_bytes());
        Self::FolderRead {
            root: root.to_string(),
            path,
            path_bytes,
            beneath: (reach == Reach::Beneath).then_some(true),
            unread,
        }
    }
}

impl From<Listed> for Event {
    fn from(listed: Listed) -> Self {
        let (path, path_bytes) = name_in_json(listed.path.as_bytes());
        Self::FolderListed {
            root: listed.root.to_string(),
            path,
            path_bytes,
            listing: listed.snapshot.to_string(),
        }
    }
}

impl From<JobRow> for Event {
    fn from(row: JobRow) -> Self {
        Self::JobProgress {
            job_id: row.id,
            kind: row.kind,
            state: row.state,
            done: row.done,
            total: row.total,
        }
    }
}
