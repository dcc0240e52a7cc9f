//! Sequences: a word or phrase of a query, as units at adjacent positions.

use frostem::{Algorithm, Stemmer};

use crate::units::{Kind, Unit, Units, is_kana, mark_between};
use fumikura_folding::{fold, without_accents};

/// The weights of looser matches; the first that applies counts.
pub(crate) const WHOLE: f32 = 1.0;
const START: f32 = 0.6;
const STEM: f32 = 0.5;
const PART: f32 = 0.3;
const ACCENT: f32 = 0.5;
/// The weight of a match with a missing or an added long vowel.
pub(crate) const VOWEL: f32 = 0.4;

/// The shortest word that is compared by its stem.
const MIN_STEMMED_LENGTH: usize = 4;
/// The number of kana before a long vowel that may be left out: ビル is not ビール.
const KANA_BEFORE_VOWEL: usize = 2;

/// Units at adjacent positions, to be found in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sequence {
    pub(crate) slots: Vec<Slot>,
    /// True if words match by parts, by their stems and without accents.
    pub(crate) loose: bool,
}

/// A unit of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slot {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The distance of its position from the first one.
    pub(crate) offset: u32,
    /// True for a long vowel that may be missing in the text.
    pub(crate) may_be_missing: bool,
    /// True if the text may have a long vowel after it.
    pub(crate) may_be_long: bool,
    /// The mark that the text must have between this number and the next one.
    pub(crate) mark: Option<char>,
    /// The text without accents.
    pub(crate) plain: String,
    stem: Option<String>,
}

/// The sides at which a word may extend beyond the typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenSides {
    pub(crate) start: bool,
    pub(crate) end: bool,
}

impl Slot {
    /// Returns the part that every matching unit contains, apart from accents and long vowels: words with the
    /// same stem contain its beginning.
    pub(crate) fn least(&self) -> &str {
        let Some(stem) = &self.stem else {
            return &self.plain;
        };
        let same = self.plain.char_indices().zip(stem.chars());
        let differs = same.clone().find(|((_, a), b)| a != b);
        let end = match differs {
            Some(((at, _), _)) => at,
            None => self.plain.len().min(stem.len()),
        };
        &self.plain[..end]
    }
}

impl Sequence {
    /// Returns the units of the text between two blanks, or, with `loose` false, in quotes: there, marks between
    /// numbers count. `None` if it has only separators.
    pub(crate) fn new(typed: &str, loose: bool) -> Option<Self> {
        Self::read(typed, loose, !loose)
    }

    /// Returns the units of the text between two blanks, with the marks between its numbers. `None` if it has no
    /// such marks.
    pub(crate) fn with_marks(typed: &str) -> Option<Self> {
        let sequence = Self::read(typed, true, true)?;
        let has_marks = sequence.slots.iter().any(|slot| slot.mark.is_some());
        has_marks.then_some(sequence)
    }

    fn read(typed: &str, loose: bool, with_marks: bool) -> Option<Self> {
        let folded = fold(typed);
        let units: Vec<Unit> = Units::new(&folded).collect();
        let slots = units.iter().enumerate().map(|(at, unit)| {
            let text = unit.text(&folded).to_owned();
            let is_word = unit.kind == Kind::Word;
            let next = units.get(at + 1).filter(|_| with_marks);
            Slot {
                plain: without_accents(&text),
                stem: is_word.then(|| stem(&text)).flatten(),
                kind: unit.kind,
                offset: unit.position,
                may_be_missing: false,
                may_be_long: false,
                mark: next.and_then(|next| mark_between(&folded, unit, next)),
                text,
            }
        });
        let mut slots: Vec<Slot> = slots.collect();
        if loose && !with_marks {
            mark_vowels(&mut slots);
        }
        (!slots.is_empty()).then_some(Self { slots, loose })
    }

    /// Returns the same units, none of which may match a part of a word.
    pub(crate) fn whole(&self) -> Self {
        Self {
            loose: false,
            ..self.clone()
        }
    }

    /// Returns whether a text may differ in its long vowels.
    pub(crate) fn has_vowels(&self) -> bool {
        let differs = |slot: &Slot| slot.may_be_missing || slot.may_be_long;
        self.slots.iter().any(differs)
    }

    /// Returns the sides at which a word may extend beyond the typed text at this slot.
    pub(crate) fn open_sides(&self, slot: usize) -> OpenSides {
        OpenSides {
            start: self.loose && slot == 0,
            end: self.loose && slot + 1 == self.slots.len(),
        }
    }

    /// Returns the weight of a word of the text at a slot; `None` if it does not match.
    pub(crate) fn weigh(&self, slot: usize, word: &str) -> Option<f32> {
        self.slots[slot].weigh(word, self.open_sides(slot), self.loose)
    }

    /// Returns the typed text, folded.
    #[cfg(test)]
    pub(crate) fn text(&self) -> String {
        self.slots.iter().map(|slot| slot.text.as_str()).collect()
    }
}

impl Slot {
    /// Returns a text that every matching word contains without its accents.
    pub(crate) fn common_part(&self) -> &str {
        let Some(stem) = &self.stem else {
            return &self.plain;
        };
        let both = self.plain.bytes().zip(stem_beginning(stem).bytes());
        let length = both.take_while(|(typed, stem)| typed == stem).count();
        // A stem is ASCII.
        &self.plain[..length]
    }

    pub(crate) fn weigh(&self, word: &str, open_sides: OpenSides, loose: bool) -> Option<f32> {
        if let Some(weight) = part_weight(word, &self.text, open_sides) {
            return Some(weight);
        }
        if !loose || self.kind == Kind::Character {
            return None;
        }
        if let Some(stem) = &self.stem
            && word.starts_with(stem_beginning(stem))
            && self::stem(word).as_ref() == Some(stem)
        {
            return Some(STEM);
        }
        // Of a combining mark alone, nothing is left without accents.
        if self.plain.is_empty() || (word.is_ascii() && self.text.is_ascii()) {
            return None;
        }
        Some(part_weight(&without_accents(word), &self.plain, open_sides)? * ACCENT)
    }
}

fn part_weight(word: &str, typed: &str, open_sides: OpenSides) -> Option<f32> {
    if word == typed {
        return Some(WHOLE);
    }
    let found = match open_sides {
        OpenSides {
            start: false,
            end: false,
        } => None,
        OpenSides {
            start: false,
            end: true,
        } => word.starts_with(typed).then_some(0),
        OpenSides {
            start: true,
            end: false,
        } => word.ends_with(typed).then_some(1),
        OpenSides {
            start: true,
            end: true,
        } => word.find(typed),
    };
    found.map(|at| if at == 0 { START } else { PART })
}

/// Returns the beginning of a stem that its words share: the last letter may differ (happily, happy).
fn stem_beginning(stem: &str) -> &str {
    let length = stem.len().saturating_sub(1).max(3).min(stem.len());
    &stem[..length]
}

/// Returns the English stem of a word; `None` for words without one.
fn stem(word: &str) -> Option<String> {
    let stemmed = word.len() >= MIN_STEMMED_LENGTH && word.bytes().all(|b| b.is_ascii_lowercase());
    stemmed.then(|| Stemmer::new(Algorithm::English).stem(word).into_owned())
}

/// Marks the long vowels that may be missing in a text, and the places at which it may have more of them.
fn mark_vowels(slots: &mut [Slot]) {
    let is_vowel = |slot: &Slot| slot.text == "ー";
    let is_kana = |slot: &Slot| slot.text.chars().all(is_kana);
    let mut before = 0;
    for at in 0..slots.len() {
        let adjacent = at == 0 || slots[at].offset == slots[at - 1].offset + 1;
        if !adjacent || !is_kana(&slots[at]) {
            before = 0;
        }
        if !is_kana(&slots[at]) {
            continue;
        }
        if is_vowel(&slots[at]) {
            slots[at].may_be_missing = before >= KANA_BEFORE_VOWEL;
        }
        before += 1;
        let next = slots.get(at + 1);
        let followed =
            next.is_some_and(|next| !is_vowel(next) && next.offset == slots[at].offset + 1);
        slots[at].may_be_long = followed && !is_vowel(&slots[at]) && before >= KANA_BEFORE_VOWEL;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, word: &str, expected: Option<f32>) {
        let sequence = Sequence::new(typed, true).unwrap();
        assert_eq!(sequence.weigh(0, word), expected, "{typed:?} in {word:?}");
    }

    #[test]
    fn looser_matches_weigh_less() {
        check("base", "base", Some(WHOLE));
        check("data", "database", Some(START));
        check("base", "database", Some(PART));
        check("pages", "page", Some(STEM));
        check("happily", "happy", None);
        check("goteborg", "göteborg", Some(ACCENT));
        check("göteborg", "goteborg", Some(ACCENT));
        check("xyz", "base", None);
    }

    #[test]
    fn phrases_are_of_whole_words() {
        let phrase = Sequence::new("gen itgc", false).unwrap();
        assert_eq!(phrase.weigh(0, "gen"), Some(WHOLE));
        assert_eq!(phrase.weigh(0, "gene"), None);
        assert_eq!(phrase.weigh(1, "itgcs"), None);
    }

    #[track_caller]
    fn check_vowels(typed: &str, missing: &[usize], long: &[usize]) {
        let sequence = Sequence::new(typed, true).unwrap();
        let at = |is: fn(&Slot) -> bool| -> Vec<usize> {
            let slots = sequence.slots.iter().enumerate();
            slots
                .filter(|(_, slot)| is(slot))
                .map(|(at, _)| at)
                .collect()
        };
        assert_eq!(at(|slot| slot.may_be_missing), missing, "{typed:?}");
        assert_eq!(at(|slot| slot.may_be_long), long, "{typed:?}");
    }

    #[test]
    fn long_vowels_may_be_missing_in_long_words() {
        check_vowels("サーバー", &[3], &[]);
        check_vowels("サーバ", &[], &[]);
        check_vowels("サーバ管理", &[], &[2]);
        check_vowels("ビール", &[], &[]);
        check_vowels("ビル", &[], &[]);
        check_vowels("京都", &[], &[]);
    }
}
