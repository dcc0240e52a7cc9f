//! Events that are published to open pages.

mod change;
mod hashes;
mod hub;

use fumikura_fs::{FolderScope, RootId};
use fumikura_library::{HeadersRead, ListingCompleted};
use fumikura_ttl::Counts;
use fumikura_watch::FolderChange;
use fumikura_wiki::{AssetChange, PageChange};
use serde::Serialize;
use utoipa::ToSchema;

pub use hashes::HashesFound;
pub(crate) use hub::EventHub;

use crate::jobs::{JobKind, JobRow, JobState};
use crate::names::name_in_json;

/// An event for open pages. The event's name is its `type`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "type")]
pub(crate) enum Event {
    /// A page was created, changed, moved or deleted.
    #[serde(rename = "page.changed")]
    PageChanged {
        page_id: String,
        /// The current path; for a deleted page, the last one.
        path: String,
        /// The newest revision; 0 for a draft.
        revision: u64,
        kind: PageChange,
    },
    /// A user acquired a page's lock.
    #[serde(rename = "page.locked")]
    PageLocked {
        page_id: String,
        user_name: String,
        expire: jiff::Timestamp,
    },
    /// A page's lock ended.
    #[serde(rename = "page.unlocked")]
    PageUnlocked { page_id: String },
    /// A file that belongs to a page was added, changed or removed.
    #[serde(rename = "asset.changed")]
    AssetChanged {
        /// Null for a file whose page was deleted permanently.
        page_id: Option<String>,
        asset_id: String,
        kind: AssetChange,
    },
    /// The settings changed.
    #[serde(rename = "settings.changed")]
    SettingsChanged,
    /// The list of roots, or the contents of a folder, changed.
    #[serde(rename = "folder.changed")]
    FolderChanged {
        root: String,
        /// The folder, relative to the root; null for the list of roots.
        path: Option<String>,
        /// The path's bytes in base64, if they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
    },
    /// More headers of a folder's pictures were read; at most twice a second per folder.
    #[serde(rename = "folder.read")]
    FolderRead {
        root: String,
        /// The folder, relative to the root.
        path: String,
        /// The path's bytes in base64, if they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        /// True if everything beneath the folder is included; absent if not.
        #[serde(skip_serializing_if = "Option::is_none")]
        beneath: Option<bool>,
        /// The number of pictures whose headers are still unread.
        unread: usize,
    },
    /// A listing that was `growing` can be requested again: all names have been read, or can't be.
    #[serde(rename = "folder.listed")]
    FolderListed {
        root: String,
        /// The folder, relative to the root.
        path: String,
        /// The path's bytes in base64, if they are not UTF-8.
        #[serde(skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        listing: String,
    },
    /// An album was created, changed or deleted.
    #[serde(rename = "albums.changed")]
    AlbumsChanged,
    /// The thumbnail cache changed, or is being scanned; at most twice a second.
    #[serde(rename = "cache.stats")]
    CacheStats,
    /// The mirror was brought up to date, or could not be.
    #[serde(rename = "mirror.changed")]
    MirrorChanged,
    /// A run marked expired thumbnails and folder indexes.
    #[serde(rename = "ttl.run")]
    TtlRun { counts: Counts },
    /// A job began, advanced, was paused, or ended.
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
        /// Files that are missing or cannot be read.
        missing: u64,
    },
    /// Events were missed, or too many happened at once. Clients read all data again.
    #[serde(rename = "resync")]
    Resync,
}

impl Event {
    /// Creates the event for the findings of rolling verification.
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

    /// Creates the event for a root that was added or removed.
    pub(crate) fn roots_changed(root: RootId) -> Self {
        Self::FolderChanged {
            root: root.to_string(),
            path: None,
            path_bytes: None,
        }
    }

    /// Returns the event's name on the stream.
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
            Self::AlbumsChanged => "albums.changed",
            Self::CacheStats => "cache.stats",
            Self::MirrorChanged => "mirror.changed",
            Self::TtlRun { .. } => "ttl.run",
            Self::JobProgress { .. } => "job.progress",
            Self::HashesFound { .. } => "hashes.found",
            Self::Resync => "resync",
        }
    }
}

impl From<FolderChange> for Event {
    fn from(FolderChange { root, path }: FolderChange) -> Self {
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
            scope,
            unread,
        } = read;
        let (path, path_bytes) = name_in_json(path.as_bytes());
        Self::FolderRead {
            root: root.to_string(),
            path,
            path_bytes,
            beneath: (scope == FolderScope::Recursive).then_some(true),
            unread,
        }
    }
}

impl From<ListingCompleted> for Event {
    fn from(listed: ListingCompleted) -> Self {
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
