//! Imports from other programs: what each wrote, and which page or file each item of a source has become.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{AssetId, MigrationId, PageId};
use crate::model::micros;
use crate::path::PagePath;

/// An import from another program, without its changes. These are the leading fields of [`MigrationRecord`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Migration {
    pub id: MigrationId,
    /// The source's path. Imports of one source belong together.
    pub source: String,
    /// The name of the source's format.
    pub format: String,
    /// The page below which the pages are.
    pub into: PagePath,
    #[serde(with = "micros")]
    pub created_at: Timestamp,
    /// The name of the user at that time.
    pub user_name: String,
    pub counts: MigrationCounts,
    /// The page with the report.
    pub report: PageId,
    pub undone: bool,
}

/// The numbers of the items of a source, by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct MigrationCounts {
    /// Pages that were created.
    pub created: u64,
    /// Pages that got the changed text of the source.
    pub updated: u64,
    /// Pages whose source is as it was at the last import.
    pub unchanged: u64,
    /// Pages that stayed because they were changed, deleted or locked here, although their source changed.
    pub kept: u64,
    /// Files that were attached to pages.
    pub attached: u64,
    /// Files that were attached by an earlier import, unchanged.
    pub files_unchanged: u64,
    /// Files that stayed because they were changed or deleted here.
    pub files_kept: u64,
}

/// The row of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MigrationRecord {
    pub(crate) head: Migration,
    pub(crate) pages: Vec<MigratedPage>,
    pub(crate) files: Vec<MigratedFile>,
}

/// A page that an import wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MigratedPage {
    /// The item of the source; none for the report.
    pub(crate) origin: Option<String>,
    pub(crate) page_id: PageId,
    /// The latest revision that the import wrote.
    pub(crate) revision: u64,
    /// The hash of the source and the revision before; none if the page was created.
    pub(crate) before: Option<([u8; 32], u64)>,
}

/// A file that an import attached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MigratedFile {
    pub(crate) origin: String,
    pub(crate) id: AssetId,
    /// The file that it replaced, and that one's hash.
    pub(crate) before: Option<(AssetId, [u8; 32])>,
}

/// The page or file that an item of a source has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum MigratedItem {
    Page {
        page_id: PageId,
        /// The hash of the converted text, before its links were mended.
        sha256: [u8; 32],
        /// The latest revision that an import wrote.
        revision: u64,
    },
    File {
        id: AssetId,
        sha256: [u8; 32],
    },
}
