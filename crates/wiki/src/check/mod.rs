//! The integrity check: every rule that the tables obey among themselves and with the files beside them
//! (docs/STORAGE.md, "Invariants"). Nothing is repaired. Each fault is reported, and unreadable data is
//! a fault.

mod assets;
mod index_rows;
mod locks;
mod pages;
mod paths;
mod people;
mod reader;
mod report;
#[cfg(test)]
mod tests;
mod texts;

pub use report::{CheckError, CheckReport, Depth, Fault};

use std::cell::Cell;
use std::ops::ControlFlow;

use pages::Pages;
use people::People;
use reader::{Look, Pace};
use report::{Counted, Faults};

use crate::store::{META, ReadTxn, SESSION, StorageError, count};
use crate::wiki::Wiki;

impl Wiki {
    /// Checks everything and reports the faults. Nothing is changed.
    ///
    /// # Errors
    /// If the disk fails during the check. Damage to the database is reported as faults.
    pub fn check(&self, depth: Depth) -> Result<CheckReport, StorageError> {
        match self.check_watched(depth, &mut |_, _| ControlFlow::Continue(())) {
            Ok(report) => Ok(report),
            Err(CheckError::Storage(error)) => Err(error),
            Err(CheckError::Cancelled) => unreachable!("BUG: nobody breaks it off"),
        }
    }

    /// Checks as [`Wiki::check`] does. Reports the progress to `watch` as done and total work, and
    /// stops if that returns [`ControlFlow::Break`]. `watch` may take its time: no other work waits
    /// for it. It is not called during the check of the database's structure at the end.
    ///
    /// # Errors
    /// [`CheckError`].
    pub fn check_watched(
        &self,
        depth: Depth,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<CheckReport, CheckError> {
        let (faults, pace) = (Faults::default(), Pace::new(watch));
        let (counted, files, damaged) = self.store.read(|txn| look(self, txn, &faults, &pace))?;
        // Unreadable data is already reported.
        if !damaged {
            for page in self.misnamed_pages()? {
                faults.add(
                    "search",
                    format!("{page} is found by names that it doesn't have"),
                );
            }
        }
        assets::check_files(self, &files, depth, &pace, &faults)?;
        if depth == Depth::Everything {
            pace.tell()?;
            if let Some(words) = self.store.structure_fault()? {
                faults.add("database", words);
            }
        }
        pace.end()?;
        Ok(faults.into_report(counted))
    }
}

/// Checks the tables at one moment. Also returns true if something could not be read.
fn look(
    wiki: &Wiki,
    txn: &ReadTxn,
    faults: &Faults,
    pace: &Pace<'_>,
) -> Result<(Counted, assets::Rows, bool), CheckError> {
    let look = Look {
        txn,
        faults,
        advance: &|rows| pace.advance(rows),
        damaged: Cell::new(false),
    };
    // Damage is reported when the rows are read.
    let rows = match count(txn) {
        Ok(rows) => rows,
        Err(error) => error.damage().map(|_| 0).ok_or(error)?,
    };
    // The files are read once more, and the structure is checked at the end.
    pace.begin(rows + assets::count(txn) + 1)?;
    look.rows(META, |_, _| {})?;
    look.rows(SESSION, |_, _| {})?;
    let people = People::read(&look)?;
    let pages = Pages::read(&look)?;
    let revisions = pages::check(&look, &pages, &people)?;
    index_rows::check(&look, &pages)?;
    paths::check(&pages, &people, faults);
    locks::check(&look, &pages, &people, wiki.lock_ttl)?;
    texts::check(&look, &pages)?;
    people::check(&look, &people)?;
    let files = assets::check(&look, &pages, &people)?;
    let counted = Counted {
        pages: pages.saved().count() as u64,
        revisions,
    };
    Ok((counted, files, look.damaged.get()))
}
