//! The size of a wiki.

use crate::store::{ASSET, PAGE_INDEX, PAGE_SOURCE, Read, StorageError};
use crate::wiki::Wiki;

/// The size of a wiki.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WikiSize {
    /// Pages, with those in the bin.
    pub pages: u64,
    /// Revisions that are kept.
    pub revisions: u64,
    /// Files of pages, with those in the bin.
    pub assets: u64,
}

impl Wiki {
    /// Returns the size of the wiki.
    ///
    /// # Errors
    /// When the database fails.
    pub fn size(&self) -> Result<WikiSize, StorageError> {
        self.store.read(|txn| {
            Ok(WikiSize {
                pages: txn.count(PAGE_INDEX)?,
                revisions: txn.count(PAGE_SOURCE)?,
                assets: txn.count(ASSET)?,
            })
        })
    }
}
