//! The parts of a link: its destination, its title, and the label of a definition.

use std::ops::Range;

use super::destination::Form;
use super::source::is_white_space;

/// The maximum nesting of parentheses in a destination.
const MAX_PARENTHESES: usize = 32;

/// A destination as it is written.
#[derive(Debug, Clone)]
pub(super) struct ParsedDestination {
    pub(super) range: Range<usize>,
    pub(super) form: Form,
    /// Its end, including the marks around it.
    pub(super) end: usize,
}

/// Reads the destination at `start`, which must end by `max`.
pub(super) fn destination(bytes: &[u8], start: usize, max: usize) -> Option<ParsedDestination> {
    if bytes.get(start) == Some(&b'<') {
        angle_destination(bytes, start, max)
    } else {
        plain_destination(bytes, start, max)
    }
}

fn angle_destination(bytes: &[u8], start: usize, max: usize) -> Option<ParsedDestination> {
    let mut at = start + 1;
    while at < max {
        match bytes[at] {
            b'\n' | b'\r' | b'<' => return None,
            b'>' => {
                return Some(ParsedDestination {
                    range: start + 1..at,
                    form: Form::Angle,
                    end: at + 1,
                });
            }
            b'\\' if at + 1 < max => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn plain_destination(bytes: &[u8], start: usize, max: usize) -> Option<ParsedDestination> {
    let (mut at, mut depth) = (start, 0);
    while at < max {
        match bytes[at] {
            1..=b' ' | 0x7F => break,
            b'\\' if at + 1 < max => at += if bytes[at + 1] == b' ' { 1 } else { 2 },
            b'(' => {
                depth += 1;
                if depth > MAX_PARENTHESES {
                    return None;
                }
                at += 1;
            }
            b')' if depth == 0 => break,
            b')' => {
                depth -= 1;
                at += 1;
            }
            _ => at += 1,
        }
    }
    // An escape may include the first byte of a multi-byte character.
    while at < bytes.len() && bytes[at] & 0xC0 == 0x80 {
        at += 1;
    }
    (at > start && depth == 0).then_some(ParsedDestination {
        range: start..at,
        form: Form::Plain,
        end: at,
    })
}

/// A title, or the part of it on one line.
#[derive(Debug, Clone, Copy)]
pub(super) enum Title {
    None,
    /// The closing mark has not been found yet.
    Open {
        mark: u8,
        is_empty: bool,
    },
    Closed {
        end: usize,
        is_empty: bool,
    },
}

/// Reads the title at `start`.
pub(super) fn title(bytes: &[u8], start: usize, max: usize) -> Title {
    let mark = match bytes.get(start) {
        Some(mark @ (b'"' | b'\'')) if start < max => *mark,
        Some(b'(') if start < max => b')',
        _ => return Title::None,
    };
    rest_of_title(bytes, start + 1, max, mark, true)
}

/// Continues a title that `mark` ends.
pub(super) fn rest_of_title(
    bytes: &[u8],
    start: usize,
    max: usize,
    mark: u8,
    was_empty: bool,
) -> Title {
    let mut at = start;
    while at < max {
        match bytes[at] {
            byte if byte == mark => {
                let is_empty = was_empty && at == start;
                return Title::Closed {
                    end: at + 1,
                    is_empty,
                };
            }
            b'(' if mark == b')' => return Title::None,
            b'\\' if at + 1 < max => at += 2,
            _ => at += 1,
        }
    }
    let is_empty = was_empty && at == start;
    Title::Open { mark, is_empty }
}

/// A label in the form in which definitions are looked up; empty if it has only white space.
pub(super) fn normalized_label(label: &str) -> String {
    let words = label.split(is_white_space).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join(" ");
    joined.to_lowercase().to_uppercase()
}
