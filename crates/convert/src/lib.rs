//! Reads the notes of other programs, and converts them to Markdown in the dialect of the wiki.
//!
//! [`Tree`] is the chosen folder, archive or file; [`detect`] determines the program that made it, and [`read`]
//! returns a [`Source`]: notes, files, and the entries that are left out, each with a reason. Texts and unpacked
//! files are in a [`Spool`], so that memory stays small. Links between notes are [`link`] targets until the paths
//! of the pages are known.

mod archive;
mod decode;
mod detect;
mod document;
mod enex;
mod error;
mod html;
mod joplin;
pub mod link;
mod markdown;
mod notion;
mod pages;
#[cfg(test)]
mod property_tests;
mod reading;
mod relink;
mod source;
mod spool;
#[cfg(test)]
mod testing;
mod tiddlywiki;
mod tree;
mod zim;

pub use decode::{DecodedText, decode};
pub use detect::{Format, detect, read};
pub use error::ReadError;
pub use source::{
    Content, Loss, LossKind, Note, Role, SkipReason, Skipped, Source, SourceFile, Watch,
};
pub use spool::{Spool, Spooled, Text};
pub use tree::{Entry, Tree};
