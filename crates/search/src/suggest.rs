//! A near word for one that finds nothing.

use std::ops::Range;

use crate::facts::Directory;
use crate::index::{Index, IndexError};
use crate::query::Query;
use crate::units::{Kind, Unit, Units};
use fumikura_folding::{FoldedText, floor, fold};

/// The shortest word that is compared, in characters.
const MIN_LENGTH: usize = 3;
/// The longest word that is compared, in characters.
const MAX_LENGTH: usize = 64;
/// The longest part of a title or path that is compared, in bytes.
const MAX_NAME: usize = 4096;
/// The shortest word that may differ in two characters.
const MIN_LENGTH_FOR_TWO: usize = 6;
/// The number of words of a query that are compared.
const MAX_WORDS: usize = 8;

/// A search for the word that differs least from a typed one.
#[derive(Debug)]
pub struct NearWord {
    typed: String,
    length: usize,
    /// True if it has words of an alphabet.
    has_words: bool,
    best: Option<SuggestionCandidate>,
}

#[derive(Debug)]
struct SuggestionCandidate {
    distance: usize,
    /// The number of its pages.
    pages: u32,
    word: String,
}

impl NearWord {
    /// Begins a search. Returns `None` if the word is so short that others have nothing to do with it, or too long.
    #[must_use]
    pub fn new(typed: &str) -> Option<Self> {
        let typed = fold(typed);
        let length = typed.chars().count();
        let has_words = Units::new(&typed).any(|unit| unit.kind == Kind::Word);
        (MIN_LENGTH..=MAX_LENGTH).contains(&length).then_some(Self {
            typed,
            length,
            has_words,
            best: None,
        })
    }

    /// Compares the words of an index.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn compare_index(&mut self, index: &Index) -> Result<(), IndexError> {
        index.each_word(|word, pages| self.compare(word, pages, || word.to_owned()))
    }

    /// Compares the titles and the parts of the paths of present pages, and their words. In scripts without spaces,
    /// these are all parts as long as the typed word.
    pub fn compare_names(&mut self, directory: &Directory) {
        for facts in directory.pages().filter(|facts| !facts.deleted) {
            let names = facts.path.split('/').chain(facts.title.as_deref());
            names.for_each(|name| self.compare_name(name));
        }
    }

    fn compare_name(&mut self, name: &str) {
        let name = &name[..floor(name, MAX_NAME)];
        let folded = FoldedText::new(name);
        let text = folded.text();
        let units: Vec<Unit> = Units::new(text).collect();
        let place = |first: &Unit, last: &Unit| first.start as usize..last.end as usize;
        let parts: Vec<Range<usize>> = match self.has_words {
            true => units.iter().map(|unit| place(unit, unit)).collect(),
            false => {
                let parts = units.windows(self.length);
                let ends = parts.filter_map(|units| units.first().zip(units.last()));
                ends.map(|(first, last)| place(first, last)).collect()
            }
        };
        self.compare(text, 1, || name.to_owned());
        for part in parts {
            let word = || name[folded.written(part.clone())].to_owned();
            self.compare(&text[part.clone()], 1, word);
        }
    }

    fn compare(&mut self, folded: &str, pages: u32, word: impl FnOnce() -> String) {
        let allowed = if self.length < MIN_LENGTH_FOR_TWO {
            1
        } else {
            2
        };
        let length = folded.chars().count();
        if length.abs_diff(self.length) > allowed {
            return;
        }
        let distance = strsim::osa_distance(&self.typed, folded);
        let is_better = match &self.best {
            Some(best) => (distance, best.pages) < (best.distance, pages),
            None => distance <= allowed,
        };
        // A word that is equal finds something else.
        if is_better && distance > 0 {
            self.best = Some(SuggestionCandidate {
                distance,
                pages,
                word: word(),
            });
        }
    }

    /// Returns the nearest word.
    #[must_use]
    pub fn found(self) -> Option<String> {
        self.best.map(|best| best.word)
    }
}

/// Returns the places of the words in a typed query that pages must have, the last one first.
#[must_use]
pub fn required_words(typed: &str) -> Vec<Range<usize>> {
    let mut places = Query::required_words(typed);
    places.truncate(MAX_WORDS);
    places.reverse();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, names: &[&str], expected: Option<&str>) {
        let mut near = NearWord::new(typed).unwrap();
        names.iter().for_each(|name| near.compare_name(name));
        assert_eq!(near.found().as_deref(), expected, "{typed:?}");
    }

    #[test]
    fn nearest_word_is_found() {
        check("qokka", &["quokka", "wombat"], Some("quokka"));
        check("quokak", &["quokka"], Some("quokka"));
        check(
            "コンピョータ",
            &["コンピュータの歴史"],
            Some("コンピュータ"),
        );
        check("wombta", &["The wombats"], Some("wombats"));
        check("quokka", &["kangaroo", "quokka"], None);
        assert!(NearWord::new("京都").is_none());
        assert!(NearWord::new(&"京".repeat(MAX_LENGTH + 1)).is_none());
    }

    #[test]
    fn required_words_have_their_places() {
        let words = |typed: &'static str| -> Vec<&str> {
            let places = required_words(typed);
            places.into_iter().map(|place| &typed[place]).collect()
        };
        assert_eq!(
            words("a \"b c\"　-d tag:e ＯＲ title:f"),
            ["f", "c", "b", "a"]
        );
    }
}
