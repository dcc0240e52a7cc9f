//! The destination of a transfer: what its files would meet there, and new folders.

use std::collections::HashSet;

use fumikura_fs::{Source, Stat};

use super::companions::PictureFiles;
use super::error::FileError;
use super::files::Files;
use super::folder::{Folder, NamedEntry, OpenFolders, split_source};
use super::identical::Comparison;
use super::items::top_level_items;
use super::{name, system};

/// An item of a transfer whose name is taken in the destination folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferConflict {
    /// The index of the item in the request.
    pub item: usize,
    /// The state of the item.
    pub source: Stat,
    /// The state of the entry that has its name.
    pub existing: Stat,
    /// True if both are files with the same contents; `None` if they were not compared, as they are too large.
    pub identical: Option<bool>,
}

impl Files {
    /// Returns the items whose names are taken in the destination folder, at most `limit`, and the number of all of
    /// them. Contents are compared until that takes too long. Nothing is changed.
    ///
    /// # Errors
    /// [`FileError`] if an item or the folder can't be read.
    pub fn transfer_conflicts(
        &self,
        to: &Source,
        items: &[Source],
        picture_files: PictureFiles,
        limit: usize,
    ) -> Result<(Vec<TransferConflict>, usize), FileError> {
        let target = Folder::open(to)?;
        let mut opened = OpenFolders::default();
        let requested = top_level_items(items)?;
        let top: HashSet<Vec<u8>> = requested.sources.iter().map(Source::absolute).collect();
        let mut comparison = Comparison::default();
        let (mut found, mut count) = (Vec::new(), 0);
        for (item, place) in items.iter().enumerate() {
            if !top.contains(&place.absolute()) {
                continue;
            }
            let (folder, name) = split_source(place)?;
            let from = opened.folder(&folder)?;
            let status = from.find(name)?;
            let is_requested = |name: &[u8]| requested.contains(&from, name);
            let entry = NamedEntry::new(name, status);
            if picture_files.is_companion(&from, &entry, &is_requested)? {
                continue;
            }
            let existing = target.stat(name)?;
            let Some(existing) = existing.filter(|found| found.identity != status.identity) else {
                continue;
            };
            count += 1;
            if found.len() < limit {
                let pair = [
                    (from.source_of(name), status.stat),
                    (target.source_of(name), existing.stat),
                ];
                found.push(TransferConflict {
                    item,
                    source: status.stat,
                    existing: existing.stat,
                    identical: comparison.are_identical(&pair),
                });
            }
        }
        Ok((found, count))
    }

    /// Creates a folder in a folder.
    ///
    /// # Errors
    /// [`FileError::InvalidName`]; [`FileError::Taken`] if there is an entry of that name.
    pub fn create_folder(&self, parent: &Source, new: &str) -> Result<Source, FileError> {
        name::check(new).map_err(|error| FileError::InvalidName {
            name: new.to_owned(),
            error,
        })?;
        let folder = Folder::open(parent)?;
        let _names = self.lock_names();
        let failed = |error| FileError::rename_error(error, new.as_bytes(), new.as_bytes());
        system::make_open_folder(&folder.dir, new.as_bytes()).map_err(failed)?;
        let synced = system::sync(&folder.dir);
        synced.map_err(|error| FileError::io(new.as_bytes(), error))?;
        Ok(folder.source_of(new.as_bytes()))
    }
}
