//! The schema version: written when a database is created, checked when it is opened.

use std::fmt::Debug;

use super::error::StorageError;
use super::record::{Key, Record};
use super::sets::IdSets;
use super::tables::{
    ASSET, ASSET_NAME, ASSET_PAGE, AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TEXT, AUTOSAVE_TOMBSTONE,
    BACKLINK, DELETED_PAGE_PATH, DELETION, FORMER_PATHS, LEFT_PATH, LOCK, META, MIGRATED_ITEM,
    MIGRATION, PAGE_ASSETS, PAGE_INDEX, PAGE_LINKS, PAGE_PATH, PAGE_SOURCE, PAGE_TITLE, SESSION,
    SETTINGS, Table, UNRECORDED_MOVE, USER, USER_NAME, WAITING_LINK,
};
use super::txn::{Read, ReadTxn, WriteTxn};

/// The version that this program writes.
pub(super) const CURRENT: u32 = 6;
/// The oldest version that is upgraded: it lacks tables, and the links of properties.
const EXTENDABLE: u32 = 4;

/// The schema that was found in a file that opened as a database.
pub(super) enum SchemaState {
    /// No schema: the database is empty.
    Nothing,
    /// The version that this program writes.
    Current,
    /// An earlier version that can be upgraded.
    Extendable(u32),
    /// A version of an earlier program that this one can't read.
    Older(u32),
    /// A version that this program does not know.
    Newer(u32),
    /// A database without the mark of this program.
    Foreign,
}

/// Reads the schema version without changing anything.
pub(super) fn read_state(txn: &ReadTxn) -> Result<SchemaState, StorageError> {
    if txn.is_empty()? {
        return Ok(SchemaState::Nothing);
    }
    if !txn.has_table(META)? {
        return Ok(SchemaState::Foreign);
    }
    Ok(match txn.get(META, "schema")? {
        Some(CURRENT) => SchemaState::Current,
        Some(version @ EXTENDABLE..CURRENT) => SchemaState::Extendable(version),
        Some(version @ 1..EXTENDABLE) => SchemaState::Older(version),
        Some(0) | None => SchemaState::Foreign,
        Some(version) => SchemaState::Newer(version),
    })
}

/// An operation on every table.
pub(super) trait TableVisitor {
    fn table<K: Key, V: Record + Debug>(&mut self, table: Table<K, V>) -> Result<(), StorageError>;
    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError>;
}

/// Applies the operation to every table of the current version.
pub(super) fn visit_tables(each: &mut impl TableVisitor) -> Result<(), StorageError> {
    each.table(META)?;
    each.table(PAGE_PATH)?;
    each.table(PAGE_INDEX)?;
    each.table(PAGE_SOURCE)?;
    each.table(LOCK)?;
    each.table(USER)?;
    each.table(USER_NAME)?;
    each.table(AUTOSAVE)?;
    each.table(AUTOSAVE_TEXT)?;
    each.table(AUTOSAVE_KEY)?;
    each.table(AUTOSAVE_TOMBSTONE)?;
    each.table(SETTINGS)?;
    each.table(SESSION)?;
    each.sets(DELETED_PAGE_PATH)?;
    each.sets(PAGE_ASSETS)?;
    each.table(ASSET)?;
    each.table(ASSET_NAME)?;
    each.table(ASSET_PAGE)?;
    each.table(PAGE_TITLE)?;
    each.table(PAGE_LINKS)?;
    each.sets(BACKLINK)?;
    each.sets(WAITING_LINK)?;
    each.table(FORMER_PATHS)?;
    each.sets(LEFT_PATH)?;
    each.table(UNRECORDED_MOVE)?;
    each.table(DELETION)?;
    each.table(MIGRATION)?;
    each.table(MIGRATED_ITEM)
}

/// Creates the tables that are missing, and marks the database with the current version. Reading a table that was never
/// written is an error in redb, so all tables are created at once.
pub(super) fn create_tables(txn: &WriteTxn) -> Result<(), StorageError> {
    visit_tables(&mut TableCreation(txn))?;
    txn.put(META, "schema", &CURRENT)
}

struct TableCreation<'a>(&'a WriteTxn);

impl TableVisitor for TableCreation<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        self.0.create(table)
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        self.0.create_sets(sets)
    }
}
