//! The pictures that stand for folders, and entries of pictures of an overview.

use std::sync::Arc;

use fumikura_fs::{AccessError, RelPath, Root, RootId};
use fumikura_library::Entry;

use crate::pictures::Pictures;

/// The number of pictures that stand for a folder.
const MAX_COVERS: usize = 4;

impl Pictures {
    /// Returns the pictures that stand for a folder, at most four: its best rated ones, then its first, or those of the
    /// folders below it.
    ///
    /// # Errors
    /// [`AccessError`] if there is no folder that may be read.
    pub fn covers(&self, root: RootId, path: &[u8]) -> Result<Vec<Entry>, AccessError> {
        let path = RelPath::parse(path)?;
        // Some may be undecodable.
        let mut covers = self
            .library
            .covers(&self.open_root(root)?, &path, 2 * MAX_COVERS)?;
        covers.retain(|entry| !self.is_undecodable(entry));
        covers.truncate(MAX_COVERS);
        Ok(covers)
    }

    /// Returns entries as [`entries_at`](Self::entries_at) does, in the state of the last listing or search of their
    /// folders.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn listed_entries_at(
        &self,
        root: RootId,
        paths: &[RelPath],
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        let root = self.open_root(root)?;
        let mut entries = self.library.listed_entries_at(&root, paths)?;
        for entry in entries.iter_mut().flatten() {
            entry.undecodable = self.is_undecodable(entry);
        }
        Ok(entries)
    }

    fn open_root(&self, root: RootId) -> Result<Arc<Root>, AccessError> {
        let found = self.roots().get(root);
        found.ok_or(AccessError::RootNotFound(root))
    }

    fn is_undecodable(&self, entry: &Entry) -> bool {
        let version = entry.version();
        version.is_some_and(|version| self.thumbs.is_undecodable(version))
    }
}
