//! The files that a mirror is to have, read from the wiki.

use crate::archive::{EntryNames, ExportForm, HexDigest, paths};
use crate::assets::{Asset, live_files};
use crate::id::{AssetId, PageId};
use crate::latest_text::newest;
use crate::links;
use crate::model::page::{PageIndex, PagePathState, PageSource};
use crate::repository::path_state;
use crate::store::{PAGE_INDEX, Read as _, ReadTxn, StorageError};

/// A file that the mirror is to have.
pub(super) struct WantedFile {
    pub(super) entry: String,
    pub(super) page: PageId,
    pub(super) contents: WantedContents,
}

pub(super) enum WantedContents {
    Text,
    Asset(AssetId, HexDigest),
}

/// Returns the files that the mirror is to have.
pub(super) fn wanted(txn: &ReadTxn) -> Result<Vec<WantedFile>, StorageError> {
    let mut names = EntryNames::new(ExportForm::Archive);
    let mut wanted = Vec::new();
    for (path, page) in paths(txn)? {
        let Some(PageIndex::Page(_)) = txn.get(PAGE_INDEX, &page.to_bytes())? else {
            continue;
        };
        wanted.push(WantedFile {
            entry: names.of_page(&path),
            page,
            contents: WantedContents::Text,
        });
        for asset in live_files(txn, page)? {
            let entry = names.of_file(&path, &asset.file_name);
            wanted.push(asset_file(entry, page, &asset));
        }
    }
    Ok(wanted)
}

/// Returns the files of one page, whose text is at `entry` and whose files are in the folder `files`; `None` if the page is
/// gone.
pub(super) fn wanted_of(
    txn: &ReadTxn,
    page: PageId,
    entry: &str,
    files: &str,
) -> Result<Option<Vec<WantedFile>>, StorageError> {
    let Some(PagePathState::Current(path)) = path_state(txn, page)? else {
        return Ok(None);
    };
    let mut wanted = vec![WantedFile {
        entry: entry.to_owned(),
        page,
        contents: WantedContents::Text,
    }];
    // Names depend only on those of the same folder.
    let mut names = EntryNames::new(ExportForm::Archive);
    for asset in live_files(txn, page)? {
        let named = names.of_file(&path, &asset.file_name);
        let name = named.rsplit_once('/').map_or(&*named, |(_, name)| name);
        wanted.push(asset_file(format!("{files}{name}"), page, &asset));
    }
    Ok(Some(wanted))
}

fn asset_file(entry: String, page: PageId, asset: &Asset) -> WantedFile {
    WantedFile {
        entry,
        page,
        contents: WantedContents::Asset(asset.id, HexDigest(asset.sha256)),
    }
}

/// Returns the latest text of a page as people read it; `None` if the page is gone.
pub(super) fn text(txn: &ReadTxn, page: PageId) -> Result<Option<String>, StorageError> {
    let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &page.to_bytes())? else {
        return Ok(None);
    };
    let PagePathState::Current(path) = &info.path_state else {
        return Ok(None);
    };
    let PageSource { source, .. } = newest(txn, &info)?;
    links::display_text(txn, page, path, &source, true).map(Some)
}
