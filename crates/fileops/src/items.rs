//! The requested items, without those that are inside a requested folder.

use std::collections::HashSet;

use fumikura_fs::{RelPath, Source};

use super::error::FileError;
use super::folder::{Folder, split_source};

/// The items of a request.
pub(super) struct Items {
    pub(super) sources: Vec<Source>,
    all: HashSet<Vec<u8>>,
}

impl Items {
    /// Returns true if an entry of a folder was requested.
    pub(super) fn contains(&self, folder: &Folder, name: &[u8]) -> bool {
        self.all.contains(&folder.source_of(name).absolute())
    }
}

/// Returns the items without those inside another requested folder.
///
/// # Errors
/// [`FileError`] for a root's own folder, and for an item that is requested twice.
pub(super) fn top_level_items(items: &[Source]) -> Result<Items, FileError> {
    let mut all = HashSet::with_capacity(items.len());
    for item in items {
        let (_, name) = split_source(item)?;
        if !all.insert(item.absolute()) {
            return Err(FileError::Duplicate(name.to_vec()));
        }
    }
    let is_nested = |item: &&Source| {
        let mut parent = item.path().split_last().map(|(folder, _)| folder);
        while let Some(folder) = parent.filter(|folder| !folder.is_empty()) {
            if all.contains(&absolute_path(item, &folder)) {
                return true;
            }
            parent = folder.split_last().map(|(folder, _)| folder);
        }
        false
    };
    let top_level = items.iter().filter(|item| !is_nested(item));
    Ok(Items {
        sources: top_level.cloned().collect(),
        all,
    })
}

fn absolute_path(item: &Source, folder: &RelPath) -> Vec<u8> {
    fumikura_fs::path::join(item.root_ref().path_bytes(), folder)
}
