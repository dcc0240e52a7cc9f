//! Lists of records: one page of the matching items, and the number in each state.

use std::collections::BTreeMap;
use std::sync::Arc;

use fumikura_hashes::{FileState, HashFolder, Index};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::{IntoParams, ToSchema};

use super::folders::{WIKI, id_of, text};
use super::item::{HashItem, HashRecordKind};
use super::places::RecordedPlace;
use super::wiki_files;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::guard::Caller;
use crate::services::Hashes;

const LIMIT: usize = 100;
const MAX_LIMIT: usize = 1000;

/// A query of records.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct HashList {
    /// The hash folder: `own`, or a grant; `wiki` for the files of the wiki.
    pub dir: Option<String>,
    /// Lists only records in this state.
    pub state: Option<FileState>,
    /// Lists only records with names of this kind.
    pub kind: Option<HashRecordKind>,
    /// A part of the path. Case and width are ignored.
    pub q: Option<String>,
    /// Lists only a file, or files in a folder, beneath this root.
    #[param(value_type = Option<String>)]
    pub root: Option<fumikura_fs::RootId>,
    /// The file or folder, relative to the root.
    pub path: Option<String>,
    /// The number of items to skip.
    pub offset: usize,
    /// The number of items, at most 1000; 100 by default.
    pub limit: Option<usize>,
}

/// Records of a hash folder.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct HashPage {
    pub(super) folder: HashFolderInfo,
    /// The number of all items: records, and files that are not usable records.
    pub(super) total: usize,
    /// The number of matching items.
    pub(super) matching: usize,
    /// The number of all records in each state; `unknown` before their first verification.
    pub(super) states: BTreeMap<String, usize>,
    /// The oldest time of a record's last verification; null if a record was never verified.
    pub(super) oldest_verified_at: Option<Timestamp>,
    pub(super) items: Vec<HashItem>,
}

/// A hash folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct HashFolderInfo {
    /// The value of `dir` for it.
    pub(super) id: String,
    /// The path of the folder.
    pub(super) path: String,
    /// True if this program created it.
    pub(super) own: bool,
    /// True if records are written there without a confirmation.
    pub(super) writable: bool,
    /// The maximum length of an encoded name there, in bytes.
    pub(super) name_limit: usize,
}

/// The items that match a query, of which one page is kept.
pub(super) struct Selection<'r> {
    request: &'r HashList,
    wanted: Option<String>,
    limit: usize,
    pub(super) items: Vec<HashItem>,
    /// The number of all matching items.
    pub(super) matching: usize,
}

/// Returns the records of a hash folder, by path.
///
/// # Errors
/// `grant_invalid`, `unsafe_folder`, `folder_unavailable`.
pub(crate) async fn hash_list(
    hashes: &Arc<Hashes>,
    request: HashList,
    caller: Caller,
) -> Result<HashPage, ErrorBody> {
    Ok(blocking(hashes, move |hashes| list(hashes, &request, caller)).await?)
}

fn list(hashes: &Hashes, request: &HashList, caller: Caller) -> Result<HashPage, ApiError> {
    let limit = request.limit.unwrap_or(LIMIT);
    if limit > MAX_LIMIT {
        return Err(ApiError::new(
            ErrorCode::BadRequest,
            "limit is at most 1000",
        ));
    }
    if request.dir.as_deref() == Some(WIKI) {
        return wiki_files::list(hashes, request, limit);
    }
    let folder = hashes.hash_folder(request.dir.as_deref(), caller)?;
    let index = hashes.folders.index(&folder)?;
    let place = RecordedPlace {
        root: request.root,
        path: request.path.clone(),
        path_bytes: None,
    };
    let within = place.resolve(hashes)?;
    let rows = index
        .rows
        .iter()
        .filter(|(path, _)| within.as_ref().is_none_or(|within| path.is_within(within)));
    let rows = rows.map(|(path, row)| HashItem::of_row(path, row));
    let problems = index
        .problems
        .iter()
        .filter(|_| within.is_none())
        .map(HashItem::of_problem);
    let mut selection = Selection::new(request, limit);
    rows.chain(problems).for_each(|item| selection.add(item));
    Ok(HashPage {
        folder: HashFolderInfo::new(&id_of(request.dir.as_deref()), &folder),
        total: index.rows.len() + index.problems.len(),
        matching: selection.matching,
        states: states(&index),
        oldest_verified_at: oldest_verification(&index),
        items: selection.items,
    })
}

impl<'r> Selection<'r> {
    pub(super) fn new(request: &'r HashList, limit: usize) -> Self {
        Self {
            request,
            wanted: request.q.as_deref().map(fold_case),
            limit,
            items: Vec::new(),
            matching: 0,
        }
    }

    /// Adds an item if it matches.
    pub(super) fn add(&mut self, item: HashItem) {
        let HashList { state, kind, .. } = self.request;
        let matches = state.is_none_or(|state| item.state == Some(state))
            && kind.is_none_or(|kind| item.kind == kind)
            && self.wanted.as_ref().is_none_or(|wanted| has(&item, wanted));
        if !matches {
            return;
        }
        if self.matching >= self.request.offset && self.items.len() < self.limit {
            self.items.push(item);
        }
        self.matching += 1;
    }
}

impl HashFolderInfo {
    fn new(id: &str, folder: &HashFolder) -> Self {
        Self {
            id: id.to_owned(),
            path: text(folder.path()),
            own: folder.is_own(),
            writable: folder.is_own(),
            name_limit: folder.name_limit(),
        }
    }
}

fn states(index: &Index) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    let rows = index
        .rows
        .values()
        .map(|row| row.state.map_or("unknown", FileState::word));
    let problems = index.problems.iter().map(|problem| problem.state.word());
    for word in rows.chain(problems) {
        *states.entry(word.to_owned()).or_default() += 1;
    }
    states
}

/// Returns the oldest time of a last verification. `None` if a record was never verified, or there are no
/// records.
pub(super) fn oldest_verification(index: &Index) -> Option<Timestamp> {
    let times = index.rows.values().map(|row| row.verified_at);
    times.min().flatten()
}

fn has(item: &HashItem, wanted: &str) -> bool {
    let text = item.path.as_ref().unwrap_or(&item.name);
    fold_case(text).contains(wanted)
}

/// Folds text so that case and width are ignored.
fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkc().flat_map(char::to_lowercase).collect()
}
