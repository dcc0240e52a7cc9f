//! Errors of an index.

use std::io;

/// The reason why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The index has another version or is damaged: it has to be rebuilt.
    #[error("the search index can't be used: {0}")]
    Unusable(String),
    /// Reading the index panicked: it is damaged, or there is a bug.
    #[error("the search index can't be read: {0}")]
    Panicked(String),
    /// The folder cannot be read or written.
    #[error("the folder of the search index can't be used")]
    Io(#[from] io::Error),
    /// The search library failed.
    #[error("the search index failed")]
    Library(#[from] tantivy::TantivyError),
}
