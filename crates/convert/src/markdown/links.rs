//! Rewrites the links of a text to targets of [`crate::link`].

use std::ops::Range;

use percent_encoding::percent_decode_str;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::names::without_note_ending;
use crate::link;

/// The endings of pictures.
const PICTURES: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "bmp", "tif", "tiff", "jxl", "heic",
];

/// The meaning of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolved {
    Note {
        origin: String,
        /// True if the link names it by its own name, so that the title of the page says the same.
        is_name: bool,
    },
    File {
        origin: String,
    },
    /// A block of a note, with its words.
    Block {
        origin: String,
        id: String,
        words: String,
    },
    /// A note that is not there, at the place that it would have.
    New(Vec<String>),
    /// Nothing that a page can link to: the link stays as it is.
    Missing,
}

/// Determines the meaning of links.
pub(super) trait Resolve {
    /// The origin of the note that the links are in.
    fn own(&self) -> &str;
    /// True if a wiki link has its text before its target.
    fn has_label_first(&self) -> bool;
    /// The meaning of `[[path]]`, without its fragment.
    fn wiki(&mut self, path: &str) -> Resolved;
    /// The meaning of the decoded destination of a link of Markdown, without its fragment.
    fn relative(&mut self, path: &str) -> Resolved;
}

pub(super) fn options() -> Options {
    Options::ENABLE_WIKILINKS
        | Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_MATH
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
}

/// A link of Markdown whose destination is still to be found.
struct Open {
    range: Range<usize>,
    /// The end of its text so far.
    label_end: usize,
    is_image: bool,
    destination: String,
}

/// Rewrites all links, except those in code, formulas and HTML.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "only links are of interest among the events of the parser"
)]
pub(super) fn rewrite(text: &str, resolve: &mut dyn Resolve) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut tables = 0_usize;
    let mut skipped_until = 0;
    let parser = Parser::new_ext(text, options());
    let definitions: Vec<(Range<usize>, String)> = parser
        .reference_definitions()
        .iter()
        .map(|(_, definition)| (definition.span.clone(), definition.dest.to_string()))
        .collect();
    for (event, range) in parser.into_offset_iter() {
        if range.start < skipped_until {
            continue;
        }
        match event {
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::End(TagEnd::Table) => tables = tables.saturating_sub(1),
            Event::Start(
                Tag::Link {
                    link_type: LinkType::WikiLink { .. },
                    ..
                }
                | Tag::Image {
                    link_type: LinkType::WikiLink { .. },
                    ..
                },
            ) => {
                skipped_until = range.end;
                if let Some(new) = wiki_link(&text[range.clone()], tables > 0, resolve) {
                    edits.push((range.clone(), new));
                }
                if let Some(open) = open.last_mut() {
                    open.label_end = range.end;
                }
            }
            Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => open.push(Open {
                label_end: range.start + 1,
                range,
                is_image: false,
                destination: dest_url.to_string(),
            }),
            Event::Start(Tag::Image {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => open.push(Open {
                label_end: range.start + 2,
                range,
                is_image: true,
                destination: dest_url.to_string(),
            }),
            Event::End(TagEnd::Link | TagEnd::Image)
                if open.last().is_some_and(|open| open.range == range) =>
            {
                if let Some(closed) = open.pop() {
                    markdown_link(text, &closed, resolve, &mut edits);
                }
                if let Some(open) = open.last_mut() {
                    open.label_end = range.end;
                }
            }
            _ => {
                if let Some(open) = open.last_mut() {
                    open.label_end = open.label_end.max(range.end.min(open.range.end));
                }
            }
        }
    }
    edits.extend(definition_edits(text, definitions, resolve));
    apply(text, edits)
}

/// Rewrites the destinations of definitions of links.
fn definition_edits(
    text: &str,
    definitions: Vec<(Range<usize>, String)>,
    resolve: &mut dyn Resolve,
) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for (span, destination) in definitions {
        let Some(colon) = text[span.clone()].find("]:") else {
            continue;
        };
        let Some(range) = destination_range(text, span.start + colon + 2..span.end) else {
            continue;
        };
        if let Some(target) = target_of(&destination, resolve) {
            edits.push((range, target.1));
        }
    }
    edits
}

/// Replaces parts of a text. Of overlapping parts only the first one is replaced.
pub(super) fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, new) in edits {
        if range.start >= copied {
            out.push_str(&text[copied..range.start]);
            out.push_str(&new);
            copied = range.end;
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// Rewrites the wiki links of front matter, which are texts of YAML there.
pub(super) fn front_matter(yaml: &str, resolve: &mut dyn Resolve) -> String {
    let mut edits = Vec::new();
    let mut at = 0;
    while let Some(start) = yaml[at..].find("[[").map(|found| at + found) {
        let Some(end) = yaml[start..].find("]]").map(|found| start + found + 2) else {
            break;
        };
        at = start + 2;
        let raw = &yaml[start..end];
        if raw.contains(['\n', '"', '\'', ',']) || raw[2..].contains('[') {
            continue;
        }
        if let Some(new) = wiki_link(raw, false, resolve)
            && new.starts_with("[[")
        {
            edits.push((start..end, new));
        }
        at = end;
    }
    apply(yaml, edits)
}

/// Returns what a wiki link becomes, or `None` if it stays.
fn wiki_link(raw: &str, in_table: bool, resolve: &mut dyn Resolve) -> Option<String> {
    let is_embed = raw.starts_with('!');
    let inner = raw
        .trim_start_matches('!')
        .strip_prefix("[[")?
        .strip_suffix("]]")?;
    let inner = inner.replace("\\|", "|");
    let (mut target, mut label) = match inner.split_once('|') {
        Some((target, label)) => (target.trim(), Some(label.trim())),
        None => (inner.trim(), None),
    };
    if resolve.has_label_first()
        && let Some(last) = label
        && (!is_embed || target.is_empty())
    {
        (target, label) = (last, Some(target));
    }
    let label = label.filter(|label| !label.is_empty());
    let (path, fragment) = split_fragment(target);
    // Dendron: all of a note, or from a heading to another one.
    let fragment = fragment
        .map(|whole| whole.split_once(":#").map_or(whole, |(first, _)| first))
        .filter(|whole| *whole != "*");
    // Nested headings: the last one is unique enough.
    let fragment = fragment.map(|whole| whole.rsplit('#').next().unwrap_or(whole).trim());
    if path.is_empty() {
        let fragment = fragment?;
        let label = label.unwrap_or(fragment.trim_start_matches('^'));
        if is_embed {
            let own = link::to(resolve.own(), Some(fragment));
            return Some(format!("![[{own}]]"));
        }
        return Some(format!("[{}](<#{fragment}>)", escaped(label)));
    }
    let resolved = resolve.wiki(path);
    let name = path.rsplit('/').next().unwrap_or(path);
    Some(match resolved {
        Resolved::Note { origin, is_name } => {
            let own_words = without_note_ending(name);
            let label = label.or_else(|| (!is_name).then_some(own_words));
            page_link(&link::to(&origin, fragment), label, is_embed, in_table)
        }
        Resolved::New(place) => {
            let label = label.or_else(|| {
                let is_name = place.last().is_some_and(|last| last == name);
                (!is_name).then_some(name)
            });
            page_link(&link::to_new(&place, fragment), label, is_embed, in_table)
        }
        Resolved::Block { origin, id, words } => {
            let target = link::to(&origin, Some(&format!("^{id}")));
            page_link(&target, label.or(Some(&words)), is_embed, in_table)
        }
        Resolved::File { origin } => {
            let target = link::to(&origin, None);
            if is_embed && is_picture(&origin) {
                let (alt, size) = label.map_or((None, None), alt_and_size);
                let alt = alt.unwrap_or_else(|| stem(name).to_owned());
                let bar = if in_table { "\\|" } else { "|" };
                let size = size.map(|size| format!("{bar}{size}")).unwrap_or_default();
                format!("![{}{size}]({target})", escaped(&alt))
            } else {
                format!("[{}]({target})", escaped(label.unwrap_or(name)))
            }
        }
        // The reference to a block of Logseq gets back its own marks.
        Resolved::Missing if path.starts_with("((") => match (is_embed, label) {
            (true, _) => format!("{{{{embed {path}}}}}"),
            (false, Some(label)) => format!("[{}]({path})", escaped(label)),
            (false, None) => path.to_owned(),
        },
        Resolved::Missing => return None,
    })
}

fn page_link(target: &str, label: Option<&str>, is_embed: bool, in_table: bool) -> String {
    match label {
        _ if is_embed => format!("![[{target}]]"),
        None => format!("[[{target}]]"),
        Some(label) if in_table || label.contains(['[', ']', '|', '\n', '"']) => {
            format!("[{}]({target})", escaped(label))
        }
        Some(label) => format!("[[{target}|{label}]]"),
    }
}

/// Rewrites the destination of a link of Markdown.
fn markdown_link(
    text: &str,
    link: &Open,
    resolve: &mut dyn Resolve,
    edits: &mut Vec<(Range<usize>, String)>,
) {
    let tail = &text[link.label_end.min(link.range.end)..link.range.end];
    let Some(bracket) = tail.find("](") else {
        return;
    };
    let label_end = link.range.end - tail.len() + bracket;
    let Some(range) = destination_range(text, label_end + 2..link.range.end) else {
        return;
    };
    let Some((resolved, target)) = target_of(&link.destination, resolve) else {
        return;
    };
    match resolved {
        Resolved::File { origin } if link.is_image && !is_picture(&origin) => {
            edits.push((link.range.start..link.range.start + 1, String::new()));
            if text[link.range.start + 2..label_end].trim().is_empty() {
                let name = origin.rsplit('/').next().unwrap_or(&origin);
                edits.push((link.range.start + 2..label_end, escaped(name)));
            }
        }
        Resolved::Note { .. } | Resolved::New(_) if link.is_image => {
            edits.push((link.range.clone(), format!("![[{target}]]")));
            return;
        }
        Resolved::Note { .. }
        | Resolved::New(_)
        | Resolved::File { .. }
        | Resolved::Block { .. }
        | Resolved::Missing => {}
    }
    edits.push((range, target));
}

/// Returns the meaning and the target of a destination, or `None` if it stays: an address, a fragment of the same page,
/// or nothing known.
fn target_of(destination: &str, resolve: &mut dyn Resolve) -> Option<(Resolved, String)> {
    let has_scheme = destination.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme || destination.starts_with("//") || destination.starts_with('#') {
        return None;
    }
    let (path, fragment) = split_fragment(destination);
    let path = path.split('?').next().unwrap_or(path);
    if path.is_empty() {
        return None;
    }
    let path = percent_decode_str(path).decode_utf8_lossy();
    let fragment = fragment.map(|fragment| percent_decode_str(fragment).decode_utf8_lossy());
    let resolved = resolve.relative(&path);
    let target = match &resolved {
        Resolved::Note { origin, .. } => link::to(origin, fragment.as_deref()),
        Resolved::File { origin } => link::to(origin, None),
        Resolved::New(place) => link::to_new(place, fragment.as_deref()),
        Resolved::Block { origin, id, .. } => link::to(origin, Some(&format!("^{id}"))),
        Resolved::Missing => return None,
    };
    Some((resolved, target))
}

/// Finds the destination after `](` or `]:`, with its angle brackets.
fn destination_range(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let inner = &text[within.clone()];
    let start = inner.find(|c: char| !c.is_whitespace())?;
    let rest = &inner[start..];
    let length = if rest.starts_with('<') {
        rest.find('>')? + 1
    } else {
        let mut depth = 0_usize;
        let mut is_escaped = false;
        let end = rest.find(|c: char| {
            if std::mem::take(&mut is_escaped) {
                return false;
            }
            match c {
                '\\' => is_escaped = true,
                '(' => depth += 1,
                ')' if depth == 0 => return true,
                ')' => depth -= 1,
                c => return c.is_whitespace(),
            }
            false
        });
        end.unwrap_or(rest.len())
    };
    let start = within.start + start;
    Some(start..start + length)
}

fn split_fragment(target: &str) -> (&str, Option<&str>) {
    match target.split_once('#') {
        Some((path, fragment)) => (path.trim(), Some(fragment).filter(|text| !text.is_empty())),
        None => (target, None),
    }
}

pub(super) fn is_picture(path: &str) -> bool {
    let ending = path
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| PICTURES.contains(&ending.as_str()))
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Splits the text of an embedded picture: `alt|300`, `300x200`.
fn alt_and_size(label: &str) -> (Option<String>, Option<String>) {
    let (alt, last) = match label.rsplit_once('|') {
        Some((alt, last)) => (Some(alt.trim()), last.trim()),
        None => (None, label.trim()),
    };
    let sides: Vec<&str> = last.split('x').collect();
    let is_side = |side: &&str| {
        (1..=4).contains(&side.len()) && side.bytes().all(|byte| byte.is_ascii_digit())
    };
    if sides.len() <= 2 && sides.iter().all(is_side) {
        let alt = alt.filter(|alt| !alt.is_empty()).map(str::to_owned);
        (alt, Some(last.to_owned()))
    } else {
        (Some(label.to_owned()), None)
    }
}

fn escaped(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for c in label.chars() {
        if matches!(c, '[' | ']' | '\\' | '<' | '|' | '`') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}
