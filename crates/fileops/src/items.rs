//! The requested items, without those that are inside a requested folder.

use std::collections::HashSet;

use fumikura_fs::{RelPath, Source};

use super::error::FileError;
use super::place::{Folder, parted};

/// The items of a request.
pub(super) struct Items {
    pub(super) sources: Vec<Source>,
    all: HashSet<Vec<u8>>,
}

impl Items {
    /// Returns true if an entry of a folder was requested.
    pub(super) fn goes(&self, folder: &Folder, name: &[u8]) -> bool {
        self.all.contains(&folder.place(name).absolute())
    }
}

/// Returns the items without those inside another requested folder.
///
/// # Errors
/// [`FileError`] for a root's own folder, and for an item that is requested twice.
pub(super) fn named(items: &[Source]) -> Result<Items, FileError> {
    let mut all = HashSet::with_capacity(items.len());
    for item in items {
        let (_, name) = parted(item)?;
        if !all.insert(item.absolute()) {
            return Err(FileError::Twice(name.to_vec()));
        }
    }
    let lies_in_another = |item: &&Source| {
        let mut above = item.path().split_last().map(|(folder, _)| folder);
        while let Some(folder) = above.filter(|folder| !folder.is_empty()) {
            if all.contains(&beneath_root(item, &folder)) {
                return true;
            }
            above = folder.split_last().map(|(folder, _)| folder);
        }
        false
    };
    let going = items.iter().filter(|item| !lies_in_another(item));
    Ok(Items {
        sources: going.cloned().collect(),
        all,
    })
}

fn beneath_root(item: &Source, folder: &RelPath) -> Vec<u8> {
    fumikura_fs::path::join(item.root_ref().path_bytes(), folder)
}
