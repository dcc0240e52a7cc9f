//! The files of a page at a moment.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::assets::{Asset, all_files};
use crate::file_name::FileName;
use crate::id::PageId;
use crate::model::asset::AssetState;
use crate::store::{Read, ReadSets, StorageError};

/// Returns the files that a page had at a moment, by name, as far as the store can tell. A file that was renamed since
/// is left out, because the time is not recorded, and so are files that may have had the same name: another file must
/// not take the place of the one that was there.
pub(crate) fn files(
    txn: &(impl Read + ReadSets),
    page: PageId,
    at: Timestamp,
) -> Result<Vec<Asset>, StorageError> {
    let mut by_name: BTreeMap<FileName, Vec<Asset>> = BTreeMap::new();
    for file in all_files(txn, page)? {
        let was_present = match file.state {
            AssetState::Live => true,
            AssetState::Deleted { at: deleted_at, .. } => deleted_at > at,
            AssetState::Orphaned { .. } => false,
        };
        if was_present && file.created_at <= at {
            by_name
                .entry(file.file_name.clone())
                .or_default()
                .push(file);
        }
    }
    let only = by_name.into_values().filter_map(|mut files| {
        let file = files.pop()?;
        (files.is_empty() && has_first_name(&file)).then_some(file)
    });
    Ok(only.collect())
}

/// True if a file still has the name that it got when it was added: its original name, or a numbered one because that
/// was taken.
fn has_first_name(file: &Asset) -> bool {
    let (original, name) = (&file.original_name, file.file_name.as_str());
    let stem = &name[..name.rfind('.').filter(|at| *at > 0).unwrap_or(name.len())];
    let number = stem
        .rsplit_once('-')
        .and_then(|(_, number)| number.parse().ok());
    file.file_name == *original
        || number.is_some_and(|number| original.numbered(number) == file.file_name)
}
