//! Finds the links of a Markdown text exactly as the page renders them.
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
mod html;
mod inline;
mod link_parts;
mod math;
mod source;
mod table;
mod unescape;

use std::ops::Range;

use block::Blocks;
use inline::{Inline, Notes};
use unescape::Unescape;

pub(crate) use source::{front_matter, is_white_space};

/// The maximum nesting of blocks, or of links within one another. Deeper markup is text.
const MAX_NESTING: usize = 100;
/// The maximum nesting of brackets in the text of a link.
const MAX_LABEL_NESTING: usize = 50;
/// The maximum number of columns of a table that are rendered.
const MOST_COLUMNS: usize = 200;
/// The maximum number of footnotes of a page that are rendered.
const MOST_FOOTNOTES: usize = 2_000;

/// The notation of a destination, which decides which characters may occur in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `(destination)`, or after `[label]:`.
    Plain,
    /// `<destination>` in the same positions.
    Angle,
    /// `[[destination]]`.
    Wiki,
    /// `<page:…>` in the text. A path cannot be written like this, so it is never rewritten.
    Autolink,
}

/// The destination of a link or picture, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Destination {
    /// Its bytes in the text, without the marks around it.
    pub(crate) range: Range<usize>,
    /// The start of its query or fragment, within `range` or at its end.
    pub(crate) tail: usize,
    /// The notation.
    pub(crate) form: Form,
    /// Its value: escapes and entities are resolved.
    pub(crate) value: String,
}

/// The destinations in a text, in source order. Definitions that no link uses and footnotes without a
/// reference are included: a later edit may refer to them.
pub(crate) fn destinations(text: &str) -> Vec<Destination> {
    let blocks = Blocks::parse(text);
    let mut unescape = Unescape::default();
    let mut all = Vec::new();
    let mut notes = Notes::default();
    for content in &blocks.contents {
        for link in Inline::links(content.text(), &blocks, &mut notes) {
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
