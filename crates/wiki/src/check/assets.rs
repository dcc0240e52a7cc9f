//! Files of pages: rows, names and pages say the same, and the contents are what the rows say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::assets::{AssetFiles, Lying};
use crate::check::Depth;
use crate::check::faults::Faults;
use crate::check::pages::Pages;
use crate::id::{AssetId, PageId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::page::PageIndex;
use crate::store::{
    ASSET, ASSET_NAME, ASSET_PAGE, Direction, PAGE_ASSETS, Read, ReadSets, ReadTxn, StorageError,
};
use crate::wiki::Wiki;

/// The files by their ids.
pub(super) type Rows = BTreeMap<[u8; 16], AssetInfo>;
type Owners = BTreeMap<[u8; 16], [u8; 16]>;

/// Looks at the tables; gives the rows, for the contents to be looked at.
pub(super) fn check(
    txn: &ReadTxn,
    pages: &Pages,
    faults: &mut Faults,
) -> Result<Rows, StorageError> {
    let mut rows = Rows::new();
    txn.scan::<_, AssetInfo, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
        rows.insert(*id, info);
        ControlFlow::Continue(())
    })?;
    let owners = owners(txn, &rows, faults)?;
    names(txn, &rows, &owners, faults)?;
    for (id, info) in &rows {
        let owner = owners.get(id).map(|page| (page, pages.get(page)));
        let fits = match (&info.state, owner) {
            (AssetState::Live, Some((_, Some(page)))) => stands(page),
            (AssetState::Deleted { with_page, .. }, Some((_, Some(page)))) => {
                !with_page || !stands(page)
            }
            (AssetState::Orphaned { .. }, None) => true,
            (AssetState::Live | AssetState::Deleted { .. } | AssetState::Orphaned { .. }, _) => {
                false
            }
        };
        faults.expect(fits, "asset", || {
            let owner = owner.map(|(page, _)| PageId::from_bytes(*page));
            format!(
                "{} is {:?}, which does not fit its page ({owner:?})",
                AssetId::from_bytes(*id),
                info.state
            )
        });
    }
    Ok(rows)
}

fn stands(page: &PageIndex) -> bool {
    match page {
        PageIndex::Page(info) => !info.path_state.is_deleted(),
        PageIndex::Draft(_) => true,
    }
}

/// The pages of the files, which two tables tell.
fn owners(txn: &ReadTxn, rows: &Rows, faults: &mut Faults) -> Result<Owners, StorageError> {
    let mut owners = Owners::new();
    txn.scan::<_, [u8; 16], &[u8; 16]>(ASSET_PAGE, .., Direction::Ascending, |id, page| {
        owners.insert(*id, page);
        faults.expect(rows.contains_key(id), "asset_page", || {
            format!("{} has a page and no row", AssetId::from_bytes(*id))
        });
        ControlFlow::Continue(())
    })?;
    let mut other_way = Owners::new();
    txn.scan_ids(PAGE_ASSETS, |page, ids| {
        other_way.extend(ids.into_iter().map(|id| (id, *page)));
        ControlFlow::Continue(())
    })?;
    faults.expect(owners == other_way, "page_assets", || {
        "the files of pages and the pages of files are not the same".to_owned()
    });
    Ok(owners)
}

/// Each live file, and no other, is found by its page and name.
fn names(
    txn: &ReadTxn,
    rows: &Rows,
    owners: &Owners,
    faults: &mut Faults,
) -> Result<(), StorageError> {
    let expected: BTreeSet<_> = rows
        .iter()
        .filter(|(_, info)| info.state == AssetState::Live)
        .filter_map(|(id, info)| Some((*owners.get(id)?, info.file_name.to_string(), *id)))
        .collect();
    let mut found = BTreeSet::new();
    txn.scan::<_, [u8; 16], (&[u8; 16], &str)>(
        ASSET_NAME,
        ..,
        Direction::Ascending,
        |(page, name), id| {
            found.insert((*page, name.to_owned(), id));
            ControlFlow::Continue(())
        },
    )?;
    for (page, name, id) in found.symmetric_difference(&expected) {
        let (page, id) = (PageId::from_bytes(*page), AssetId::from_bytes(*id));
        faults.add(
            "asset_name",
            format!("only one side knows that {name:?} of {page} is {id}"),
        );
    }
    Ok(())
}

/// Looks at the folder: each row has its file, with the size that it says, and when it is looked at
/// closely with the contents; and no file that is older than `began` is without a row.
pub(super) fn check_files(
    wiki: &Wiki,
    rows: &Rows,
    depth: Depth,
    began: Timestamp,
    faults: &mut Faults,
) -> Result<(), StorageError> {
    let mut lying = BTreeSet::new();
    wiki.asset_files.walk(|found| match found {
        Lying::Whole(id, _) => {
            lying.insert(id);
        }
        // One that is being written just now.
        Lying::Unfinished(_) => {}
    })?;
    for id in lying {
        // A file comes to its place before its row does.
        let known = rows.contains_key(&id.to_bytes()) || id.timestamp() >= began;
        faults.expect(known || has_row(wiki, id)?, "asset/", || {
            format!("the file of {id} has no row")
        });
    }
    for (id, info) in rows {
        let id = AssetId::from_bytes(*id);
        let words = match contents(&wiki.asset_files, id, info, depth) {
            Ok(true) => continue,
            Ok(false) => format!("the file of {id} is not what it was"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                format!("the file of {id} is not there")
            }
            Err(error) => format!("the file of {id} can't be read: {error}"),
        };
        // It may have been deleted for good since the rows were read.
        if has_row(wiki, id)? {
            faults.add("asset/", words);
        }
    }
    Ok(())
}

/// Whether the file has a row now.
fn has_row(wiki: &Wiki, id: AssetId) -> Result<bool, StorageError> {
    let row = wiki.store.read(|txn| txn.get(ASSET, &id.to_bytes()))?;
    Ok(row.is_some())
}

/// Whether a file is what its row says.
fn contents(files: &AssetFiles, id: AssetId, info: &AssetInfo, depth: Depth) -> io::Result<bool> {
    let mut file: File = files.open(id)?;
    if file.metadata()?.len() != info.size {
        return Ok(false);
    }
    if depth == Depth::Tables {
        return Ok(true);
    }
    let mut sum = Sha256::new();
    io::copy(&mut file, &mut Sum(&mut sum))?;
    Ok(sum.finalize().as_slice() == info.sha256)
}

/// What is written here is summed.
struct Sum<'a>(&'a mut Sha256);

impl io::Write for Sum<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0.update(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
