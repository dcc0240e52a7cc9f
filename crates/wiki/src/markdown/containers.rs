//! The blocks that contain other blocks: quotations, lists and footnotes.

use super::block::{Parent, Parser, RuleMode};
use super::source::{Line, is_space};

/// The marker of a list item.
#[derive(Clone, Copy)]
struct Marker {
    /// The end of the marker.
    end: usize,
    /// Its last byte, which all items of a list share.
    mark: u8,
    is_ordered: bool,
    /// True if its number is 1.
    is_first: bool,
}

impl Parser<'_> {
    pub(super) fn blockquote(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) || self.text_of(start).first() != Some(&b'>') {
            return false;
        }
        if mode == RuleMode::Interrupt {
            return true;
        }
        let parent = std::mem::replace(&mut self.parent, Parent::Other);
        let line_max = self.line_max;
        let mut saved: Vec<Line> = Vec::new();
        let mut last_is_empty = false;
        let mut next = start;
        while next < end {
            let line = self.lines[next];
            if line.is_empty() {
                break;
            }
            if self.bytes[line.text()] == b'>' && line.indent >= self.block_indent {
                saved.push(line);
                self.lines[next] = without_quote_mark(self.bytes, &line);
                last_is_empty = self.lines[next].is_empty();
                next += 1;
                continue;
            }
            if last_is_empty {
                break;
            }
            if self.interrupts_quotation(next, end) {
                // Rules within the quotation must not read beyond it.
                self.line_max = next;
                if self.block_indent != 0 {
                    saved.push(line);
                    self.lines[next].indent -= self.block_indent;
                }
                break;
            }
            // A lazy continuation of a paragraph.
            saved.push(line);
            self.lines[next].indent = -1;
            next += 1;
        }
        let block_indent = std::mem::take(&mut self.block_indent);
        self.level += 1;
        self.tokenize(start, next);
        self.level -= 1;
        self.line_max = line_max;
        self.parent = parent;
        self.lines[start..start + saved.len()].copy_from_slice(&saved);
        self.block_indent = block_indent;
        true
    }

    pub(super) fn list(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        let indent = self.lines[start].indent;
        if self.is_indented(start) {
            return false;
        }
        // It is neither code of an outer item nor an item of the outer list.
        if self.list_indent >= 0 && indent - self.list_indent >= 4 && indent < self.block_indent {
            return false;
        }
        let Some(marker) = self.marker(start) else {
            return false;
        };
        let interrupts_paragraph = mode == RuleMode::Interrupt
            && self.parent == Parent::Paragraph
            && indent >= self.block_indent;
        if interrupts_paragraph {
            let line = &self.lines[start];
            let is_empty = self.bytes[marker.end..line.end]
                .iter()
                .all(|byte| is_space(*byte));
            if is_empty || (marker.is_ordered && !marker.is_first) {
                return false;
            }
        }
        if mode == RuleMode::Read {
            self.items(start, end, marker);
        }
        true
    }

    fn items(&mut self, start: usize, end: usize, first: Marker) {
        let parent = std::mem::replace(&mut self.parent, Parent::Other);
        self.level += 1;
        let (mut next, mut marker) = (start, first);
        while next < end {
            self.item(next, end, &marker);
            next = self.line;
            if next >= end
                || self.lines[next].indent < self.block_indent
                || self.is_indented(next)
                || self.interrupts_list(next, end)
            {
                break;
            }
            match self.marker(next) {
                Some(following)
                    if following.is_ordered == first.is_ordered && following.mark == first.mark =>
                {
                    marker = following;
                }
                Some(_) | None => break,
            }
        }
        self.level -= 1;
        self.line = next;
        self.parent = parent;
    }

    fn item(&mut self, number: usize, end: usize, marker: &Marker) {
        let line = self.lines[number];
        let initial = line.indent + distance(line.text(), marker.end);
        let (mut at, mut offset) = (marker.end, initial);
        while at < line.end {
            match self.bytes[at] {
                b'\t' => offset += 4 - (offset + line.column) % 4,
                b' ' => offset += 1,
                _ => break,
            }
            at += 1;
        }
        let is_blank = at >= line.end;
        let after_marker = offset - initial;
        // More than four columns are code within the item.
        let after_marker = if is_blank || after_marker > 4 {
            1
        } else {
            after_marker
        };
        let list_indent = std::mem::replace(&mut self.list_indent, self.block_indent);
        self.block_indent = initial + after_marker;
        self.lines[number].shift = at - line.start;
        self.lines[number].indent = offset;
        self.level += 1;
        if is_blank && self.lines[number + 1].is_empty() {
            // An item that starts with a blank line has at most one.
            self.line = (self.line + 2).min(end);
        } else {
            self.tokenize(number, end);
        }
        self.level -= 1;
        self.block_indent = self.list_indent;
        self.list_indent = list_indent;
        self.lines[number].shift = line.shift;
        self.lines[number].indent = line.indent;
    }

    fn marker(&self, number: usize) -> Option<Marker> {
        let text = self.text_of(number);
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_ordered = digits > 0;
        let mark = *text.get(digits)?;
        let is_mark = if is_ordered {
            digits <= 9 && matches!(mark, b'.' | b')')
        } else {
            matches!(mark, b'*' | b'-' | b'+')
        };
        let is_separated = text.get(digits + 1).is_none_or(|byte| is_space(*byte));
        (is_mark && is_separated).then(|| Marker {
            end: self.lines[number].text() + digits + 1,
            mark,
            is_ordered,
            is_first: text[..digits]
                .iter()
                .rev()
                .enumerate()
                .all(|(place, digit)| *digit == if place == 0 { b'1' } else { b'0' }),
        })
    }

    /// `[^label]: text`. Lines below it that are indented by four columns belong to it.
    pub(super) fn footnote(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        let line = self.lines[start];
        let text = self.text_of(start);
        if text.len() < 4 || !text.starts_with(b"[^") {
            return false;
        }
        let Some(length) = text[2..]
            .iter()
            .position(|byte| matches!(byte, b' ' | b']'))
        else {
            return false;
        };
        let after_label = 2 + length;
        if length == 0 || !text[after_label..].starts_with(b"]:") {
            return false;
        }
        if mode == RuleMode::Interrupt {
            return true;
        }
        let label = line.text() + 2..line.text() + after_label;
        self.blocks
            .footnotes
            .insert(self.source[label.clone()].to_owned());
        self.blocks.footnote_labels.push(label);

        let after_colon = line.text() + after_label + 2;
        let initial = line.indent + distance(line.text(), after_colon);
        let (mut at, mut offset) = (after_colon, initial);
        while at < line.end && is_space(self.bytes[at]) {
            offset += if self.bytes[at] == b'\t' {
                4 - offset % 4
            } else {
                1
            };
            at += 1;
        }
        let parent = std::mem::replace(&mut self.parent, Parent::Other);
        self.block_indent += 4;
        self.level += 1;
        let inner = &mut self.lines[start];
        inner.start = after_colon;
        inner.shift = at - after_colon;
        inner.indent = offset - initial;
        if inner.indent < self.block_indent {
            inner.indent += self.block_indent;
        }
        self.tokenize(start, end);
        self.level -= 1;
        self.block_indent -= 4;
        self.parent = parent;
        let outer = &mut self.lines[start];
        outer.start = line.start;
        outer.shift = line.shift;
        outer.indent = line.indent;
        true
    }
}

/// A line of a quotation, without the quotation mark.
fn without_quote_mark(bytes: &[u8], line: &Line) -> Line {
    let mut start = line.text() + 1;
    let mut initial = line.indent + 1;
    let (mut follows_blank, mut spans_tab) = (false, false);
    match bytes.get(start) {
        Some(b' ') if start < line.end => {
            follows_blank = true;
            start += 1;
            initial += 1;
        }
        Some(b'\t') if start < line.end => {
            follows_blank = true;
            if (line.column + initial) % 4 == 3 {
                start += 1;
                initial += 1;
            } else {
                // The tab extends beyond the one column that belongs to the mark.
                spans_tab = true;
            }
        }
        _ => {}
    }
    let (mut at, mut offset) = (start, initial);
    while at < line.end && is_space(bytes[at]) {
        offset += if bytes[at] == b'\t' {
            4 - (offset + line.column + isize::from(spans_tab)) % 4
        } else {
            1
        };
        at += 1;
    }
    Line {
        start,
        end: line.end,
        shift: at - start,
        indent: offset - initial,
        column: line.indent + 1 + isize::from(follows_blank),
    }
}

/// The number of columns between two positions of a line without a tab between them.
fn distance(from: usize, to: usize) -> isize {
    isize::try_from(to - from).expect("BUG: lines are shorter than the address space")
}
