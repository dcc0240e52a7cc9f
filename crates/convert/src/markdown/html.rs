//! HTML within Markdown: simple pictures and links become those of Markdown, whose addresses are resolved and whose
//! files show. Everything else stays as it is.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::links::{apply, options};
use crate::document::write;
use crate::html::{Addresses, Dom, Element, Media, Options, Reader};

/// The elements that have a counterpart in Markdown, or only place what they contain.
const SIMPLE: [&str; 35] = [
    "a",
    "b",
    "blockquote",
    "br",
    "center",
    "code",
    "dd",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "li",
    "ol",
    "p",
    "picture",
    "source",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "td",
    "th",
    "ul",
];
/// The parts of a table, which are simple where the table is.
const TABLE_PARTS: [&str; 4] = ["tr", "thead", "tbody", "tfoot"];
/// The elements without an end.
const VOID: [&str; 4] = ["br", "hr", "img", "source"];

/// Addresses as they are written.
struct Written;

impl Addresses for Written {
    fn link(&mut self, href: &str) -> Option<String> {
        Some(href.to_owned())
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        let source = element.find_attribute("src")?;
        Some(Media {
            target: source.to_owned(),
            name: String::new(),
            is_embedded: true,
        })
    }
}

/// Converts the simple pictures and links of a text.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the other events of the parser are no HTML"
)]
pub(super) fn convert(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let (mut containers, mut tables, mut links) = (0_usize, 0_usize, 0_usize);
    let mut open: Option<(Range<usize>, String)> = None;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Item | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)) => {
                containers += 1;
            }
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition) => {
                containers = containers.saturating_sub(1);
            }
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::End(TagEnd::Table) => tables = tables.saturating_sub(1),
            Event::Start(Tag::Link { .. }) => links += 1,
            Event::End(TagEnd::Link) => links = links.saturating_sub(1),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell) => open = None,
            Event::Start(Tag::HtmlBlock) => {
                let piece = &text[range.clone()];
                // The lines of a block within a list or quotation start with its marks.
                let is_whole = containers == 0 || piece.trim_end().lines().count() == 1;
                if is_whole && let Some(new) = block(piece) {
                    let before = &text[..range.start];
                    let is_apart = before.is_empty() || before.ends_with("\n\n") || containers > 0;
                    let start = if is_apart { "" } else { "\n" };
                    let end = if piece.ends_with('\n') { "\n" } else { "" };
                    edits.push((range, format!("{start}{new}{end}")));
                }
            }
            Event::InlineHtml(_) => {
                let tag = &text[range.clone()];
                if is_picture(tag) {
                    let picture = inline(tag).filter(|picture| !picture.contains('\n'));
                    let picture = picture.map(|picture| match tables {
                        0 => picture,
                        _ => picture.replace('|', "\\|"),
                    });
                    edits.extend(picture.map(|picture| (range, picture)));
                } else if links == 0
                    && let Some(target) = link_target(tag)
                {
                    open = Some((range, target));
                } else if tag.eq_ignore_ascii_case("</a>")
                    && let Some((start, target)) = open.take()
                {
                    let label = &text[start.end..range.start];
                    if !label.trim().is_empty() && !label.contains("](") && !label.contains("[[") {
                        edits.push((start, "[".to_owned()));
                        edits.push((range, format!("]({target})")));
                    }
                }
            }
            _ => {}
        }
    }
    apply(text, edits)
}

/// Converts a block, if all of it is simple and it has a picture or a link.
fn block(piece: &str) -> Option<String> {
    if piece.contains("<!--") || is_template(piece) || !is_balanced(piece) {
        return None;
    }
    let dom = Dom::parse(piece, false);
    let mut has_address = false;
    let mut is_simple = true;
    dom.each(0, &mut |id| {
        let Some(element) = dom.element(id) else {
            return true;
        };
        let name = element.name.as_str();
        let is_anchor = ["id", "name"]
            .iter()
            .any(|name| element.find_attribute(name).is_some())
            && name != "img";
        let is_merged = ["colspan", "rowspan"]
            .iter()
            .any(|name| element.find_attribute(name).is_some());
        let is_known = SIMPLE.contains(&name) || TABLE_PARTS.contains(&name);
        is_simple &= is_known && !is_anchor && !is_merged;
        match name {
            "img" => {
                let source = element.attribute("src");
                is_simple &= is_address(source);
                has_address = true;
            }
            "a" => {
                is_simple &= is_address(element.attribute("href"));
                has_address = true;
            }
            _ => {}
        }
        is_simple
    });
    (is_simple && has_address).then(|| read(&dom))
}

/// Converts a single tag.
fn inline(tag: &str) -> Option<String> {
    let dom = Dom::parse(tag, false);
    let source = dom.element(*dom.children(0).first()?)?.attribute("src");
    (is_address(source) && !is_template(tag)).then(|| read(&dom))
}

fn read(dom: &Dom) -> String {
    let mut reader = Reader {
        dom,
        addresses: &mut Written,
        losses: Vec::new(),
        options: Options::default(),
    };
    write(&reader.blocks(0)).trim_end().to_owned()
}

fn is_picture(tag: &str) -> bool {
    tag.get(..4)
        .is_some_and(|name| name.eq_ignore_ascii_case("<img"))
        && !tag[4..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
}

/// Returns the destination of a tag that opens a link and nothing else.
fn link_target(tag: &str) -> Option<String> {
    let start = tag.get(..3)?;
    if !start.eq_ignore_ascii_case("<a ") || is_template(tag) {
        return None;
    }
    let dom = Dom::parse(tag, false);
    let element = dom.element(*dom.children(0).first()?)?;
    let is_anchor = ["id", "name"]
        .iter()
        .any(|name| element.find_attribute(name).is_some());
    let address = element.attribute("href");
    (!is_anchor && is_address(address)).then(|| destination(address))
}

/// Returns true for an address that Markdown can have: not a program, a part of the page's own script, or the data of
/// a picture.
fn is_address(address: &str) -> bool {
    let start = address.get(..11).unwrap_or(address).to_ascii_lowercase();
    !address.is_empty()
        && address != "#"
        && !address.contains(['\n', '<', '>'])
        && !start.starts_with("data:")
        && !start.starts_with("javascript:")
}

/// Returns true for HTML that a site completes: Liquid, Hugo, Vue, JSX.
fn is_template(html: &str) -> bool {
    html.contains("{{") || html.contains("{%") || html.contains("={")
}

fn destination(address: &str) -> String {
    if address.contains(|c: char| c.is_whitespace() || "()".contains(c)) {
        format!("<{address}>")
    } else {
        address.to_owned()
    }
}

/// Returns true if each element that starts in a piece of HTML ends in it, and the other way round.
fn is_balanced(piece: &str) -> bool {
    let mut open: Vec<String> = Vec::new();
    let mut rest = piece;
    while let Some(start) = rest.find('<') {
        let Some(length) = tag_length(&rest[start..]) else {
            return false;
        };
        let tag = &rest[start + 1..start + length - 1];
        rest = &rest[start + length..];
        let (is_end, inner) = match tag.strip_prefix('/') {
            Some(inner) => (true, inner),
            None => (false, tag),
        };
        let name: String = inner
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        if name.is_empty() {
            return false;
        }
        if is_end {
            if open.pop().as_deref() != Some(&*name) {
                return false;
            }
        } else if !VOID.contains(&&*name) && !inner.ends_with('/') {
            open.push(name);
        }
    }
    open.is_empty()
}

/// Returns the length of the tag at the start, whose quoted values may contain `>`.
fn tag_length(html: &str) -> Option<usize> {
    let mut quote = None;
    html.char_indices().find_map(|(at, c)| {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(convert(text), expected, "{text}");
    }

    #[test]
    fn pictures_become_markdown() {
        check(
            "a <img src=\"p 1.png\" alt=\"x\" width=\"300\"> b",
            "a ![x|300](p%201.png) b",
        );
        check("<img src='a.png'>\n", "![](a.png)\n");
        check(
            "text\n<p align=\"center\">\n  <img src=\"a.png\" width=\"30\" height=\"40\">\n</p>\n\nmore",
            "text\n\n![|30x40](a.png)\n\nmore",
        );
        check(
            "| a |\n|---|\n| <img src=\"a.png\" width=\"9\"> |\n",
            "| a |\n|---|\n| ![\\|9](a.png) |\n",
        );
        check(
            "<a href=\"b.md\"><img src=\"a.png\"></a>\n",
            "[![](a.png)](b.md)\n",
        );
    }

    #[test]
    fn links_become_markdown() {
        check("x <a href=\"b.md\">b *c*</a>.", "x [b *c*](b.md).");
        check(
            "<p>See <a href=\"../b.md#c\">b</a></p>\n",
            "See [b](../b.md#c)\n",
        );
    }

    #[test]
    fn other_html_stays() {
        for text in [
            "<div align=\"center\">\n\n![](a.png)\n\n</div>\n",
            "<a id=\"top\"></a>\n",
            "a <a name=\"x\" href=\"y\">z</a>",
            "<details><summary>a</summary>\n<video src=\"a.mp4\"></video></details>\n",
            "<img src=\"{{ site.logo }}\">\n",
            "<img src=\"data:image/png;base64,AA\">\n",
            "`<img src=\"a.png\">`\n\n```\n<img src=\"a.png\">\n```\n",
            "<table><tr><td colspan=\"2\"><img src=\"a.png\"></td></tr></table>\n",
            "a < b <u>c</u>\n",
        ] {
            check(text, text);
        }
    }
}
