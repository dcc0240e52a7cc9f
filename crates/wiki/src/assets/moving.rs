//! Files that move, or are copied, from page to page.

use jiff::Timestamp;

use crate::assets::AssetError;
use crate::assets::rows::{AssetRow, asset, of_page};
use crate::assets::upload::Naming;
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::model::asset::{AssetInfo, AssetState};
use crate::model::change::AssetChange;
use crate::store::WriteTxn;

/// A file that moved to another page.
pub(crate) struct MovedFile {
    pub(crate) id: AssetId,
    pub(crate) before: FileName,
    /// Another name if the page has a file of that name.
    pub(crate) after: FileName,
}

/// Moves the live files of a page to another one, under free names.
pub(crate) fn move_live_files(
    txn: &WriteTxn,
    from: PageId,
    to: PageId,
) -> Result<Vec<MovedFile>, AssetError> {
    let mut moved = Vec::new();
    for row in of_page(txn, from)? {
        if row.info.state != AssetState::Live {
            continue;
        }
        let before = row.info.file_name.clone();
        let after = Naming::Like.free(txn, to, &before)?;
        row.report(txn, AssetChange::Moved);
        let mut row = row.detach(txn)?;
        row.info.file_name = after.clone();
        let id = row.id;
        row.attach(txn, to, AssetChange::Moved)?;
        moved.push(MovedFile { id, before, after });
    }
    Ok(moved)
}

/// Moves a file back to a page, under the name that it had there. A file that is elsewhere now, or deleted, stays.
pub(crate) fn return_file(
    txn: &WriteTxn,
    id: AssetId,
    (from, to): (PageId, PageId),
    name: &str,
) -> Result<(), AssetError> {
    let row = match asset(txn, id) {
        Ok(row) if row.page == Some(from) && row.info.state == AssetState::Live => row,
        Ok(_) | Err(AssetError::NotFound) => return Ok(()),
        Err(error) => return Err(error),
    };
    row.report(txn, AssetChange::Moved);
    let mut row = row.detach(txn)?;
    if let Ok(name) = FileName::existing(name) {
        row.info.file_name = name;
    }
    Ok(row.attach(txn, to, AssetChange::Moved)?)
}

/// A copy of a file, whose contents are in their place.
pub(crate) struct CopiedFile {
    pub(crate) of: AssetId,
    pub(crate) id: AssetId,
    pub(crate) created_at: Timestamp,
    pub(crate) user: UserId,
}

/// Makes a copy a live file of a page, under the name of its original.
pub(crate) fn add_copied(txn: &WriteTxn, page: PageId, copy: CopiedFile) -> Result<(), AssetError> {
    let CopiedFile {
        of,
        id,
        created_at,
        user,
    } = copy;
    let info = AssetInfo {
        created_at,
        user,
        state: AssetState::Live,
        ..asset(txn, of)?.info
    };
    let row = AssetRow {
        id,
        info,
        page: None,
    };
    Ok(row.attach(txn, page, AssetChange::Added)?)
}
