//! The states of the files of one folder, for the cells of a listing.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use fumikura_base::dir_handle::DirHandle;
use fumikura_hashes::{FilePath, FileStat, FileState, Index, RecordRow, is_unchanged};
use serde::Serialize;
use utoipa::ToSchema;

use super::places::RecordedPlace;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::names::name_in_json;
use crate::services::Hashes;

/// The states of the files of one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct HashBadges {
    /// The state by file name: the last known one; `changed` if size or time differ from the record; `new`
    /// without a record. Empty if no file of the folder is recorded.
    states: BTreeMap<String, FileState>,
    /// Files without a record.
    new: usize,
    /// Files with a record.
    recorded: usize,
}

/// Returns the states of a folder's files, as far as they are known without reading them.
///
/// # Errors
/// Those of naming a folder; `unsafe_folder`.
pub(crate) async fn hash_badges(
    hashes: &Arc<Hashes>,
    of: RecordedPlace,
) -> Result<HashBadges, ErrorBody> {
    Ok(blocking(hashes, move |hashes| badges(hashes, &of)).await?)
}

fn badges(hashes: &Hashes, of: &RecordedPlace) -> Result<HashBadges, ApiError> {
    let folder = of.resolve_named(hashes)?;
    let index = hashes.folders.index(&hashes.own_hash_folder()?)?;
    let mut badges = HashBadges {
        states: BTreeMap::new(),
        new: 0,
        recorded: 0,
    };
    if !has_records(&index, &folder) {
        return Ok(badges);
    }
    let handle = DirHandle::open_resolved(folder.as_path());
    let handle = handle.map_err(super::state::unusable)?;
    let entries = handle.entries().map_err(super::state::unusable)?;
    for entry in entries.iter().filter(|entry| entry.is_file()) {
        let path = folder.join(entry.name.as_bytes());
        let state = match index.rows.get(&path) {
            Some(row) => {
                badges.recorded += 1;
                let stat = handle.stat(Path::new(&entry.name)).ok();
                stat.map(|stat| state(row, &FileStat::from(&stat)))
            }
            None => {
                badges.new += 1;
                Some(FileState::New)
            }
        };
        if let Some(state) = state {
            let name = name_in_json(entry.name.as_bytes()).0;
            badges.states.insert(name, state);
        }
    }
    Ok(badges)
}

fn has_records(index: &Index, folder: &FilePath) -> bool {
    index
        .within(folder)
        .any(|(path, _)| path.parent().as_ref() == Some(folder))
}

/// Returns the state of a file, as far as it is known without reading it.
fn state(row: &RecordRow, now: &FileStat) -> FileState {
    let before = row.state.unwrap_or(FileState::Ok);
    match row.stat {
        Some(stat)
            if before == FileState::Ok && (stat.size != now.size || !now.has_mtime_of(&stat)) =>
        {
            FileState::Changed
        }
        // A changed file may have been put back.
        Some(_) if before == FileState::Changed && is_unchanged(&row.baseline(), now) => {
            FileState::Ok
        }
        Some(_) | None => before,
    }
}
