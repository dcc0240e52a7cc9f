//! The rules for blocks, in their order, and the blocks that contain no other blocks.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::content::Content;
use super::definition::Definition;
use super::html;
use super::limits::MAX_NESTING;
use super::math;
use super::source::{Line, front_matter_lines, is_space, lines, run, skip_spaces};

/// The blocks of a page.
#[derive(Default)]
pub(super) struct Blocks {
    /// The texts that may contain links, in the order of the source.
    pub(super) contents: Vec<Content>,
    /// The position in `contents` of the first heading of level 1.
    pub(super) title: Option<usize>,
    /// By normalized label. The first definition of a label counts.
    pub(super) definitions: HashMap<String, Definition>,
    /// The labels of all footnotes.
    pub(super) footnotes: HashSet<String>,
    /// The labels of their definitions in the source.
    pub(super) footnote_labels: Vec<Range<usize>>,
}

impl Blocks {
    pub(super) fn parse(source: &str) -> Self {
        let mut parser = Parser::new(source);
        parser.tokenize(0, parser.line_max);
        parser.blocks
    }
}

/// The kind of block within which a rule is tried, if that makes a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    Paragraph,
    Other,
}

/// A rule for a kind of block.
#[derive(Clone, Copy)]
enum Rule {
    FrontMatter,
    Table,
    Code,
    Math,
    Fence,
    Blockquote,
    ThematicBreak,
    List,
    Footnote,
    Definition,
    Html,
    Heading,
    SetextHeading,
    DefinitionList,
    Paragraph,
}

/// The purpose for which a rule is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleMode {
    /// Reads the block.
    Read,
    /// Checks if the block would end the previous one.
    Interrupt,
}

/// All rules, in their order.
const RULES: [Rule; 15] = [
    Rule::FrontMatter,
    Rule::Table,
    Rule::Code,
    Rule::Math,
    Rule::Fence,
    Rule::Blockquote,
    Rule::ThematicBreak,
    Rule::List,
    Rule::Footnote,
    Rule::Definition,
    Rule::Html,
    Rule::Heading,
    Rule::SetextHeading,
    Rule::DefinitionList,
    Rule::Paragraph,
];

/// The rules that end a paragraph, or a definition.
const ENDS_PARAGRAPH: [Rule; 10] = [
    Rule::Table,
    Rule::Math,
    Rule::Fence,
    Rule::Blockquote,
    Rule::ThematicBreak,
    Rule::List,
    Rule::Footnote,
    Rule::Html,
    Rule::Heading,
    Rule::DefinitionList,
];

/// The rules that end a quotation, or a table.
const ENDS_QUOTATION: [Rule; 8] = [
    Rule::Math,
    Rule::Fence,
    Rule::Blockquote,
    Rule::ThematicBreak,
    Rule::List,
    Rule::Html,
    Rule::Heading,
    Rule::DefinitionList,
];

const ENDS_LIST: [Rule; 4] = [
    Rule::Math,
    Rule::Fence,
    Rule::Blockquote,
    Rule::ThematicBreak,
];

pub(super) struct Parser<'t> {
    pub(super) source: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) lines: Vec<Line>,
    /// The column at which the content of the innermost list item or footnote starts.
    pub(super) block_indent: isize,
    /// The same column of the enclosing list; negative outside of lists.
    pub(super) list_indent: isize,
    /// The line at which the last block ended.
    pub(super) line: usize,
    pub(super) line_max: usize,
    pub(super) parent: Parent,
    pub(super) level: usize,
    /// The number of definitions of terms around the current line.
    pub(super) definition_depth: usize,
    pub(super) blocks: Blocks,
}

impl<'t> Parser<'t> {
    fn new(source: &'t str) -> Self {
        let lines = lines(source);
        Self {
            source,
            bytes: source.as_bytes(),
            line_max: lines.len() - 1,
            lines,
            block_indent: 0,
            list_indent: -1,
            line: 0,
            parent: Parent::Other,
            level: 0,
            definition_depth: 0,
            blocks: Blocks::default(),
        }
    }

    /// Reads the blocks from the line `start` on, up to the line `end` or the end of the container.
    pub(super) fn tokenize(&mut self, start: usize, end: usize) {
        let mut line = start;
        while line < end {
            while line < self.line_max && self.lines[line].is_empty() {
                line += 1;
            }
            self.line = line;
            if line >= end || self.lines[line].indent < self.block_indent {
                return;
            }
            if self.level >= MAX_NESTING {
                self.line = end;
                return;
            }
            let applies = RULES
                .iter()
                .any(|rule| self.apply(*rule, line, end, RuleMode::Read));
            debug_assert!(applies && self.line > line, "a paragraph is always read");
            line = self.line.max(line + 1);
            self.line = line;
        }
    }

    pub(super) fn interrupts_paragraph(&mut self, line: usize, end: usize) -> bool {
        self.interrupts(&ENDS_PARAGRAPH, line, end)
    }

    pub(super) fn interrupts_quotation(&mut self, line: usize, end: usize) -> bool {
        self.interrupts(&ENDS_QUOTATION, line, end)
    }

    pub(super) fn interrupts_list(&mut self, line: usize, end: usize) -> bool {
        self.interrupts(&ENDS_LIST, line, end)
    }

    fn interrupts(&mut self, rules: &[Rule], line: usize, end: usize) -> bool {
        rules
            .iter()
            .any(|rule| self.apply(*rule, line, end, RuleMode::Interrupt))
    }

    /// Applies a rule at a line, before the line `end`, and returns true if it matched.
    /// [`RuleMode::Interrupt`] changes nothing.
    fn apply(&mut self, rule: Rule, line: usize, end: usize, mode: RuleMode) -> bool {
        match rule {
            Rule::FrontMatter => self.front_matter(line, end, mode),
            Rule::Table => self.table(line, end, mode),
            Rule::Code => self.code(line, end),
            Rule::Math => self.math_block(line, end, mode),
            Rule::Fence => self.fence(line, end, mode),
            Rule::Blockquote => self.blockquote(line, end, mode),
            Rule::ThematicBreak => self.thematic_break(line, mode),
            Rule::List => self.list(line, end, mode),
            Rule::Footnote => self.footnote(line, end, mode),
            Rule::Definition => self.definition(line),
            Rule::Html => self.html_block(line, end, mode),
            Rule::Heading => self.heading(line, mode),
            Rule::SetextHeading => self.setext_heading(line, end),
            Rule::DefinitionList => self.definition_list(line, end, mode),
            Rule::Paragraph => self.paragraph(line, end),
        }
    }

    /// True if a line is indented as code is.
    pub(super) fn is_indented(&self, line: usize) -> bool {
        self.lines[line].indent - self.block_indent >= 4
    }

    /// The text of a line.
    pub(super) fn text_of(&self, line: usize) -> &'t [u8] {
        let line = &self.lines[line];
        &self.bytes[line.text()..line.end]
    }

    /// Records that the next content is a heading of level 1.
    fn set_title(&mut self) {
        self.blocks.title.get_or_insert(self.blocks.contents.len());
    }

    pub(super) fn push_lines(&mut self, start: usize, end: usize) {
        let lines = &self.lines[start..end];
        let content = Content::of_lines(self.source, lines, self.block_indent);
        self.blocks.contents.push(content);
    }

    fn front_matter(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if start != 0 || self.level != 0 {
            return false;
        }
        let Some(length) = front_matter_lines(self.source, &self.lines) else {
            return false;
        };
        if length > end {
            return false;
        }
        if mode == RuleMode::Read {
            self.line = length;
        }
        true
    }

    fn code(&mut self, start: usize, end: usize) -> bool {
        if !self.is_indented(start) {
            return false;
        }
        let mut last = start + 1;
        for line in start + 1..end {
            if self.lines[line].is_empty() {
                continue;
            }
            if !self.is_indented(line) {
                break;
            }
            last = line + 1;
        }
        self.line = last;
        true
    }

    fn math_block(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let Some(last) = math::last_line_of_block(self, start, end) else {
            return false;
        };
        if mode == RuleMode::Read {
            self.line = last + 1;
        }
        true
    }

    fn fence(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let text = self.text_of(start);
        let Some(mark @ (b'~' | b'`')) = text.first().copied() else {
            return false;
        };
        let length = run(text, 0, mark);
        if length < 3 || (mark == b'`' && text[length..].contains(&mark)) {
            return false;
        }
        if mode == RuleMode::Read {
            self.line = self.end_of_fence(start, end, mark, length);
        }
        true
    }

    /// The line after a fence.
    fn end_of_fence(&self, start: usize, end: usize, mark: u8, length: usize) -> usize {
        for number in start + 1..end {
            let line = &self.lines[number];
            if !line.is_empty() && line.indent < self.block_indent {
                return number;
            }
            let text = &self.bytes[line.text().min(line.end)..line.end];
            let marks = run(text, 0, mark);
            if marks >= length
                && !self.is_indented(number)
                && text[marks..].iter().all(|byte| is_space(*byte))
            {
                return number + 1;
            }
        }
        end
    }

    fn thematic_break(&mut self, start: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let text = self.text_of(start);
        let Some(mark @ (b'*' | b'-' | b'_')) = text.first().copied() else {
            return false;
        };
        if text.iter().any(|byte| *byte != mark && !is_space(*byte)) {
            return false;
        }
        if text.iter().filter(|byte| **byte == mark).count() < 3 {
            return false;
        }
        if mode == RuleMode::Read {
            self.line = start + 1;
        }
        true
    }

    fn html_block(&mut self, start: usize, end: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let text = self.text_of(start);
        if text.first() != Some(&b'<') {
            return false;
        }
        let Some(kind) = html::block_kind(text) else {
            return false;
        };
        if mode == RuleMode::Interrupt {
            return kind.interrupts_paragraph;
        }
        self.line = start + 1;
        if kind.ends_with(text) {
            return true;
        }
        while self.line < end {
            let line = self.lines[self.line];
            let is_outside = line.indent < self.block_indent;
            if is_outside && (kind.ends_on_blank_line() || !line.is_empty()) {
                break;
            }
            let text = &self.bytes[line.text().min(line.end)..line.end];
            if kind.ends_with(text) {
                self.line += usize::from(!text.is_empty());
                break;
            }
            self.line += 1;
        }
        true
    }

    fn heading(&mut self, start: usize, mode: RuleMode) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let text = self.text_of(start);
        let level = run(text, 0, b'#');
        let follows = text.get(level);
        if !(1..=6).contains(&level) || follows.is_some_and(|byte| !is_space(*byte)) {
            return false;
        }
        if mode == RuleMode::Interrupt {
            return true;
        }
        let line = self.lines[start];
        let from = line.text() + level;
        let mut to = line.end
            - self.bytes[from..line.end]
                .iter()
                .rev()
                .take_while(|byte| is_space(**byte))
                .count();
        let marks = self.bytes[from..to]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'#')
            .count();
        // Trailing marks do not count if only whitespace precedes them.
        if to - marks > from && is_space(self.bytes[to - marks - 1]) {
            to -= marks;
        }
        self.line = start + 1;
        if level == 1 {
            self.set_title();
        }
        let content = Content::of_line(self.source, from..to);
        self.blocks.contents.push(content);
        true
    }

    /// A heading that is underlined by a line of `=` or `-`.
    fn setext_heading(&mut self, start: usize, end: usize) -> bool {
        if self.is_indented(start) {
            return false;
        }
        let parent = std::mem::replace(&mut self.parent, Parent::Paragraph);
        let underline = self.underline(start, end);
        self.parent = parent;
        let Some(underline) = underline else {
            return false;
        };
        if self.text_of(underline).first() == Some(&b'=') {
            self.set_title();
        }
        self.push_lines(start, underline);
        self.line = underline + 1;
        true
    }

    fn underline(&mut self, start: usize, end: usize) -> Option<usize> {
        for number in start + 1..end {
            let line = self.lines[number];
            if line.is_empty() {
                return None;
            }
            if line.indent - self.block_indent > 3 {
                continue;
            }
            if line.indent >= self.block_indent && is_underline(self.text_of(number)) {
                return Some(number);
            }
            if line.indent >= 0 && self.interrupts_paragraph(number, end) {
                return None;
            }
        }
        None
    }

    fn paragraph(&mut self, start: usize, end: usize) -> bool {
        let parent = std::mem::replace(&mut self.parent, Parent::Paragraph);
        let mut next = start + 1;
        while next < end && !self.lines[next].is_empty() {
            let indent = self.lines[next].indent;
            let continues = indent - self.block_indent > 3 || indent < 0;
            if !continues && self.interrupts_paragraph(next, end) {
                break;
            }
            next += 1;
        }
        self.parent = parent;
        self.push_lines(start, next);
        self.line = next;
        true
    }
}

fn is_underline(text: &[u8]) -> bool {
    let Some(mark @ (b'-' | b'=')) = text.first().copied() else {
        return false;
    };
    let length = run(text, 0, mark);
    skip_spaces(text, length..text.len()) == text.len()
}
