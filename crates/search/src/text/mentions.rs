//! A mention of a title in the running text of a page: outside of links, code and front matter.

use std::ops::Range;

use fumikura_base::budget::Budget;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::{front_matter, markdown};
use crate::document::Document;
use crate::query::Query;
use crate::snippet::{Snippet, highlights, snippet_at};

/// A mention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The bytes of the words in the source.
    pub range: Range<usize>,
    /// True in a table, where a bar ends the cell.
    pub in_table: bool,
    /// The sentence around it.
    pub snippet: Snippet,
}

/// Returns the first mention of a phrase in a page's source, before the end of the budget.
#[must_use]
pub fn mention(source: &str, phrase: &Query, budget: &Budget) -> Option<Mention> {
    let (_, markdown) = front_matter::split(source);
    let mut reader = Reader {
        markdown,
        shift: source.len() - markdown.len(),
        phrase,
        budget,
        block: Block::default(),
        links: 0,
        is_code: false,
        tables: 0,
    };
    let parser = Parser::new_ext(markdown, markdown::options());
    let mut events = parser.into_offset_iter();
    let found = events.find_map(|(event, range)| reader.read(event, range));
    found.or_else(|| reader.end_block())
}

/// A text between two borders: a paragraph, a heading, an item, a cell.
#[derive(Default)]
struct Block {
    /// The visible text.
    text: String,
    /// The pieces of it that may become links, as they are in the source.
    pieces: Vec<Piece>,
}

struct Piece {
    source: Range<usize>,
    /// The start in the text of the block.
    at: usize,
}

struct Reader<'t> {
    markdown: &'t str,
    /// The place of the Markdown in the source.
    shift: usize,
    phrase: &'t Query,
    budget: &'t Budget,
    block: Block,
    /// The number of links and pictures around.
    links: usize,
    is_code: bool,
    tables: usize,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) -> Option<Mention> {
        match event {
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => self.links += 1,
            Event::End(TagEnd::Link | TagEnd::Image) => self.links -= 1,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            Event::Start(tag) => {
                let found = self.end_block();
                self.is_code = matches!(tag, Tag::CodeBlock(_) | Tag::HtmlBlock);
                self.tables += usize::from(matches!(tag, Tag::Table(_)));
                return found;
            }
            Event::End(tag) => {
                let found = self.end_block();
                self.is_code = false;
                self.tables -= usize::from(matches!(tag, TagEnd::Table));
                return found;
            }
            Event::Text(text) if !self.is_code => self.add(&text, &text, range),
            Event::SoftBreak => self.add(" ", "\n", range),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.block.text.push_str(&text);
            }
            Event::HardBreak | Event::Rule => self.block.text.push('\n'),
            Event::Text(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
        None
    }

    /// Adds a text that is written as `source`.
    fn add(&mut self, text: &str, source: &str, range: Range<usize>) {
        let at = self.block.text.len();
        self.block.text.push_str(text);
        // An escape or entity is written in another way than it is shown.
        if self.links > 0 || self.markdown[range.clone()] != *source {
            return;
        }
        match self.block.pieces.last_mut() {
            Some(last) if last.source.end == range.start && last.at + last.source.len() == at => {
                last.source.end = range.end;
            }
            Some(_) | None => self.block.pieces.push(Piece { source: range, at }),
        }
    }

    fn end_block(&mut self) -> Option<Mention> {
        let Block { text, pieces } = std::mem::take(&mut self.block);
        pieces.into_iter().find_map(|Piece { source, at }| {
            let document = Document::new(self.markdown[source.clone()].replace('\n', " "));
            let places = highlights(self.phrase, &document, self.budget);
            let mut places = places.into_iter();
            let place = places.find(|place| is_plain(document.text(), place))?;
            let (start, end) = (source.start + place.start, source.start + place.end);
            Some(Mention {
                range: start + self.shift..end + self.shift,
                in_table: self.tables > 0,
                snippet: snippet_at(&text, at + place.start..at + place.end),
            })
        })
    }
}

/// True unless the words are a part of an address or a tag, or in brackets.
fn is_plain(text: &str, place: &Range<usize>) -> bool {
    let (before, after) = (&text[..place.start], &text[place.end..]);
    let word = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let is_address = word.contains("://") || word.starts_with("www.") || word.contains('#');
    !is_address && !before.ends_with('[') && !after.starts_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: Option<(&str, &str)>) {
        let phrase = Query::phrase("Kyoto trip").unwrap();
        let found = mention(source, &phrase, &Budget::unlimited());
        let marked = found.as_ref().map(|mention| {
            let Range { start, end } = mention.range.clone();
            let (before, after) = (&source[..start], &source[end..]);
            format!("{before}[{}]{after}", &source[start..end])
        });
        let found = found.map(|mention| mention.snippet.text);
        let expected = expected.map(|(source, text)| (source.to_owned(), text.to_owned()));
        assert_eq!(marked.zip(found), expected, "{source:?}");
    }

    #[test]
    fn mention_has_its_place_in_the_source() {
        check(
            "---\ntitle: Kyoto trip\n---\n# A\n\nOld. The **late** Kyoto trip was [good](x). New.",
            Some((
                "---\ntitle: Kyoto trip\n---\n# A\n\nOld. The **late** [Kyoto trip] was [good](x). New.",
                "The late Kyoto trip was good.",
            )),
        );
        check(
            "a ***Kyoto trip***",
            Some(("a ***[Kyoto trip]***", "a Kyoto trip")),
        );
        check(
            "> a Kyoto\ntrip",
            Some(("> a [Kyoto\ntrip]", "a Kyoto trip")),
        );
        check(
            "＃ ｋｙｏｔｏ trip",
            Some(("＃ [ｋｙｏｔｏ trip]", "＃ ｋｙｏｔｏ trip")),
        );
    }

    #[test]
    fn links_code_and_front_matter_are_no_mentions() {
        check("---\na: Kyoto trip\n---\n", None);
        check(
            "[Kyoto trip](/x) ![Kyoto trip](y) [[/k|Kyoto trip]] [Kyoto trip]",
            None,
        );
        check(
            "`Kyoto trip`\n\n```\nKyoto trip\n```\n\n    Kyoto trip\n",
            None,
        );
        check(
            "<div>\nKyoto trip\n</div>\n\nhttps://example.org/Kyoto trip #Kyoto trip",
            None,
        );
        check(
            "[Kyoto trip](/x), Kyoto trip",
            Some(("[Kyoto trip](/x), [Kyoto trip]", "Kyoto trip, Kyoto trip")),
        );
    }

    #[test]
    fn mention_in_a_table_is_marked() {
        let phrase = Query::phrase("Kyoto").unwrap();
        let in_table =
            |source| mention(source, &phrase, &Budget::unlimited()).map(|found| found.in_table);
        assert_eq!(in_table("| a |\n| - |\n| Kyoto |\n"), Some(true));
        assert_eq!(in_table("| a |\n| - |\n| b |\n\nKyoto"), Some(false));
    }
}
