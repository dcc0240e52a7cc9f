//! A copy of the database made from an earlier one: only the rows that differ are written.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use fumikura_base::own_file;
use redb::{
    Builder, Database, ReadableDatabase, ReadableMultimapTable, ReadableTable, WriteTransaction,
};

use super::copy::{CopyOutcome, RowHash, STEP, count};
use super::error::StorageError;
use super::medium::open_private;
use super::open::CACHE;
use super::schema::{self, SchemaState, TableVisitor};
use super::sets::IdSets;
use super::tables::{PAGE_INDEX, PAGE_LINKS, PAGE_SOURCE, PAGE_TITLE, Table};
use super::txn::{ReadTxn, catch_damage};

/// The tables whose rows for a page decide what its latest text must agree with. The page is the first part of their keys.
const TEXT_TABLES: [&str; 4] = [
    PAGE_INDEX.name,
    PAGE_LINKS.name,
    PAGE_SOURCE.name,
    PAGE_TITLE.name,
];

/// A copy, and its differences from the earlier one.
pub(crate) struct UpdatedCopy {
    pub(crate) outcome: CopyOutcome,
    /// The pages whose texts, or rows that are derived from them, differ.
    pub(crate) changed_pages: BTreeSet<[u8; 16]>,
    /// The SHA-256 of all rows, as of [`digest`](super::copy::digest).
    pub(crate) rows_sha256: [u8; 32],
}

/// Copies the database `earlier` to `path`, which must not exist, and makes its rows those that `txn` sees. Returns `None` if
/// that database has another schema. Reports the progress to `watch` as [`copy`](super::copy::copy) does.
pub(crate) fn update_copy(
    txn: &ReadTxn,
    earlier: &Path,
    path: &Path,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Option<UpdatedCopy>, StorageError> {
    let total = count(txn)?;
    io::copy(
        &mut own_file::open_users(earlier)?,
        &mut own_file::create_new(path)?,
    )?;
    let mut builder = Builder::new();
    builder.set_cache_size(CACHE);
    catch_damage(|| {
        let database: Database = builder.create_file(open_private(path)?)?;
        let earlier = ReadTxn(database.begin_read()?);
        if !matches!(schema::read_state(&earlier)?, SchemaState::Current) {
            return Ok(None);
        }
        let mut into = database.begin_write()?;
        into.set_quick_repair(true);
        let mut update = RowUpdate {
            from: txn,
            earlier: &earlier,
            into: &into,
            done: 0,
            total,
            watch,
            cancelled: false,
            changed_pages: BTreeSet::new(),
            hash: RowHash::default(),
        };
        schema::visit_tables(&mut update)?;
        let RowUpdate {
            cancelled,
            changed_pages,
            hash,
            ..
        } = update;
        let outcome = if cancelled {
            into.abort()?;
            CopyOutcome::Cancelled
        } else {
            into.commit()?;
            CopyOutcome::Whole
        };
        Ok(Some(UpdatedCopy {
            outcome,
            changed_pages,
            rows_sha256: hash.finish(),
        }))
    })
}

struct RowUpdate<'a> {
    from: &'a ReadTxn,
    earlier: &'a ReadTxn,
    into: &'a WriteTransaction,
    done: u64,
    total: u64,
    watch: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    cancelled: bool,
    changed_pages: BTreeSet<[u8; 16]>,
    hash: RowHash,
}

impl RowUpdate<'_> {
    fn advance(&mut self, rows: u64) {
        let reported = self.done / STEP;
        self.done += rows;
        if self.done / STEP > reported || self.done == self.total {
            self.cancelled = (self.watch)(self.done, self.total).is_break();
        }
    }

    /// Records that a row differs.
    fn record(&mut self, table: &str, key: &[u8]) {
        if TEXT_TABLES.contains(&table) {
            let page = key.first_chunk().expect("BUG: the key begins with a page");
            self.changed_pages.insert(*page);
        }
    }
}

fn order<K: redb::Key + 'static>(a: &K::SelfType<'_>, b: &K::SelfType<'_>) -> Ordering {
    K::compare(K::as_bytes(a).as_ref(), K::as_bytes(b).as_ref())
}

impl TableVisitor for RowUpdate<'_> {
    fn table<K: redb::Key + 'static, V>(&mut self, table: Table<K, V>) -> Result<(), StorageError> {
        let from = self.from.0.open_table(table.definition)?;
        let earlier = self.earlier.0.open_table(table.definition)?;
        let mut into = self.into.open_table(table.definition)?;
        let mut earlier = earlier.iter()?;
        let mut old = earlier.next().transpose()?;
        self.hash.add(table.name.as_bytes());
        for row in from.iter()? {
            let (key, value) = row?;
            self.hash.add(K::as_bytes(&key.value()).as_ref());
            self.hash.add(value.value());
            loop {
                let found = old.as_ref();
                let found = found.map(|(old, at)| {
                    let is_same = at.value() == value.value();
                    (order::<K>(&old.value(), &key.value()), is_same)
                });
                match found {
                    Some((Ordering::Less, _)) => {
                        if let Some((gone, _)) = old {
                            self.record(table.name, K::as_bytes(&gone.value()).as_ref());
                            into.remove(gone.value())?;
                        }
                        old = earlier.next().transpose()?;
                        continue;
                    }
                    Some((Ordering::Equal, true)) => old = earlier.next().transpose()?,
                    Some((Ordering::Equal, false)) => {
                        self.record(table.name, K::as_bytes(&key.value()).as_ref());
                        into.insert(key.value(), value.value())?;
                        old = earlier.next().transpose()?;
                    }
                    Some((Ordering::Greater, _)) | None => {
                        self.record(table.name, K::as_bytes(&key.value()).as_ref());
                        into.insert(key.value(), value.value())?;
                    }
                }
                break;
            }
            self.advance(1);
            if self.cancelled {
                return Ok(());
            }
        }
        while let Some((gone, _)) = old {
            self.record(table.name, K::as_bytes(&gone.value()).as_ref());
            into.remove(gone.value())?;
            old = earlier.next().transpose()?;
        }
        Ok(())
    }

    fn sets<K: redb::Key + 'static>(&mut self, sets: IdSets<K>) -> Result<(), StorageError> {
        let from = self.from.0.open_multimap_table(sets.definition)?;
        let earlier = self.earlier.0.open_multimap_table(sets.definition)?;
        let mut into = self.into.open_multimap_table(sets.definition)?;
        for row in earlier.iter()? {
            let (key, _) = row?;
            if from.get(key.value())?.next().is_none() {
                into.remove_all(key.value())?;
            }
        }
        self.hash.add(sets.name.as_bytes());
        for row in from.iter()? {
            let (key, ids) = row?;
            self.hash.add(K::as_bytes(&key.value()).as_ref());
            let ids = ids.map(|id| Ok(*id?.value()));
            let ids: Vec<[u8; 16]> = ids.collect::<Result<_, redb::StorageError>>()?;
            ids.iter().for_each(|id| self.hash.add(id));
            let old = earlier.get(key.value())?.map(|id| Ok(*id?.value()));
            let old: Vec<[u8; 16]> = old.collect::<Result<_, redb::StorageError>>()?;
            if ids != old {
                into.remove_all(key.value())?;
                for id in &ids {
                    into.insert(key.value(), id)?;
                }
            }
            self.advance(ids.len() as u64);
            if self.cancelled {
                return Ok(());
            }
        }
        Ok(())
    }
}
