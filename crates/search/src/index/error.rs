//! Errors of an index.

use std::io;

/// The index can't be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// It is of another version, or damaged: it has to be built anew.
    #[error("the search index can't be used: {0}")]
    Unusable(String),
    /// Its folder can't be read or written.
    #[error("the folder of the search index can't be used")]
    Io(#[from] io::Error),
    /// The library that keeps it failed.
    #[error("the search index failed")]
    Library(#[from] tantivy::TantivyError),
}
