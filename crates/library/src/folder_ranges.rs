//! The folders whose names a snapshot has read, in order.

use std::collections::HashMap;
use std::ops::Range;

use fumikura_fs::RelPath;

/// Folders by number, each with the places of its entries. There is one folder, unless everything beneath a folder was
/// requested.
#[derive(Debug, Default)]
pub(super) struct FolderRanges {
    /// Each folder with the place at which its entries end, exclusively.
    folders: Vec<(RelPath, usize)>,
    numbers: HashMap<RelPath, usize>,
}

impl FolderRanges {
    /// Appends the next folder, whose entries end before the place `end`.
    pub(super) fn push(&mut self, folder: RelPath, end: usize) {
        self.numbers.insert(folder.clone(), self.folders.len());
        self.folders.push((folder, end));
    }

    pub(super) fn len(&self) -> usize {
        self.folders.len()
    }

    pub(super) fn number_of(&self, folder: &RelPath) -> Option<usize> {
        self.numbers.get(folder).copied()
    }

    /// Returns the number of the folder that contains the entry at a place.
    pub(super) fn at(&self, place: usize) -> usize {
        self.folders.partition_point(|(_, end)| *end <= place)
    }

    /// # Panics
    /// If the number is out of range.
    pub(super) fn folder(&self, number: usize) -> &RelPath {
        &self.folders[number].0
    }

    /// Returns the places of a folder's entries.
    ///
    /// # Panics
    /// If the number is out of range.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.folders[before].1);
        start..self.folders[number].1
    }

    /// Returns the places of the entries of each folder.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.len()).map(|number| self.range(number))
    }

    pub(super) fn folders(&self) -> impl Iterator<Item = &RelPath> {
        self.folders.iter().map(|(folder, _)| folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_map_to_their_folders() {
        let folder = |path: &str| RelPath::parse(path.as_bytes()).unwrap();
        let mut folder_ranges = FolderRanges::default();
        for (path, end) in [("", 2), ("a", 2), ("a/b", 5), ("c", 5)] {
            folder_ranges.push(folder(path), end);
        }
        let found: Vec<_> = (0..5).map(|place| folder_ranges.at(place)).collect();
        assert_eq!(found, [0, 0, 2, 2, 2]);
        assert_eq!(folder_ranges.number_of(&folder("a/b")), Some(2));
        assert_eq!(folder_ranges.number_of(&folder("b")), None);
        let ranges: Vec<_> = (0..folder_ranges.len())
            .map(|number| folder_ranges.range(number))
            .collect();
        assert_eq!(ranges, [0..2, 2..2, 2..5, 5..5]);
    }
}
