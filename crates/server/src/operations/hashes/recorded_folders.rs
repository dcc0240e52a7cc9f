//! The folders of recorded files, with the number of files in each state.

use std::collections::BTreeMap;
use std::sync::Arc;

use fumikura_hashes::{FilePath, FileState, Index};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::folders::WIKI;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::names::name_in_json;
use crate::services::Hashes;

/// The maximum number of folders in an answer.
const LIMIT: usize = 10_000;

/// A request for the folders of recorded files.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordedFoldersRequest {
    /// The hash folder: `own`, or a grant; `wiki` has no folders.
    pub dir: Option<String>,
}

/// The folders of recorded files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RecordedFolders {
    /// The folders that contain recorded files themselves, by path; at most 10,000.
    items: Vec<RecordedFolder>,
    /// True if there are more.
    truncated: bool,
}

/// A folder that contains recorded files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct RecordedFolder {
    /// The absolute path.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The number of its files in each state, without those of its subfolders; `unknown` before their first verification.
    states: BTreeMap<&'static str, usize>,
}

/// Returns the folders of recorded files, by path.
///
/// # Errors
/// `grant_invalid`, `unsafe_folder`, `folder_unavailable`.
pub(crate) async fn recorded_folders(
    hashes: &Arc<Hashes>,
    request: RecordedFoldersRequest,
    caller: Caller,
) -> Result<RecordedFolders, ErrorBody> {
    let work = move |hashes: &Hashes| read(hashes, request.dir.as_deref(), caller);
    Ok(blocking(hashes, work).await?)
}

fn read(hashes: &Hashes, dir: Option<&str>, caller: Caller) -> Result<RecordedFolders, ApiError> {
    if dir == Some(WIKI) {
        return Ok(folders_of(&Index::default(), LIMIT));
    }
    let folder = hashes.hash_folder(dir, caller)?;
    let index = hashes.folders.index(&folder)?;
    Ok(folders_of(&index, LIMIT))
}

fn folders_of(index: &Index, limit: usize) -> RecordedFolders {
    let mut folders: BTreeMap<FilePath, BTreeMap<&'static str, usize>> = BTreeMap::new();
    for (path, row) in &index.rows {
        let Some(folder) = path.parent() else {
            continue;
        };
        let state = row.state.map_or("unknown", FileState::word);
        *folders.entry(folder).or_default().entry(state).or_default() += 1;
    }
    RecordedFolders {
        truncated: folders.len() > limit,
        items: folders
            .into_iter()
            .take(limit)
            .map(|(path, states)| {
                let (path, path_bytes) = name_in_json(path.as_bytes());
                RecordedFolder {
                    path,
                    path_bytes,
                    states,
                }
            })
            .collect(),
    }
}
