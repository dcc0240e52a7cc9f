//! What happened at a revision, as it is sent.

use std::collections::BTreeMap;

use fumikura_wiki::{PagePath, RenameInfo, RevisionInfo};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// What happened at a revision.
#[derive(Serialize, ToSchema)]
#[schema(as = RevisionInfo)]
pub(crate) struct RevisionInfoDto {
    revision: u64,
    timestamp: Timestamp,
    /// The name of whoever made it, as it was then.
    user_name: String,
    /// Where the page stood then.
    path: String,
    /// Set where the path was given or changed.
    rename_info: Option<RenameInfoDto>,
}

/// How a page came by its path.
#[derive(Serialize, ToSchema)]
#[schema(as = RenameInfo)]
struct RenameInfoDto {
    /// Null when the page was made.
    from: Option<String>,
    to: String,
    /// What the page's links meant just before: a page's id, or null.
    link_refs: BTreeMap<String, Option<String>>,
}

impl RevisionInfoDto {
    pub(crate) fn new(info: RevisionInfo, path: &PagePath) -> Self {
        Self {
            path: path.to_string(),
            revision: info.revision,
            timestamp: info.timestamp,
            user_name: info.user_name,
            rename_info: info.rename.map(RenameInfoDto::from),
        }
    }
}

impl From<RenameInfo> for RenameInfoDto {
    fn from(rename: RenameInfo) -> Self {
        let link_refs = rename
            .link_refs
            .into_iter()
            .map(|(path, id)| (path, id.map(|id| id.to_string())));
        Self {
            from: rename.from.map(|path| path.to_string()),
            to: rename.to.to_string(),
            link_refs: link_refs.collect(),
        }
    }
}
