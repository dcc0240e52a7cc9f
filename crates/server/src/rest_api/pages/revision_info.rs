//! The DTO of a revision's metadata.

use fumikura_wiki::{PagePath, RenameInfo, RevisionInfo};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The metadata of a revision.
#[derive(Serialize, ToSchema)]
#[schema(as = RevisionInfo)]
pub(crate) struct RevisionInfoDto {
    revision: u64,
    timestamp: Timestamp,
    /// The name of the user who made it, at that time.
    user_name: String,
    /// The path of the page at that time.
    path: String,
    /// The change of the page's path; null if the revision did not change it.
    rename_info: Option<RenameInfo>,
}

impl RevisionInfoDto {
    pub(crate) fn new(info: RevisionInfo, path: &PagePath) -> Self {
        Self {
            path: path.to_string(),
            revision: info.revision,
            timestamp: info.timestamp,
            user_name: info.user_name,
            rename_info: info.rename,
        }
    }
}
