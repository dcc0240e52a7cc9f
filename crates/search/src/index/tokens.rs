//! The indexed terms of a text, one or more for each unit, at their positions.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::layout::{CHARACTER, MARK, PAIR, WORD};
use crate::units::{Kind, Unit, Units, mark_between};
use fumikura_folding::{fold, without_accents};

/// The maximum length of runs of letters that are terms of their own.
pub(super) const MAX_LETTERS: usize = 3;

pub(super) fn register(index: &mut tantivy::Index) {
    index.tokenizers().register("units", UnitTokenizer);
    index.tokenizers().register("letters", LetterTokenizer);
}

/// Words, characters, pairs of adjacent characters, and marks between numbers.
#[derive(Clone)]
struct UnitTokenizer;

struct UnitTokens {
    folded: String,
    units: Vec<Unit>,
    at: usize,
    /// True if the next token is of the previous unit and the next one.
    between: bool,
    token: Token,
}

impl Tokenizer for UnitTokenizer {
    type TokenStream<'a> = UnitTokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> UnitTokens {
        let folded = fold(text);
        let units = Units::new(&folded).collect();
        UnitTokens {
            folded,
            units,
            at: 0,
            between: false,
            token: Token::default(),
        }
    }
}

impl UnitTokens {
    fn set(&mut self, kind: char, unit: Unit, end: u32) {
        let text = &self.folded[unit.start as usize..end as usize];
        self.token.text.clear();
        self.token.text.push(kind);
        self.token.text.push_str(text);
        self.token.position = unit.position as usize;
    }

    /// Sets the token of the previous unit and the next one. Returns false if there is none.
    fn set_between(&mut self) -> bool {
        let Some(second) = self.units.get(self.at).copied() else {
            return false;
        };
        let first = self.units[self.at - 1];
        match (first.kind, second.kind) {
            (Kind::Character, Kind::Character) if second.position == first.position + 1 => {
                self.set(PAIR, first, second.end);
                true
            }
            (Kind::Word, Kind::Word) => {
                let mark = mark_between(&self.folded, &first, &second);
                if let Some(mark) = mark {
                    self.token.text = String::from_iter([MARK, mark]);
                    self.token.position = first.position as usize;
                }
                mark.is_some()
            }
            (Kind::Character | Kind::Word, _) => false,
        }
    }
}

impl TokenStream for UnitTokens {
    fn advance(&mut self) -> bool {
        if std::mem::take(&mut self.between) && self.set_between() {
            return true;
        }
        let Some(unit) = self.units.get(self.at).copied() else {
            return false;
        };
        self.at += 1;
        self.between = true;
        match unit.kind {
            Kind::Character => self.set(CHARACTER, unit, unit.end),
            Kind::Word => self.set(WORD, unit, unit.end),
        }
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// Runs of one to three adjacent letters of words, each once.
#[derive(Clone)]
struct LetterTokenizer;

struct LetterTokens {
    terms: std::vec::IntoIter<u64>,
    token: Token,
}

impl Tokenizer for LetterTokenizer {
    type TokenStream<'a> = LetterTokens;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LetterTokens {
        let folded = fold(text);
        let terms = letters(&folded);
        LetterTokens {
            terms: terms.into_iter(),
            token: Token::default(),
        }
    }
}

/// Returns all runs of letters of a folded text, ascending. Duplicates are removed whenever they could be half of all.
fn letters(folded: &str) -> Vec<u64> {
    let mut terms = Vec::new();
    let mut next = MIN_TERMS;
    for unit in Units::new(folded).filter(|unit| unit.kind == Kind::Word) {
        let word = unit.text(folded);
        add_letters(word, &mut terms);
        if !word.is_ascii() {
            add_letters(&without_accents(word), &mut terms);
        }
        if terms.len() > next {
            terms.sort_unstable();
            terms.dedup();
            next = 2 * terms.len().max(MIN_TERMS);
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The number of terms below which duplicates are not removed.
const MIN_TERMS: usize = 1 << 16;

/// The number of bits for each letter of a run.
const LETTER_BITS: u32 = 21;

/// Adds all parts of a word of up to [`MAX_LETTERS`] letters, each packed into a number.
fn add_letters(word: &str, terms: &mut Vec<u64>) {
    for (start, _) in word.char_indices() {
        let mut term = 0;
        for c in word[start..].chars().take(MAX_LETTERS) {
            term = (term << LETTER_BITS) | u64::from(u32::from(c));
            terms.push(term);
        }
    }
}

/// Unpacks the letters of a number.
fn write_letters(term: u64, text: &mut String) {
    text.clear();
    for place in (0..MAX_LETTERS as u32).rev() {
        let letter = (term >> (place * LETTER_BITS)) & ((1 << LETTER_BITS) - 1);
        let letter = u32::try_from(letter).ok().filter(|letter| *letter > 0);
        text.extend(letter.and_then(char::from_u32));
    }
}

impl TokenStream for LetterTokens {
    fn advance(&mut self) -> bool {
        match self.terms.next() {
            Some(term) => {
                write_letters(term, &mut self.token.text);
                self.token.position = 0;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
