//! Transactions with typed rows. Values are decoded on read and encoded on write, only here.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeBounds};

use redb::{ReadableTable, ReadableTableMetadata, TableHandle};

use super::error::StorageError;
use super::panics::catch_panic;
use super::record::{Key, Record};
use super::tables::Table;
use crate::model::change::Change;

/// The operations that both kinds of transaction have.
pub(crate) trait Read {
    /// Returns the value at `key`.
    fn get<'k, K: Key, V: Record>(
        &self,
        table: Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Option<V>, StorageError>;

    /// Passes the rows with keys in `range` to `visit`, in the given direction, until it breaks.
    fn scan<'k, K, V, KR>(
        &self,
        table: Table<K, V>,
        range: impl RangeBounds<KR> + 'k,
        direction: Direction,
        visit: impl FnMut(K::SelfType<'_>, V) -> ControlFlow<()>,
    ) -> Result<(), StorageError>
    where
        K: Key,
        V: Record,
        KR: Borrow<K::SelfType<'k>> + 'k;

    /// Returns the number of rows in the table.
    fn count<K: redb::Key + 'static, V>(&self, table: Table<K, V>) -> Result<u64, StorageError>;
}

/// The direction of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Smallest key first.
    Ascending,
    /// Greatest key first.
    Descending,
}

/// A snapshot of the database at one moment.
pub(crate) struct ReadTxn(pub(super) redb::ReadTransaction);

/// A change of the database: all of it happens at [`WriteTxn::commit`], or nothing. Its owner is the only
/// writer.
pub(crate) struct WriteTxn(pub(super) redb::WriteTransaction, CommitEffects);

/// The effects to apply after the commit.
#[derive(Default)]
struct CommitEffects {
    /// The ids of the files to unlink.
    discarded_files: RefCell<Vec<[u8; 16]>>,
    /// The pages whose rows were written.
    pages: RefCell<BTreeSet<[u8; 16]>>,
    /// The changes to report, in the order in which they were recorded.
    changes: RefCell<Vec<Change>>,
}

macro_rules! impl_read {
    ($($txn:ty),+) => {$(
        impl Read for $txn {
            fn get<'k, K: Key, V: Record>(
                &self,
                table: Table<K, V>,
                key: impl Borrow<K::SelfType<'k>>,
            ) -> Result<Option<V>, StorageError> {
                let rows = self.0.open_table(table.definition)?;
                let row = rows.get(key.borrow())?;
                row.map(|row| decode(table, key.borrow(), row.value())).transpose()
            }

            fn scan<'k, K, V, KR>(
                &self,
                table: Table<K, V>,
                range: impl RangeBounds<KR> + 'k,
                direction: Direction,
                mut visit: impl FnMut(K::SelfType<'_>, V) -> ControlFlow<()>,
            ) -> Result<(), StorageError>
            where
                K: Key,
                V: Record,
                KR: Borrow<K::SelfType<'k>> + 'k,
            {
                let opened = self.0.open_table(table.definition)?;
                let mut rows = opened.range::<KR>(range)?;
                loop {
                    let row = match direction {
                        Direction::Ascending => rows.next(),
                        Direction::Descending => rows.next_back(),
                    };
                    let Some(row) = row else { return Ok(()) };
                    let (key, value) = row?;
                    let decoded = decode(table, &key.value(), value.value())?;
                    if visit(key.value(), decoded).is_break() {
                        return Ok(());
                    }
                }
            }

            fn count<K: redb::Key + 'static, V>(&self, table: Table<K, V>) -> Result<u64, StorageError> {
                Ok(self.0.open_table(table.definition)?.len()?)
            }
        }
    )+};
}

impl_read!(ReadTxn, WriteTxn);

impl WriteTxn {
    pub(super) fn new(inner: redb::WriteTransaction) -> Self {
        Self(inner, CommitEffects::default())
    }

    /// Schedules the file outside of the database with this id to be unlinked after the commit. Without a
    /// commit the file stays.
    pub(crate) fn discard_file(&self, id: &[u8; 16]) {
        self.1.discarded_files.borrow_mut().push(*id);
    }

    /// Schedules a notification of a change for the watchers of the wiki, after the commit.
    pub(crate) fn report(&self, change: Change) {
        self.1.changes.borrow_mut().push(change);
    }

    /// Puts `value` at `key`, in place of the old value.
    pub(crate) fn put<'k, K: Key, V: Record>(
        &self,
        table: Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
        value: &V,
    ) -> Result<(), StorageError> {
        let bytes = value.encode();
        let bytes = bytes.map_err(|reason| damaged(table, key.borrow(), &reason))?;
        self.record_page(table, key.borrow());
        self.0
            .open_table(table.definition)?
            .insert(key, bytes.as_slice())?;
        Ok(())
    }

    /// Removes the row at `key`, if there is one.
    pub(crate) fn remove<'k, K: redb::Key + 'static, V>(
        &self,
        table: Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<(), StorageError> {
        self.record_page(table, key.borrow());
        self.0.open_table(table.definition)?.remove(key)?;
        Ok(())
    }

    /// Records the page whose row is written, if the table is one of those that name pages.
    fn record_page<K: redb::Key + 'static, V>(&self, table: Table<K, V>, key: &K::SelfType<'_>) {
        if table.names_pages {
            let bytes = K::as_bytes(key);
            let id = bytes.as_ref().try_into();
            let id = id.expect("BUG: tables that name pages have page ids as keys");
            self.1.pages.borrow_mut().insert(id);
        }
    }

    /// Records that the text of a page is written.
    pub(crate) fn record_text(&self, page: [u8; 16]) {
        self.1.pages.borrow_mut().insert(page);
    }

    /// Takes the pages whose rows were written.
    pub(super) fn take_pages(&self) -> BTreeSet<[u8; 16]> {
        self.1.pages.take()
    }

    /// Takes the changes to report: pages first, then files, then locks, each in the order in which they were
    /// recorded.
    pub(super) fn take_changes(&self) -> Vec<Change> {
        let mut changes = self.1.changes.take();
        changes.sort_by_key(Change::rank);
        changes
    }

    /// Returns the files to unlink after the commit.
    pub(super) fn discarded_files(&self) -> Vec<[u8; 16]> {
        self.1.discarded_files.borrow().clone()
    }

    /// Commits the change. On return it is on the disk. Returns the files to unlink now.
    pub(super) fn commit(self) -> Result<Vec<[u8; 16]>, StorageError> {
        self.0.commit()?;
        Ok(self.1.discarded_files.into_inner())
    }

    /// Removes all rows of a table, also those that can't be read.
    pub(crate) fn clear<K: redb::Key + 'static, V>(
        &self,
        table: Table<K, V>,
    ) -> Result<(), StorageError> {
        self.0.delete_table(table.definition)?;
        self.create(table)
    }

    pub(super) fn create<K: redb::Key + 'static, V>(
        &self,
        table: Table<K, V>,
    ) -> Result<(), StorageError> {
        self.0.open_table(table.definition)?;
        Ok(())
    }
}

macro_rules! impl_try_read {
    ($($txn:ty),+) => {$(
        impl $txn {
            /// Passes every row to `visit`, ascending, until it breaks, including those that can't be read.
            ///
            /// # Errors
            /// Returns the error that prevents reading on.
            pub(crate) fn try_scan<K, V>(
                &self,
                table: Table<K, V>,
                mut visit: impl FnMut(Result<(K::SelfType<'_>, V), StorageError>) -> ControlFlow<()>,
            ) -> Result<(), StorageError>
            where
                K: Key,
                V: Record,
            {
                let opened = catch_damage(|| Ok(self.0.open_table(table.definition)?))?;
                let mut rows = catch_damage(|| Ok(opened.iter()?))?;
                while let Some((key, value)) = catch_damage(|| Ok(rows.next().transpose()?))? {
                    // Reading an invalid key may panic.
                    let row = catch_damage(|| decode(table, &key.value(), value.value()));
                    if visit(row.map(|value| (key.value(), value))).is_break() {
                        break;
                    }
                }
                Ok(())
            }

            /// Returns the value at `key`.
            ///
            /// # Errors
            /// Returns the errors of [`Read::get`], and an error if the database's contents are invalid.
            pub(crate) fn try_get<'k, K: Key, V: Record>(
                &self,
                table: Table<K, V>,
                key: impl Borrow<K::SelfType<'k>>,
            ) -> Result<Option<V>, StorageError> {
                catch_damage(|| self.get(table, key))
            }
        }
    )+};
}

impl_try_read!(ReadTxn, WriteTxn);

impl ReadTxn {
    pub(super) fn is_empty(&self) -> Result<bool, StorageError> {
        Ok(self.0.list_tables()?.next().is_none())
    }

    pub(super) fn has_table<K: redb::Key + 'static, V>(
        &self,
        table: Table<K, V>,
    ) -> Result<bool, StorageError> {
        Ok(self
            .0
            .list_tables()?
            .any(|handle| handle.name() == table.name))
    }
}

/// Reads from a database whose contents may be invalid.
pub(super) fn catch_damage<R>(
    read: impl FnOnce() -> Result<R, StorageError>,
) -> Result<R, StorageError> {
    catch_panic(read).unwrap_or_else(|message| Err(StorageError::corrupted(message)))
}

/// Decodes a value. The error names its row.
fn decode<K: Key, V: Record>(
    table: Table<K, V>,
    key: &K::SelfType<'_>,
    bytes: &[u8],
) -> Result<V, StorageError> {
    let value = if table.leading_fields {
        V::decode(bytes)
    } else {
        V::decode_whole(bytes)
    };
    value.map_err(|reason| damaged(table, key, &reason))
}

fn damaged<K: Key, V>(table: Table<K, V>, key: &K::SelfType<'_>, reason: &str) -> StorageError {
    StorageError::Damaged {
        table: table.name,
        reason: format!("{}: {reason}", K::row_name(key)),
    }
}
