//! The lines of a source. The rules for blocks change them when they open containers.

use std::ops::Range;

/// A line, as seen from the innermost open container.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The start of the line: after the marks of the quotations that it belongs to.
    pub(super) start: usize,
    /// The end of the line, before its line break.
    pub(super) end: usize,
    /// The number of bytes from `start` on that are blanks or marks of containers.
    pub(super) shift: usize,
    /// The column of its first other character; negative in a lazy continuation of a quotation.
    pub(super) indent: isize,
    /// The column of `start`, for tabs.
    pub(super) column: isize,
}

impl Line {
    /// The start of the line's text.
    pub(super) fn text(&self) -> usize {
        self.start + self.shift
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text() >= self.end
    }
}

/// Splits a source into lines. The last entry represents its end.
pub(super) fn lines(source: &str) -> Vec<Line> {
    let bytes = source.as_bytes();
    let mut lines = Vec::new();
    let mut start = after_byte_order_mark(source);
    while start < bytes.len() {
        let rest = &bytes[start..];
        let line_break = memchr::memchr2(b'\n', b'\r', rest);
        let end = line_break.map_or(bytes.len(), |length| start + length);
        let (shift, indent) = indentation(&bytes[start..end]);
        // Blanks after the last line break are not a line.
        if line_break.is_none() && start + shift == end {
            break;
        }
        lines.push(Line {
            start,
            end,
            shift,
            indent,
            column: 0,
        });
        start = match line_break {
            Some(_) if bytes[end..].starts_with(b"\r\n") => end + 2,
            Some(_) => end + 1,
            None => end,
        };
    }
    lines.push(Line {
        start: bytes.len(),
        end: bytes.len(),
        shift: 0,
        indent: 0,
        column: 0,
    });
    lines
}

/// The size of the leading blanks in bytes, and in columns.
fn indentation(line: &[u8]) -> (usize, isize) {
    let (mut shift, mut indent) = (0, 0);
    for byte in line.iter().take_while(|byte| is_space(**byte)) {
        shift += 1;
        indent += if *byte == b'\t' { 4 - indent % 4 } else { 1 };
    }
    (shift, indent)
}

/// The start of the text: older texts may begin with a byte order mark, which the page ignores.
fn after_byte_order_mark(source: &str) -> usize {
    source.len() - source.strip_prefix('\u{FEFF}').unwrap_or(source).len()
}

/// The number of lines of the front matter: from a line `---` at the very start to the next one.
pub(super) fn front_matter_lines(source: &str, lines: &[Line]) -> Option<usize> {
    let is_fence = |line: &Line| {
        let rest = source[line.start..line.end].strip_prefix("---");
        rest.is_some_and(|rest| rest.bytes().all(is_space))
    };
    let (_, lines) = lines.split_last()?;
    let (first, rest) = lines.split_first()?;
    if !is_fence(first) {
        return None;
    }
    let inside = rest.iter().position(is_fence)?;
    (inside > 0).then_some(inside + 2)
}

/// The front matter of a text: all of its lines, and those between the lines of dashes.
pub(crate) fn front_matter_ranges(source: &str) -> Option<(Range<usize>, Range<usize>)> {
    if !source[after_byte_order_mark(source)..].starts_with("---") {
        return None;
    }
    let lines = lines(source);
    let count = front_matter_lines(source, &lines)?;
    let start = |line: usize| lines[line].start;
    Some((start(0)..start(count), start(1)..start(count - 1)))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// True if JavaScript's `trim` and `\s` count a character as white space.
pub(crate) fn is_white_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{FEFF}'
}

/// The length of the run of `byte` at `at`.
pub(super) fn run(bytes: &[u8], at: usize, byte: u8) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take_while(|found| **found == byte).count()
}

/// The first position in `range` that is not a blank.
pub(super) fn skip_spaces(bytes: &[u8], range: Range<usize>) -> usize {
    let blanks = bytes[range.clone()]
        .iter()
        .take_while(|byte| is_space(**byte));
    range.start + blanks.count()
}
