//! The rules for the text of a block, in their order.

mod links;
mod markup;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::block::Blocks;
use super::destination::Form;
use super::limits::MAX_NESTING;
use super::math;
use super::source::{run, skip_spaces};
use super::tag;

pub(crate) use links::wiki_link;
pub(crate) use markup::{address_length, script_contents};

/// A link or picture with an inline destination.
#[derive(Debug)]
pub(super) struct InlineLink {
    /// The destination in the text.
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

/// The parts of a block's text, in its order.
#[derive(Debug, Default)]
pub(super) struct InlineFindings {
    pub(super) links: Vec<InlineLink>,
    /// The names of tags, without `#`.
    pub(super) tags: Vec<Range<usize>>,
    /// The labels of references to footnotes.
    pub(super) footnotes: Vec<Range<usize>>,
}

/// The footnotes that a page has referred to so far.
#[derive(Default)]
pub(super) struct FootnoteUse {
    labels: HashSet<String>,
    /// The number of footnotes, including inline ones.
    count: usize,
}

/// The mode in which a rule runs: it reads what it finds, or only skips it to find the end of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Skip,
}

/// The text of a block, or of a picture or footnote within it.
pub(super) struct Inline<'t, 'a> {
    bytes: &'t [u8],
    text: &'t str,
    /// The start of the text in that of the block.
    offset: usize,
    at: usize,
    max: usize,
    level: usize,
    /// The number of bytes of plain text before `at`.
    pending: usize,
    /// The number of open links. Tags count too, and may close more than they open.
    open_links: isize,
    /// By position: the end of the token there, or 0 if it is not known yet. Empty until it is needed.
    token_ends: Vec<usize>,
    /// The end of the last `]`, after which no label ends.
    labels_end: usize,
    /// By length: the start of the last run of backticks.
    last_backticks: Option<HashMap<usize, usize>>,
    /// True if an unterminated comment or similar construct was found.
    has_endless_html: bool,
    /// True for the alternative text of a picture, which is rendered without its links.
    is_in_picture: bool,
    page: &'a Blocks,
    footnotes_used: &'a mut FootnoteUse,
    found: &'a mut InlineFindings,
}

impl<'t, 'a> Inline<'t, 'a> {
    /// The links and tags of a block's text.
    pub(super) fn findings(
        text: &'t str,
        page: &'a Blocks,
        footnotes_used: &mut FootnoteUse,
    ) -> InlineFindings {
        let mut found = InlineFindings::default();
        Inline::new(text, 0, false, page, footnotes_used, &mut found).tokenize();
        found
    }

    fn new(
        text: &'t str,
        offset: usize,
        is_in_picture: bool,
        page: &'a Blocks,
        footnotes_used: &'a mut FootnoteUse,
        found: &'a mut InlineFindings,
    ) -> Self {
        Self {
            bytes: text.as_bytes(),
            text,
            offset,
            at: 0,
            max: text.len(),
            level: 0,
            pending: 0,
            open_links: 0,
            token_ends: Vec::new(),
            labels_end: text.rfind(']').map_or(0, |at| at + 1),
            last_backticks: None,
            has_endless_html: false,
            is_in_picture,
            page,
            footnotes_used,
            found,
        }
    }

    fn tokenize(&mut self) {
        let end = self.max;
        while self.at < end {
            if self.level < MAX_NESTING && self.rules(Mode::Read) {
                continue;
            }
            let length = self.character_length();
            self.pending += length;
            self.at += length;
        }
        self.pending = 0;
    }

    /// Moves to the end of the token at `at`.
    fn skip_token(&mut self) {
        let start = self.at;
        if self.token_ends.is_empty() {
            self.token_ends.resize(self.text.len(), 0);
        }
        if self.token_ends[start] > 0 {
            self.at = self.token_ends[start];
            return;
        }
        if self.level < MAX_NESTING {
            self.level += 1;
            let applies = self.rules(Mode::Skip);
            self.level -= 1;
            if !applies {
                self.at = start + self.character_length();
            }
        } else {
            // If a text nests too deeply, the page leaves the rest of it unread, including its last mark.
            self.at = self.max + 1;
        }
        self.token_ends[start] = self.at;
    }

    fn character_length(&self) -> usize {
        let rest = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        rest.map_or(1, char::len_utf8)
    }

    /// Tries the rules that may apply to the character at `at`.
    fn rules(&mut self, mode: Mode) -> bool {
        match self.bytes[self.at] {
            b':' => self.bare_address(mode),
            b'\n' => self.line_break(mode),
            b'$' => self.formula(mode),
            b'\\' => self.escape(mode),
            b'`' => self.code_span(mode),
            b'~' => (mode == Mode::Read && self.delimiters(b'~', 2)) || self.script(mode),
            b'=' => mode == Mode::Read && self.delimiters(b'=', 2),
            mark @ (b'*' | b'_') => mode == Mode::Read && self.delimiters(mark, 1),
            b'[' => self.page_link(mode) || self.link(mode) || self.footnote_reference(mode),
            b'!' => self.picture(mode),
            b'^' => self.script(mode) || self.inline_footnote(mode),
            b'<' => self.autolink(mode) || self.html(mode),
            b'#' => self.tag(mode),
            b'%' | b'&' | b'+' | b'-' | b'>' | b'@' | b']' | b'{' | b'}' => false,
            _ => self.plain_text(mode),
        }
    }

    /// Ends the plain text before a token that was read.
    fn end_pending(&mut self, mode: Mode) {
        if mode == Mode::Read {
            self.pending = 0;
        }
    }

    fn plain_text(&mut self, mode: Mode) -> bool {
        let rest = &self.bytes[self.at..self.max.max(self.at)];
        let length = rest
            .iter()
            .take_while(|byte| !ends_plain_text(**byte))
            .count();
        if length == 0 {
            return false;
        }
        if mode == Mode::Read {
            self.pending += length;
        }
        self.at += length;
        true
    }

    fn line_break(&mut self, mode: Mode) -> bool {
        self.end_pending(mode);
        self.at = self.skip_spaces_from(self.at + 1);
        true
    }

    fn formula(&mut self, mode: Mode) -> bool {
        let Some(end) = math::end_of_inline(self.text, self.at, self.max) else {
            return false;
        };
        self.end_pending(mode);
        self.at = end;
        true
    }

    /// `#tag`.
    fn tag(&mut self, mode: Mode) -> bool {
        let text = self.text.get(..self.max).unwrap_or(self.text);
        let Some(name) = tag::name_at(text, self.at).filter(|_| self.open_links <= 0) else {
            return false;
        };
        self.end_pending(mode);
        self.at = name.end;
        if mode == Mode::Read && !self.is_in_picture {
            let range = self.offset + name.start..self.offset + name.end;
            self.found.tags.push(range);
        }
        true
    }

    fn escape(&mut self, mode: Mode) -> bool {
        let next = self.at + 1;
        if next >= self.max {
            return false;
        }
        self.end_pending(mode);
        match self.bytes[next] {
            b'\n' => self.at = self.skip_spaces_from(next + 1),
            b' ' => self.at = next,
            _ => {
                self.at = next;
                self.at += self.character_length();
            }
        }
        true
    }

    fn skip_spaces_from(&self, at: usize) -> usize {
        skip_spaces(self.bytes, at..self.max.max(at))
    }

    fn code_span(&mut self, mode: Mode) -> bool {
        let start = self.at;
        let length = run(&self.bytes[..self.max], start, b'`');
        let after = start + length;
        let last = self
            .last_backticks
            .get_or_insert_with(|| last_backticks(self.bytes));
        if last.get(&length).is_some_and(|last| *last >= after) {
            let mut from = after;
            while let Some(found) = memchr::memchr(b'`', &self.bytes[from..]) {
                let close = from + found;
                if close >= self.max {
                    break;
                }
                from = close + run(self.bytes, close, b'`');
                if from > self.max {
                    break;
                }
                if from - close == length {
                    self.end_pending(mode);
                    self.at = from;
                    return true;
                }
            }
        }
        if mode == Mode::Read {
            self.pending += length;
        }
        self.at = after;
        true
    }

    /// Marks of emphasis, which do not move the ends of links.
    fn delimiters(&mut self, mark: u8, least: usize) -> bool {
        let length = run(&self.bytes[..self.max], self.at, mark);
        if length < least {
            return false;
        }
        self.pending = 0;
        self.at += length;
        true
    }
}

fn ends_plain_text(byte: u8) -> bool {
    matches!(
        byte,
        b'\n'
            | b'!'
            | b'#'
            | b'$'
            | b'%'
            | b'&'
            | b'*'
            | b'+'
            | b'-'
            | b':'
            | b'<'
            | b'='
            | b'>'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'_'
            | b'`'
            | b'{'
            | b'}'
            | b'~'
    )
}

/// By length: the start of the last run of backticks.
fn last_backticks(bytes: &[u8]) -> HashMap<usize, usize> {
    let mut last = HashMap::new();
    let mut from = 0;
    while let Some(found) = memchr::memchr(b'`', &bytes[from..]) {
        let start = from + found;
        from = start + run(bytes, start, b'`');
        last.insert(from - start, start);
    }
    last
}
