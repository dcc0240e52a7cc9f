//! Checks the files of pages: rows, names and pages agree, and the contents match the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;

use crate::assets::{AssetFiles, KnownSince, StoredFile, digest};
use crate::check::pages::CheckedPages;
use crate::check::reader::{Progress, TableReader};
use crate::check::report::{Faults, Remedy};
use crate::check::users::Users;
use crate::check::{CheckError, CheckedBefore, Depth};
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::page::PageIndex;
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, FileStat, PAGE_ASSETS, Read, ReadTxn, StorageError, Store,
};

/// The files by their ids.
pub(super) type AssetRows = BTreeMap<[u8; 16], AssetInfo>;
type Owners = BTreeMap<[u8; 16], [u8; 16]>;

/// The number of files; 0 if they can't be counted, which is reported when they are read.
pub(super) fn count(txn: &ReadTxn) -> u64 {
    txn.count(ASSET).unwrap_or_default()
}

/// Checks the tables. Returns the rows, for a later check of the contents.
pub(super) fn check(
    reader: &TableReader<'_>,
    pages: &CheckedPages,
    users: &Users,
) -> Result<AssetRows, CheckError> {
    let faults = reader.faults;
    let mut rows = AssetRows::new();
    reader.rows(ASSET, |id, info| {
        faults.expect(users.has(info.user), "asset", || {
            let id = AssetId::from_bytes(*id);
            format!(
                "the file {id} was uploaded by the unknown user {}",
                info.user
            )
        });
        rows.insert(*id, info);
    })?;
    let owners = owners(reader, &rows)?;
    names(reader, &rows, &owners)?;
    for (id, info) in &rows {
        let owner = owners.get(id).map(|page| (page, pages.get(page)));
        let fits = match (&info.state, owner) {
            (AssetState::Live, Some((_, Some(page)))) => exists(page),
            (AssetState::Deleted { with_page, .. }, Some((_, Some(page)))) => {
                !with_page || !exists(page)
            }
            (AssetState::Orphaned { .. }, None) => true,
            (AssetState::Live | AssetState::Deleted { .. } | AssetState::Orphaned { .. }, _) => {
                false
            }
        };
        faults.expect(fits, "asset", || {
            let owner = owner.map(|(page, _)| PageId::from_bytes(*page));
            format!(
                "the state of the file {} ({:?}) contradicts its page ({owner:?})",
                AssetId::from_bytes(*id),
                info.state
            )
        });
    }
    Ok(rows)
}

fn exists(page: &PageIndex) -> bool {
    match page {
        PageIndex::Page(info) => !info.path_state.is_deleted(),
        PageIndex::Draft(_) => true,
    }
}

/// The pages of the files, according to two tables.
fn owners(reader: &TableReader<'_>, rows: &AssetRows) -> Result<Owners, CheckError> {
    let faults = reader.faults;
    let mut owners = Owners::new();
    reader.rows(ASSET_PAGE, |id, page| {
        owners.insert(*id, page);
        faults.expect(rows.contains_key(id), "asset_page", || {
            format!(
                "the file {} has a page but no row",
                AssetId::from_bytes(*id)
            )
        });
    })?;
    let mut other_way = Owners::new();
    reader.ids(PAGE_ASSETS, |page, ids| {
        other_way.extend(ids.into_iter().map(|id| (id, *page)));
    })?;
    faults.expect(owners == other_way, "page_assets", || {
        "the files of pages and the pages of files disagree".to_owned()
    });
    Ok(owners)
}

/// Checks that the live files, and no others, are found by their pages and names.
fn names(reader: &TableReader<'_>, rows: &AssetRows, owners: &Owners) -> Result<(), CheckError> {
    let expected: BTreeSet<_> = rows
        .iter()
        .filter(|(_, info)| info.state == AssetState::Live)
        .filter_map(|(id, info)| Some((*owners.get(id)?, info.file_name.to_string(), *id)))
        .collect();
    let mut found = BTreeSet::new();
    reader.rows(ASSET_NAME, |(page, name), id| {
        found.insert((*page, name.to_owned(), id));
    })?;
    for (page, name, id) in found.symmetric_difference(&expected) {
        let (page, id) = (PageId::from_bytes(*page), AssetId::from_bytes(*id));
        reader.faults.add(
            "asset_name",
            format!("the index and the records disagree on whether {name:?} of {page} is {id}"),
        );
    }
    Ok(())
}

/// Checks the folder: each row has its file, with the recorded size, and at [`Depth::Everything`]
/// with the recorded contents. No file lacks a row, except files of another wiki.
pub(super) fn check_files(
    (store, files): (&Store, &AssetFiles),
    rows: &AssetRows,
    (depth, before): (Depth, Option<CheckedBefore<'_>>),
    progress: &Progress<'_>,
    faults: &Faults,
) -> Result<(), CheckError> {
    let mut without_row = Vec::new();
    files.walk(|found| match found {
        StoredFile::Whole(id, file) if !rows.contains_key(&id.to_bytes()) => {
            without_row.push((id, file.path().to_owned()));
        }
        StoredFile::Whole(..) => {}
        // A file that is currently being written.
        StoredFile::Unfinished(_) => {}
    })?;
    let known_since = match without_row.is_empty() {
        true => KnownSince::default(),
        false => store.read(KnownSince::read).unwrap_or_default(),
    };
    for (id, path) in without_row {
        // A file is moved to its place before its row is written, and unlinked after its row is
        // removed. A file that is not in flight has a row, or was purged since and is gone.
        let is_pending = || store.pending_files.has(&id.to_bytes());
        if is_pending() || has_row(store, id)? || is_pending() {
            continue;
        }
        let changed = path.symlink_metadata().and_then(|found| found.modified());
        let left = path.try_exists()? && !known_since.is_before(id, changed);
        faults.expect(!left, "asset/", || {
            format!("the stored file {id} has no row")
        });
    }
    for (id, info) in rows {
        let id = AssetId::from_bytes(*id);
        let found = contents(files, id, info, (depth, before));
        progress.advance(1)?;
        if depth == Depth::Everything {
            progress.report()?;
        }
        let words = match found {
            Ok(true) => continue,
            Ok(false) => format!("the contents of {id} have changed"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => lost_contents(id),
            Err(error) => format!("the contents of {id} can't be read: {error}"),
        };
        // It may have been purged since the rows were read.
        if has_row(store, id)? {
            faults.add_with("asset/", words, Remedy::FromBackup(id));
        }
    }
    Ok(())
}

/// True if the file has a row now.
fn has_row(store: &Store, id: AssetId) -> Result<bool, StorageError> {
    let row = store.read(|txn| txn.try_get(ASSET, &id.to_bytes()));
    match row {
        Ok(row) => Ok(row.is_some()),
        // The row exists. Its damage is already reported.
        Err(error) => error.damage().map(|_| true).ok_or(error),
    }
}

/// True if a file matches its row.
fn contents(
    files: &AssetFiles,
    id: AssetId,
    info: &AssetInfo,
    (depth, before): (Depth, Option<CheckedBefore<'_>>),
) -> io::Result<bool> {
    let mut file: File = files.open(id)?;
    if file.metadata()?.len() != info.size {
        return Ok(false);
    }
    if depth == Depth::Tables {
        return Ok(true);
    }
    if let Some(before) = before
        && (before.has_contents)(id, info.sha256, FileStat::of(&file)?)
    {
        return Ok(true);
    }
    Ok(digest(&mut file)?.1 == info.sha256)
}

/// Returns the words of the fault that a file has no contents.
pub(crate) fn lost_contents(id: AssetId) -> String {
    format!("the contents of {id} are missing")
}
