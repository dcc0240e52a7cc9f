//! What the Markdown parser may be given, so that its time stays in proportion to the text.
//!
//! `pulldown-cmark` needs time by the square of the text in two cases: for each line it walks through all
//! quotations and lists that are open, and it looks for the end of a link's title up to the end of the
//! text. So texts that nest deeper than anyone writes are not read for links at all, and titles that
//! do not end soon are not read as titles.

use std::borrow::Cow;

/// How many quotations and lists may stand in one another.
const MAX_NESTING: usize = 64;
/// How many lines a link's title may have.
const MAX_TITLE_LINES: usize = 16;
/// How many parentheses may stand in one another in a destination, as the parser has it.
const MAX_PARENTHESES: usize = 32;

/// The text to give to the parser, of the same length, mark for mark; none where it is not to be read at
/// all.
pub(crate) fn readable(text: &str) -> Option<Cow<'_, str>> {
    if nests_too_deeply(text) {
        return None;
    }
    let endless = endless_titles(text);
    if endless.is_empty() {
        return Some(text.into());
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in endless {
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
        // An item of a list goes on in a line that is indented by two columns at least.
        deepest = deepest.max(deepest.min(columns / 2) + marks);
        if deepest > MAX_NESTING {
            return true;
        }
    }
    false
}

/// The blank columns and the marks of quotations and lists with which a line begins; rather more than
/// fewer.
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

/// Where the line is a rule (`- - -`) from there on; its length if it is none.
fn rule_at_end(line: &[u8]) -> usize {
    let trimmed = line.trim_ascii_end();
    let Some(mark @ (b'-' | b'*')) = trimmed.last() else {
        return line.len();
    };
    let of_rule = |byte: &&u8| *byte == mark || matches!(**byte, b' ' | b'\t');
    let length = trimmed.iter().rev().take_while(of_rule).count();
    let start = trimmed.len() - length;
    let marks = trimmed[start..].iter().filter(|byte| *byte == mark).count();
    if marks < 3 { line.len() } else { start }
}

/// The marks that begin the title of a link and are followed by no end within a few lines and the same
/// paragraph. There a link can't be, as it ends behind its title.
fn endless_titles(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut beginnings = beginnings_of_titles(text);
    let mut endless = Vec::new();
    if beginnings.is_empty() {
        return endless;
    }
    // From the end of the text: in which line each mark was seen last, counted from the end.
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
        if beginnings.last() == Some(&at) {
            beginnings.pop();
            if ends[kind].is_none_or(|end| line - end > MAX_TITLE_LINES) {
                endless.push(at);
                continue;
            }
        }
        if *byte != b'(' && !is_escaped(bytes, at) {
            ends[kind] = Some(line);
        }
    }
    endless
}

/// Where a title may begin: behind `](`, a destination and a blank. Ascending.
fn beginnings_of_titles(text: &str) -> Vec<usize> {
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

/// Where a destination in angle brackets ends, which begins at `at`; behind it.
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

/// Where a destination without them ends: at a blank, or a parenthesis that it did not open.
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

/// Whether an odd number of backslashes stands before `at`.
pub(super) fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let backslashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}
