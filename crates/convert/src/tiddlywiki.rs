//! TiddlyWiki: a wiki in one HTML file, JSON, and folders of `.tid` files.

mod list;
mod store;
mod wikitext;

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::ReadError;
use crate::document::{Block, FrontMatter, Inline, heading, write};
use crate::html::{Addresses, Dom, Element, MAX_LOSSES, Media, Options, Reader};
use crate::link;
use crate::reading::{Collector, Converted, external, is_embedded, is_hidden, resolve};
use crate::relink::relink;
use crate::source::{Content, Loss, LossKind, SkipReason, Source, SourceFile, Watch};
use crate::spool::Spool;
use crate::tree::{Dates, Tree};
use list::titles;
use store::Tiddler;
use wikitext::Syntax;

/// Returns true if a tree is a folder of tiddlers, among which there may be texts of Markdown.
pub(crate) fn is_folder(tree: &Tree) -> bool {
    let count = |ending: &str| {
        let entries = tree.entries().iter();
        entries.filter(|entry| entry.ending() == ending).count()
    };
    count("tid") > count("md")
}

/// Returns true if a tree contains a wiki.
pub(crate) fn is_tree(tree: &Tree) -> Result<bool, ReadError> {
    for entry in tree.entries() {
        if store::is_wiki(tree, entry)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the wikis in a tree.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    let mut tiddlers = Vec::new();
    for entry in tree.entries() {
        collector.step()?;
        match store::read(tree, entry)? {
            store::Outcome::Tiddlers(found) if !found.is_empty() => tiddlers.extend(found),
            store::Outcome::Tiddlers(_) | store::Outcome::NoStore if is_hidden(entry) => {
                collector.skip(&entry.path, SkipReason::Hidden);
            }
            store::Outcome::Tiddlers(_) | store::Outcome::NoStore => collector.file(entry, None),
            store::Outcome::Description => collector.skip(&entry.path, SkipReason::Description),
            store::Outcome::Skipped(reason) => collector.skip(&entry.path, reason),
        }
    }
    let index = Index::new(tree, &tiddlers, store::titled_files(tree)?);
    let total = tiddlers.len() as u64;
    for (number, tiddler) in tiddlers.iter().enumerate() {
        collector.progress(number as u64 + 1, total)?;
        keep(&mut collector, &index, tiddler)?;
    }
    Ok(collector.source)
}

fn keep(
    collector: &mut Collector<'_, '_, '_>,
    index: &Index<'_>,
    tiddler: &Tiddler,
) -> Result<(), ReadError> {
    let origin = &tiddler.origin;
    if tiddler.title().starts_with("$:/") {
        collector.skip(origin, SkipReason::Settings);
        return Ok(());
    }
    if tiddler.is_file() {
        let bytes = if tiddler.is_text_file() {
            Ok(tiddler.text().as_bytes().to_vec())
        } else {
            let text: String = tiddler.text().split_ascii_whitespace().collect();
            STANDARD.decode(text)
        };
        match bytes {
            Ok(bytes) => {
                let content = Content::Spooled(collector.spool.keep_file(&mut bytes.as_slice())?);
                collector.source.files.push(SourceFile {
                    origin: origin.clone(),
                    name: tiddler.file_name(),
                    content,
                    owner: None,
                });
            }
            Err(_) => collector.skip(origin, SkipReason::Unreadable),
        }
        return Ok(());
    }
    let note = convert(index, tiddler);
    let is_wikitext = matches!(tiddler.kind(), "" | "text/vnd.tiddlywiki" | store::CLASSIC);
    let is_lossy = note
        .losses
        .iter()
        .any(|loss| matches!(loss.kind, LossKind::Markup | LossKind::Query));
    collector.note(origin, vec![tiddler.title().to_owned()], note)?;
    if is_wikitext && is_lossy {
        let original = collector
            .spool
            .keep_file(&mut tiddler.as_file().as_bytes())?;
        collector.source.files.push(SourceFile {
            origin: format!("{origin}#original"),
            name: format!("{}.tid", tiddler.title()),
            content: Content::Spooled(original),
            owner: Some(origin.clone()),
        });
    }
    Ok(())
}

fn convert(index: &Index<'_>, tiddler: &Tiddler) -> Converted {
    let mut links = Links {
        index,
        losses: Vec::new(),
    };
    let body = match tiddler.field("_canonical_uri") {
        Some(address) => {
            let picture = wikitext::picture(&mut links, address, "", None, None);
            let content = picture.unwrap_or_else(|| {
                links.losses.push(Loss::new(LossKind::MissingFile, address));
                Inline::text(address)
            });
            write(&[Block::Paragraph(vec![content])])
        }
        None => body_of(tiddler, &mut links),
    };
    let text = format!(
        "{}{}\n{}",
        front_matter(tiddler, index).write(),
        heading(tiddler.title()),
        body.trim_end()
    );
    Converted {
        text: text.trim_end().to_owned() + "\n",
        dates: Dates {
            created: time(tiddler.field("created")),
            changed: time(tiddler.field("modified")),
        },
        losses: links.losses,
    }
}

/// Converts the text by its type.
fn body_of(tiddler: &Tiddler, links: &mut Links<'_>) -> String {
    let text = tiddler.text();
    let code = |language: &str| {
        write(&[Block::Code {
            language: language.to_owned(),
            text: text.to_owned(),
        }])
    };
    match tiddler.kind() {
        "" | "text/vnd.tiddlywiki" => write(&wikitext::parse(text, Syntax::Five, links)),
        store::CLASSIC => match classic_language(tiddler) {
            Some(language) => code(language),
            None => write(&wikitext::parse(text, Syntax::Classic, links)),
        },
        "text/x-markdown" | "text/markdown" => relink(text, &mut |destination| {
            let title = destination
                .address
                .strip_prefix('#')
                .unwrap_or(&destination.address);
            links.index.target(title)
        }),
        "text/html" => {
            let dom = Dom::parse(text, false);
            let mut reader = Reader {
                dom: &dom,
                addresses: &mut *links,
                losses: Vec::new(),
                options: Options::default(),
            };
            let blocks = reader.blocks(0);
            let losses = reader.losses;
            links.losses.extend(losses);
            write(&blocks)
        }
        "application/json" => code("json"),
        "text/css" => code("css"),
        "application/javascript" => code("javascript"),
        _ => code(""),
    }
}

/// Returns the language of a tiddler that is a program, a style or a template of TiddlyWiki Classic.
fn classic_language(tiddler: &Tiddler) -> Option<&'static str> {
    let title = tiddler.title();
    let tags = tiddler.field("tags").map(titles).unwrap_or_default();
    if tags.iter().any(|tag| tag == "systemConfig") {
        Some("javascript")
    } else if title.starts_with("StyleSheet") {
        Some("css")
    } else if ["PageTemplate", "ViewTemplate", "EditTemplate"].contains(&title)
        || title.starts_with("Markup")
    {
        Some("html")
    } else {
        None
    }
}

fn front_matter(tiddler: &Tiddler, index: &Index<'_>) -> FrontMatter {
    let mut front_matter = FrontMatter::default();
    front_matter.list(
        "tags",
        tiddler.field("tags").map(titles).unwrap_or_default(),
    );
    let author = tiddler
        .field("creator")
        .or_else(|| tiddler.field("modifier"));
    front_matter.text("author", author.unwrap_or_default());
    let own = [
        "title",
        "text",
        "tags",
        "created",
        "modified",
        "creator",
        "modifier",
        "type",
        "revision",
        "bag",
        "_canonical_uri",
        "_is_skinny",
    ];
    for (name, value) in tiddler
        .fields
        .iter()
        .filter(|(name, _)| !own.contains(&name.as_str()))
    {
        if name == "list" {
            // The order of the tiddlers that have this one as a tag.
            let links = titles(value).into_iter().map(|title| {
                let target = index.target(&title);
                let target =
                    target.unwrap_or_else(|| link::to_new(std::slice::from_ref(&title), None));
                format!("[[{target}]]")
            });
            front_matter.list(name, links);
        } else {
            front_matter.scalar(name, &linked_field(value, index));
        }
    }
    front_matter
}

/// Replaces the links in a field, whose text comes before their title. Links to nothing become text; filters stay.
fn linked_field(value: &str, index: &Index<'_>) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("[[") {
        out.push_str(before);
        let Some((inner, behind)) = after
            .split_once("]]")
            .filter(|(inner, _)| !inner.contains(['[', ']']))
        else {
            out.push_str("[[");
            rest = after;
            continue;
        };
        let (label, title) = inner.rsplit_once('|').unwrap_or((inner, inner));
        match index.target(title) {
            Some(target) => out.push_str(&format!("[[{target}|{label}]]")),
            None => out.push_str(label),
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Reads a time such as `20230101123456789`, whose last digits may be missing.
fn time(field: Option<&str>) -> Option<jiff::Timestamp> {
    let digits = field
        .filter(|field| field.len() >= 8 && field.bytes().all(|byte| byte.is_ascii_digit()))?;
    let padded = format!("{digits:0<17}");
    let part = |from: usize, to: usize| padded[from..to].parse::<i16>().ok();
    let small = |from: usize, to: usize| part(from, to).and_then(|part| i8::try_from(part).ok());
    let milliseconds = i32::from(part(14, 17)?);
    let civil = DateTime::new(
        part(0, 4)?,
        small(4, 6)?,
        small(6, 8)?,
        small(8, 10)?,
        small(10, 12)?,
        small(12, 14)?,
        milliseconds * 1_000_000,
    );
    civil
        .ok()?
        .to_zoned(TimeZone::UTC)
        .ok()
        .map(|zoned| zoned.timestamp())
}

/// The tiddlers by their titles.
struct Index<'t> {
    tree: &'t Tree,
    tiddlers: HashMap<&'t str, &'t Tiddler>,
    /// The paths of files whose titles are in a `.meta` file beside them.
    files: HashMap<String, String>,
}

impl<'t> Index<'t> {
    fn new(tree: &'t Tree, tiddlers: &'t [Tiddler], files: HashMap<String, String>) -> Self {
        let mut by_title = HashMap::new();
        for tiddler in tiddlers
            .iter()
            .filter(|tiddler| !tiddler.title().starts_with("$:/"))
        {
            by_title.entry(tiddler.title()).or_insert(tiddler);
        }
        Self {
            tree,
            tiddlers: by_title,
            files,
        }
    }

    fn target(&self, title: &str) -> Option<String> {
        let tiddler = self.tiddlers.get(title).map(|tiddler| &tiddler.origin);
        tiddler
            .or_else(|| self.files.get(title))
            .map(|origin| link::to(origin, None))
    }
}

struct Links<'i> {
    index: &'i Index<'i>,
    losses: Vec<Loss>,
}

impl wikitext::Resolve for Links<'_> {
    fn exists(&self, title: &str) -> bool {
        self.index.tiddlers.contains_key(title) || self.index.files.contains_key(title)
    }

    fn page(&mut self, title: &str) -> Option<String> {
        if title.starts_with("$:/") {
            return None;
        }
        // A link to a tiddler that isn't written yet is usual.
        Some(
            self.index
                .target(title)
                .unwrap_or_else(|| link::to_new(&[title.to_owned()], None)),
        )
    }

    fn file(&mut self, source: &str) -> Option<Media> {
        if let Some(tiddler) = self.index.tiddlers.get(source) {
            return Some(Media {
                target: link::to(&tiddler.origin, None),
                name: tiddler.title().to_owned(),
                is_embedded: tiddler.kind().starts_with("image/"),
            });
        }
        let titled = self.index.files.get(source);
        let name = titled.map_or(source, String::as_str);
        let name = name.rsplit('/').next().unwrap_or(name).to_owned();
        let ending = name
            .rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
        let entry = titled
            .cloned()
            .or_else(|| resolve("", source).filter(|path| self.index.tree.entry(path).is_some()));
        let target = match entry {
            Some(path) => link::to(&path, None),
            None => external(source).filter(|address| address.starts_with("http"))?,
        };
        Some(Media {
            target,
            name,
            is_embedded: is_embedded(&ending),
        })
    }

    fn lose(&mut self, kind: LossKind, detail: &str) {
        let loss = Loss::new(kind, detail);
        if self.losses.len() < MAX_LOSSES && !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }
}

impl Addresses for Links<'_> {
    fn link(&mut self, href: &str) -> Option<String> {
        let title = href.strip_prefix('#').map(|title| {
            percent_encoding::percent_decode_str(title)
                .decode_utf8_lossy()
                .into_owned()
        });
        match title {
            Some(title) => wikitext::Resolve::page(self, &title),
            None => external(href),
        }
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        let source = element.find_attribute("src")?;
        let media = wikitext::Resolve::file(self, source)?;
        Some(Media {
            is_embedded: media.is_embedded || element.name == "img",
            ..media
        })
    }
}

#[cfg(test)]
mod tests;
