//! The rules for the text of a block, in their order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::block::Blocks;
use super::link_parts::{Title, destination, normalized_label, title};
use super::source::{is_space, is_white_space, run, skip_spaces};
use super::{Form, MAX_LABEL_NESTING, MAX_NESTING, MOST_FOOTNOTES, html, math};

/// How many characters before `://` may be a scheme.
const LONGEST_SCHEME: usize = 10;
/// The longest address that stands in the text as it is, behind its scheme.
const LONGEST_ADDRESS: usize = 10_000;

/// A link or picture with a destination of its own.
#[derive(Debug)]
pub(super) struct InlineLink {
    /// The destination in the text.
    pub(super) range: Range<usize>,
    pub(super) form: Form,
}

/// The destination of a link or picture.
enum Target {
    Written(Range<usize>, Form),
    /// A definition, or nothing.
    Elsewhere,
}

/// A link or picture that was found.
struct FoundLink {
    label: Range<usize>,
    target: Target,
    end: usize,
}

/// The footnotes that a page has referred to so far.
#[derive(Default)]
pub(super) struct Notes {
    labels: HashSet<String>,
    /// With those that are written where they are referred to.
    count: usize,
}

/// Whether a rule reads what it finds, or only skips it to find the end of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Read,
    Skip,
}

/// The text of a block, or of a picture or footnote within it.
pub(super) struct Inline<'t, 'a> {
    bytes: &'t [u8],
    text: &'t str,
    /// Where the text starts in that of the block.
    offset: usize,
    at: usize,
    max: usize,
    level: usize,
    /// How many bytes of plain text precede `at`.
    pending: usize,
    /// How many links are open; tags count too, and may close more than they open.
    open_links: isize,
    /// By position: where the token there ends, or 0 if that is not known yet. Empty until it is needed.
    token_ends: Vec<usize>,
    /// Behind the last `]`, which ends every label.
    labels_end: usize,
    /// By length: where the last run of backticks starts.
    last_backticks: Option<HashMap<usize, usize>>,
    /// Whether a comment or the like that does not end was found.
    has_endless_html: bool,
    /// Whether it is the alternative text of a picture, which is rendered without its links.
    is_in_picture: bool,
    page: &'a Blocks,
    notes: &'a mut Notes,
    links: &'a mut Vec<InlineLink>,
}

impl<'t, 'a> Inline<'t, 'a> {
    /// The links of a block's text, in their order.
    pub(super) fn links(text: &'t str, page: &'a Blocks, notes: &mut Notes) -> Vec<InlineLink> {
        let mut links = Vec::new();
        Inline::new(text, 0, false, page, notes, &mut links).tokenize();
        links
    }

    fn new(
        text: &'t str,
        offset: usize,
        is_in_picture: bool,
        page: &'a Blocks,
        notes: &'a mut Notes,
        links: &'a mut Vec<InlineLink>,
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
            notes,
            links,
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

    /// Moves behind the token at `at`.
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
            // The page leaves the rest of a text that nests too deeply unread, and its last mark with it.
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
            b'~' => mode == Mode::Read && self.delimiters(b'~', 2),
            mark @ (b'*' | b'_') => mode == Mode::Read && self.delimiters(mark, 1),
            b'[' => self.page_link(mode) || self.link(mode) || self.footnote_reference(mode),
            b'!' => self.picture(mode),
            b'^' => self.inline_footnote(mode),
            b'<' => self.autolink(mode) || self.html(mode),
            b'#' | b'%' | b'&' | b'+' | b'-' | b'=' | b'>' | b'@' | b']' | b'{' | b'}' => false,
            _ => self.plain_text(mode),
        }
    }

    /// A token was read, so that the plain text before it ends.
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

    /// An address of the web that stands in the text as it is. A link within it is a part of it.
    fn bare_address(&mut self, mode: Mode) -> bool {
        let colon = self.at;
        if self.open_links > 0 || colon + 3 > self.max || !self.bytes[colon..].starts_with(b"://") {
            return false;
        }
        let longest = LONGEST_SCHEME.min(self.pending);
        let of_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let before = self.bytes[..colon].iter().rev().take(longest);
        let length = before.take_while(of_scheme).count();
        let scheme = &self.bytes[colon - length..colon];
        if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
            return false;
        }
        let rest = &self.bytes[colon + 1..];
        let rest = &rest[..rest.len().min(LONGEST_ADDRESS)];
        let Some(length) = address_length(&rest[2..]) else {
            return false;
        };
        self.end_pending(mode);
        self.at = colon + 3 + length;
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

    /// `[[/path]]` and `[[/path|text]]`.
    fn page_link(&mut self, mode: Mode) -> bool {
        if !self.bytes[self.at..].starts_with(b"[[") {
            return false;
        }
        let start = self.at + 2;
        let is_special = |byte: &u8| matches!(byte, b'[' | b']' | b'\n');
        let Some(length) = self.bytes[start..].iter().position(is_special) else {
            return false;
        };
        let end = start + length;
        if end > self.max || !self.bytes[end..].starts_with(b"]]") {
            return false;
        }
        let inner = &self.text[start..end];
        // In a table the bar has to be written `\|`; it means the same elsewhere.
        let target = inner.split_once('|').map_or(inner, |(target, _)| {
            target.strip_suffix('\\').unwrap_or(target)
        });
        let blanks = target.len() - target.trim_start_matches(is_white_space).len();
        let target = target.trim_matches(is_white_space);
        let names_id = target
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("page:"));
        if !target.starts_with('/') && !names_id {
            return false;
        }
        if mode == Mode::Read {
            let from = start + blanks;
            self.add(from..from + target.len(), Form::Wiki);
            self.pending = 0;
        }
        self.at = end + 2;
        true
    }

    /// The end of the label that `[` at `start` opens. If links may not nest, a label with one has none.
    fn label_end(&mut self, start: usize, may_hold_links: bool) -> Option<usize> {
        if start >= self.labels_end {
            return None;
        }
        let old = std::mem::replace(&mut self.at, start + 1);
        let mut depth = 1;
        let mut end = None;
        while self.at < self.max {
            let (before, mark) = (self.at, self.bytes[self.at]);
            if mark == b']' {
                depth -= 1;
                if depth == 0 {
                    end = Some(before);
                    break;
                }
            }
            self.skip_token();
            if mark == b'[' {
                if self.at == before + 1 {
                    depth += 1;
                } else if !may_hold_links {
                    break;
                }
                if depth > MAX_LABEL_NESTING {
                    break;
                }
            }
        }
        self.at = old;
        end
    }

    fn link(&mut self, mode: Mode) -> bool {
        let start = self.at;
        let Some(label_end) = self.label_end(start, false) else {
            return false;
        };
        let label = start + 1..label_end;
        let Some(found) = self.link_behind(label) else {
            return false;
        };
        if mode == Mode::Read {
            self.read_link(&found);
        }
        self.at = found.end;
        true
    }

    fn read_link(&mut self, found: &FoundLink) {
        self.aim(&found.target);
        let max = std::mem::replace(&mut self.max, found.label.end);
        self.at = found.label.start;
        self.pending = 0;
        self.level += 1;
        self.open_links += 1;
        self.tokenize();
        self.open_links -= 1;
        self.level -= 1;
        self.max = max;
    }

    /// Reads what follows the label of a link.
    fn link_behind(&mut self, label: Range<usize>) -> Option<FoundLink> {
        let mut at = label.end + 1;
        if at < self.max && self.bytes[at] == b'(' {
            let start = self.skip_blanks(at + 1);
            if start >= self.max {
                return None;
            }
            let (target, behind) = self.destination_and_title(start);
            if behind < self.max && self.bytes[behind] == b')' {
                return Some(FoundLink {
                    label,
                    target,
                    end: behind + 1,
                });
            }
            // It may still be a reference. The page looks for its label from here on.
            at = behind + 1;
        }
        self.reference(label, at)
    }

    /// A destination, and a title after a blank.
    fn destination_and_title(&self, start: usize) -> (Target, usize) {
        let Some(found) = destination(self.bytes, start, self.max) else {
            return (Target::Elsewhere, start);
        };
        let end = self.end_of_title(found.end);
        (Target::Written(found.range, found.form), end)
    }

    fn end_of_title(&self, after_destination: usize) -> usize {
        let at = self.skip_blanks(after_destination);
        match title(self.bytes, at, self.max) {
            Title::Closed { end, .. } if at < self.max && at != after_destination => {
                self.skip_blanks(end)
            }
            Title::Closed { .. } | Title::Open { .. } | Title::None => at,
        }
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..self.max).unwrap_or_default();
        at + rest
            .iter()
            .take_while(|byte| is_space(**byte) || **byte == b'\n')
            .count()
    }

    /// `[text][label]`, `[label][]` and `[label]`.
    fn reference(&mut self, text: Range<usize>, at: usize) -> Option<FoundLink> {
        if self.page.definitions.is_empty() {
            return None;
        }
        let (mut label, mut end) = (text.clone(), text.end + 1);
        if at < self.max
            && self.bytes[at] == b'['
            && let Some(label_end) = self.label_end(at, true)
        {
            end = label_end + 1;
            if label_end > at + 1 {
                label = at + 1..label_end;
            }
        }
        let label = normalized_label(&self.text[label]);
        let is_defined = self.page.definitions.contains_key(&label);
        is_defined.then_some(FoundLink {
            label: text,
            target: Target::Elsewhere,
            end,
        })
    }

    fn picture(&mut self, mode: Mode) -> bool {
        if self.bytes.get(self.at + 1) != Some(&b'[') {
            return false;
        }
        let Some(label_end) = self.label_end(self.at + 1, true) else {
            return false;
        };
        let label = self.at + 2..label_end;
        let Some(found) = self.picture_behind(label) else {
            return false;
        };
        if mode == Mode::Read {
            self.aim(&found.target);
            self.read_apart(found.label, true);
            self.pending = 0;
        }
        self.at = found.end;
        true
    }

    /// Reads what follows the alternative text of a picture.
    fn picture_behind(&mut self, label: Range<usize>) -> Option<FoundLink> {
        let at = label.end + 1;
        if at >= self.max || self.bytes[at] != b'(' {
            return self.reference(label, at);
        }
        let start = self.skip_blanks(at + 1);
        if start >= self.max {
            return None;
        }
        let (target, behind) = match destination(self.bytes, start, self.max) {
            Some(found) => (Target::Written(found.range, found.form), found.end),
            None => (Target::Elsewhere, start),
        };
        let behind = self.end_of_title(behind);
        let closes = behind < self.max && self.bytes[behind] == b')';
        closes.then_some(FoundLink {
            label,
            target,
            end: behind + 1,
        })
    }

    /// Reads a part of the text as one of its own.
    fn read_apart(&mut self, part: Range<usize>, is_in_picture: bool) {
        let offset = self.offset + part.start;
        let text = &self.text[part];
        Inline::new(
            text,
            offset,
            is_in_picture,
            self.page,
            self.notes,
            self.links,
        )
        .tokenize();
    }

    /// `^[text]`.
    fn inline_footnote(&mut self, mode: Mode) -> bool {
        if self.at + 2 >= self.max
            || self.bytes[self.at + 1] != b'['
            || self.notes.count >= MOST_FOOTNOTES
        {
            return false;
        }
        let Some(label_end) = self.label_end(self.at + 1, true) else {
            return false;
        };
        if mode == Mode::Read {
            self.notes.count += 1;
            // The page renders it at its end, also out of a picture.
            self.read_apart(self.at + 2..label_end, false);
            self.pending = 0;
        }
        self.at = label_end + 1;
        true
    }

    /// `[^label]`.
    fn footnote_reference(&mut self, mode: Mode) -> bool {
        let start = self.at + 2;
        if self.at + 3 > self.max || self.bytes[self.at + 1] != b'^' {
            return false;
        }
        let ends = |byte: &u8| matches!(byte, b' ' | b'\n' | b']');
        let Some(length) = self.bytes[start..self.max].iter().position(ends) else {
            return false;
        };
        let end = start + length;
        let label = &self.text[start..end];
        if length == 0 || self.bytes[end] != b']' || !self.page.footnotes.contains(label) {
            return false;
        }
        let is_new = !self.notes.labels.contains(label);
        if is_new && self.notes.count >= MOST_FOOTNOTES {
            // One too many is text.
            self.pending += if mode == Mode::Read {
                end + 1 - self.at
            } else {
                0
            };
        } else if mode == Mode::Read {
            if is_new {
                self.notes.labels.insert(label.to_owned());
                self.notes.count += 1;
            }
            self.pending = 0;
        }
        self.at = end + 1;
        true
    }

    fn autolink(&mut self, mode: Mode) -> bool {
        let start = self.at + 1;
        let ends = |byte: &u8| matches!(byte, b'<' | b'>');
        let rest = self.bytes.get(start..self.max).unwrap_or_default();
        let Some(length) = rest.iter().position(ends) else {
            return false;
        };
        let end = start + length;
        if self.bytes[end] != b'>' {
            return false;
        }
        let address = &self.bytes[start..end];
        let is_autolink = is_autolink(address);
        if !is_autolink && !is_mail_address(address) {
            return false;
        }
        if is_autolink && mode == Mode::Read {
            self.add(start..end, Form::Autolink);
        }
        self.end_pending(mode);
        self.at = end + 1;
        true
    }

    fn html(&mut self, mode: Mode) -> bool {
        let start = self.at;
        if start + 2 >= self.max {
            return false;
        }
        let end = match self.bytes[start + 1] {
            b'!' | b'?' => self.end_of_special_html(start),
            byte if byte == b'/' || byte.is_ascii_alphabetic() => {
                html::tag_length(&self.bytes[start..]).map(|length| start + length)
            }
            _ => None,
        };
        let Some(end) = end else {
            return false;
        };
        if mode == Mode::Read {
            let tag = &self.bytes[start..end];
            self.open_links += isize::from(html::opens_link(tag));
            self.open_links -= isize::from(html::closes_link(tag));
            self.pending = 0;
        }
        self.at = end;
        true
    }

    /// The end of a comment, a section of characters, an instruction or a declaration.
    fn end_of_special_html(&mut self, start: usize) -> Option<usize> {
        let rest = &self.bytes[start..];
        let (length, terminator): (_, &[u8]) = if rest.starts_with(b"<!--") {
            if rest[4..].starts_with(b">") {
                return Some(start + 5);
            }
            if rest[4..].starts_with(b"->") {
                return Some(start + 6);
            }
            (4, b"-->")
        } else if rest.starts_with(b"<![CDATA[") {
            (9, b"]]>")
        } else if rest[1] == b'?' {
            (2, b"?>")
        } else if rest.get(2).is_some_and(u8::is_ascii_alphabetic) {
            (3, b">")
        } else {
            return None;
        };
        // Without its last mark it is text, which ends no search for others.
        let last: &[u8] = if rest[1] == b'!' && !matches!(length, 4 | 9) {
            b">"
        } else {
            terminator
        };
        if self.has_endless_html || memchr::memmem::find(rest, last).is_none() {
            return None;
        }
        let found = memchr::memmem::find(&rest[length..], terminator);
        self.has_endless_html = found.is_none();
        found.map(|at| start + length + at + terminator.len())
    }

    fn aim(&mut self, target: &Target) {
        if let Target::Written(range, form) = target {
            self.add(range.clone(), *form);
        }
    }

    fn add(&mut self, range: Range<usize>, form: Form) {
        if self.is_in_picture {
            return;
        }
        self.links.push(InlineLink {
            range: self.offset + range.start..self.offset + range.end,
            form,
        });
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

/// By length: where the last run of backticks starts.
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

/// How much of what follows `://` belongs to an address of the web; none if it is no address.
fn address_length(bytes: &[u8]) -> Option<usize> {
    let first = bytes.first()?;
    if !first.is_ascii_alphanumeric() && *first != b'[' {
        return None;
    }
    let of_address =
        |byte: &&u8| matches!(byte, 0x21 | 0x23..=0x3b | 0x3d | 0x3f..=0x5f | 0x61..=0x7e);
    let all = bytes.iter().take_while(of_address).count();
    let trailing = |byte: &&u8| b"!'\"()*,.:;?]~_".contains(byte);
    let mut kept = all - bytes[..all].iter().rev().take_while(trailing).count();
    // A parenthesis at the end belongs to the address if the address opened it.
    let count = |mark| bytes[..kept].iter().filter(|byte| **byte == mark).count();
    let mut open = count(b'(').saturating_sub(count(b')'));
    while open > 0 && kept < all && bytes[kept] == b')' {
        (kept, open) = (kept + 1, open - 1);
    }
    (kept > 0).then_some(kept)
}

/// A scheme of 2 to 32 characters, a colon, and no white space of ASCII.
fn is_autolink(address: &[u8]) -> bool {
    let Some(colon) = address.iter().position(|byte| *byte == b':') else {
        return false;
    };
    let (scheme, rest) = address.split_at(colon);
    let of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    (2..=32).contains(&scheme.len())
        && scheme[0].is_ascii_alphabetic()
        && scheme.iter().all(of_scheme)
        && rest.iter().all(|byte| !matches!(byte, 1..=b' '))
}

fn is_mail_address(address: &[u8]) -> bool {
    let Some(at) = address.iter().position(|byte| *byte == b'@') else {
        return false;
    };
    let of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let is_part = |part: &[u8]| {
        (1..=63).contains(&part.len())
            && part[0].is_ascii_alphanumeric()
            && part[part.len() - 1].is_ascii_alphanumeric()
            && part
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    at > 0
        && address[..at].iter().all(of_name)
        && address[at + 1..].split(|byte| *byte == b'.').all(is_part)
}
