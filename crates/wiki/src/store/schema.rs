//! The schema's version: written when a database is made, checked whenever it is opened.

use super::error::StorageError;
use super::tables::{
    ASSET, ASSET_NAME, ASSET_PAGE, DELETED_PAGE_PATH, JOURNAL, JOURNAL_KEY, JOURNAL_TEXT, LOCK,
    META, PAGE_ASSETS, PAGE_INDEX, PAGE_PATH, PAGE_SOURCE, SESSION, SETTINGS, USER, USER_NAME,
};
use super::txn::{Read, ReadTxn, WriteTxn};

/// The version that this program writes.
pub(super) const CURRENT: u32 = 1;

/// What was found in a file that opened as a database.
pub(super) enum Found {
    /// Nothing yet.
    Nothing,
    /// The version that this program writes.
    Current,
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
        Some(version) => Found::Newer(version),
        None => Found::Foreign,
    })
}

/// Makes the tables of a new database and marks it.
pub(super) fn create(txn: &WriteTxn) -> Result<(), StorageError> {
    create_tables(txn)?;
    txn.put(META, "schema", &CURRENT)
}

/// Reading a table that was never written is an error in redb, so all of them are made at once.
fn create_tables(txn: &WriteTxn) -> Result<(), StorageError> {
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
    let inner = txn.inner();
    inner.open_multimap_table(DELETED_PAGE_PATH)?;
    inner.open_multimap_table(PAGE_ASSETS)?;
    inner.open_table(ASSET)?;
    inner.open_table(ASSET_NAME)?;
    inner.open_table(ASSET_PAGE)?;
    Ok(())
}
