//! `[label]: destination "title"`: the definitions to which links refer by a label.

use std::ops::Range;

use super::block::{Parent, Parser};
use super::destination::Form;
use super::link_parts::{Title, destination, normalized_label, rest_of_title, title};
use super::source::is_space;

/// The longest label, in characters.
const LONGEST_LABEL: usize = 999;

#[derive(Debug)]
pub(super) struct Definition {
    /// Its destination in the source.
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

/// A position in the lines of a paragraph.
#[derive(Clone, Copy)]
struct Cursor {
    at: usize,
    /// The end of the line, after its line break.
    max: usize,
    /// The end of the line's text.
    line_end: usize,
    next_line: usize,
}

impl Parser<'_> {
    pub(super) fn definition(&mut self, start: usize) -> bool {
        if self.is_indented(start) || self.text_of(start).first() != Some(&b'[') {
            return false;
        }
        let mut cursor = self.cursor(start);
        let Some(label) = self.label(&mut cursor) else {
            return false;
        };
        self.skip_blanks(&mut cursor);
        let Some(found) = destination(self.bytes, cursor.at, cursor.max) else {
            return false;
        };
        cursor.at = found.end;
        let Some(after) = self.end_after_title(cursor) else {
            return false;
        };
        let label = normalized_label(&label);
        if label.is_empty() {
            return false;
        }
        let definition = Definition {
            range: found.range,
            form: found.form,
        };
        self.blocks.definitions.entry(label).or_insert(definition);
        self.line = after;
        true
    }

    fn cursor(&self, number: usize) -> Cursor {
        let line = &self.lines[number];
        Cursor {
            at: line.text(),
            max: (line.end + 1).min(self.bytes.len()),
            line_end: line.end,
            next_line: number + 1,
        }
    }

    /// True if the cursor is at a line break.
    fn is_at_line_break(&self, cursor: &Cursor) -> bool {
        cursor.at == cursor.line_end && cursor.at < self.bytes.len()
    }

    /// Moves to the next line, if it belongs to the same paragraph.
    fn enter_next_line(&mut self, cursor: &mut Cursor) -> bool {
        let number = cursor.next_line;
        if number >= self.line_max || self.lines[number].is_empty() {
            return false;
        }
        let indent = self.lines[number].indent;
        if indent - self.block_indent <= 3 && indent >= 0 {
            let parent = std::mem::replace(&mut self.parent, Parent::Other);
            let ends = self.interrupts_paragraph(number, self.line_max);
            self.parent = parent;
            if ends {
                return false;
            }
        }
        *cursor = self.cursor(number);
        true
    }

    /// Reads a label and the colon after it.
    fn label(&mut self, cursor: &mut Cursor) -> Option<String> {
        let mut label = String::new();
        cursor.at += 1;
        let mut from = cursor.at;
        loop {
            if cursor.at >= cursor.max || label.len() + cursor.at - from > 8 * LONGEST_LABEL {
                return None;
            }
            let is_escaped = self.bytes[cursor.at] == b'\\';
            cursor.at += usize::from(is_escaped);
            if self.is_at_line_break(cursor) {
                label.push_str(&self.source[from..cursor.at]);
                label.push('\n');
                if !self.enter_next_line(cursor) {
                    return None;
                }
                from = cursor.at;
                continue;
            }
            match self.bytes.get(cursor.at) {
                Some(b'[') if !is_escaped => return None,
                Some(b']') if !is_escaped => break,
                _ => cursor.at += 1,
            }
        }
        label.push_str(&self.source[from..cursor.at]);
        if self.bytes.get(cursor.at + 1) != Some(&b':') || label.chars().count() > LONGEST_LABEL {
            return None;
        }
        cursor.at += 2;
        Some(label)
    }

    fn skip_blanks(&mut self, cursor: &mut Cursor) {
        while cursor.at < cursor.max {
            if self.is_at_line_break(cursor) {
                if !self.enter_next_line(cursor) {
                    return;
                }
            } else if is_space(self.bytes[cursor.at]) {
                cursor.at += 1;
            } else {
                return;
            }
        }
    }

    /// The line after the definition whose destination ends at `after`, with an optional title; `None` if
    /// other text follows.
    fn end_after_title(&mut self, after: Cursor) -> Option<usize> {
        let mut cursor = after;
        self.skip_blanks(&mut cursor);
        let start = cursor.at;
        let mut found = title(self.bytes, cursor.at, cursor.max);
        while let Title::Open { mark, is_empty } = found {
            if !self.enter_next_line(&mut cursor) {
                break;
            }
            found = rest_of_title(self.bytes, cursor.at, cursor.max, mark, is_empty);
        }
        if let Title::Closed { end, is_empty } = found
            && start != after.at
        {
            cursor.at = end;
            if let Some(line) = self.line_after(cursor) {
                return Some(line);
            }
            if is_empty {
                return None;
            }
        }
        self.line_after(after)
    }

    /// The next line, if only blanks are left in this one.
    fn line_after(&self, cursor: Cursor) -> Option<usize> {
        let rest = self
            .bytes
            .get(cursor.at..cursor.line_end)
            .unwrap_or_default();
        rest.iter()
            .all(|byte| is_space(*byte))
            .then_some(cursor.next_line)
    }
}
