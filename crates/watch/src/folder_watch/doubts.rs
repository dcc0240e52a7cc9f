//! Places that may have folders without system watches.

use std::collections::BTreeSet;
use std::path::PathBuf;

/// The maximum number of places that are remembered. Beyond that, it is as quick to check everywhere.
const MOST: usize = 1000;

/// The places where folders may have appeared, vanished or been replaced, since they were last watched.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Doubts {
    /// No place.
    #[default]
    None,
    /// These places, or beneath them.
    At(BTreeSet<PathBuf>),
    /// Any place.
    Everywhere,
}

impl Doubts {
    pub(super) fn is_none(&self) -> bool {
        *self == Self::None
    }

    pub(super) fn add(&mut self, place: PathBuf) {
        match self {
            Self::None => *self = Self::At(BTreeSet::from([place])),
            Self::At(places) if places.len() < MOST => drop(places.insert(place)),
            Self::At(_) => *self = Self::Everywhere,
            Self::Everywhere => {}
        }
    }

    /// Returns the places that are not beneath others.
    pub(super) fn outermost(places: BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let mut outermost: Vec<PathBuf> = Vec::new();
        // Places beneath another one follow it.
        for place in places {
            if outermost.last().is_none_or(|last| !place.starts_with(last)) {
                outermost.push(place);
            }
        }
        outermost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beneath_another_place_is_looked_at_with_it() {
        let places = ["/a/b/c", "/a/b", "/a/b.jpg", "/a/b-c/d", "/a/b/c/d", "/e"];
        let outermost = Doubts::outermost(places.map(PathBuf::from).into());
        let mut expected = ["/a/b", "/a/b-c/d", "/a/b.jpg", "/e"].map(PathBuf::from);
        expected.sort();
        assert_eq!(outermost, expected);
    }

    #[test]
    fn very_many_places_are_all() {
        let mut doubts = Doubts::None;
        for number in 0..MOST {
            doubts.add(number.to_string().into());
        }
        assert!(matches!(&doubts, Doubts::At(places) if places.len() == MOST));
        doubts.add("another".into());
        assert_eq!(doubts, Doubts::Everywhere);
    }
}
