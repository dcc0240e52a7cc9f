//! The visible text of Markdown.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::tags::{Tags, tags};
use crate::units::{Kind, class};

/// The visible text of a page.
#[derive(Debug, Default)]
pub(super) struct VisibleText {
    pub(super) text: String,
    pub(super) tags: Tags,
    pub(super) has_picture: bool,
    /// The places of code blocks in the text.
    pub(super) code: Vec<Range<usize>>,
}

/// Reads a text without front matter.
pub(super) fn read(markdown: &str) -> VisibleText {
    let mut reader = Reader::default();
    for event in Parser::new_ext(markdown, options()) {
        reader.read(event);
    }
    let mut visible = reader.visible;
    visible.text.truncate(visible.text.trim_end().len());
    visible
}

/// The parser's options for the text of a page.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
}

#[derive(Default)]
struct Reader {
    visible: VisibleText,
    /// True after the end of a line; the next text determines its effect.
    line_end: bool,
    in_code: bool,
    /// True inside of a link that shows the name of its page.
    in_name: bool,
    /// True inside of a script or style.
    hidden: bool,
    /// The text of one run, which the parser returns in pieces.
    run: String,
}

impl Reader {
    fn read(&mut self, event: Event<'_>) {
        if let Event::Text(text) = &event
            && !self.in_code
        {
            if !self.in_name && !self.hidden {
                self.run.push_str(text);
            }
            return;
        }
        self.end_run();
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => self.say(&text),
            Event::DisplayMath(text) => {
                self.border();
                self.say(&text);
                self.border();
            }
            Event::Html(html) => self.say(&without_tags(&html)),
            Event::SoftBreak => self.line_end = true,
            Event::HardBreak | Event::Rule => self.border(),
            Event::InlineHtml(html) => self.hidden = is_hidden(&html[1..]),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::CodeBlock(_) => {
                self.border();
                self.in_code = true;
                let at = self.visible.text.len();
                self.visible.code.push(at..at);
            }
            Tag::Image { .. } => self.visible.has_picture = true,
            Tag::Link {
                link_type: LinkType::WikiLink { has_pothole: false },
                dest_url,
                ..
            } => {
                self.say(page_name(&dest_url));
                self.in_name = true;
            }
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. } => {}
            Tag::Heading { .. }
            | Tag::Paragraph
            | Tag::BlockQuote(_)
            | Tag::HtmlBlock
            | Tag::List(_)
            | Tag::Item
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::MetadataBlock(_) => self.border(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => {
                self.in_code = false;
                let end = self.visible.text.len();
                if let Some(block) = self.visible.code.last_mut() {
                    block.end = end;
                }
                self.border();
            }
            TagEnd::Link => self.in_name = false,
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Image => {}
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::BlockQuote(_)
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::Item
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::TableCell
            | TagEnd::MetadataBlock(_) => self.border(),
        }
    }

    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let run = std::mem::take(&mut self.run);
        let run = without_data(&run);
        tags(&run).for_each(|tag| self.visible.tags.add(tag));
        self.say(&run);
    }

    fn say(&mut self, text: &str) {
        if std::mem::take(&mut self.line_end) {
            let before = self.visible.text.chars().next_back();
            let character = |c: Option<char>| c.is_none_or(is_japanese);
            if !(character(before) && character(text.chars().next())) {
                self.visible.text.push(' ');
            }
        }
        self.visible.text.push_str(text);
    }

    /// Begins a new line, unless the text is at the start of one.
    fn border(&mut self) {
        self.line_end = false;
        let text = &mut self.visible.text;
        text.truncate(text.trim_end_matches([' ', '\n']).len());
        if !text.is_empty() {
            text.push('\n');
        }
    }
}

/// Returns the name of the page to which a link leads, which is the last part of its path. An id is no name.
fn page_name(destination: &str) -> &str {
    let scheme = destination.get(..5);
    if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("page:")) {
        return "";
    }
    let path = destination.trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Returns true for characters between which a line break is invisible, including punctuation.
fn is_japanese(c: char) -> bool {
    let punctuation = matches!(c, '\u{3000}'..='\u{303F}' | '\u{30FB}' | '\u{FF01}'..='\u{FF9F}');
    let hangul = matches!(c, '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7FF}');
    let character = c as u32 >= 0x2E80 && class(c) == Some(Kind::Character);
    punctuation || (character && !hangul && c as u32 != 0x1F000 && !is_emoji(c))
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1F000}'..='\u{1FFFF}')
}

/// Returns whether the contents of an element are hidden.
fn is_hidden(tag: &str) -> bool {
    let name = tag.get(..5).map(str::to_ascii_lowercase);
    matches!(name.as_deref(), Some("scrip" | "style"))
}

/// Returns the text of HTML without its tags, scripts and styles.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let end = if is_hidden(tag) { "</" } else { ">" };
        rest = tag.split_once(end).map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    text
}

/// Returns a text without base64 `data:` addresses.
fn without_data(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("data:") {
        return text.into();
    }
    let mut cleaned = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("data:") {
        cleaned.push_str(&rest[..at]);
        let behind = &rest[at..];
        let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
        let (address, after) = behind.split_at(end);
        if !address.contains(";base64,") {
            cleaned.push_str(address);
        }
        rest = after;
    }
    cleaned.push_str(rest);
    cleaned.into()
}
