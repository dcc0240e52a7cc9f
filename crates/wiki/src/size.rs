//! The size of a wiki.

use crate::store::{ASSET, PAGE_INDEX, PAGE_SOURCE, Read, StorageError};
use crate::wiki::Wiki;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WikiSize {
    /// The number of pages, including those in the trash.
    pub pages: u64,
    /// The number of stored revisions.
    pub revisions: u64,
    /// The number of files of pages, including those in the trash.
    pub assets: u64,
}

impl Wiki {
    /// Returns the size of the wiki.
    ///
    /// # Errors
    /// If the database fails.
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
