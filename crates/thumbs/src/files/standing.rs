//! What stays where it is: the folders of the roots, and all in which one of them lies.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use super::error::FileError;
use super::place::Looked;
use crate::access::Source;
use crate::platform::{self, Identity};
use crate::roots::Roots;
use crate::stat::NodeKind;

/// Whatever leads to a root, as it was when it was first asked for.
pub(super) struct Standing<'a> {
    roots: &'a Roots,
    paths: OnceCell<HashSet<Vec<u8>>>,
    folders: OnceCell<HashSet<Identity>>,
}

impl<'a> Standing<'a> {
    pub(super) fn new(roots: &'a Roots) -> Self {
        Self {
            roots,
            paths: OnceCell::new(),
            folders: OnceCell::new(),
        }
    }

    /// # Errors
    /// [`FileError::Root`] for what leads to a root: its folder, one above it, a link in its path.
    pub(super) fn check(&self, item: &Source, looked: Looked) -> Result<(), FileError> {
        match self.holds(item, looked) {
            true => Err(FileError::Root),
            false => Ok(()),
        }
    }

    /// Whether something leads to a root, by its own path or by another one.
    pub(super) fn holds(&self, item: &Source, looked: Looked) -> bool {
        let paths = self.paths.get_or_init(|| self.paths());
        paths.contains(&item.absolute())
            || looked.stat.kind == NodeKind::Folder
                && self
                    .folders
                    .get_or_init(|| self.folders())
                    .contains(&looked.identity)
    }

    /// As the roots are written, which tells also of those that can't be reached.
    fn paths(&self) -> HashSet<Vec<u8>> {
        let roots = self.roots.paths();
        let above = roots
            .iter()
            .flat_map(|root| platform::path_of(root).ancestors());
        above
            .map(|path| platform::bytes_of(path.as_os_str()).to_vec())
            .collect()
    }

    /// A root may be reached by links, and the same folder may stand under another path besides.
    fn folders(&self) -> HashSet<Identity> {
        let mut found = HashSet::new();
        for root in self.roots.paths() {
            let Ok(path) = platform::path_of(&root).canonicalize() else {
                // It is not there now: its path alone tells.
                continue;
            };
            found.extend(path.ancestors().filter_map(identity_of));
        }
        found
    }
}

fn identity_of(folder: &Path) -> Option<Identity> {
    let folder = File::open(folder).ok()?;
    Identity::of(&folder).ok()
}
