//! The schema version: written when a database is created, checked when it is opened, raised when it is old.

use super::error::StorageError;
use super::sets::IdSets;
use super::tables::{
    ASSET, ASSET_NAME, ASSET_PAGE, AUTOSAVE, AUTOSAVE_KEY, AUTOSAVE_TEXT, AUTOSAVE_TOMBSTONE,
    BACKLINK, DELETED_PAGE_PATH, DELETION, FORMER_PATHS, LEFT_PATH, LOCK, META, PAGE_ASSETS,
    PAGE_INDEX, PAGE_LINKS, PAGE_PATH, PAGE_SOURCE, PAGE_TITLE, SESSION, SETTINGS, Table,
    UNRECORDED_MOVE, USER, USER_NAME, WAITING_LINK,
};
use super::txn::{Read, ReadTxn, WriteTxn};

/// The version that this program writes.
pub(super) const CURRENT: u32 = 4;

/// The schema that was found in a file that opened as a database.
pub(super) enum SchemaState {
    /// No schema: the database is empty.
    Nothing,
    /// The version that this program writes.
    Current,
    /// A version that this program can upgrade.
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
        Some(version @ 1..CURRENT) => SchemaState::Older(version),
        Some(0) | None => SchemaState::Foreign,
        Some(version) => SchemaState::Newer(version),
    })
}

/// An operation on every table.
pub(super) trait TableVisitor {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError>;
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
    // Since version 2.
    each.table(PAGE_TITLE)?;
    each.table(PAGE_LINKS)?;
    each.sets(BACKLINK)?;
    each.sets(WAITING_LINK)?;
    each.table(FORMER_PATHS)?;
    each.sets(LEFT_PATH)?;
    each.table(UNRECORDED_MOVE)?;
    each.table(DELETION)
}

/// Creates the missing tables, and marks the database with the current version. Reading a table that was never
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

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use flate2::read::GzDecoder;
    use redb::ReadableTableMetadata;

    use super::*;
    use crate::store::Store;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    /// Collects the empty tables.
    struct Empty<'a>(&'a ReadTxn, Vec<&'static str>);

    impl TableVisitor for Empty<'_> {
        fn table<K: redb::Key + 'static, V>(
            &mut self,
            table: Table<K, V>,
        ) -> Result<(), StorageError> {
            if self.0.0.open_table(table.definition)?.is_empty()? {
                self.1.push(table.name);
            }
            Ok(())
        }

        fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
            if self.0.0.open_multimap_table(sets.definition)?.is_empty()? {
                self.1.push(sets.name);
            }
            Ok(())
        }
    }

    #[test]
    fn current_fixture_has_rows_in_every_table() {
        let fixture = format!("{ROOT}/tests/fixtures/wiki/schema-{CURRENT}.redb.gz");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wiki.redb");
        let mut unpacking = GzDecoder::new(File::open(fixture).unwrap());
        std::io::copy(&mut unpacking, &mut File::create(&path).unwrap()).unwrap();
        let never = |_: &WriteTxn, version| panic!("it is of schema {version}");
        let store = Store::open(&path, Duration::ZERO, |_| Ok(()), never).unwrap();
        let empty = store.read(|txn| {
            let mut empty = Empty(txn, Vec::new());
            visit_tables(&mut empty)?;
            Ok::<_, StorageError>(empty.1)
        });
        assert_eq!(empty.unwrap(), [""; 0]);
    }

    #[test]
    fn every_schema_version_has_a_fixture() {
        for version in 1..=CURRENT {
            for ending in ["redb.gz", "json"] {
                let path = format!("{ROOT}/tests/fixtures/wiki/schema-{version}.{ending}");
                assert!(std::path::Path::new(&path).is_file(), "{path}");
            }
        }
    }
}
