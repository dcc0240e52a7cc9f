//! The full archive: everything that the wiki stores, so that an empty wiki becomes the same one (docs/STORAGE.md).
//!
//! - `rows` has the rows as JSON, `manifest` the list of the entries.
//! - `export` takes the rows of one moment and writes them with the contents of the files.
//! - `restore` reads an archive, trusts nothing in it, and puts its rows in place of those of an empty wiki. They are
//!   first written to a temporary database, and checked there.

mod export;
mod manifest;
mod restore;
mod rows;

pub(super) use export::{FullParts, take};
pub(super) use manifest::{FULL_MANIFEST, FULL_VERSION};
pub use restore::{RestorePlan, RestoreReport, is_full_archive};
pub(crate) use rows::HexDigest;
