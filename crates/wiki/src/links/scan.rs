//! Finding the destinations of all links in a Markdown text.
//!
//! It reads Markdown as the page does (`ui/src/markdown/`): CommonMark with tables, footnotes,
//! strikethrough and task lists, `[[…]]`, and front matter at the very start. What stands in code, HTML
//! or front matter is text. A destination is reported only if its bytes were found with certainty.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};

use super::bare_address;
use super::bounds;
use super::piece;
use super::unescape::Unescape;
use super::wiki_link::{self, WikiLink};

/// A destination as it stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// Its bytes, without the marks around it.
    pub(crate) range: Range<usize>,
    /// Where its query or fragment begins, within `range` or at its end.
    pub(crate) tail: usize,
    /// How it is written.
    pub(crate) form: Form,
    /// What it says, free of escapes and entities.
    pub(crate) destination: String,
}

/// How a destination is written, which decides what may stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `(destination)`, or behind `[label]:`.
    Plain,
    /// `<destination>` in such a place.
    Angle,
    /// `[[destination]]`.
    Wiki,
    /// `<page:…>` in the text. A path can't be written like this, so it is never rewritten.
    Autolink,
}

/// The destinations of the text's links, in the order in which they stand there.
pub(crate) fn scan(text: &str) -> Vec<Written> {
    if openings(text).next().is_none() {
        return Vec::new();
    }
    let start = front_matter(text);
    let Some(readable) = bounds::readable(&text[start..]) else {
        return Vec::new();
    };
    let mut found = Scanner::new(&text[start..], &readable).run();
    for written in &mut found {
        written.range.start += start;
        written.range.end += start;
        written.tail += start;
    }
    found
}

/// Where `](`, `]:`, `[[` and `<` stand. Every link has one of these.
pub(super) fn openings(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    memchr::memchr3_iter(b'[', b']', b'<', bytes).filter(move |at| {
        let next = bytes.get(at + 1);
        match bytes[*at] {
            b'[' => next == Some(&b'['),
            b']' => matches!(next, Some(b'(' | b':')),
            _ => true,
        }
    })
}

/// The dialect of Markdown that pages are written in, but for what this module reads by itself.
pub(crate) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
}

/// The length of the front matter: from a line `---` at the very start to the next one.
pub(crate) fn front_matter(text: &str) -> usize {
    let mut lines = text.split_inclusive(['\n', '\r']);
    let is_fence = |line: &str| {
        let line = line.trim_end_matches(['\n', '\r']);
        line.strip_prefix("---")
            .is_some_and(|rest| rest.trim_matches([' ', '\t']).is_empty())
    };
    let Some(first) = lines.next().filter(|line| is_fence(line)) else {
        return 0;
    };
    let (mut length, mut inside) = (first.len(), 0);
    let mut last_was_cr = first.ends_with('\r');
    for line in lines {
        length += line.len();
        // The second half of a CRLF.
        if last_was_cr && line == "\n" {
            last_was_cr = false;
            continue;
        }
        last_was_cr = line.ends_with('\r');
        if !is_fence(line) {
            inside += 1;
        } else if inside > 0 {
            return length;
        } else {
            return 0;
        }
    }
    0
}

/// A link or picture whose text is being read.
struct Open<'t> {
    start: usize,
    /// Where the text ends, as far as it was read.
    text_end: usize,
    is_image: bool,
    /// What the parser says its destination is, if it has one of its own.
    destination: Option<pulldown_cmark::CowStr<'t>>,
}

struct Scanner<'t> {
    text: &'t str,
    events: OffsetIter<'t>,
    /// What looks like `[[…]]`, not all of which are links; ascending.
    candidates: std::iter::Peekable<std::vec::IntoIter<WikiLink>>,
    unescape: Unescape,
    open: Vec<Open<'t>>,
    /// How many of them are pictures. What stands in for a picture is text.
    open_pictures: usize,
    found: Vec<Written>,
    /// The beginning of the last `[[…]]` that was found to be a link.
    last_wiki_link: Option<usize>,
    /// The end of the last address that stands in the text as it is.
    address_end: usize,
    in_code: bool,
    /// The cell of a table that is being read.
    cell: Option<Range<usize>>,
}

impl<'t> Scanner<'t> {
    /// `readable` is the same text, mark for mark, as the parser may have it.
    fn new(text: &'t str, readable: &'t str) -> Self {
        Self {
            text,
            events: Parser::new_ext(readable, options()).into_offset_iter(),
            candidates: wiki_link::candidates(text).into_iter().peekable(),
            unescape: Unescape::default(),
            open: Vec::new(),
            open_pictures: 0,
            found: Vec::new(),
            last_wiki_link: None,
            address_end: 0,
            in_code: false,
            cell: None,
        }
    }

    fn run(mut self) -> Vec<Written> {
        self.definitions();
        while let Some((event, range)) = self.events.next() {
            self.read(event, range);
        }
        self.found.sort_by_key(|written| written.range.start);
        let mut end = 0;
        self.found.retain(|written| {
            let apart = written.range.start >= end;
            end = end.max(written.range.end);
            apart
        });
        self.found
    }

    /// `[label]: destination`. Of several with one label the first counts; the others are text.
    fn definitions(&mut self) {
        let Self {
            text,
            events,
            unescape,
            found,
            ..
        } = self;
        for (_, definition) in events.reference_definitions().iter() {
            let span = definition.span.clone();
            found.extend(piece::of_definition(text, span, &definition.dest, unescape));
        }
    }

    fn read(&mut self, event: Event<'t>, range: Range<usize>) {
        if matches!(event, Event::End(TagEnd::Link | TagEnd::Image)) {
            return self.close(range.end);
        }
        if let Some(open) = self.open.last_mut() {
            open.text_end = open.text_end.max(range.end);
        }
        match event {
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => {
                if link_type == LinkType::Autolink {
                    self.autolink(&dest_url, &range);
                }
                self.wiki_links_up_to(range.start, range.start + 1);
                let destination = (link_type == LinkType::Inline).then_some(dest_url);
                self.push(range.start, 1, destination, false);
            }
            Event::Start(Tag::Image {
                link_type,
                dest_url,
                ..
            }) => {
                let destination = (link_type == LinkType::Inline).then_some(dest_url);
                self.push(range.start, 2, destination, true);
            }
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Start(Tag::TableCell) => self.cell = Some(range),
            Event::End(TagEnd::TableCell) => self.cell = None,
            Event::Text(_) if !self.in_code => self.plain_text(range),
            // Nothing in these is, or holds, a destination of its own.
            Event::Start(_)
            | Event::End(_)
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    fn plain_text(&mut self, range: Range<usize>) {
        if self.open.is_empty() {
            let from = range.start.max(self.address_end);
            for address in bare_address::find(self.text, from..range.end) {
                self.wiki_links_up_to(range.start, address.start);
                self.address_end = address.end;
            }
        }
        self.wiki_links_up_to(range.start, range.end);
    }

    fn push(
        &mut self,
        start: usize,
        marks: usize,
        destination: Option<pulldown_cmark::CowStr<'t>>,
        is_image: bool,
    ) {
        self.open_pictures += usize::from(is_image);
        self.open.push(Open {
            start,
            text_end: start + marks,
            is_image,
            destination,
        });
    }

    /// The end of a link or picture: its own destination, if it has one, stands behind its text.
    fn close(&mut self, end: usize) {
        let Some(open) = self.open.pop() else { return };
        self.open_pictures -= usize::from(open.is_image);
        let Some(destination) = open.destination else {
            return;
        };
        // `[[…]]` comes first: what holds one is no link, as links hold no links.
        let holds_wiki_link = self.last_wiki_link.is_some_and(|at| at >= open.start);
        if holds_wiki_link && !open.is_image {
            return;
        }
        // `^[…]` is a footnote on the spot, and an address goes on to its own end.
        let is_footnote = !open.is_image && is_marked_by(self.text, open.start, b'^');
        if is_footnote || open.start < self.address_end || self.open_pictures > 0 {
            return;
        }
        let place = open.text_end..end;
        let in_table = self.cell.is_some();
        self.found.extend(piece::behind_text(
            self.text,
            place,
            &destination,
            in_table,
            &mut self.unescape,
        ));
    }

    fn autolink(&mut self, destination: &str, range: &Range<usize>) {
        let inner = range.start + 1..range.end.saturating_sub(1);
        if self.text.get(inner.clone()) == Some(destination) {
            self.found.push(Written {
                tail: inner.end,
                range: inner,
                form: Form::Autolink,
                destination: destination.to_owned(),
            });
        }
    }

    /// Takes the `[[…]]` that begin in a piece of plain text.
    fn wiki_links_up_to(&mut self, start: usize, end: usize) {
        while let Some(next) = self.candidates.peek() {
            if next.whole.start >= end {
                return;
            }
            let candidate = self
                .candidates
                .next()
                .expect("BUG: it was there to peek at");
            let at = candidate.whole.start;
            let cut_by_cell = self
                .cell
                .as_ref()
                .is_some_and(|cell| candidate.whole.end > cell.end);
            let is_text = at < self.address_end || self.open_pictures > 0;
            if at < start || cut_by_cell || is_text || is_marked_by(self.text, at, b'^') {
                continue;
            }
            self.last_wiki_link = Some(at);
            self.found.push(candidate.written(self.text));
        }
    }
}

/// Whether `mark` stands before `at` and is no escaped one.
fn is_marked_by(text: &str, at: usize, mark: u8) -> bool {
    let before = &text.as_bytes()[..at];
    before.last() == Some(&mark) && !bounds::is_escaped(before, at - 1)
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
