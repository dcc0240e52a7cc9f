//! Tables: a row of cells, a row of dashes below it, and more rows.

use std::ops::Range;

use super::block::{Parser, RuleMode};
use super::content::Content;
use super::limits::MOST_COLUMNS;
use super::source::{is_space, is_white_space};

/// The maximum number of missing cells of a table that are filled in.
const MOST_FILLED_CELLS: usize = 65_536;

impl Parser<'_> {
    pub(super) fn table(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if start + 2 > end {
            return false;
        }
        let delimiters = self.lines[start + 1];
        if delimiters.indent < self.block_indent || self.is_indented(start + 1) {
            return false;
        }
        let Some(columns) = delimiter_row(self.text_of(start + 1)) else {
            return false;
        };
        if self.is_indented(start) {
            return false;
        }
        let header = self.trimmed(start);
        if !self.bytes[header.clone()].contains(&b'|') {
            return false;
        }
        let header = cells(self.bytes, header);
        if header.is_empty() || header.len() != columns {
            return false;
        }
        if mode == RuleMode::Read {
            self.push_cells(&header);
            self.line = self.body(start + 2, end, columns);
        }
        true
    }

    /// Reads the rows below the header, and returns the line after them.
    fn body(&mut self, start: usize, end: usize, columns: usize) -> usize {
        let mut filled = 0_isize;
        for number in start..end {
            if self.lines[number].indent < self.block_indent
                || self.interrupts_quotation(number, end)
            {
                return number;
            }
            let row = self.trimmed(number);
            if row.is_empty() || self.is_indented(number) {
                return number;
            }
            let row = cells(self.bytes, row);
            // A row with more cells than columns offsets rows with fewer.
            filled += columns.cast_signed() - row.len().cast_signed();
            if filled > MOST_FILLED_CELLS.cast_signed() {
                return number;
            }
            self.push_cells(&row[..row.len().min(columns)]);
        }
        end.max(start)
    }

    fn push_cells(&mut self, cells: &[Range<usize>]) {
        let source = self.source;
        let rendered = cells.iter().take(MOST_COLUMNS);
        let contents = rendered.map(|cell| Content::of_cell(source, cell.clone()));
        self.blocks.contents.extend(contents);
    }

    /// The text of a line without surrounding white space.
    fn trimmed(&self, number: usize) -> Range<usize> {
        let line = &self.lines[number];
        let text = &self.source[line.text().min(line.end)..line.end];
        let end = line.end - (text.len() - text.trim_end_matches(is_white_space).len());
        let start = line.end - text.trim_start_matches(is_white_space).len();
        start.min(end)..end
    }
}

/// The number of columns that a row of dashes defines; `None` if the line is not such a row.
fn delimiter_row(text: &[u8]) -> Option<usize> {
    let is_mark = |byte: u8| matches!(byte, b'|' | b'-' | b':');
    let (&first, &second) = (text.first()?, text.get(1)?);
    let is_item = first == b'-' && is_space(second);
    if !is_mark(first) || is_item {
        return None;
    }
    if !text[1..]
        .iter()
        .all(|byte| is_mark(*byte) || is_space(*byte))
    {
        return None;
    }
    let cells: Vec<&[u8]> = text.split(|byte| *byte == b'|').collect();
    let mut columns = 0;
    for (number, cell) in cells.iter().enumerate() {
        let cell = cell.trim_ascii();
        let is_outer = number == 0 || number + 1 == cells.len();
        if cell.is_empty() && is_outer {
            continue;
        }
        let dashes = cell.strip_prefix(b":").unwrap_or(cell);
        let dashes = dashes.strip_suffix(b":").unwrap_or(dashes);
        if dashes.is_empty() || dashes.iter().any(|byte| *byte != b'-') {
            return None;
        }
        columns += 1;
    }
    Some(columns)
}

/// The cells of a row, without the empty ones before the first bar and after the last. A bar after a
/// backslash does not end a cell.
fn cells(bytes: &[u8], row: Range<usize>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let (mut from, mut is_escaped) = (row.start, false);
    for at in row.clone() {
        if bytes[at] == b'|' && !is_escaped {
            cells.push(from..at);
            from = at + 1;
        }
        is_escaped = bytes[at] == b'\\';
    }
    cells.push(from..row.end);
    if cells.first().is_some_and(Range::is_empty) {
        cells.remove(0);
    }
    if cells.last().is_some_and(Range::is_empty) {
        cells.pop();
    }
    cells
}
