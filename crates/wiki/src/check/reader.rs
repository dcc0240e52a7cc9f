//! Reads the database for a check. Unreadable rows are reported as faults, and reading continues.

use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use crate::check::CheckError;
use crate::check::report::{Faults, Remedy};
use crate::store::{IdSets, Key, ReadTxn, Record, StorageError, Table, USER};

/// The number of rows between two calls of `watch`.
const STEP: u64 = 256;

/// The progress of a check. Reports it to `watch`, which may cancel the check.
pub(super) struct Progress<'a> {
    watch: RefCell<&'a mut dyn FnMut(u64, u64) -> ControlFlow<()>>,
    done: Cell<u64>,
    reported: Cell<u64>,
    total: Cell<u64>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(watch: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Self {
        Self {
            watch: RefCell::new(watch),
            done: Cell::new(0),
            reported: Cell::new(0),
            total: Cell::new(0),
        }
    }

    /// Sets the total amount of work.
    pub(super) fn begin(&self, total: u64) -> Result<(), CheckError> {
        self.total.set(total);
        self.report()
    }

    /// Adds to the completed work.
    pub(super) fn advance(&self, by: u64) -> Result<(), CheckError> {
        self.done.set(self.done.get() + by);
        if self.done.get() - self.reported.get() >= STEP {
            self.report()?;
        }
        Ok(())
    }

    /// Marks all work as completed.
    pub(super) fn end(&self) -> Result<(), CheckError> {
        self.done.set(self.total.get());
        self.report()
    }

    /// Reports the progress, and waits for `watch`.
    pub(super) fn report(&self) -> Result<(), CheckError> {
        self.reported.set(self.done.get());
        let (done, total) = (self.done.get(), self.total.get());
        // Rows that were added since the count may exceed the total.
        match (self.watch.borrow_mut())(done.min(total), total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(CheckError::Cancelled),
        }
    }
}

/// A pass over the database.
pub(super) struct TableReader<'a> {
    pub(super) txn: &'a ReadTxn,
    pub(super) faults: &'a Faults,
    /// Called with the number of rows that were read.
    pub(super) advance: &'a dyn Fn(u64) -> Result<(), CheckError>,
    /// True if something could not be read.
    pub(super) damaged: Cell<bool>,
}

impl TableReader<'_> {
    /// Calls `visit` for every row, ascending.
    pub(super) fn rows<K, V>(
        &self,
        table: Table<K, V>,
        mut visit: impl FnMut(K::SelfType<'_>, V),
    ) -> Result<(), CheckError>
    where
        K: Key,
        V: Record,
    {
        let mut ended = Ok(());
        let scanned = self.txn.try_scan(table, |row| {
            let read = row.map(|(key, value)| visit(key, value));
            ended = self.record_read(table.name, 1, read);
            continue_if_ok(&ended)
        });
        ended?;
        self.record_read(table.name, 0, scanned)
    }

    /// Calls `visit` for every key with its ids, ascending.
    pub(super) fn ids<K: Key>(
        &self,
        sets: IdSets<K>,
        mut visit: impl FnMut(K::SelfType<'_>, Vec<[u8; 16]>),
    ) -> Result<(), CheckError> {
        let mut ended = Ok(());
        let scanned = self.txn.try_scan_ids(sets, |row| {
            let rows = row.as_ref().map_or(1, |(_, ids)| ids.len() as u64);
            let read = row.map(|(key, ids)| visit(key, ids));
            ended = self.record_read(sets.name, rows, read);
            continue_if_ok(&ended)
        });
        ended?;
        self.record_read(sets.name, 0, scanned)
    }

    /// The value at `key`; `None` also if it can't be read.
    pub(super) fn get<'k, K, V>(
        &self,
        table: Table<K, V>,
        key: impl Borrow<K::SelfType<'k>>,
    ) -> Result<Option<V>, CheckError>
    where
        K: Key,
        V: Record,
    {
        match self.txn.try_get(table, key) {
            Ok(found) => Ok(found),
            Err(error) => self.record_read(table.name, 0, Err(error)).map(|()| None),
        }
    }

    /// Records that rows of a table were read, or could not be.
    fn record_read(
        &self,
        table: &'static str,
        rows: u64,
        read: Result<(), StorageError>,
    ) -> Result<(), CheckError> {
        if let Err(error) = read {
            self.damaged.set(true);
            if let StorageError::Damaged { table, reason } = &error {
                let words = format!("a row can't be read: {reason}");
                match *table == USER.name {
                    true => self.faults.add_with(table, words, Remedy::None),
                    false => self.faults.add(table, words),
                }
            } else {
                let reason = error.damage().ok_or(error)?;
                let words = format!("the table {table} can't be read: {reason}");
                self.faults.add("database", words);
            }
        }
        (self.advance)(rows)
    }
}

fn continue_if_ok<E>(so_far: &Result<(), E>) -> ControlFlow<()> {
    match so_far {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}
