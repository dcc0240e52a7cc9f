//! The wiki as an archive that other programs can read: a zip of Markdown texts and files, with a
//! manifest (docs/STORAGE.md).
//!
//! - `names` says under which name each page and file lies in the archive, `manifest` what the
//!   manifest tells of them.
//! - `export` writes an archive. What it holds is taken at one moment; how long the writing takes
//!   then holds up nobody.
//! - `archive` reads one and trusts nothing in it, `bounds` says how much may come out of it, `contents` looks at what
//!   its manifest names. `plan`
//!   looks at the whole archive and says what is to become of each page; `apply` does it, in one
//!   transaction.

mod apply;
mod archive;
mod bounds;
mod contents;
mod error;
mod export;
mod manifest;
mod names;
mod plan;
mod valve;

pub use apply::{ImportWarning, Imported};
pub use error::{EntryFault, ImportError, InvalidArchive};
pub use export::{Export, ExportError, Exported};
pub use plan::{ImportPlan, ImportRequest, OnConflict};

#[cfg(test)]
mod failing_tests;
