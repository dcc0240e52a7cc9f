//! The names of a folder, stored contiguously.

use std::ops::Range;

/// Names by index. A million names cost their bytes and eight bytes each.
#[derive(Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// # Panics
    /// If the index is out of range.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }

    /// Returns the index of the first name in the range for which `is_before` is false. The names in the range must be
    /// sorted accordingly.
    pub(super) fn partition_point(
        &self,
        mut range: Range<usize>,
        is_before: impl Fn(&[u8]) -> bool,
    ) -> usize {
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            if is_before(self.get(middle)) {
                range.start = middle + 1;
            } else {
                range.end = middle;
            }
        }
        range.start
    }

    fn push(&mut self, name: &[u8]) {
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
    }
}

impl<N: AsRef<[u8]>> Extend<N> for Names {
    fn extend<I: IntoIterator<Item = N>>(&mut self, names: I) {
        for name in names {
            self.push(name.as_ref());
        }
    }
}

impl<N: AsRef<[u8]>> FromIterator<N> for Names {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> Self {
        let mut all = Self::default();
        all.extend(names);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_bytes_and_positions() {
        let given: [&[u8]; 4] = [b"a.jpg", b"", b"\xff\n", "旅.png".as_bytes()];
        let names: Names = given.into_iter().collect();
        assert_eq!(names.len(), 4);
        assert!((0..4).map(|index| names.get(index)).eq(given));
        assert_eq!(names.get(2), b"\xff\n");
    }

    #[test]
    fn partition_point_finds_the_position_of_names() {
        for count in 0..8_u8 {
            let names: Names = (0..count).map(|number| [2 * number]).collect();
            for wanted in 0..2 * count {
                let found = names.partition_point(0..names.len(), |name| name < &[wanted][..]);
                assert_eq!(found, usize::from(wanted.div_ceil(2)));
            }
        }
    }
}
