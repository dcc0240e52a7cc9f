//! Regular expressions, searched in bounded pieces of a text.

use std::ops::Range;

use fumikura_base::budget::{Budget, BudgetSpent};
use fumikura_folding::floor;
use regex_automata::Input;
use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::util::syntax;

/// The memory limit of a compiled expression, and of the states that it makes while it searches, in bytes. The time
/// for each byte of a text grows with the former.
const MAX_BYTES: usize = 512 << 10;
/// The maximum depth of groups.
pub(super) const MAX_DEPTH: u32 = 50;
/// The length of the pieces in which matches begin, in bytes: one step of a budget.
const PIECE: usize = 4096;
/// The maximum length of a match, in bytes.
const MAX_MATCH: usize = 4096;

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    regex: Regex,
    #[cfg(test)]
    source: String,
}

impl Pattern {
    pub(super) fn new(pattern: &str) -> Result<Self, Box<BuildError>> {
        let config = Config::new()
            .nfa_size_limit(Some(MAX_BYTES))
            .hybrid_cache_capacity(MAX_BYTES);
        let syntax = syntax::Config::new().multi_line(true).nest_limit(MAX_DEPTH);
        let built = Regex::builder()
            .configure(config)
            .syntax(syntax)
            .build(pattern);
        Ok(Self {
            regex: built.map_err(Box::new)?,
            #[cfg(test)]
            source: pattern.to_owned(),
        })
    }

    /// Returns the typed expression.
    #[cfg(test)]
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether the text has a match of at most [`MAX_MATCH`] bytes.
    ///
    /// # Errors
    /// If the budget is spent before a match is found.
    pub(crate) fn is_match(&self, text: &str, budget: &Budget) -> Result<bool, BudgetSpent> {
        let mut at = 0;
        loop {
            budget.spend()?;
            let piece = Piece::at(text, at);
            if self.regex.is_match(piece.input(text)) {
                return Ok(true);
            }
            if piece.end == text.len() {
                return Ok(false);
            }
            at = piece.next;
        }
    }

    /// Adds the matches of the text, at most `max`.
    ///
    /// # Errors
    /// If the budget is spent before the end.
    pub(crate) fn find_all(
        &self,
        text: &str,
        max: usize,
        budget: &Budget,
        found: &mut Vec<Range<usize>>,
    ) -> Result<(), BudgetSpent> {
        let before = found.len();
        let mut at = 0;
        for _ in 0..max.saturating_add(text.len() / PIECE) {
            budget.spend()?;
            let piece = Piece::at(text, at);
            at = match self.regex.find(piece.input(text)) {
                Some(place) if place.is_empty() => ceil(text, place.end() + 1),
                Some(place) => {
                    found.push(place.range());
                    place.end()
                }
                None if piece.end == text.len() => break,
                None => piece.next,
            };
            if at > text.len() || found.len() - before == max {
                break;
            }
        }
        Ok(())
    }
}

/// A part of a text in which an expression is searched. Anchors see the text around it.
struct Piece {
    start: usize,
    end: usize,
    /// The start of the next piece. They overlap by the length of a match.
    next: usize,
}

impl Piece {
    fn at(text: &str, start: usize) -> Self {
        Self {
            start,
            next: floor(text, start + PIECE),
            end: floor(text, start + PIECE + MAX_MATCH),
        }
    }

    fn input<'t>(&self, text: &'t str) -> Input<'t> {
        Input::new(text).span(self.start..self.end)
    }
}

/// Returns the first border between characters at or after a place; a greater one behind the end.
fn ceil(text: &str, at: usize) -> usize {
    let is_inside = |at: &usize| *at < text.len() && !text.is_char_boundary(*at);
    (at..).find(|at| !is_inside(at)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, text: &str, expected: &[&str]) {
        let pattern = Pattern::new(pattern).unwrap();
        let budget = Budget::unlimited();
        let mut found = Vec::new();
        pattern.find_all(text, 10, &budget, &mut found).unwrap();
        let found: Vec<&str> = found.into_iter().map(|place| &text[place]).collect();
        assert_eq!(found, expected);
        assert_eq!(pattern.is_match(text, &budget), Ok(!expected.is_empty()));
    }

    #[test]
    fn matches_are_found_across_pieces() {
        check("京.", "京都 東京、", &["京都", "京、"]);
        check("^b", "a\nb\nbb", &["b", "b"]);
        let text = format!("{}{} end", "あ".repeat(PIECE), "x".repeat(PIECE / 2));
        check("x+ end$", &text, &[&text[PIECE * 3..]]);
        check("^x|あx", &text, &["あx"]);
    }

    /// Each piece takes as long as all states of the expression need for it.
    #[test]
    fn hostile_pattern_is_stopped_between_pieces() {
        let pattern = Pattern::new("(?:[ab]?){200}[ab]{200}c").unwrap();
        let text = "ab".repeat(5 << 20);
        let budget = Budget::of_steps(3);
        assert_eq!(pattern.is_match(&text, &budget), Err(BudgetSpent));
        let mut found = Vec::new();
        let all = pattern.find_all(&text, 10, &budget, &mut found);
        assert_eq!(all, Err(BudgetSpent));
        let left = Budget::unlimited();
        left.cancel();
        assert_eq!(pattern.is_match(&text, &left), Err(BudgetSpent));
        assert_eq!(left.steps(), 1);
    }

    #[test]
    fn long_text_is_read_once() {
        let text = "ab".repeat(1 << 20);
        let steps = |pattern: &str| {
            let budget = Budget::unlimited();
            let mut found = Vec::new();
            let pattern = Pattern::new(pattern).unwrap();
            pattern.find_all(&text, 100, &budget, &mut found).unwrap();
            budget.steps()
        };
        assert!(steps("c") <= (text.len() / PIECE + 1) as u64);
        // Empty matches do not make it slower.
        assert!(steps("c*") <= (text.len() / PIECE + 100) as u64);
    }
}
