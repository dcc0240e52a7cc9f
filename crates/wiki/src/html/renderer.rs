//! Rendering of one page.

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use pulldown_cmark::{
    CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream, html,
};

use super::headings::{Anchors, slug};
use super::part::{close_of, heading_text, level, part};
use super::picture::{Picture, unbarred};
use super::{blocks, escaped, inline, is_japanese, raw_html};
use crate::markdown::{front_matter, wiki_target};
use crate::path::PagePath;

/// The maximum number of pages that are embedded in each other, as in the window.
const MAX_DEPTH: usize = 4;
/// The maximum number of embedded pages in one, as in the window.
const MAX_EMBEDS: usize = 100;
/// The maximum length of a formula that is converted, in bytes.
const MAX_FORMULA: usize = 2_000;
/// The fences that the program replaces by pictures of a folder or an album, or by a list of pages.
const LIVE_FENCES: [&str; 3] = ["gallery", "album", "pages"];

/// Resolves the links of a page. Destinations are as written; relative ones belong to the page at `base`.
pub(crate) trait Surroundings {
    type Error;

    /// Returns the target of a link to a page or a file; `None` if it leads nowhere.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    fn link(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<LinkTarget>, Self::Error>;

    /// Returns a picture among the files of pages; `None` if there is none.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    fn picture(&mut self, base: &PagePath, file: &str) -> Result<Option<PictureFile>, Self::Error>;

    /// Returns a page that is embedded; `None` if there is none.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    fn embedded(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<EmbeddedPage>, Self::Error>;

    /// Returns the HTML of a `pages` fence; `None` if only the program lists pages.
    ///
    /// # Errors
    /// Fails if they cannot be read.
    fn page_list(
        &mut self,
        _base: &PagePath,
        _source: &str,
        _is_japanese: bool,
    ) -> Result<Option<String>, Self::Error> {
        Ok(None)
    }
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkTarget {
    /// Its address, to which a fragment is added; `None` if it is not beside this page.
    pub(crate) address: Option<String>,
    /// Its title, for a link without its own text.
    pub(crate) title: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PictureFile {
    pub(crate) address: String,
    /// The address of the original, if the picture is a smaller copy.
    pub(crate) original: Option<String>,
}

/// A page that is shown within another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmbeddedPage {
    pub(crate) path: PagePath,
    pub(crate) source: String,
}

/// A rendered page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The HTML of the text.
    pub(crate) body: String,
    /// True if the page is in Japanese.
    pub(crate) is_japanese: bool,
}

/// Renders the text of the page at `path`.
///
/// # Errors
/// Fails if its surroundings cannot be read.
pub(crate) fn render<S: Surroundings>(
    path: &PagePath,
    source: &str,
    surroundings: &mut S,
) -> Result<Document, S::Error> {
    let is_japanese = is_japanese(source);
    let mut renderer = Renderer {
        surroundings,
        formulas: formulas(),
        is_japanese,
        open: vec![path.clone()],
        embeds: 0,
    };
    let events = parse(source, is_japanese);
    let events = renderer.resolve(path, events)?;
    let mut body = String::new();
    html::push_html(&mut body, anchored(events).into_iter());
    Ok(Document { body, is_japanese })
}

/// Returns the words of a text for a search, without its marks.
pub(crate) fn text(source: &str) -> String {
    let mut text = String::new();
    for event in parse(source, false) {
        match event {
            Event::Text(part)
            | Event::Code(part)
            | Event::InlineMath(part)
            | Event::DisplayMath(part) => text.push_str(&part),
            Event::Start(
                Tag::Link { .. }
                | Tag::Strong
                | Tag::Emphasis
                | Tag::Strikethrough
                | Tag::Subscript
                | Tag::Superscript,
            )
            | Event::End(
                TagEnd::Link
                | TagEnd::Strong
                | TagEnd::Emphasis
                | TagEnd::Strikethrough
                | TagEnd::Subscript
                | TagEnd::Superscript,
            ) => {}
            Event::Start(_) | Event::Rule | Event::SoftBreak | Event::HardBreak | Event::End(_) => {
                if !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
    }
    text.trim_end().to_owned()
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_WIKILINKS
        | Options::ENABLE_SUPERSCRIPT
        | Options::ENABLE_SUBSCRIPT
}

/// Parses a text, without its front matter.
fn parse(source: &str, is_japanese: bool) -> Vec<Event<'static>> {
    // The parser's own front matter may be anywhere in a text.
    let source = inline::with_joints(front_matter(source).1);
    let events = Parser::new_ext(&source, options()).map(inline::without_joints);
    let events = raw_html::cleaned(TextMergeStream::new(events));
    let events = blocks::callouts(blocks::block_ids(events), is_japanese);
    let events = inline::bare_addresses(inline::marks(inline::scripts(events)));
    let events = inline::join_japanese_lines(events);
    events.into_iter().map(Event::into_static).collect()
}

fn formulas() -> LatexToMathML {
    LatexToMathML::new(MathCoreConfig::default()).expect("BUG: no macros are defined")
}

/// Gives headings their anchors.
fn anchored(mut events: Vec<Event<'static>>) -> Vec<Event<'static>> {
    let mut anchors = Anchors::default();
    for at in 0..events.len() {
        if level(&events[at]).is_none() {
            continue;
        }
        let anchor = anchors.take(&heading_text(&events, at));
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
            *id = Some(anchor.into());
        }
    }
    events
}

struct Renderer<'s, S> {
    surroundings: &'s mut S,
    formulas: LatexToMathML,
    is_japanese: bool,
    /// The pages around this text, and itself.
    open: Vec<PagePath>,
    /// The number of embedded pages so far.
    embeds: usize,
}

impl<S: Surroundings> Renderer<'_, S> {
    fn resolve(
        &mut self,
        base: &PagePath,
        events: Vec<Event<'static>>,
    ) -> Result<Vec<Event<'static>>, S::Error> {
        let mut out = Vec::with_capacity(events.len());
        let mut at = 0;
        while at < events.len() {
            let event = &events[at];
            match event {
                Event::Start(Tag::Paragraph)
                    if let Some((destination, end)) = alone(&events, at) =>
                {
                    if self.embed(base, &destination, &mut out)? {
                        at = end + 1;
                        continue;
                    }
                    out.push(event.clone());
                }
                Event::Start(Tag::Image { .. }) => {
                    let end = close_of(&events, at).unwrap_or(at);
                    self.image(base, &events[at..=end], &mut out)?;
                    at = end;
                }
                Event::Start(Tag::Link { .. }) => {
                    let end = close_of(&events, at).unwrap_or(at);
                    self.link(base, &events[at..=end], &mut out)?;
                    at = end;
                }
                Event::InlineMath(tex) => out.push(self.formula(tex, MathDisplay::Inline)),
                Event::DisplayMath(tex) => out.push(self.formula(tex, MathDisplay::Block)),
                Event::Start(Tag::CodeBlock(kind)) if is_live(kind) => {
                    let end = close_of(&events, at).unwrap_or(at);
                    let list = match fence_name(kind) {
                        Some("pages") => {
                            let source = text_of(&events[at..=end]);
                            let surroundings = &mut self.surroundings;
                            surroundings.page_list(base, &source, self.is_japanese)?
                        }
                        _ => None,
                    };
                    out.push(match list {
                        Some(list) => Event::Html(list.into()),
                        None => self.live_fence(kind),
                    });
                    at = end;
                }
                event => out.push(event.clone()),
            }
            at += 1;
        }
        Ok(out)
    }

    fn formula(&self, tex: &str, display: MathDisplay) -> Event<'static> {
        let class = match display {
            MathDisplay::Inline => "formula",
            MathDisplay::Block => "formula display",
        };
        // The converter recurses, so a formula without end would overflow the stack.
        let converted = (tex.len() <= MAX_FORMULA)
            .then(|| self.formulas.convert_with_local_counter(tex, display).ok())
            .flatten();
        // A formula that is not understood is shown as written.
        let shown =
            converted.unwrap_or_else(|| format!("<code class=\"{class}\">{}</code>", escaped(tex)));
        Event::InlineHtml(shown.into())
    }

    fn live_fence(&self, kind: &pulldown_cmark::CodeBlockKind) -> Event<'static> {
        let words = match (fence_name(kind), self.is_japanese) {
            (Some("gallery"), false) => "Pictures of a folder, which Fumikura shows here",
            (Some("gallery"), true) => "フォルダーの写真（Fumikura でここに表示されます）",
            (Some("album"), false) => "Pictures of an album, which Fumikura shows here",
            (Some("album"), true) => "アルバムの写真（Fumikura でここに表示されます）",
            (_, false) => "A list of pages, which Fumikura shows here",
            (_, true) => "ページの一覧（Fumikura でここに表示されます）",
        };
        Event::Html(format!("<p class=\"missing\">{words}</p>\n").into())
    }

    fn link(
        &mut self,
        base: &PagePath,
        events: &[Event<'static>],
        out: &mut Vec<Event<'static>>,
    ) -> Result<(), S::Error> {
        let Some(Event::Start(Tag::Link {
            link_type,
            dest_url,
            ..
        })) = events.first()
        else {
            return Ok(());
        };
        let inner = &events[1..events.len().saturating_sub(1).max(1)];
        let is_wiki = matches!(link_type, LinkType::WikiLink { .. });
        if is_wiki && !is_page_link(dest_url) {
            out.push(Event::Text("[[".into()));
            match inner {
                [Event::Text(text)] if text == dest_url => {}
                _ => out.push(Event::Text(format!("{dest_url}|").into())),
            }
            out.extend(self.resolve(base, inner.to_vec())?);
            out.push(Event::Text("]]".into()));
            return Ok(());
        }
        let destination = destination(*link_type, dest_url);
        if leads_itself(&destination) {
            let address = match destination.strip_prefix('#') {
                Some(_) => with_anchor("", &destination),
                None => destination,
            };
            // The address of such a link is not printed twice.
            let class = match link_type {
                LinkType::Autolink => "class=\"bare\" ",
                _ => "",
            };
            let start = format!("<a {class}href=\"{}\">", escaped(&address));
            out.push(Event::InlineHtml(start.into()));
            out.extend(self.resolve(base, inner.to_vec())?);
            out.push(Event::InlineHtml("</a>".into()));
            return Ok(());
        }
        let (path, tail) = split_tail(&destination);
        let target = self.surroundings.link(base, path)?;
        let start = match target.as_ref().and_then(|target| target.address.as_ref()) {
            Some(address) => format!("<a href=\"{}\">", escaped(&with_anchor(address, tail))),
            None => "<a>".to_owned(),
        };
        out.push(Event::InlineHtml(start.into()));
        if matches!(link_type, LinkType::WikiLink { has_pothole: false }) {
            let title = match target {
                Some(target) => target.title.clone() + &shown_tail(tail),
                None => decoded(path.rsplit('/').next().unwrap_or(path)) + &shown_tail(tail),
            };
            out.push(Event::Text(title.into()));
        } else {
            out.extend(self.resolve(base, inner.to_vec())?);
        }
        out.push(Event::InlineHtml("</a>".into()));
        Ok(())
    }

    fn image(
        &mut self,
        base: &PagePath,
        events: &[Event<'static>],
        out: &mut Vec<Event<'static>>,
    ) -> Result<(), S::Error> {
        let Some(Event::Start(Tag::Image {
            link_type,
            dest_url,
            title,
            ..
        })) = events.first()
        else {
            return Ok(());
        };
        if matches!(link_type, LinkType::WikiLink { .. }) && is_page_link(dest_url) {
            // Within a line an embedded page is a link.
            let mut link = events.to_vec();
            link[0] = Event::Start(Tag::Link {
                link_type: *link_type,
                dest_url: dest_url.clone(),
                title: CowStr::from(""),
                id: CowStr::from(""),
            });
            return self.link(base, &link, out);
        }
        let text = text_of(&events[1..]);
        let picture = Picture::new(*link_type, dest_url, title, &text);
        let element = self.picture(base, &picture)?;
        out.push(Event::InlineHtml(element.into()));
        Ok(())
    }

    /// Returns the element of a picture, or its text if there is no such file.
    fn picture(&mut self, base: &PagePath, picture: &Picture) -> Result<String, S::Error> {
        let file = match &picture.file {
            Some(file) => self.surroundings.picture(base, file)?,
            None => None,
        };
        let Some(file) = file else {
            return Ok(escaped(&picture.alt));
        };
        let mut element = format!(
            "<img src=\"{}\" alt=\"{}\"",
            escaped(&file.address),
            escaped(&picture.alt)
        );
        if let Some(width) = picture.width {
            element.push_str(&format!(" width=\"{width}\""));
        }
        if let (Some(width), Some(height)) = (picture.width, picture.height) {
            element.push_str(&format!(
                " style=\"object-fit: contain; aspect-ratio: {width} / {height}\""
            ));
        }
        element.push('>');
        if let Some(original) = &file.original {
            element = format!("<a href=\"{}\">{element}</a>", escaped(original));
        }
        if !picture.caption.is_empty() {
            let caption = escaped(&picture.caption);
            element.push_str(&format!("<span class=\"caption\">{caption}</span>"));
        }
        Ok(element)
    }

    /// Writes a part of another page. Returns false if it is a link instead: there is no such part, or it contains
    /// this text.
    fn embed(
        &mut self,
        base: &PagePath,
        destination: &str,
        out: &mut Vec<Event<'static>>,
    ) -> Result<bool, S::Error> {
        if self.embeds >= MAX_EMBEDS {
            return Ok(false);
        }
        let (path, tail) = split_tail(destination);
        let Some(page) = self.surroundings.embedded(base, path)? else {
            return Ok(false);
        };
        if self.open.len() >= MAX_DEPTH || self.open.contains(&page.path) {
            return Ok(false);
        }
        let events = parse(&page.source, self.is_japanese);
        let Some(events) = part(events, &anchor(tail)) else {
            return Ok(false);
        };
        self.embeds += 1;
        let events = without_ids(events, self.embeds);
        self.open.push(page.path.clone());
        let events = self.resolve(&page.path, events)?;
        self.open.pop();
        let target = self.surroundings.link(base, path)?;
        let mut head = "<div class=\"embed\">\n".to_owned();
        if let Some(target) = target {
            let title = escaped(&target.title);
            let link = match target.address {
                Some(address) => {
                    let address = escaped(&with_anchor(&address, tail));
                    format!("<a href=\"{address}\">{title}</a>")
                }
                None => title,
            };
            head.push_str(&format!("<p class=\"embed-title\">{link}</p>\n"));
        }
        out.push(Event::Html(head.into()));
        out.extend(events);
        out.push(Event::Html("</div>\n".into()));
        Ok(true)
    }
}

/// Returns the page that a paragraph embeds and the end of the paragraph, if it has nothing else.
fn alone(events: &[Event<'static>], at: usize) -> Option<(String, usize)> {
    let end = close_of(events, at)?;
    let Event::Start(Tag::Image {
        link_type: link_type @ LinkType::WikiLink { .. },
        dest_url,
        ..
    }) = &events[at + 1]
    else {
        return None;
    };
    let is_alone = close_of(events, at + 1)? + 1 == end;
    (is_alone && is_page_link(dest_url)).then(|| (destination(*link_type, dest_url), end))
}

/// Removes block ids, and keeps footnotes of the embedded page apart from those around it. Headings are plain text in
/// bold, so that they are not in the structure of the page around them.
fn without_ids(events: Vec<Event<'static>>, number: usize) -> Vec<Event<'static>> {
    let label = |label: &str| CowStr::from(format!("{number}-{label}"));
    let kept = events
        .into_iter()
        .filter(|event| blocks::block_id_of(event).is_none());
    let renamed = kept.map(|event| match event {
        Event::FootnoteReference(name) => Event::FootnoteReference(label(&name)),
        Event::Start(Tag::FootnoteDefinition(name)) => {
            Event::Start(Tag::FootnoteDefinition(label(&name)))
        }
        Event::Start(Tag::Heading { .. }) => Event::Html("<p class=\"embed-heading\">".into()),
        Event::End(TagEnd::Heading(_)) => Event::Html("</p>\n".into()),
        event => event,
    });
    renamed.collect()
}

fn is_page_link(destination: &str) -> bool {
    let destination = destination.trim_start();
    let scheme = destination.get(..5);
    destination.starts_with('/')
        || scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("page:"))
}

/// Returns the destination of a link.
fn destination(link_type: LinkType, written: &str) -> String {
    let written = unbarred(written).trim();
    match link_type {
        LinkType::WikiLink { .. } => wiki_target(written).into_owned(),
        _ => written.to_owned(),
    }
}

/// True for addresses of the web, and places in the page itself.
fn leads_itself(destination: &str) -> bool {
    let lower = destination.to_ascii_lowercase();
    let leads = ["http://", "https://", "mailto:", "#"];
    leads.iter().any(|start| lower.starts_with(start))
}

/// Splits a destination before its query or fragment. Only the fragment leads anywhere.
fn split_tail(destination: &str) -> (&str, &str) {
    let end = destination.find(['?', '#']).unwrap_or(destination.len());
    let fragment = destination.find('#').unwrap_or(destination.len());
    (&destination[..end], &destination[fragment..])
}

/// Returns the part of a label that names a heading. The id of a block says nothing to a reader.
fn shown_tail(tail: &str) -> String {
    match tail.starts_with("#^") {
        true => String::new(),
        false => decoded(tail),
    }
}

/// Returns the anchor that a fragment means: it may name a heading by its text.
fn anchor(tail: &str) -> String {
    let fragment = decoded(tail.trim_start_matches('#'));
    match fragment.is_empty() || fragment.starts_with('^') {
        true => fragment,
        false => slug(&fragment),
    }
}

fn with_anchor(address: &str, tail: &str) -> String {
    match anchor(tail) {
        anchor if anchor.is_empty() => address.to_owned(),
        anchor => format!("{address}#{anchor}"),
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text)
        .decode_utf8_lossy()
        .into_owned()
}

fn fence_name<'k>(kind: &'k pulldown_cmark::CodeBlockKind) -> Option<&'k str> {
    match kind {
        pulldown_cmark::CodeBlockKind::Fenced(info) => info.split_whitespace().next(),
        pulldown_cmark::CodeBlockKind::Indented => None,
    }
}

fn is_live(kind: &pulldown_cmark::CodeBlockKind) -> bool {
    fence_name(kind).is_some_and(|name| LIVE_FENCES.contains(&name))
}

/// Returns the text of a picture, without its marks.
fn text_of(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(part) | Event::Code(part) => text.push_str(part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}
