//! The integrity check: every rule that the tables obey among themselves and with the files beside them
//! (docs/STORAGE.md, "Invariants"). Nothing is repaired. Each fault is reported, and unreadable data is
//! a fault.

mod assets;
mod index_rows;
mod locks;
mod pages;
mod paths;
mod reader;
mod report;
#[cfg(test)]
mod tests;
mod texts;
mod users;

pub(crate) use assets::lost_contents;
pub use report::{CheckError, CheckReport, Depth, Fault, Remedy};

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use pages::CheckedPages;
use reader::{Progress, TableReader};
use report::{Counts, Faults};
use users::Users;

use crate::id::AssetId;
use crate::store::{
    FileStat, META, MIGRATED_ITEM, MIGRATION, ReadTxn, SESSION, StorageError, count,
};
use crate::wiki::Wiki;

/// The files that an earlier check has read and found to be right, so that they are not read again.
#[derive(Clone, Copy)]
pub(crate) struct CheckedBefore<'c> {
    /// Returns true for a file that had the contents with this SHA-256, and has not changed since.
    pub(crate) has_contents: &'c dyn Fn(AssetId, [u8; 32], FileStat) -> bool,
    /// The pages whose texts, or rows that are derived from them, differ from those that were checked.
    pub(crate) changed_pages: &'c BTreeSet<[u8; 16]>,
}

impl Wiki {
    /// Checks everything and reports the faults. Nothing is changed.
    ///
    /// # Errors
    /// If the disk fails during the check. Damage to the database is reported as faults.
    pub fn check(&self, depth: Depth) -> Result<CheckReport, StorageError> {
        match self.check_with_progress(depth, &mut |_, _| ControlFlow::Continue(())) {
            Ok(report) => Ok(report),
            Err(CheckError::Storage(error)) => Err(error),
            Err(CheckError::Cancelled) => unreachable!("BUG: it is not cancelled"),
        }
    }

    /// Checks as [`Wiki::check`] does. Reports the progress to `watch` as done and total work, and
    /// stops if that returns [`ControlFlow::Break`]. `watch` may take its time: no other work waits
    /// for it. It is not called during the check of the database's structure at the end.
    ///
    /// # Errors
    /// [`CheckError`].
    pub fn check_with_progress(
        &self,
        depth: Depth,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<CheckReport, CheckError> {
        self.check_again(depth, None, watch)
    }

    /// Checks as [`Wiki::check_with_progress`] does, except for the texts and files that an earlier check has read.
    pub(crate) fn check_again(
        &self,
        depth: Depth,
        before: Option<CheckedBefore<'_>>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<CheckReport, CheckError> {
        let (faults, progress) = (Faults::default(), Progress::new(watch));
        let changed_pages = before.map(|before| before.changed_pages);
        let (counts, files, damaged) = self.store.read(|txn| {
            let lifetime = self.lock_time.lifetime();
            check_tables(txn, lifetime, changed_pages, &faults, &progress)
        })?;
        // Unreadable data is already reported, and a copy that was just opened has no index yet that could be outdated.
        if !damaged && before.is_none() {
            for page in self.search().outdated_pages()? {
                faults.add(
                    "search",
                    format!("the search index has outdated names of {page}"),
                );
            }
        }
        assets::check_files(
            (&self.store, &self.asset_files),
            &files,
            (depth, before),
            &progress,
            &faults,
        )?;
        if depth == Depth::Everything {
            progress.report()?;
            if let Some(words) = self.store.structure_fault()? {
                faults.add("database", words);
            }
        }
        progress.end()?;
        Ok(faults.into_report(counts))
    }
}

/// Checks the tables of a database whose files are elsewhere.
pub(crate) fn check_rows(txn: &ReadTxn, lock_ttl: Duration) -> Result<CheckReport, CheckError> {
    let (faults, mut watch) = (Faults::default(), |_, _| ControlFlow::Continue(()));
    let (counts, _, _) = check_tables(txn, lock_ttl, None, &faults, &Progress::new(&mut watch))?;
    Ok(faults.into_report(counts))
}

/// Checks the tables at one moment, and the texts of `changed_pages`, or of all pages. Also returns true if something could not
/// be read.
fn check_tables(
    txn: &ReadTxn,
    lock_ttl: Duration,
    changed_pages: Option<&BTreeSet<[u8; 16]>>,
    faults: &Faults,
    progress: &Progress<'_>,
) -> Result<(Counts, assets::AssetRows, bool), CheckError> {
    let reader = TableReader {
        txn,
        faults,
        advance: &|rows| progress.advance(rows),
        damaged: Cell::new(false),
    };
    // Damage is reported when the rows are read.
    let rows = match count(txn) {
        Ok(rows) => rows,
        Err(error) => error.damage().map(|_| 0).ok_or(error)?,
    };
    // The files are read once more, and the structure is checked at the end.
    progress.begin(rows + assets::count(txn) + 1)?;
    reader.rows(META, |_, _| {})?;
    reader.rows(SESSION, |_, _| {})?;
    reader.rows(MIGRATION, |_, _| {})?;
    reader.rows(MIGRATED_ITEM, |_, _| {})?;
    let users = Users::read(&reader)?;
    let pages = CheckedPages::read(&reader)?;
    let revisions = pages::check(&reader, &pages, &users)?;
    index_rows::check(&reader, &pages)?;
    paths::check(&pages, &users, faults);
    locks::check(&reader, &pages, &users, lock_ttl)?;
    texts::check(&reader, &pages, changed_pages)?;
    users::check(&reader, &users)?;
    let files = assets::check(&reader, &pages, &users)?;
    let counts = Counts {
        pages: pages.saved().count() as u64,
        revisions,
    };
    Ok((counts, files, reader.damaged.get()))
}
