//! The schema's version: written when a database is made, checked whenever it is opened, raised when
//! it is old.

use super::error::StorageError;
use super::tables::{
    ASSET, ASSET_NAME, ASSET_PAGE, BACKLINK, DELETED_PAGE_PATH, DELETION, FORMER_PATHS, JOURNAL,
    JOURNAL_KEY, JOURNAL_TEXT, LEFT_PATH, LOCK, META, PAGE_ASSETS, PAGE_INDEX, PAGE_LINKS,
    PAGE_PATH, PAGE_SOURCE, PAGE_TITLE, SESSION, SETTINGS, USER, USER_NAME, WAITING_LINK,
};
use super::txn::{Read, ReadTxn, WriteTxn};

/// The version that this program writes.
pub(super) const CURRENT: u32 = 2;

/// What was found in a file that opened as a database.
pub(super) enum Found {
    /// Nothing yet.
    Nothing,
    /// The version that this program writes.
    Current,
    /// One that this program can bring up to its own.
    Older(u32),
    /// One that this program does not know.
    Newer(u32),
    /// A database, but without the mark of this program.
    Foreign,
}

/// Looks at the schema without changing anything.
pub(super) fn look(txn: &ReadTxn) -> Result<Found, StorageError> {
    if txn.is_empty()? {
        return Ok(Found::Nothing);
    }
    if !txn.has_table(META)? {
        return Ok(Found::Foreign);
    }
    Ok(match txn.get(META, "schema")? {
        Some(CURRENT) => Found::Current,
        Some(version @ 1..CURRENT) => Found::Older(version),
        Some(0) | None => Found::Foreign,
        Some(version) => Found::Newer(version),
    })
}

/// Makes the tables that are not there yet, and marks the database with the current version.
/// Reading a table that was never written is an error in redb, so all of them are made at once.
pub(super) fn establish(txn: &WriteTxn) -> Result<(), StorageError> {
    txn.create(META)?;
    txn.create(PAGE_PATH)?;
    txn.create(PAGE_INDEX)?;
    txn.create(PAGE_SOURCE)?;
    txn.create(LOCK)?;
    txn.create(USER)?;
    txn.create(USER_NAME)?;
    txn.create(JOURNAL)?;
    txn.create(JOURNAL_TEXT)?;
    txn.create(JOURNAL_KEY)?;
    txn.create(SETTINGS)?;
    txn.create(SESSION)?;
    txn.create_sets(DELETED_PAGE_PATH)?;
    txn.create_sets(PAGE_ASSETS)?;
    txn.create(ASSET)?;
    txn.create(ASSET_NAME)?;
    txn.create(ASSET_PAGE)?;
    // Since version 2.
    txn.create(PAGE_TITLE)?;
    txn.create(PAGE_LINKS)?;
    txn.create_sets(BACKLINK)?;
    txn.create_sets(WAITING_LINK)?;
    txn.create(FORMER_PATHS)?;
    txn.create_sets(LEFT_PATH)?;
    txn.create(DELETION)?;
    txn.put(META, "schema", &CURRENT)
}
