//! Definition lists: a term, and below it lines that begin with `: ` or `~ `.

use super::block::{Parent, Parser, RuleMode};
use super::source::{is_space, skip_spaces};

impl Parser<'_> {
    /// As an interruption, only the mark of a further definition counts, within one.
    pub(super) fn definition_list(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if mode == RuleMode::Interrupt {
            return self.definition_depth > 0
                && self.lines[start].indent < self.block_indent
                && self.definition_mark(start).is_some();
        }
        let Some((mut line, mut after_mark)) = self.definition_below(start, end) else {
            return false;
        };
        let mut term = start;
        loop {
            self.push_lines(term, term + 1);
            loop {
                self.definition_text(line, end, after_mark);
                line = self.line;
                if line >= end || self.lines[line].indent < self.block_indent {
                    return true;
                }
                match self.definition_mark(line) {
                    Some(mark) => after_mark = mark,
                    None => break,
                }
            }
            term = line;
            if self.lines[term].is_empty() {
                return true;
            }
            match self.definition_below(term, end) {
                Some(found) => (line, after_mark) = found,
                None => return true,
            }
        }
    }

    /// The line of the definition below a term, and the end of its mark. One blank line may precede it.
    fn definition_below(&self, term: usize, end: usize) -> Option<(usize, usize)> {
        let mut line = term + 1;
        if line < end && self.lines[line].is_empty() {
            line += 1;
        }
        if line >= end || self.lines[line].indent < self.block_indent {
            return None;
        }
        Some((line, self.definition_mark(line)?))
    }

    /// The end of the mark of a definition. Text must be separated from it.
    fn definition_mark(&self, number: usize) -> Option<usize> {
        let line = &self.lines[number];
        if line.is_empty() || self.is_indented(number) {
            return None;
        }
        let after = line.text() + 1;
        let is_mark = matches!(self.bytes[line.text()], b':' | b'~');
        let is_separated = after >= line.end || is_space(self.bytes[after]);
        (is_mark && is_separated).then_some(after)
    }

    fn definition_text(&mut self, number: usize, end: usize, after_mark: usize) {
        let line = self.lines[number];
        let at = skip_spaces(self.bytes, after_mark..line.end);
        let mut indent = line.indent + 1;
        for byte in &self.bytes[after_mark..at] {
            indent += if *byte == b'\t' { 4 - indent % 4 } else { 1 };
        }
        let block_indent = std::mem::replace(&mut self.block_indent, line.indent + 2);
        let parent = std::mem::replace(&mut self.parent, Parent::Other);
        self.lines[number].shift = at - line.start;
        self.lines[number].indent = indent;
        self.level += 2;
        self.definition_depth += 1;
        self.tokenize(number, end);
        self.definition_depth -= 1;
        self.level -= 2;
        self.lines[number].shift = line.shift;
        self.lines[number].indent = line.indent;
        self.parent = parent;
        self.block_indent = block_indent;
    }
}
