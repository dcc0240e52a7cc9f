//! `fumi page show --html`: a page as one HTML file, with its pictures inside.
//!
//! The program's own page renders Markdown in TypeScript. Here pulldown-cmark renders it: formulas stay TeX, diagrams and
//! code stay without colours, and of raw HTML only plain tags stay.

use std::collections::HashMap;
use std::fmt::Write as _;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};
use serde_json::Value;

use crate::client::{Client, percent_encode};
use crate::page::{as_of, id_at};

const STYLE: &str = include_str!("page_html.css");
/// The extensions of picture files that `![[name]]` shows.
const PICTURES: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "jxl", "heic",
];
/// The tags of raw HTML that stay, without their attributes.
const PLAIN_TAGS: [&str; 28] = [
    "b", "br", "cite", "code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "hr", "i",
    "ins", "kbd", "mark", "p", "q", "rp", "rt", "ruby", "s", "small", "strong", "sub", "summary",
    "sup",
];
/// Elements whose contents are no text.
const CODE_TAGS: [&str; 2] = ["script", "style"];

/// Renders the page at `path`, now or as of a moment.
///
/// # Errors
/// Fails if a file of the page cannot be read.
pub(crate) fn render(
    (client, at): (&Client, Option<&str>),
    path: &str,
    source: &str,
) -> anyhow::Result<String> {
    let mut files = PageFiles {
        client,
        at,
        pages: HashMap::new(),
    };
    let mut events = Vec::new();
    let mut parser = Parser::new_ext(source, options());
    while let Some(event) = parser.next() {
        if let Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            ..
        }) = event
        {
            let text = text_until_image_end(&mut parser);
            let picture = Picture::new(link_type, &dest_url, &title, &text);
            events.push(Event::InlineHtml(files.picture(path, &picture)?.into()));
        } else if let Event::Start(Tag::Link {
            link_type,
            dest_url,
            ..
        }) = event
        {
            let dest_url = dest_url.strip_suffix('\\').unwrap_or(&dest_url);
            events.push(Event::InlineHtml(link_start(dest_url).into()));
            if matches!(link_type, LinkType::WikiLink { has_pothole: false }) {
                parser
                    .by_ref()
                    .find(|event| *event == Event::End(TagEnd::Link));
                events.push(Event::Text(client_title((client, at), dest_url).into()));
                events.push(Event::InlineHtml("</a>".into()));
            }
        } else if event == Event::End(TagEnd::Link) {
            events.push(Event::InlineHtml("</a>".into()));
        } else if let Event::Html(raw) = event {
            events.push(Event::Html(plain_html(&raw).into()));
        } else if let Event::InlineHtml(raw) = event {
            events.push(Event::InlineHtml(plain_html(&raw).into()));
        } else {
            events.push(event);
        }
    }
    let title = title_of(&events).unwrap_or_else(|| last_segment(path).to_owned());
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    let language = match is_japanese(source) {
        true => " lang=\"ja\"",
        false => "",
    };
    Ok(format!(
        "<!doctype html>\n<html{language}>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(&title)
    ))
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_WIKILINKS
}

/// A picture as the text shows it.
#[derive(Debug, PartialEq, Eq)]
struct Picture {
    /// The file's address without `asset:`; `None` for a picture that is not a file of a page.
    file: Option<String>,
    alt: String,
    caption: String,
    width: Option<u32>,
    height: Option<u32>,
}

impl Picture {
    fn new(link_type: LinkType, destination: &str, title: &str, text: &str) -> Self {
        let is_embed = matches!(link_type, LinkType::WikiLink { .. });
        let file = if is_embed {
            // In a table the bar after it is written `\|`.
            let destination = destination.strip_suffix('\\').unwrap_or(destination);
            let extension = destination.rsplit('.').next().unwrap_or_default();
            let name = last_segment(destination);
            PICTURES
                .contains(&extension.to_ascii_lowercase().as_str())
                .then(|| percent_encode(name))
        } else {
            destination
                .get(..6)
                .filter(|scheme| scheme.eq_ignore_ascii_case("asset:"))
                .map(|_| destination[6..].to_owned())
        };
        // The size of an embed may be all of its text.
        let text = if is_embed && size(text).is_some() {
            format!("|{text}")
        } else {
            text.to_owned()
        };
        let sized = text
            .rsplit_once('|')
            .and_then(|(alt, end)| Some((alt, size(end)?)));
        let (alt, (width, height)) = match sized {
            Some((alt, (width, height))) => (alt.to_owned(), (Some(width), height)),
            None => (text, (None, None)),
        };
        Self {
            file,
            alt,
            caption: title.trim().to_owned(),
            width,
            height,
        }
    }
}

/// Parses `200` or `200x150`, each side from 1 to 9999.
fn size(text: &str) -> Option<(u32, Option<u32>)> {
    let side = |text: &str| {
        let plain = (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        plain
            .then(|| text.parse().ok())
            .flatten()
            .filter(|side| *side > 0 && !text.starts_with('0'))
    };
    match text.trim().split_once(['x', '×']) {
        Some((width, height)) => Some((side(width)?, Some(side(height)?))),
        None => Some((side(text.trim())?, None)),
    }
}

/// The files of pages, by their pages' paths.
struct PageFiles<'c> {
    client: &'c Client,
    /// The moment of which the page is printed.
    at: Option<&'c str>,
    pages: HashMap<String, Vec<Value>>,
}

impl PageFiles<'_> {
    /// Returns the element of a picture, or its text if there is no such file.
    fn picture(&mut self, page: &str, picture: &Picture) -> anyhow::Result<String> {
        let data = match &picture.file {
            Some(file) => self.data(page, file)?,
            None => None,
        };
        let Some(data) = data else {
            return Ok(escaped(&picture.alt));
        };
        let mut element = format!("<img src=\"{data}\" alt=\"{}\"", escaped(&picture.alt));
        if let Some(width) = picture.width {
            write!(element, " width=\"{width}\"")?;
        }
        if let (Some(width), Some(height)) = (picture.width, picture.height) {
            write!(
                element,
                " style=\"object-fit: contain; aspect-ratio: {width} / {height}\""
            )?;
        }
        element.push('>');
        if !picture.caption.is_empty() {
            write!(
                element,
                "<span class=\"caption\">{}</span>",
                escaped(&picture.caption)
            )?;
        }
        Ok(element)
    }

    fn data(&mut self, page: &str, file: &str) -> anyhow::Result<Option<String>> {
        let written = decoded(file.split(['?', '#']).next().unwrap_or_default());
        let Some((owner, name)) = resolved(page, &written) else {
            return Ok(None);
        };
        if !self.pages.contains_key(&owner) {
            let files = files_of((self.client, self.at), &owner)?;
            self.pages.insert(owner.clone(), files);
        }
        let Some(asset) = self.pages[&owner]
            .iter()
            .find(|asset| asset["file_name"] == name.as_str())
        else {
            return Ok(None);
        };
        let id = asset["id"].as_str().context("a file has no id")?;
        let mime = asset["mime"].as_str().unwrap_or_default();
        if !mime.starts_with("image/") {
            return Ok(None);
        }
        let contents = self.client.send("GET", &format!("api/asset?id={id}"))?.body;
        Ok(Some(format!(
            "data:{mime};base64,{}",
            STANDARD.encode(contents)
        )))
    }
}

/// The files of a page. At a path without a page there are none.
fn files_of((client, at): (&Client, Option<&str>), path: &str) -> anyhow::Result<Vec<Value>> {
    let Ok(id) = id_at(client, path, at) else {
        return Ok(Vec::new());
    };
    let files = client.get(&as_of(format!("api/pages/{id}/assets"), at))?;
    Ok(files.as_array().cloned().unwrap_or_default())
}

/// Returns the page and the name of a file: `name` is a file of the page itself, `../page/name` one of a sibling.
fn resolved(page: &str, written: &str) -> Option<(String, String)> {
    let full = if written.starts_with('/') {
        written.to_owned()
    } else {
        format!("{page}/{written}")
    };
    let mut segments = Vec::new();
    for segment in full.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    let name = segments.pop()?;
    Some((format!("/{}", segments.join("/")), name.to_owned()))
}

/// Returns the start of a link. A page is not in the file: only addresses of the web, and places in the text, lead
/// anywhere.
fn link_start(destination: &str) -> String {
    let lower = destination.to_ascii_lowercase();
    let leads = ["http://", "https://", "mailto:", "#"];
    if leads.iter().any(|start| lower.starts_with(start)) {
        return format!("<a href=\"{}\">", escaped(destination));
    }
    "<a>".to_owned()
}

/// Returns the title of a page, or the last part of its path.
fn client_title((client, at): (&Client, Option<&str>), destination: &str) -> String {
    let path = decoded(destination.split(['?', '#']).next().unwrap_or_default());
    let address = format!("api/pages/resolve?path={}", percent_encode(&path));
    let found = client.get(&as_of(address, at));
    let title = found
        .ok()
        .and_then(|page| Some(page["title"].as_str()?.to_owned()));
    title.unwrap_or_else(|| last_segment(&path).to_owned())
}

fn text_until_image_end<'e>(events: &mut impl Iterator<Item = Event<'e>>) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    for event in events {
        if let Event::Text(part) | Event::Code(part) = event {
            text.push_str(&part);
        } else if matches!(event, Event::SoftBreak | Event::HardBreak) {
            text.push(' ');
        } else if matches!(event, Event::Start(Tag::Image { .. })) {
            depth += 1;
        } else if event == Event::End(TagEnd::Image) {
            if depth == 0 {
                break;
            }
            depth -= 1;
        }
    }
    text
}

/// Returns the text of the first heading of level 1.
fn title_of(events: &[Event]) -> Option<String> {
    let is_start = |event: &Event| {
        matches!(
            event,
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            })
        )
    };
    let start = events.iter().position(is_start)?;
    let end = |event: &&Event| !matches!(event, Event::End(TagEnd::Heading(_)));
    let mut title = String::new();
    for event in events[start..].iter().take_while(end) {
        if let Event::Text(text) | Event::Code(text) = event {
            title.push_str(text);
        }
    }
    (!title.trim().is_empty()).then_some(title)
}

/// Keeps the text and the plain tags of raw HTML.
fn plain_html(raw: &str) -> String {
    let mut plain = String::new();
    let mut rest = raw;
    let mut hidden: Option<&str> = None;
    while let Some(start) = rest.find('<') {
        if hidden.is_none() {
            plain.push_str(&rest[..start]);
        }
        let Some(length) = rest[start..].find('>') else {
            return plain;
        };
        let tag = &rest[start + 1..start + length];
        rest = &rest[start + length + 1..];
        let is_end = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let name = name.to_ascii_lowercase();
        if let Some(code) = CODE_TAGS.into_iter().find(|code| *code == name) {
            hidden = (!is_end).then_some(code);
        } else if hidden.is_none() && PLAIN_TAGS.contains(&name.as_str()) {
            let slash = if is_end { "/" } else { "" };
            // Nothing is closed on paper.
            let open = if name == "details" && !is_end {
                " open"
            } else {
                ""
            };
            plain.push_str(&format!("<{slash}{name}{open}>"));
        }
    }
    if hidden.is_none() {
        plain.push_str(rest);
    }
    plain
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// True if kana make up a good part of a text. Names of files and Markdown have Latin letters.
fn is_japanese(text: &str) -> bool {
    let kana = text
        .chars()
        .filter(|character| ('\u{3041}'..='\u{30ff}').contains(character));
    let letters = text.chars().filter(char::is_ascii_alphabetic);
    kana.count() * 4 > letters.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INLINE: LinkType = LinkType::Inline;
    const EMBED: LinkType = LinkType::WikiLink { has_pothole: true };

    #[track_caller]
    fn check(
        link_type: LinkType,
        destination: &str,
        text: &str,
        expected: (Option<&str>, &str, Option<u32>, Option<u32>),
    ) {
        let picture = Picture::new(link_type, destination, "", text);
        let (file, alt) = (picture.file.as_deref(), picture.alt.as_str());
        assert_eq!((file, alt, picture.width, picture.height), expected);
    }

    #[test]
    fn size_ends_the_text_of_a_picture() {
        check(
            INLINE,
            "asset:a.jpg",
            "Deer|200",
            (Some("a.jpg"), "Deer", Some(200), None),
        );
        check(
            INLINE,
            "asset:a.jpg",
            "Deer|200x150",
            (Some("a.jpg"), "Deer", Some(200), Some(150)),
        );
        check(
            EMBED,
            "files/a b.jpg",
            "200",
            (Some("a%20b.jpg"), "", Some(200), None),
        );
        check(
            EMBED,
            "a.jpg",
            "Deer|200",
            (Some("a.jpg"), "Deer", Some(200), None),
        );
        for text in ["Deer|0", "Deer|99999", "Deer|abc", "Deer|-1", "Deer|1x0"] {
            check(
                INLINE,
                "asset:a.jpg",
                text,
                (Some("a.jpg"), text, None, None),
            );
        }
        check(
            INLINE,
            "https://example.org/a.jpg",
            "a",
            (None, "a", None, None),
        );
        check(EMBED, "/page", "/page", (None, "/page", None, None));
    }

    #[test]
    fn raw_html_keeps_plain_tags() {
        assert_eq!(
            plain_html("<b onclick=x>a</b><img src=x><script>alert(1)</script>"),
            "<b>a</b>"
        );
        assert_eq!(
            plain_html("<details>\n<summary>a</summary>"),
            "<details open>\n<summary>a</summary>"
        );
        assert_eq!(plain_html("<iframe src=x"), "");
    }

    #[test]
    fn files_of_other_pages_are_resolved() {
        let file = |written| resolved("/a/b", written).unwrap();
        assert_eq!(file("x.jpg"), ("/a/b".to_owned(), "x.jpg".to_owned()));
        assert_eq!(file("../c/x.jpg"), ("/a/c".to_owned(), "x.jpg".to_owned()));
        assert_eq!(file("/x.jpg"), ("/".to_owned(), "x.jpg".to_owned()));
    }

    #[test]
    fn kana_make_a_page_japanese() {
        assert!(is_japanese(
            "# 庭の記録\n\nこけが増えました。![](asset:moss.jpg)"
        ));
        assert!(!is_japanese(
            "# Garden\n\nA note about the garden (庭の記録)."
        ));
        assert!(!is_japanese(""));
    }

    #[test]
    fn only_web_addresses_are_links() {
        assert_eq!(
            link_start("https://example.org/?a=\"b"),
            "<a href=\"https://example.org/?a=&quot;b\">"
        );
        for inert in [
            "/page",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "page:01JD0000000000000000000000",
        ] {
            assert_eq!(link_start(inert), "<a>");
        }
    }
}
