//! The DTO of a file that belongs to a page (docs/spec/wiki.md, Files).

use fumikura_wiki::{Asset, AssetState};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// A file that belongs to a page, or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Asset)]
pub struct AssetEntry {
    /// The file's id, a ULID.
    id: String,
    /// The page's id; null for an orphaned file.
    page_id: Option<String>,
    /// The current name.
    file_name: String,
    /// The name at upload.
    original_name: String,
    /// The media type, detected from the contents.
    mime: String,
    /// The size in bytes.
    size: u64,
    /// SHA-256 of the contents, in hexadecimal digits.
    sha256: String,
    /// The time of upload.
    created_at: Timestamp,
    /// The name of the user who uploaded it.
    user_name: String,
    state: AssetEntryState,
    /// The time at which it was deleted or orphaned.
    deleted_at: Option<Timestamp>,
    /// The last path of an orphaned file's page.
    last_path: Option<String>,
}

/// The state of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AssetEntryState {
    /// It belongs to a page.
    Live,
    /// It was deleted and can be restored.
    Deleted,
    /// It was deleted with its page, and is restored with it.
    DeletedWithPage,
    /// It is orphaned: its page was deleted permanently.
    Zombie,
}

impl From<Asset> for AssetEntry {
    fn from(asset: Asset) -> Self {
        let (state, deleted_at, last_path) = match asset.state {
            AssetState::Live => (AssetEntryState::Live, None, None),
            AssetState::Deleted { at, with_page } => {
                let state = if with_page {
                    AssetEntryState::DeletedWithPage
                } else {
                    AssetEntryState::Deleted
                };
                (state, Some(at), None)
            }
            AssetState::Orphaned { at, last_path } => {
                (AssetEntryState::Zombie, Some(at), Some(last_path))
            }
        };
        Self {
            id: asset.id.to_string(),
            page_id: asset.page_id.map(|id| id.to_string()),
            file_name: asset.file_name.to_string(),
            original_name: asset.original_name.to_string(),
            mime: asset.mime,
            size: asset.size,
            sha256: hex::encode(asset.sha256),
            created_at: asset.created_at,
            user_name: asset.user_name,
            state,
            deleted_at,
            last_path: last_path.map(|path| path.to_string()),
        }
    }
}
