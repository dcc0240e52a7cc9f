//! Limits on the text given to the Markdown parser, so that its time stays in proportion to the text.
//!
//! `pulldown-cmark` needs quadratic time in two cases: for each line it walks through all open block quotes and
//! lists, and it searches for the end of a link's title up to the end of the text. Texts that nest deeper than
//! anyone writes are therefore not scanned for links at all, and titles that do not end soon are not read as
//! titles.

use std::borrow::Cow;

/// The maximum nesting depth of block quotes and lists.
const MAX_NESTING: usize = 64;
/// The maximum number of lines in a link's title.
const MAX_TITLE_LINES: usize = 16;
/// The maximum nesting depth of parentheses in a destination, as in the parser.
const MAX_PARENTHESES: usize = 32;

/// Returns the text to give to the parser, of the same length and with every mark at its place, or `None` if it
/// must not be parsed at all.
pub(super) fn readable(text: &str) -> Option<Cow<'_, str>> {
    if nests_too_deeply(text) {
        return None;
    }
    let unclosed = unclosed_titles(text);
    if unclosed.is_empty() {
        return Some(text.into());
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in unclosed {
        bytes[at] = b'.';
    }
    Some(Cow::Owned(String::from_utf8(bytes).expect(
        "BUG: one character of ASCII took the place of another",
    )))
}

fn nests_too_deeply(text: &str) -> bool {
    let mut deepest = 0;
    for line in text.as_bytes().split(|byte| matches!(byte, b'\n' | b'\r')) {
        let (columns, marks) = containers(line);
        // A list item continues in a line that is indented by at least two columns.
        deepest = deepest.max(deepest.min(columns / 2) + marks);
        if deepest > MAX_NESTING {
            return true;
        }
    }
    false
}

/// Returns the blank columns and the number of block quote and list marks at the start of a line. Overestimates
/// rather than underestimates.
fn containers(line: &[u8]) -> (usize, usize) {
    let rule = rule_at_end(line);
    let (mut columns, mut marks, mut at) = (0, 0, 0);
    while at < rule {
        let ends_mark = |at: usize| matches!(line.get(at), None | Some(b' ' | b'\t'));
        match line[at] {
            b' ' => columns += 1,
            b'\t' => columns += 4,
            b'>' => marks += 1,
            b'-' | b'+' | b'*' if ends_mark(at + 1) => marks += 1,
            b'0'..=b'9' => {
                let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit());
                at += digits.take(10).count();
                if !matches!(line.get(at), Some(b'.' | b')')) || !ends_mark(at + 1) {
                    break;
                }
                marks += 1;
            }
            _ => break,
        }
        at += 1;
    }
    (columns, marks)
}

/// The position from which the rest of the line is a rule (`- - -`), or the line's length if it has none.
fn rule_at_end(line: &[u8]) -> usize {
    let trimmed = line.trim_ascii_end();
    let Some(mark @ (b'-' | b'*')) = trimmed.last() else {
        return line.len();
    };
    let is_in_rule = |byte: &&u8| *byte == mark || matches!(**byte, b' ' | b'\t');
    let length = trimmed.iter().rev().take_while(is_in_rule).count();
    let start = trimmed.len() - length;
    let marks = trimmed[start..].iter().filter(|byte| *byte == mark).count();
    if marks < 3 { line.len() } else { start }
}

/// The marks that begin a link's title and have no closing mark within a few lines of the same paragraph. No
/// link is possible there, because a link ends after its title.
fn unclosed_titles(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut starts = title_starts(text);
    let mut unclosed = Vec::new();
    if starts.is_empty() {
        return unclosed;
    }
    // Scans backwards: the line in which each mark was last seen, counted from the end of the text.
    let mut ends: [Option<usize>; 3] = [None; 3];
    let (mut line, mut line_is_blank) = (0, true);
    for (at, byte) in bytes.iter().enumerate().rev() {
        let kind = match byte {
            b'"' => 0,
            b'\'' => 1,
            b'(' | b')' => 2,
            b'\n' | b'\r' => {
                if line_is_blank {
                    ends = [None; 3];
                }
                (line, line_is_blank) = (line + 1, true);
                continue;
            }
            b' ' | b'\t' | b'>' => continue,
            _ => {
                line_is_blank = false;
                continue;
            }
        };
        line_is_blank = false;
        if starts.last() == Some(&at) {
            starts.pop();
            if ends[kind].is_none_or(|end| line - end > MAX_TITLE_LINES) {
                unclosed.push(at);
                continue;
            }
        }
        if *byte != b'(' && !is_escaped(bytes, at) {
            ends[kind] = Some(line);
        }
    }
    unclosed
}

/// The positions at which a title may begin: after `](`, a destination and a blank. Ascending.
fn title_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let skip = |from: usize| {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>');
        from + bytes[from..].iter().take_while(blank).count()
    };
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](") {
        let start = skip(at + 2);
        let end = if bytes.get(start) == Some(&b'<') {
            angle_end(bytes, start)
        } else {
            plain_end(bytes, start)
        };
        let Some(title) = end.map(skip) else { continue };
        if matches!(bytes.get(title), Some(b'"' | b'\'' | b'(')) {
            found.push(title);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The position after the end of a destination in angle brackets that begins at `at`.
pub(super) fn angle_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            b'\n' | b'\r' | b'<' => return None,
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of a destination without angle brackets: a blank, or a parenthesis that it did not open.
pub(super) fn plain_end(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut at, mut depth) = (at, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            0..=0x20 => break,
            b'(' if depth > MAX_PARENTHESES => return None,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            _ => {}
        }
        at += 1;
    }
    Some(at)
}

/// True if an odd number of backslashes precedes `at`.
pub(super) fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let backslashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}
