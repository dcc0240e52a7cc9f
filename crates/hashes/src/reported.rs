//! Items of a report of which a hostile list can cause millions: the first thousand, and the number of all.

use std::slice;

/// The number of items that are kept.
pub const MAX_REPORTED: usize = 1000;

/// The first [`MAX_REPORTED`] items, and the number of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reported<T> {
    first: Vec<T>,
    count: u64,
}

impl<T> Default for Reported<T> {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            count: 0,
        }
    }
}

impl<T> Reported<T> {
    /// Counts an item, and keeps it if it is one of the first.
    pub fn push(&mut self, item: T) {
        if self.first.len() < MAX_REPORTED {
            self.first.push(item);
        }
        self.count += 1;
    }

    /// Returns the first items.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.first.iter()
    }

    /// Returns the number of all items.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of items that were not kept.
    #[must_use]
    pub fn omitted(&self) -> u64 {
        self.count - self.first.len() as u64
    }

    /// Returns true if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Converts the first items, and keeps the number of all.
    pub(crate) fn map<U>(&self, convert: impl FnMut(&T) -> U) -> Reported<U> {
        Reported {
            first: self.first.iter().map(convert).collect(),
            count: self.count,
        }
    }

    /// Adds the items of another report.
    pub(crate) fn append(&mut self, other: Self) {
        self.first.extend(other.first);
        self.first.truncate(MAX_REPORTED);
        self.count += other.count;
    }

    /// Sorts the first items.
    pub(crate) fn sort(&mut self)
    where
        T: Ord,
    {
        self.first.sort();
    }
}

impl<'a, T> IntoIterator for &'a Reported<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> FromIterator<T> for Reported<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut reported = Self::default();
        items.into_iter().for_each(|item| reported.push(item));
        reported
    }
}
