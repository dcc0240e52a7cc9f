//! A record with all its contents.

use std::io::Read;
use std::sync::Arc;

use fumikura_base::own_file;
use fumikura_fs::RootId;
use fumikura_hashes::{FilePath, FileState, MAX_RECORD_BYTES, RepairError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::item::HashItem;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::guard::Caller;
use crate::names::name_in_json;
use crate::services::Hashes;

/// The maximum size of a record that is returned whole, in bytes.
const MAX_RECORD_TEXT: u64 = 256 * 1024;

/// A request for the record of a file.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HashDetailRequest {
    /// The hash folder: `own`, or a grant.
    pub dir: Option<String>,
    /// The bytes of the file's path.
    pub path: Vec<u8>,
}

/// A record with all its contents.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct HashDetail {
    #[serde(flatten)]
    item: HashItem,
    /// The record's text; only its beginning if it is very long.
    record: String,
    /// The record's format.
    format: String,
    /// Replaced hashes, newest first.
    history: Vec<ReplacedHash>,
    /// The file's paths in open folders.
    places: Vec<HashPlace>,
}

/// A hash that was replaced by another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct ReplacedHash {
    content_hash: String,
    replaced_at: Timestamp,
    /// The state of the file at that time.
    state: Option<FileState>,
}

/// A file beneath a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct HashPlace {
    /// The root's id.
    root: String,
    /// Relative to the root.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

/// Returns the record of a file.
///
/// # Errors
/// `record_not_found`, `invalid_path`, `grant_invalid`, `unsafe_folder`.
pub(crate) async fn hash_detail(
    hashes: &Arc<Hashes>,
    of: HashDetailRequest,
    caller: Caller,
) -> Result<HashDetail, ErrorBody> {
    Ok(blocking(hashes, move |hashes| detail(hashes, of, caller)).await?)
}

fn detail(hashes: &Hashes, of: HashDetailRequest, caller: Caller) -> Result<HashDetail, ApiError> {
    let path = FilePath::new(of.path)?;
    let folder = hashes.hash_folder(of.dir.as_deref(), caller)?;
    let index = hashes.folders.index(&folder)?;
    let row = index.rows.get(&path);
    let row = row.ok_or_else(|| RepairError::NoRecord(path.clone()))?;
    let file = folder.file(&row.name);
    let record = fumikura_hashes::load(&file)?;
    let mut text = Vec::new();
    own_file::open(&file, MAX_RECORD_BYTES)
        .and_then(|file| file.take(MAX_RECORD_TEXT).read_to_end(&mut text))
        .map_err(super::state::unusable)?;
    let history = record.notes.history.iter();
    Ok(HashDetail {
        item: HashItem::of_row(&path, row),
        record: String::from_utf8_lossy(&text).into_owned(),
        format: record.format.to_string(),
        history: history
            .map(|replaced| ReplacedHash {
                content_hash: replaced.content_hash.clone(),
                replaced_at: replaced.replaced_at,
                state: replaced.state,
            })
            .collect(),
        places: places(hashes, &path)
            .into_iter()
            .map(HashPlace::from)
            .collect(),
    })
}

/// A file's place in an open folder.
pub(super) struct OpenPlace {
    root: RootId,
    /// The path relative to the root.
    pub(super) relative: Vec<u8>,
}

/// Returns the file's places in open folders. A root's own path may contain symbolic links; the record's has none.
pub(super) fn places(hashes: &Hashes, path: &FilePath) -> Vec<OpenPlace> {
    let roots = hashes.pictures.roots().list();
    let available = roots.iter().filter(|listed| listed.available);
    let places = available.filter_map(|listed| {
        let resolved = listed.root.path().canonicalize().ok()?;
        let root = FilePath::try_from(&*resolved).ok()?;
        let relative = path
            .is_within(&root)
            .then(|| &path.as_bytes()[root.as_bytes().len()..])?;
        Some(OpenPlace {
            root: listed.root.id(),
            relative: relative.strip_prefix(b"/").unwrap_or(relative).to_vec(),
        })
    });
    places.collect()
}

impl From<OpenPlace> for HashPlace {
    fn from(place: OpenPlace) -> Self {
        let (path, path_bytes) = name_in_json(&place.relative);
        Self {
            root: place.root.to_string(),
            path,
            path_bytes,
        }
    }
}
