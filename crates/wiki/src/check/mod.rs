//! Looking whether the wiki is whole: every rule that its tables keep among themselves and with the
//! files beside them (docs/STORAGE.md, "Invariants"). Nothing is repaired; each fault is told, and what
//! can't be read is one.

mod assets;
mod faults;
mod links;
mod locks;
mod look;
mod pages;
mod paths;
mod people;
#[cfg(test)]
mod tests;

pub use faults::{CheckError, CheckReport, Fault};

use std::cell::Cell;
use std::ops::ControlFlow;

use faults::Faults;
use look::{Look, Pace};
use pages::Pages;
use people::People;

use crate::store::{META, ReadTxn, SESSION, StorageError, count};
use crate::wiki::Wiki;

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The tables among themselves, and that each file is there with its size.
    Tables,
    /// Also the contents of each file, and the database's own structure. Writers wait while that is
    /// looked at, at the end; readers go on.
    Everything,
}

impl Wiki {
    /// Looks at everything and tells what is wrong with it. Nothing is changed.
    ///
    /// # Errors
    /// When the disk fails while it is looked at. That the database is damaged is told as faults.
    pub fn check(&self, depth: Depth) -> Result<CheckReport, StorageError> {
        match self.check_watched(depth, &mut |_, _| ControlFlow::Continue(())) {
            Ok(report) => Ok(report),
            Err(CheckError::Storage(error)) => Err(error),
            Err(CheckError::BrokenOff) => unreachable!("BUG: nobody breaks it off"),
        }
    }

    /// As [`Wiki::check`]. Tells `watch` how much of how much is done, and ends when it says so; it may
    /// take its time, as nobody waits for it. At the end, when the database's structure is looked at,
    /// it is not asked.
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
        // What can't be read is told already.
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
            if let Some(words) = self.store.unsoundness()? {
                faults.add("database", words);
            }
        }
        pace.end()?;
        Ok(faults.into_report(counted))
    }
}

/// What there is.
struct Counted {
    pages: u64,
    revisions: u64,
}

/// Looks at the tables, all of one moment. Says too whether something could not be read.
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
    // Damage shows where the rows are read.
    let rows = match count(txn) {
        Ok(rows) => rows,
        Err(error) => error.damage().map(|_| 0).ok_or(error)?,
    };
    // Files are looked at once more, and the structure at the end.
    pace.begin(rows + assets::count(txn) + 1)?;
    look.rows(META, |_, _| {})?;
    look.rows(SESSION, |_, _| {})?;
    let people = People::read(&look)?;
    let pages = Pages::read(&look)?;
    let revisions = pages::check(&look, &pages, &people)?;
    paths::check(&look, &pages, &people)?;
    locks::check(&look, &pages, &people, wiki.lock_ttl)?;
    links::check(&look, &pages)?;
    people::check(&look, &people)?;
    let files = assets::check(&look, &pages, &people)?;
    let counted = Counted {
        pages: pages.saved().count() as u64,
        revisions,
    };
    Ok((counted, files, look.damaged.get()))
}
