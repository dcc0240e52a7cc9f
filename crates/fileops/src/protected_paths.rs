//! Protected paths: the folders of the roots, and all folders that contain a root.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;

use fumikura_base::durable;
use fumikura_fs::{
    NodeKind, Roots, Source,
    platform::{self, Identity},
};

use super::error::FileError;
use super::folder::EntryStatus;

/// The paths that lead to a root, read on first use.
pub(super) struct ProtectedPaths<'a> {
    roots: &'a Roots,
    paths: OnceCell<HashSet<Vec<u8>>>,
    folders: OnceCell<HashSet<Identity>>,
}

impl<'a> ProtectedPaths<'a> {
    pub(super) fn new(roots: &'a Roots) -> Self {
        Self {
            roots,
            paths: OnceCell::new(),
            folders: OnceCell::new(),
        }
    }

    /// Refuses an entry that leads to a root.
    ///
    /// # Errors
    /// [`FileError::Root`] for the folder of a root, a folder above it, or a link in its path.
    pub(super) fn check(&self, item: &Source, status: EntryStatus) -> Result<(), FileError> {
        match self.contains(item, status) {
            true => Err(FileError::Root),
            false => Ok(()),
        }
    }

    /// Returns true if an entry leads to a root, by its own path or by another one.
    pub(super) fn contains(&self, item: &Source, status: EntryStatus) -> bool {
        let paths = self.paths.get_or_init(|| self.paths());
        paths.contains(&item.absolute())
            || status.stat.kind == NodeKind::Folder
                && self
                    .folders
                    .get_or_init(|| self.folders())
                    .contains(&status.identity)
    }

    /// Returns the paths as configured, which include roots that can't be reached.
    fn paths(&self) -> HashSet<Vec<u8>> {
        let roots = self.roots.paths();
        let above = roots
            .iter()
            .flat_map(|root| platform::path_of(root).ancestors());
        above
            .map(|path| platform::bytes_of(path.as_os_str()).to_vec())
            .collect()
    }

    /// Returns the identities of the folders. A root may be reached by links, and the same folder
    /// may have another path.
    fn folders(&self) -> HashSet<Identity> {
        let mut found = HashSet::new();
        for root in self.roots.paths() {
            let Ok(path) = platform::path_of(&root).canonicalize() else {
                // It does not exist now, so only its path is compared.
                continue;
            };
            found.extend(path.ancestors().filter_map(identity_of));
        }
        found
    }
}

fn identity_of(folder: &Path) -> Option<Identity> {
    let folder = durable::open_folder(folder).ok()?;
    Identity::of(&folder).ok()
}
