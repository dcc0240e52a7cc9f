//! What a person named, without what goes along anyway.

use std::collections::HashSet;

use super::error::FileError;
use super::place::{parted, picture_of};
use crate::access::Source;
use crate::path::RelPath;

/// Each once; without what lies in a folder that is named too, and without the sidecars of pictures that are.
///
/// # Errors
/// [`FileError`] for a root's own folder, and for what is named twice.
pub(super) fn named(items: &[Source]) -> Result<Vec<Source>, FileError> {
    let mut all = HashSet::with_capacity(items.len());
    for item in items {
        let (_, name) = parted(item)?;
        if !all.insert(item.absolute()) {
            return Err(FileError::Twice(name.to_vec()));
        }
    }
    let goes_along = |item: &&Source| {
        let mut above = item.path().parted().map(|(folder, _)| folder);
        while let Some(folder) = above.filter(|folder| !folder.is_empty()) {
            if all.contains(&beneath_root(item, &folder)) {
                return true;
            }
            above = folder.parted().map(|(folder, _)| folder);
        }
        picture_of(&item.absolute()).is_some_and(|picture| all.contains(picture))
    };
    Ok(items
        .iter()
        .filter(|item| !goes_along(item))
        .cloned()
        .collect())
}

fn beneath_root(item: &Source, folder: &RelPath) -> Vec<u8> {
    crate::path::join(item.root_itself().path_bytes(), folder)
}
