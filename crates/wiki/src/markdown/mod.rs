//! Finds the links and the title of a Markdown text exactly as the page renders them.
//!
//! The page renders with markdown-it and rules of its own (`ui/src/markdown/`). A parser with another
//! idea of where a code span, a formula or a block of HTML ends would rewrite text that is not a link,
//! so this module applies the same rules in the same order: blocks first (`block` and its parts), then
//! the text within them (`inline`). It leaves out whatever cannot move the boundary of a link, such as
//! emphasis. `docs/spec/markdown.md` lists the rules; a differential test compares both sides.

mod block;
mod containers;
mod content;
mod definition;
mod definition_list;
mod destination;
mod distinct_footnotes;
mod html;
mod inline;
mod limits;
mod link_parts;
mod math;
mod source;
mod table;
mod tag;
mod task;
mod unescape;

use std::ops::Range;

use block::Blocks;
use inline::{FootnoteUse, Inline};
use link_parts::normalized_label;

pub(crate) use destination::{Destination, Form, Quotes};
pub(crate) use distinct_footnotes::with_distinct_footnotes;
pub(crate) use inline::{address_length, script_contents, wiki_link};
pub(crate) use tag::is_tag;
pub(crate) use task::{open_tasks, without_block_id};

pub(crate) use source::{front_matter_ranges, is_white_space};
pub(crate) use unescape::{Unescape, wiki_target};

/// A heading of level 1, and what its links and footnotes may refer to.
pub(crate) struct TitleHeading(Blocks, usize);

impl TitleHeading {
    /// The first heading of level 1.
    pub(crate) fn find(text: &str) -> Option<Self> {
        let blocks = Blocks::parse(text);
        let title = blocks.title?;
        Some(Self(blocks, title))
    }

    /// The text of the heading, without the marks of the block.
    pub(crate) fn text(&self) -> &str {
        self.0.contents[self.1].text()
    }

    /// True if a definition has the label.
    pub(crate) fn defines(&self, label: &str) -> bool {
        self.0.definitions.contains_key(&normalized_label(label))
    }

    /// The labels of the page's footnotes.
    pub(crate) fn footnotes(&self) -> impl Iterator<Item = &str> {
        self.0.footnotes.iter().map(String::as_str)
    }
}

/// Splits a text after its front matter. Returns the lines within its fences, which may be none, and the rest.
pub(crate) fn front_matter(text: &str) -> (&str, &str) {
    match front_matter_ranges(text) {
        Some((whole, inner)) => (&text[inner], &text[whole.end..]),
        None => ("", text),
    }
}

/// The names of the tags in a text, in source order.
pub(crate) fn tags(text: &str) -> Vec<Range<usize>> {
    if !text.contains('#') {
        return Vec::new();
    }
    let blocks = Blocks::parse(text);
    let mut footnotes_used = FootnoteUse::default();
    let mut all = Vec::new();
    for content in &blocks.contents {
        let found = Inline::findings(content.text(), &blocks, &mut footnotes_used);
        all.extend(found.tags.iter().map(|tag| content.range_in_source(tag)));
    }
    all.sort_by_key(|tag| tag.start);
    all
}

/// The destinations in a text, in source order. Definitions that no link uses and footnotes without a
/// reference are included: a later edit may refer to them.
pub(crate) fn destinations(text: &str) -> Vec<Destination> {
    let blocks = Blocks::parse(text);
    let mut unescape = Unescape::default();
    let mut all = Vec::new();
    let mut footnotes_used = FootnoteUse::default();
    for content in &blocks.contents {
        for link in Inline::findings(content.text(), &blocks, &mut footnotes_used).links {
            let value = unescape.read(&content.text()[link.range.clone()], link.form);
            all.push(Destination {
                range: content.range_in_source(&link.range),
                tail: content.in_source(link.range.start + value.tail, &link.range),
                form: link.form,
                value: value.text,
            });
        }
    }
    for definition in blocks.definitions.values() {
        let value = unescape.read(&text[definition.range.clone()], definition.form);
        all.push(Destination {
            range: definition.range.clone(),
            tail: definition.range.start + value.tail,
            form: definition.form,
            value: value.text,
        });
    }
    all.retain(|destination| !destination.range.is_empty());
    all.sort_by_key(|destination| destination.range.start);
    all
}
