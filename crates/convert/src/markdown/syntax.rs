//! Constructs of programs that Markdown has not.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use super::layout::Flavor;
use super::links::{apply, options};
use crate::source::{Loss, LossKind};

/// The languages of code blocks that programs replace by a result.
const QUERIES: [&str; 10] = [
    "dataview",
    "dataviewjs",
    "query",
    "tasks",
    "base",
    "space-lua",
    "space-script",
    "template",
    "button",
    "tracker",
];

/// Converts a text: comments, shortcodes. Reports queries and programs, which stay as code.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the other events of the parser have no code"
)]
pub(super) fn convert(text: &str, flavor: Flavor, losses: &mut Vec<Loss>) -> String {
    let mut code: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                if let CodeBlockKind::Fenced(info) = kind {
                    let language = info.split_whitespace().next().unwrap_or_default();
                    let language = language.trim_matches(['{', '}', '#']);
                    if QUERIES.contains(&language.to_lowercase().as_str()) {
                        losses.push(Loss::new(LossKind::Query, &text[range.clone()]));
                    }
                }
                code.push(range);
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => code.push(range),
            _ => {}
        }
    }
    let mut edits = Vec::new();
    match flavor {
        Flavor::Obsidian => {
            comments(text, &code, &mut edits);
            if let Some(at) = outside(text, "<%", &code, 0) {
                losses.push(Loss::new(LossKind::Query, line_at(text, at)));
            }
        }
        Flavor::Plain => {
            shortcodes(text, &code, &mut edits, losses);
            site_addresses(text, &code, &mut edits);
            expressions(text, &code, &mut edits, losses);
        }
        // A reference without a text before its target.
        Flavor::Dendron => {
            let mut at = 0;
            while let Some(start) = outside(text, "![[|", &code, at) {
                at = start + 4;
                edits.push((start..at, "![[".to_owned()));
            }
        }
        Flavor::Logseq => {}
    }
    if let Some(at) = outside(text, "{{query", &code, 0) {
        losses.push(Loss::new(LossKind::Query, line_at(text, at)));
    }
    apply(text, edits)
}

/// Finds a text outside of code.
fn outside(text: &str, wanted: &str, code: &[Range<usize>], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let found = at + text.get(at..)?.find(wanted)?;
        match code.iter().find(|range| range.contains(&found)) {
            None => return Some(found),
            Some(range) => at = range.end.max(found + wanted.len()),
        }
    }
}

fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    text[start..end].trim()
}

/// `%%comment%%` becomes a comment of HTML, which is not displayed either.
fn comments(text: &str, code: &[Range<usize>], edits: &mut Vec<(Range<usize>, String)>) {
    let mut at = 0;
    while let Some(start) = outside(text, "%%", code, at) {
        let Some(end) = outside(text, "%%", code, start + 2) else {
            return;
        };
        let inner = &text[start + 2..end];
        at = end + 2;
        if inner.contains("-->") {
            continue;
        }
        edits.push((start..start + 2, "<!--".to_owned()));
        edits.push((end..end + 2, "-->".to_owned()));
    }
}

/// The references of Hugo and Jekyll become paths, and their blocks of code fences.
fn shortcodes(
    text: &str,
    code: &[Range<usize>],
    edits: &mut Vec<(Range<usize>, String)>,
    losses: &mut Vec<Loss>,
) {
    for (open, close) in [("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}")] {
        let mut at = 0;
        while let Some(start) = outside(text, open, code, at) {
            at = start + open.len();
            let Some(length) = text[at..].find(close) else {
                break;
            };
            let end = at + length + close.len();
            if open == "{%" && text[..start].ends_with('{') {
                continue;
            }
            let inner = text[at..at + length].trim().trim_matches('-').trim();
            at = end;
            let (name, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
            let argument = rest.trim().trim_matches(['"', '\'', '`']);
            let replaced = match (name, argument) {
                ("ref" | "relref" | "link", path) if !path.is_empty() => {
                    // Found by its end, wherever it is.
                    let path = path.replace(['<', '>'], "");
                    Some(format!("</{}>", path.trim_start_matches('/')))
                }
                ("post_url", path) if !path.is_empty() => Some(format!("</_posts/{path}.md>")),
                ("highlight", language) => {
                    let language = language.split_whitespace().next().unwrap_or_default();
                    Some(format!("```{language}"))
                }
                ("endhighlight" | "/highlight" | "/ highlight", _) => Some("```".to_owned()),
                ("raw" | "endraw", _) => Some(String::new()),
                _ => None,
            };
            match replaced {
                Some(new) => edits.push((start..end, new)),
                None => losses.push(Loss::new(LossKind::Markup, &text[start..end])),
            }
        }
    }
}

/// `{{ "/path" | relative_url }}` becomes `/path`, and `{{ site.baseurl }}/path` too: the page is in the same source.
fn site_addresses(text: &str, code: &[Range<usize>], edits: &mut Vec<(Range<usize>, String)>) {
    let mut at = 0;
    while let Some(start) = outside(text, "{{", code, at) {
        at = start + 2;
        let Some(length) = text[at..].find("}}") else {
            return;
        };
        let inner = text[at..at + length].trim_matches(['-', ' ']);
        let end = at + length + 2;
        let is_base = matches!(
            inner,
            "site.baseurl" | "site.url" | "site.url}}{{site.baseurl"
        );
        if is_base && text[end..].starts_with(['/', '{']) {
            edits.push((start..end, String::new()));
            at = end;
            continue;
        }
        let Some((path, filter)) = inner.split_once('|') else {
            continue;
        };
        let path = path.trim().trim_matches(['"', '\'']);
        let is_filter = matches!(
            filter.trim(),
            "relative_url" | "absolute_url" | "prepend: site.baseurl" | "prepend:site.baseurl"
        );
        if is_filter && path.starts_with('/') && !path.contains(char::is_whitespace) {
            edits.push((start..end, path.to_owned()));
            at = end;
        }
    }
}

/// Expressions of SilverBullet, `${query[[from …]]}` and `${widget()}`, become code: their text is no Markdown.
fn expressions(
    text: &str,
    code: &[Range<usize>],
    edits: &mut Vec<(Range<usize>, String)>,
    losses: &mut Vec<Loss>,
) {
    let mut at = 0;
    while let Some(start) = outside(text, "${", code, at) {
        at = start + 2;
        let mut depth = 0_usize;
        let length = text[at..].find(|c: char| {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => return true,
                '}' => depth -= 1,
                _ => {}
            }
            false
        });
        let Some(length) = length else {
            return;
        };
        let (inner, end) = (&text[at..at + length], at + length + 1);
        let is_call = inner.contains(['(', '[']) && inner.starts_with(char::is_alphabetic);
        if !is_call || inner.contains('`') || text[..start].ends_with('\\') {
            continue;
        }
        let whole = &text[start..end];
        losses.push(Loss::new(LossKind::Query, whole));
        let is_block = text[..start].ends_with('\n') || start == 0;
        edits.push((
            start..end,
            match inner.contains('\n') && is_block {
                true => format!("```lua\n{whole}\n```"),
                false => format!("`{}`", whole.replace('\n', " ")),
            },
        ));
        at = end;
    }
}
