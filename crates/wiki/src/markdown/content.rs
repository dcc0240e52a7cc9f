//! The text of a block, assembled from parts of its lines, with the source position of each part.

use std::ops::Range;

use super::source::{Line, is_space, is_white_space};

/// The text of a paragraph, a heading or a cell.
#[derive(Debug, Default)]
pub(super) struct Content {
    text: String,
    /// In ascending order. Each part reaches to the next one.
    parts: Vec<ContentPart>,
}

#[derive(Debug, Clone, Copy)]
struct ContentPart {
    /// Its start in the text.
    at: usize,
    /// Its start in the source.
    source: usize,
}

impl Content {
    /// A part of one line.
    pub(super) fn of_line(source: &str, range: Range<usize>) -> Self {
        let mut content = Self::default();
        content.push(source, range);
        content.trimmed(is_blank)
    }

    /// A cell of a table, in which `\|` stands for a bar.
    pub(super) fn of_cell(source: &str, range: Range<usize>) -> Self {
        let mut content = Self::default();
        let mut from = range.start;
        for (at, _) in source[range.clone()].match_indices("\\|") {
            content.push(source, from..range.start + at);
            from = range.start + at + 1;
        }
        content.push(source, from..range.end);
        content.trimmed(is_white_space)
    }

    /// Complete lines without `indent` columns of indentation, joined by line breaks.
    pub(super) fn of_lines(source: &str, lines: &[Line], indent: isize) -> Self {
        let mut content = Self::default();
        for (number, line) in lines.iter().enumerate() {
            if number > 0 {
                content.text.push('\n');
            }
            let (from, spare) = without_indentation(source.as_bytes(), line, indent);
            content.text.extend(std::iter::repeat_n(' ', spare));
            content.push(source, from..line.end);
        }
        content.trimmed(is_blank)
    }

    fn push(&mut self, source: &str, range: Range<usize>) {
        self.parts.push(ContentPart {
            at: self.text.len(),
            source: range.start,
        });
        self.text.push_str(&source[range]);
    }

    fn trimmed(mut self, is_trimmed: impl Fn(char) -> bool) -> Self {
        let end = self.text.trim_end_matches(&is_trimmed).len();
        self.text.truncate(end);
        let cut = end - self.text.trim_start_matches(&is_trimmed).len();
        if cut > 0 {
            self.text.drain(..cut);
            for part in &mut self.parts {
                part.source += cut.saturating_sub(part.at);
                part.at = part.at.saturating_sub(cut);
            }
        }
        self
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Converts a range of the text to a range of the source.
    pub(super) fn range_in_source(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let at = self.byte_in_source(range.start);
            return at..at;
        }
        self.byte_in_source(range.start)..self.byte_in_source(range.end - 1) + 1
    }

    /// Converts a position within `range`, or at its end, to a position of the source.
    pub(super) fn in_source(&self, at: usize, range: &Range<usize>) -> usize {
        if at < range.end {
            self.byte_in_source(at)
        } else {
            self.range_in_source(range).end
        }
    }

    fn byte_in_source(&self, at: usize) -> usize {
        let after = self.parts.partition_point(|part| part.at <= at);
        let part = self.parts[after.saturating_sub(1)];
        part.source + (at - part.at)
    }
}

/// True for characters that are trimmed from the text of a block.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The start of a line without `indent` columns, and the remaining columns of a partly used tab.
fn without_indentation(source: &[u8], line: &Line, indent: isize) -> (usize, usize) {
    let (mut at, mut columns) = (line.start, 0);
    while at < line.end && columns < indent {
        match source[at] {
            b'\t' => columns += 4 - (columns + line.column) % 4,
            byte if is_space(byte) || at < line.text() => columns += 1,
            _ => break,
        }
        at += 1;
    }
    (at, usize::try_from(columns - indent).unwrap_or(0))
}
