//! The title of a page: its first heading of level 1, as it is displayed.
//!
//! A heading may contain the title of another page: `[[/path]]` without a text of its own shows the page's
//! title, or else the last segment of its current path. The row of the title stores such a link as its
//! destination, which is resolved when the row is read. So nothing has to be written when the other page changes.

use std::borrow::Cow;

use pulldown_cmark::{BrokenLink, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::id::PageId;
use crate::links;
use crate::links::LabelText;
use crate::markdown::{TitleHeading, script_contents};
use crate::page_names::PageNames;
use crate::pages::title_cjk as cjk;
use crate::path::PagePath;
use crate::store::{Read, StorageError};

/// The longest title, in bytes. The rest of a longer heading is left out.
const MAX_BYTES: usize = 512;
/// The longest heading that is parsed, in bytes of its source. The rest of a longer one is left out.
const MAX_SOURCE: usize = 4096;
/// Encloses a link in a title's row, and occurs nowhere else in it.
const MARK: char = '\0';
/// The blank of Japanese text, which is kept as it is written.
const FULL_WIDTH_BLANK: char = '\u{3000}';
/// The minimum number of bytes of a title that a link takes, which limits the number of links.
const LINK_BYTES: usize = 8;

/// The folder of templates.
const TEMPLATES: &str = "/templates/";
/// The beginning of what a template is filled with.
const PLACEHOLDER: &str = "{{";
/// In a template, the title of the pages that are made of it.
const TITLE_PLACEHOLDER: &str = "{{title}}";

/// A page's title, if it has one.
pub(crate) fn title(names: &impl PageNames, page: PageId) -> Result<Option<String>, StorageError> {
    let row = names.title_row(page)?;
    row.map(|row| Ok(resolve_row(names, page, row)?.text))
        .transpose()
}

/// A title, as it is displayed.
pub(crate) struct Title {
    pub(crate) text: String,
    /// The pages whose titles or names it contains.
    pub(crate) linked_pages: Vec<PageId>,
}

/// Resolves the row of a page's title.
pub(crate) fn resolve_row(
    names: &impl PageNames,
    page: PageId,
    row: String,
) -> Result<Title, StorageError> {
    resolve(names, page, row, LabelText::Title)
}

/// Resolves the row of a title within the title of another page.
pub(crate) fn resolve_nested_row(
    names: &impl PageNames,
    page: PageId,
    row: String,
) -> Result<Title, StorageError> {
    resolve(names, page, row, LabelText::Name)
}

/// Returns a line of a page's text as a title shows it: without markup, links by the titles of their pages.
pub(crate) fn line_text(txn: &impl Read, page: PageId, line: &str) -> Result<String, StorageError> {
    match title_row(&format!("# {line} #")) {
        Some(row) => Ok(resolve_row(txn, page, row)?.text),
        None => Ok(line.to_owned()),
    }
}

fn resolve(
    names: &impl PageNames,
    page: PageId,
    row: String,
    label_text: LabelText,
) -> Result<Title, StorageError> {
    if !row.contains(MARK) {
        return Ok(Title {
            text: named(names, page, row)?,
            linked_pages: Vec::new(),
        });
    }
    let (mut text, mut linked_pages) = (String::new(), Vec::new());
    for (number, part) in row.split(MARK).enumerate() {
        // Every second part is between two marks.
        if number % 2 == 0 {
            text.push_str(part);
            continue;
        }
        let link = links::label(names, page, part, label_text)?;
        text.push_str(&link.text);
        linked_pages.extend(link.pages);
    }
    let mut words = TitleText::default();
    words.push_text(&text);
    Ok(Title {
        text: words.row,
        linked_pages,
    })
}

/// Returns whether a page is a template of others.
pub(crate) fn is_template(path: &PagePath) -> bool {
    path.as_str().starts_with(TEMPLATES)
}

/// Returns the title of a template with its own name in place of the one that its pages will have.
fn named(names: &impl PageNames, page: PageId, text: String) -> Result<String, StorageError> {
    if !text.contains(PLACEHOLDER) {
        return Ok(text);
    }
    Ok(match names.path_state(page)? {
        Some(state) if is_template(state.path()) => {
            let name = state.path().name();
            match text.contains(TITLE_PLACEHOLDER) {
                true => text.replace(TITLE_PLACEHOLDER, name),
                // A date alone says nothing about the template.
                false => name.to_owned(),
            }
        }
        Some(_) | None => text,
    })
}

/// The text of the first heading of level 1, without markup, in which links stand for the names of their
/// pages; `None` if there is no such heading or it is empty.
pub(crate) fn title_row(text: &str) -> Option<String> {
    // Every heading has one of these.
    if !text.contains(['#', '=']) {
        return None;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let heading = TitleHeading::find(first_line_heading(text).unwrap_or(text))?;
    let source = cut(heading.text());
    let source = cjk::with_joints(source).map_or(source.into(), Cow::Owned);
    let document = as_document(&source, &heading);
    let defined = |link: BrokenLink<'_>| {
        let is_defined = heading.defines(&link.reference);
        is_defined.then(|| (CowStr::from(""), CowStr::from("")))
    };
    let mut events = Parser::new_with_broken_link_callback(&document, OPTIONS, Some(defined));
    events.find(is_title)?;
    let TitleText { row, .. } = collect_text(events.take_while(|event| !is_end(event)));
    (!row.is_empty()).then_some(row)
}

/// The text of a heading, cut to [`MAX_SOURCE`] so that brackets nested in it cost little: at a line break if
/// there is one.
fn cut(heading: &str) -> &str {
    if heading.len() <= MAX_SOURCE {
        return heading;
    }
    let mut end = MAX_SOURCE;
    while !heading.is_char_boundary(end) {
        end -= 1;
    }
    &heading[..heading[..end].rfind('\n').unwrap_or(end)]
}

/// A text with the heading alone, and the footnotes to which it may refer.
fn as_document(heading: &str, page: &TitleHeading) -> String {
    let mut document = if heading.contains('\n') {
        format!("{heading}\n===\n")
    } else {
        // The mark at the end keeps marks before it.
        format!("# {heading} #\n")
    };
    if heading.contains("[^") {
        for label in page.footnotes() {
            document += &format!("\n[^{label}]: -\n");
        }
    }
    document
}

/// The inline Markdown of titles. Blocks are those of [`crate::markdown`].
const OPTIONS: Options = Options::ENABLE_FOOTNOTES.union(Options::ENABLE_STRIKETHROUGH);

fn is_title(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Start(Tag::Heading {
            level: HeadingLevel::H1,
            ..
        })
    )
}

/// The first line, if it is a heading that does not depend on the text after it: only brackets may refer
/// to definitions. Most texts begin with their title, so most need not be read completely.
fn first_line_heading(text: &str) -> Option<&str> {
    let line = text.split(['\n', '\r']).next()?;
    let is_heading = line.starts_with("# ") && !line.contains('[');
    is_heading.then_some(line)
}

/// The words of a heading, with one gap between them, as far as there is room.
#[derive(Default)]
struct TitleText {
    row: String,
    /// Its length when it is resolved, in bytes, or a little more.
    length: usize,
    /// The gap before the next word.
    gap: Option<char>,
    /// The character before a line break. The break shows as a gap unless this and the next character are Japanese.
    line_end: Option<char>,
    /// The last character; `None` if something other than text follows it.
    last: Option<char>,
    full: bool,
    /// The marks `==` in the row.
    highlights: Vec<HighlightMark>,
}

/// A mark `==`, which highlights a text together with another one.
struct HighlightMark {
    /// Its place in the row.
    at: usize,
    opens: bool,
    closes: bool,
}

impl TitleText {
    /// Adds text without the marks of subscripts and superscripts.
    fn push_marked(&mut self, text: &str) {
        let (mut from, mut at) = (0, 0);
        while let Some(found) = text[at..].find(['~', '^', '=']) {
            at += found;
            if let Some(contents) = script_contents(text, at, text.len()) {
                self.push_text(&text[from..at]);
                self.push_text(contents);
                at += contents.len() + 2;
                from = at;
                continue;
            }
            let rest = text[at..].trim_start_matches('=');
            let length = text.len() - at - rest.len();
            if length < 2 {
                at += 1;
                continue;
            }
            at += length % 2;
            self.push_text(&text[from..at]);
            let before = text[..at - length % 2].chars().next_back();
            for _ in 0..length / 2 {
                self.push_highlight_mark(before, rest.chars().next());
            }
            at += length - length % 2;
            from = at;
        }
        self.push_text(&text[from..]);
    }

    fn push_highlight_mark(&mut self, before: Option<char>, after: Option<char>) {
        self.push_text("==");
        if self.row.ends_with("==") {
            let is_text = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
            self.highlights.push(HighlightMark {
                at: self.row.len() - 2,
                // Beside other markup there is no character, and the mark may do both.
                opens: after.is_none() || is_text(after),
                closes: before.is_none() || is_text(before),
            });
        }
    }

    /// Removes the marks that belong to each other.
    fn remove_highlight_marks(&mut self) {
        let (mut open, mut removed) = (Vec::new(), Vec::new());
        for mark in self.highlights.drain(..) {
            match open.pop_if(|_| mark.closes) {
                Some(start) => removed.extend([start, mark.at]),
                None if mark.opens => open.push(mark.at),
                None => {}
            }
        }
        removed.sort_unstable();
        for at in removed.into_iter().rev() {
            self.row.replace_range(at..at + 2, "");
        }
    }

    fn push_text(&mut self, text: &str) {
        for c in text.chars() {
            if let Some(before) = self.line_end.take()
                && !(cjk::is_japanese(before) && cjk::is_japanese(c))
            {
                self.push_gap(' ');
            }
            self.last = Some(c);
            if c.is_whitespace() {
                self.push_gap(c);
            } else if self.has_room(c.len_utf8()) {
                self.row.push(if c == MARK { '\u{fffd}' } else { c });
            }
        }
    }

    /// A gap is one blank, full-width if any of the blanks is.
    fn push_gap(&mut self, blank: char) {
        if self.row.is_empty() || self.gap == Some(FULL_WIDTH_BLANK) {
            return;
        }
        self.gap = Some(match blank {
            FULL_WIDTH_BLANK => blank,
            _ => ' ',
        });
    }

    /// A line break between two Japanese characters does not show.
    fn end_line(&mut self) {
        match self.last {
            Some(last) if self.line_end.is_none() => self.line_end = Some(last),
            _ => self.push_gap(' '),
        }
    }

    /// Passes something other than text. A line break beside it always shows.
    fn pass_object(&mut self) {
        if self.line_end.take().is_some() {
            self.push_gap(' ');
        }
        self.last = None;
    }

    /// Adds the name of the page to which the destination leads.
    fn name(&mut self, destination: &str) {
        self.pass_object();
        if self.has_room(LINK_BYTES) {
            self.row.push(MARK);
            self.row.push_str(destination);
            self.row.push(MARK);
        }
    }

    /// Reserves bytes after the pending gap.
    fn has_room(&mut self, bytes: usize) -> bool {
        let bytes = bytes + self.gap.map_or(0, char::len_utf8);
        self.full |= self.length + bytes > MAX_BYTES;
        if self.full {
            return false;
        }
        self.length += bytes;
        self.row.extend(self.gap.take());
        true
    }
}

fn is_end(event: &Event<'_>) -> bool {
    matches!(event, Event::End(TagEnd::Heading(_)))
}

fn collect_text<'t>(events: impl Iterator<Item = Event<'t>>) -> TitleText {
    let mut words = TitleText::default();
    // The parser emits the brackets of `[[…]]` one by one. A run of text is read when it is complete.
    let mut run = String::new();
    for event in events {
        match event {
            Event::Text(text) => run.push_str(&cjk::without_joints(&text)),
            Event::Code(text) => {
                end_run(&mut run, &mut words);
                words.push_text(&cjk::without_joints(&text));
            }
            Event::SoftBreak => {
                end_run(&mut run, &mut words);
                words.end_line();
            }
            Event::HardBreak => {
                end_run(&mut run, &mut words);
                words.pass_object();
                words.push_text(" ");
            }
            Event::Start(Tag::Image { .. })
            | Event::End(TagEnd::Image)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_) => {
                end_run(&mut run, &mut words);
                words.pass_object();
            }
            Event::Start(_) | Event::End(_) | Event::Rule | Event::TaskListMarker(_) => {
                end_run(&mut run, &mut words);
            }
        }
    }
    end_run(&mut run, &mut words);
    words.remove_highlight_marks();
    words
}

/// Adds a run of text, with the displayed form of `[[/path]]` and `[[/path|text]]`.
fn end_run(run: &mut String, words: &mut TitleText) {
    let mut rest = run.as_str();
    while let Some((before, link, after)) = next_link(rest) {
        words.push_marked(before);
        match link {
            LinkText::Text(text) => words.push_text(text),
            LinkText::Name(destination) => words.name(destination),
        }
        rest = after;
    }
    words.push_marked(rest);
    run.clear();
}

fn next_link(text: &str) -> Option<(&str, LinkText<'_>, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("[[") {
        let open = from + found;
        if let Some(end) = end_of_link(&text[open..]) {
            let (link, after) = text[open..].split_at(end);
            return Some((&text[..open], link_text(&link[2..end - 2])?, after));
        }
        from = open + 1;
    }
    None
}

/// The end of the link between double brackets at the start of the text; `None` if there is none.
pub(super) fn end_of_link(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("[[")?;
    let close = inner.find(['[', ']', '\n'])?;
    inner[close..].strip_prefix("]]")?;
    link_text(&inner[..close])?;
    Some("[[".len() + close + "]]".len())
}

/// The displayed form of a link between double brackets.
enum LinkText<'t> {
    Text(&'t str),
    /// The name of the page to which this destination leads.
    Name(&'t str),
}

/// The displayed form of a link; `None` if it is not a link.
fn link_text(inner: &str) -> Option<LinkText<'_>> {
    if inner.contains(['[', ']', MARK]) {
        return None;
    }
    let (target, text) = inner.split_once('|').unwrap_or((inner, ""));
    let (target, text) = (target.trim(), text.trim());
    let to_a_page = target.starts_with('/')
        || target
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("page:"));
    to_a_page.then_some(match text {
        "" => LinkText::Name(target),
        text => LinkText::Text(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let row = title_row(text).map(|row| row.replace(MARK, "¦"));
        assert_eq!(row.as_deref(), expected, "{text:?}");
    }

    #[test]
    fn first_top_level_heading_is_the_title() {
        check("# 京都の旅\n\ntext", Some("京都の旅"));
        check("text\n\n## two\n\n# one #\n\n# three", Some("one"));
        check("Title\nof two lines\n===", Some("Title of two lines"));
        check("---\ntitle: x\n# y\n---\n# z", Some("z"));
        check("\u{feff}# bom", Some("bom"));
        check("#\tcrlf\r\n", Some("crlf"));
        check("> # quoted", Some("quoted"));
    }

    /// The page has the same cases: `ui/src/markdown/dialects/titles.test.ts`.
    #[test]
    fn titles_match_those_of_the_browser() {
        #[derive(serde::Deserialize)]
        struct Case {
            source: String,
            title: Option<String>,
        }

        let cases = include_str!("../../../../tests/fixtures/titles.json");
        for Case { source, title } in serde_json::from_str::<Vec<Case>>(cases).unwrap() {
            check(&source, title.as_deref());
        }
    }

    #[test]
    fn first_line_title_is_parsed_like_any_other() {
        check("# [a]\n\n[a]: /b", Some("a"));
        check("# a <!--\n\n# b -->", Some("a <!--"));
        check("# `a\n`b", Some("`a"));
        check("# a\r> # b", Some("a"));
        check("# \n# b", None);
        let line = "# *a* `b` &amp; c\\* ~~d~~ <i>e</i> #";
        check(line, Some("a b & c* d e"));
        check(&format!("\n{line}"), Some("a b & c* d e"));
        let deep = "> ".repeat(1000);
        check(&format!("# a\n\n{deep}"), Some("a"));
    }

    #[test]
    fn markup_is_stripped() {
        check(
            "# *a* `b*` ~~c~~ [d](/e) ![f](g) <b>h</b>",
            Some("a b* c d f h"),
        );
        check("# a  \\* &amp; \\\nb", Some("a * & \\"));
        check(
            "# [[/旅/京都]] と [[page:01JD3Q6T0V5M4N8W2Z7RXKCEHB|奈良]]",
            Some("¦/旅/京都¦ と 奈良"),
        );
        check(
            "# `[[/x]]` [[no]] [[/a]b]] [[/]]",
            Some("[[/x]] [[no]] [[/a]b]] ¦/¦"),
        );
        check("# 脚注[^1]\n\n[^1]: x", Some("脚注"));
    }

    #[test]
    fn text_without_top_level_heading_has_no_title() {
        check("", None);
        check("text", None);
        check("## two", None);
        check("#tag", None);
        check("#", None);
        check("# <!-- -->", None);
        check("```\n# code\n```", None);
        check("---\n# x\n---\n", None);
        check("<pre>\n# html\n</pre>", None);
    }

    #[test]
    fn long_heading_is_parsed_up_to_a_limit() {
        let nested = format!("{}あ{}", "[".repeat(40_000), "]".repeat(40_000));
        for heading in [nested.clone(), format!("a\n{nested}"), "あ".repeat(40_000)] {
            assert!(cut(&heading).len() <= MAX_SOURCE);
        }
        let brackets = "[".repeat(MAX_BYTES);
        check(&format!("# {nested}\nb\n\n# c"), Some(&brackets));
        check(&format!("{nested}\nb\n===\n\n# c"), Some(&brackets));
        check(&format!("> a\n> {nested}\n> ===\nb"), Some("a"));
        // The part of the heading that a long destination pushes out is left out.
        let long = format!("[a](/{})", "b".repeat(MAX_SOURCE));
        check(
            &format!("a {long}\n{long}\n==="),
            Some(&format!("a [a](/{}", "b".repeat(MAX_BYTES - 7))),
        );
        check(&format!("a\n{long}\n==="), Some("a"));
        check(&format!("a\nb\n{}", "=".repeat(MAX_SOURCE)), Some("a b"));
    }

    #[test]
    fn long_title_is_cut_between_characters() {
        let title = title_row(&format!("# {}", "あ".repeat(1000))).unwrap();
        assert_eq!(title, "あ".repeat(MAX_BYTES / 3));
        let title = title_row(&format!("# x{}", " [[/旅  京都]]".repeat(1000))).unwrap();
        let links = MAX_BYTES / (LINK_BYTES + 1);
        assert_eq!(title, format!("x{}", " \0/旅  京都\0".repeat(links)));
    }
}
