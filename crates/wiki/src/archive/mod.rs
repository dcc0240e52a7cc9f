//! The wiki as an archive that other programs can read: a zip of Markdown texts and files, with a manifest
//! (docs/STORAGE.md).
//!
//! - `names` names the entries of pages and files in the archive, `manifest` describes them in the manifest.
//! - `export` writes an archive, `site` one of HTML instead of Markdown. Its contents are a snapshot of one moment; writing it blocks no other work.
//! - `archive` reads one and trusts nothing in it, `bounds` limits its unpacked size, `contents` validates its
//!   manifest. `plan` checks the whole archive and decides what happens to each page; `apply` does it, in one
//!   transaction.
//! - `full` is the archive of everything, which only an empty wiki takes.

mod apply;
mod bounds;
mod contents;
mod error;
mod export;
mod full;
mod manifest;
mod names;
mod plan;
mod reader;
mod shutoff;
mod site;

pub use apply::{ImportReport, ImportWarning};
pub use error::{EntryFault, ImportError, InvalidArchive};
pub(crate) use export::paths;
pub use export::{Export, ExportError, ExportForm, ExportReport};
pub(crate) use full::HexDigest;
pub use full::{RestorePlan, RestoreReport, is_full_archive};
pub(crate) use names::{EntryNames, fold};
pub use plan::{ImportPlan, ImportRequest, OnConflict};
pub use site::MakeThumbnail;

#[cfg(test)]
mod fault_tests;
