//! The wiki as an archive that other programs can read: a zip of Markdown texts and files, with a
//! manifest (docs/STORAGE.md).
//!
//! - `names` says under which name each page and file lies in the archive, `manifest` what the
//!   manifest tells of them.
//! - `export` writes an archive. What it holds is taken at one moment; how long the writing takes
//!   then holds up nobody.

mod export;
mod manifest;
mod names;
mod valve;

pub use export::{Export, ExportError, Exported};
