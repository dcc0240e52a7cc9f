//! The mirror: a folder with the latest texts and files of all pages, named as in an archive, which follows the wiki
//! in one direction (docs/STORAGE.md).
//!
//! - `place` is the folder and its mark; the store's `MirrorRecords` remember what was written there.
//! - `pass` brings the folder up to date, `disk` replaces files in it. A file is replaced or removed only if its contents
//!   are what the mirror wrote; every other one is reported.
//! - `wanted` is what the folder is to have, `conflicts` recognizes those of other programs.
//! - `settle` compares such a file with its page, takes its text over, or lets the mirror write again.
//! - `work` is what is to be done after changes of the wiki.

mod conflicts;
mod disk;
mod error;
mod pass;
mod place;
mod settle;
mod wanted;
mod work;

use std::path::Path;

use crate::wiki::Wiki;

pub use error::{MirrorError, MirrorFailure};
pub use pass::{MirrorReport, OutsideFile, OutsideKind};
pub use place::MirrorPlace;
pub use settle::{OutsideText, ShownText};
pub use work::MirrorWork;

/// The mirror of a wiki. Its operations must not run at the same time.
#[derive(Clone, Copy)]
pub struct Mirror<'w> {
    wiki: &'w Wiki,
    /// The data folder, which has the place of the mirror and its records.
    data: &'w Path,
}

impl Wiki {
    /// Returns its mirror, whose place is recorded in the data folder.
    #[must_use]
    pub fn mirror<'w>(&'w self, data: &'w Path) -> Mirror<'w> {
        Mirror { wiki: self, data }
    }
}
