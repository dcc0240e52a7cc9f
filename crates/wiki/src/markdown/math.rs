//! Formulas: `$…$` in a line, and `$$…$$` in a line or by itself.

use super::block::Parser;
use super::source::is_white_space;

/// The longest formula in a line, in UTF-16 code units.
const LONGEST_INLINE: usize = 2_000;
/// The maximum number of backslashes that are counted before a mark.
const MOST_ESCAPES: usize = 64;
/// The maximum number of lines of a formula block.
const MOST_LINES: usize = 500;

/// The end of the formula that starts at `start`, if there is one and it ends before `max`.
///
/// Prices are not formulas. A word or a dollar before the opening mark, a blank after it, a blank
/// before the closing mark or a word after it rule a formula out. The first mark that cannot close ends
/// the attempt.
pub(super) fn end_of_inline(text: &str, start: usize, max: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = start.checked_sub(1).map(|at| bytes[at]);
    if before.is_some_and(|byte| is_word(byte) || byte == b'$') {
        return None;
    }
    let is_display = bytes.get(start + 1) == Some(&b'$');
    let mark = if is_display { 2 } else { 1 };
    let from = start + mark;
    let first = text.get(from..)?.chars().next().unwrap_or(' ');
    if !is_display && is_white_space(first) {
        return None;
    }
    let close = closing_mark(text, from, mark, max)?;
    let inside = &text[from..close];
    if inside.chars().all(is_white_space) {
        return None;
    }
    let ends_with_blank = inside.ends_with(is_white_space);
    let precedes_word = bytes.get(close + 1).is_some_and(|byte| is_word(*byte));
    (is_display || !(ends_with_blank || precedes_word)).then_some(close + mark)
}

/// The first mark from `from` on that is not escaped by a backslash.
fn closing_mark(text: &str, from: usize, mark: usize, max: usize) -> Option<usize> {
    let (mut units, mut escapes) = (0, 0_usize);
    for (offset, character) in text[from..].char_indices() {
        let at = from + offset;
        if units > LONGEST_INLINE - mark || at + mark > max {
            return None;
        }
        let is_mark = text.as_bytes()[at..at + mark]
            .iter()
            .all(|byte| *byte == b'$');
        if is_mark && escapes.min(MOST_ESCAPES) % 2 == 0 {
            return Some(at);
        }
        escapes = if character == '\\' { escapes + 1 } else { 0 };
        units += character.len_utf16();
    }
    None
}

/// The last line of the formula that starts at the line `start`, if there is one and it ends before
/// the line `end`.
pub(super) fn last_line_of_block(parser: &Parser<'_>, start: usize, end: usize) -> Option<usize> {
    let first = line_of(parser, start).strip_prefix("$$")?;
    for line in start..end.min(start + MOST_LINES) {
        if line > start && parser.lines[line].indent < parser.block_indent {
            return None;
        }
        let text = if line == start {
            first
        } else {
            line_of(parser, line)
        };
        if let Some((inside, after)) = text.split_once("$$") {
            let is_empty = line == start && inside.chars().all(is_white_space);
            // Text after the mark makes it an inline formula.
            let ends = after.chars().all(is_white_space) && !is_empty;
            return ends.then_some(line);
        }
    }
    None
}

fn line_of<'t>(parser: &Parser<'t>, line: usize) -> &'t str {
    let line = &parser.lines[line];
    parser.source[line.text().min(line.end)..line.end].trim_end_matches(is_white_space)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
