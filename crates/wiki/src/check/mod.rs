//! Looking whether the wiki is whole: every rule that its tables keep among themselves and with the
//! files beside them (docs/STORAGE.md, "Invariants"). Nothing is repaired; each fault is told.

mod assets;
mod faults;
mod links;
mod locks;
mod pages;
mod paths;
mod people;

pub use faults::{CheckReport, Fault};

use faults::Faults;
use pages::Pages;

use crate::store::{ReadTxn, StorageError};
use crate::wiki::Wiki;

/// How closely to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The tables among themselves, and that each file is there with its size.
    Tables,
    /// Also the contents of each file, and the database's own structure. Writers wait meanwhile.
    Everything,
}

impl Wiki {
    /// Looks at everything and tells what is wrong with it. Nothing is changed.
    ///
    /// # Errors
    /// When the database or the disk fails while it is looked at.
    pub fn check(&self, depth: Depth) -> Result<CheckReport, StorageError> {
        let began = self.clock.now();
        let mut faults = Faults::default();
        let (counted, files) = self.store.read(|txn| look(txn, &mut faults))?;
        for page in self.misnamed_pages()? {
            faults.add(
                "search",
                format!("{page} is found by names that it doesn't have"),
            );
        }
        assets::check_files(self, &files, depth, began, &mut faults)?;
        if depth == Depth::Everything && !self.store.is_sound()? {
            faults.add("database", "the file's own structure was damaged");
        }
        Ok(faults.into_report(counted))
    }
}

/// What there is.
struct Counted {
    pages: u64,
    revisions: u64,
}

fn look(txn: &ReadTxn, faults: &mut Faults) -> Result<(Counted, assets::Rows), StorageError> {
    let pages = Pages::read(txn)?;
    let revisions = pages::check(txn, &pages, faults)?;
    paths::check(txn, &pages, faults)?;
    locks::check(txn, &pages, faults)?;
    links::check(txn, &pages, faults)?;
    people::check(txn, faults)?;
    let files = assets::check(txn, &pages, faults)?;
    let counted = Counted {
        pages: pages.saved().count() as u64,
        revisions,
    };
    Ok((counted, files))
}
