//! A complete copy of the database at one moment, made while writes continue.

use std::ops::ControlFlow;
use std::path::Path;

use redb::{
    Builder, Database, ReadableMultimapTable, ReadableTable, ReadableTableMetadata,
    WriteTransaction,
};

use sha2::{Digest, Sha256};

use super::error::StorageError;
use super::medium::open_private;
use super::open::CACHE;
use super::schema::{self, TableVisitor};
use super::sets::IdSets;
use super::tables::{META, SESSION, Table};
use super::txn::{ReadTxn, WriteTxn, catch_damage};

/// The number of rows copied between two calls of the watcher.
pub(super) const STEP: u64 = 256;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyOutcome {
    /// The copy is complete and on the disk.
    Whole,
    /// The copy was cancelled. The file at its path is useless.
    Cancelled,
}

/// Copies every row that `txn` sees into a new database at `path`, which must not exist. Reports the number of
/// copied rows and the total to `watch`, and stops when it breaks.
pub(crate) fn copy(
    txn: &ReadTxn,
    path: &Path,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<CopyOutcome, StorageError> {
    let total = count(txn)?;
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    let database: Database = builder.create_file(open_private(path)?)?;
    let mut into = database.begin_write()?;
    into.set_quick_repair(true);
    let mut rows = RowCopy {
        from: txn,
        into: &into,
        done: 0,
        total,
        watch,
        cancelled: false,
    };
    schema::visit_tables(&mut rows)?;
    if rows.cancelled {
        into.abort()?;
        return Ok(CopyOutcome::Cancelled);
    }
    into.commit()?;
    Ok(CopyOutcome::Whole)
}

/// Puts the rows that `from`, another database, sees in place of all rows. The schema and the sessions of browsers stay.
pub(crate) fn replace_rows(from: &ReadTxn, into: &WriteTxn) -> Result<(), StorageError> {
    schema::visit_tables(&mut RowReplacement { from, into })
}

struct RowReplacement<'a> {
    from: &'a ReadTxn,
    into: &'a WriteTxn,
}

impl TableVisitor for RowReplacement<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        if [META.name, SESSION.name].contains(&table.name) {
            return Ok(());
        }
        self.into.0.delete_table(table.definition)?;
        let mut into = self.into.0.open_table(table.definition)?;
        for row in self.from.0.open_table(table.definition)?.iter()? {
            let (key, value) = row?;
            into.insert(key.value(), value.value())?;
        }
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        self.into.0.delete_multimap_table(sets.definition)?;
        let mut into = self.into.0.open_multimap_table(sets.definition)?;
        for row in self.from.0.open_multimap_table(sets.definition)?.iter()? {
            let (key, ids) = row?;
            for id in ids {
                into.insert(key.value(), id?.value())?;
            }
        }
        Ok(())
    }
}

/// Returns the SHA-256 of all rows, with the names of their tables: equal for databases with the same contents.
pub(crate) fn digest(txn: &ReadTxn) -> Result<[u8; 32], StorageError> {
    let mut rows = RowDigest {
        txn,
        hash: RowHash::default(),
    };
    catch_damage(|| schema::visit_tables(&mut rows))?;
    Ok(rows.hash.finish())
}

/// The SHA-256 of rows: the name of each table, followed by its keys and values.
#[derive(Default)]
pub(super) struct RowHash(Sha256);

impl RowHash {
    /// Adds a text with its length, so that texts cannot run into each other.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

struct RowDigest<'a> {
    txn: &'a ReadTxn,
    hash: RowHash,
}

impl TableVisitor for RowDigest<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        self.hash.add(table.name.as_bytes());
        for row in self.txn.0.open_table(table.definition)?.iter()? {
            let (key, value) = row?;
            self.hash.add(K::as_bytes(&key.value()).as_ref());
            self.hash.add(value.value());
        }
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        self.hash.add(sets.name.as_bytes());
        for row in self.txn.0.open_multimap_table(sets.definition)?.iter()? {
            let (key, ids) = row?;
            self.hash.add(K::as_bytes(&key.value()).as_ref());
            for id in ids {
                self.hash.add(id?.value());
            }
        }
        Ok(())
    }
}

/// Returns the number of rows in all tables.
pub(crate) fn count(txn: &ReadTxn) -> Result<u64, StorageError> {
    let mut count = RowCount { txn, rows: 0 };
    catch_damage(|| schema::visit_tables(&mut count))?;
    Ok(count.rows)
}

struct RowCount<'a> {
    txn: &'a ReadTxn,
    rows: u64,
}

impl TableVisitor for RowCount<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        self.rows += self.txn.0.open_table(table.definition)?.len()?;
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        self.rows += self.txn.0.open_multimap_table(sets.definition)?.len()?;
        Ok(())
    }
}

struct RowCopy<'a> {
    from: &'a ReadTxn,
    into: &'a WriteTransaction,
    done: u64,
    total: u64,
    watch: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    cancelled: bool,
}

impl RowCopy<'_> {
    fn advance(&mut self) -> bool {
        self.done += 1;
        if self.done.is_multiple_of(STEP) || self.done == self.total {
            self.cancelled = (self.watch)(self.done, self.total).is_break();
        }
        !self.cancelled
    }
}

impl TableVisitor for RowCopy<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let from = self.from.0.open_table(table.definition)?;
        let mut into = self.into.open_table(table.definition)?;
        for row in from.iter()? {
            if self.cancelled {
                break;
            }
            let (key, value) = row?;
            into.insert(key.value(), value.value())?;
            self.advance();
        }
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        let from = self.from.0.open_multimap_table(sets.definition)?;
        let mut into = self.into.open_multimap_table(sets.definition)?;
        for row in from.iter()? {
            let (key, ids) = row?;
            for id in ids {
                if self.cancelled {
                    return Ok(());
                }
                into.insert(key.value(), id?.value())?;
                self.advance();
            }
        }
        Ok(())
    }
}
