//! The DTO of a revision's metadata.

use std::collections::BTreeMap;

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
    rename_info: Option<RenameInfoDto>,
}

/// The change of a page's path.
#[derive(Serialize, ToSchema)]
#[schema(as = RenameInfo)]
struct RenameInfoDto {
    /// The former path; null if the page was created.
    from: Option<String>,
    to: String,
    /// The former bindings of the page's links: a page's id, or null.
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
