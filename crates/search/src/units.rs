//! Units of a folded text: words of alphabets, and single characters of scripts without spaces. Each unit has
//! a position; adjacent units of the text have adjacent positions.

use unicode_normalization::char::is_combining_mark;

/// The maximum length of a word in bytes; a longer one is split.
const MAX_WORD: usize = 256;

/// A word or a character of a folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The start in the folded text.
    pub(crate) start: u32,
    /// The end in the folded text.
    pub(crate) end: u32,
    /// The position: one more than that of the previous unit, or two more after a border.
    pub(crate) position: u32,
    pub(crate) kind: Kind,
}

impl Unit {
    pub(crate) fn text<'t>(&self, folded: &'t str) -> &'t str {
        &folded[self.start as usize..self.end as usize]
    }
}

/// The kind of a unit, which decides how it is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word of an alphabet, which is also found by its parts.
    Word,
    /// A single character: kana, kanji, hangul, Thai, a symbol.
    Character,
}

/// The units of a folded text.
pub(crate) struct Units<'t> {
    text: &'t str,
    at: usize,
    position: u32,
    last: Option<Kind>,
}

impl<'t> Units<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            position: 0,
            last: None,
        }
    }

    /// Skips separators; returns whether there were any, and whether a line break was among them.
    fn skip_separators(&mut self) -> (bool, bool) {
        let (mut some, mut line_end) = (false, false);
        for c in self.text[self.at..].chars() {
            if class(c).is_some() {
                break;
            }
            some = true;
            line_end |= c == '\n';
            self.at += c.len_utf8();
        }
        (some, line_end)
    }

    fn word_end(&self) -> usize {
        let mut end = self.at;
        for c in self.text[self.at..].chars() {
            let in_word = class(c) == Some(Kind::Word);
            if !in_word || end + c.len_utf8() - self.at > MAX_WORD {
                break;
            }
            end += c.len_utf8();
        }
        end
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let (separated, line_end) = self.skip_separators();
        let first = self.text[self.at..].chars().next()?;
        let kind = class(first)?;
        let start = self.at;
        self.at = match kind {
            Kind::Character => start + first.len_utf8(),
            Kind::Word => self.word_end(),
        };
        if let Some(last) = self.last {
            let characters = last == Kind::Character && kind == Kind::Character;
            let border = line_end || (separated && characters);
            self.position = self.position.saturating_add(1 + u32::from(border));
        }
        self.last = Some(kind);
        let place = |at: usize| u32::try_from(at).expect("BUG: a text is shorter than 4 GiB");
        Some(Unit {
            start: place(start),
            end: place(self.at),
            position: self.position,
            kind,
        })
    }
}

/// Returns the mark between two adjacent numbers, as in 12.5 or 2026-04-10.
pub(crate) fn mark_between(folded: &str, left: &Unit, right: &Unit) -> Option<char> {
    let mut between = folded[left.end as usize..right.start as usize].chars();
    let mark = between.next().filter(|mark| !mark.is_whitespace())?;
    let ends_in_digit = left.text(folded).ends_with(|c: char| c.is_ascii_digit());
    let is_number = ends_in_digit && right.text(folded).starts_with(|c: char| c.is_ascii_digit());
    (is_number && between.next().is_none()).then_some(mark)
}

/// Returns the kind of a character; `None` for separators.
pub(crate) fn class(c: char) -> Option<Kind> {
    if c.is_ascii() {
        return match c {
            c if c.is_ascii_alphanumeric() => Some(Kind::Word),
            '+' | '#' | '@' | '%' | '&' | '=' | '<' | '>' | '$' => Some(Kind::Character),
            _ => None,
        };
    }
    if has_no_spaces(c) {
        return Some(Kind::Character);
    }
    if c.is_alphanumeric() || is_combining_mark(c) {
        return Some(Kind::Word);
    }
    let punctuation = matches!(
        c,
        '\u{80}'..='\u{BF}' | '\u{2000}'..='\u{206F}' | '\u{2E00}'..='\u{2E7F}' | '\u{3000}'..='\u{303F}' | '\u{30FB}'
            | '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}'
    );
    let symbol = !punctuation && !c.is_whitespace() && !c.is_control();
    symbol.then_some(Kind::Character)
}

/// Returns true for letters of scripts that are written without spaces between words, and of Korean, whose
/// endings are attached to the words.
fn has_no_spaces(c: char) -> bool {
    matches!(
        c,
        '\u{0E01}'..='\u{0E4E}'
            | '\u{0E81}'..='\u{0ECD}'
            | '\u{1000}'..='\u{109F}'
            | '\u{1100}'..='\u{11FF}'
            | '\u{1780}'..='\u{17D3}'
            | '\u{2E80}'..='\u{2FDF}'
            | '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{30FA}'
            | '\u{30FC}'..='\u{318F}'
            | '\u{31A0}'..='\u{31FF}'
            | '\u{3400}'..='\u{4DBF}'
            | '\u{4E00}'..='\u{A4CF}'
            | '\u{AC00}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{1B000}'..='\u{1B16F}'
            | '\u{20000}'..='\u{3FFFF}'
    )
}

/// Returns true for kana and the long vowel mark, after which a long vowel may be omitted.
pub(crate) fn is_kana(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ' | 'ー')
}

#[cfg(test)]
mod tests {
    use super::*;
    use fumikura_folding::fold;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, u32)]) {
        let text = fold(text);
        let units: Vec<_> = Units::new(&text)
            .map(|unit| (unit.text(&text), unit.position))
            .collect();
        assert_eq!(units, expected, "{text:?}");
    }

    #[test]
    fn words_and_characters_have_positions() {
        check("Rust in action", &[("rust", 0), ("in", 1), ("action", 2)]);
        check("京都", &[("京", 0), ("都", 1)]);
        check(
            "重跑gen-itgc後",
            &[("重", 0), ("跑", 1), ("gen", 2), ("itgc", 3), ("後", 4)],
        );
        check("Rust 入門", &[("rust", 0), ("入", 1), ("門", 2)]);
        check("C++", &[("c", 0), ("+", 1), ("+", 2)]);
        check("→😀", &[("→", 0), ("😀", 1)]);
    }

    #[test]
    fn borders_leave_a_gap() {
        check("京 都", &[("京", 0), ("都", 2)]);
        check("京。都", &[("京", 0), ("都", 2)]);
        check("a\nb", &[("a", 0), ("b", 2)]);
        check("a, b", &[("a", 0), ("b", 1)]);
    }

    #[test]
    fn numbers_are_joined_by_single_marks() {
        let joined = |text: &str| {
            let units: Vec<Unit> = Units::new(text).collect();
            mark_between(text, &units[0], &units[1])
        };
        assert_eq!(joined("12.5"), Some('.'));
        assert_eq!(joined("v1-2"), Some('-'));
        for text in ["12 5", "12. 5", "12\n5", "a.5", "12.b", "1+2"] {
            assert_eq!(joined(text), None, "{text:?}");
        }
    }

    #[test]
    fn overlong_words_are_split() {
        let text = "a".repeat(MAX_WORD + 1);
        check(&text, &[(&text[1..], 0), ("a", 1)]);
    }
}
