//! Pages as Markdown.

use std::collections::HashMap;

use super::database::related;
use super::index::Index;
use super::properties;
use crate::document::{FrontMatter, Inline, plain};
use crate::reading::{Converted, external};
use crate::relink::{Destination, relink};
use crate::source::{Loss, LossKind};
use crate::tree::{Dates, Entry};

/// Converts a page, with the columns of the databases by their origins.
pub(super) fn convert(
    columns: &HashMap<String, Vec<String>>,
    index: &Index,
    entry: &Entry,
    text: &str,
) -> Converted {
    let mut front_matter = FrontMatter::default();
    let mut dates = Dates::default();
    let (heading, mut body) = match text.split_once('\n') {
        Some((line, rest)) if line.starts_with("# ") => (Some(line), rest.trim_start_matches('\n')),
        None if text.starts_with("# ") => (Some(text), ""),
        _ => (None, text),
    };
    if let Some(columns) = index
        .database_of(&entry.path)
        .and_then(|path| columns.get(path))
    {
        body = take_properties(index, entry, body, columns, &mut front_matter, &mut dates);
    }
    let mut losses = Vec::new();
    let body = relink(&callouts(body), &mut |destination| {
        address(index, entry, destination, &mut losses)
    });
    let mut out = front_matter.write();
    if let Some(heading) = heading {
        out.push_str(heading.trim_end());
        out.push_str("\n\n");
    }
    out.push_str(body.trim_start_matches('\n'));
    let mut out = out.trim_end().to_owned();
    out.push('\n');
    Converted {
        text: out,
        dates,
        losses,
    }
}

fn address(
    index: &Index,
    entry: &Entry,
    destination: &Destination<'_>,
    losses: &mut Vec<Loss>,
) -> Option<String> {
    if let Some(target) = index.target(&entry.path, &destination.address, destination.written) {
        return Some(target);
    }
    let is_known = external(destination.written).is_some()
        || destination.written.starts_with('#')
        || destination.written.is_empty();
    if !is_known {
        let kind = if destination.is_picture {
            LossKind::MissingFile
        } else {
            LossKind::UnresolvedLink
        };
        losses.push(Loss::new(kind, &destination.address));
    }
    None
}

/// Reads the lines of properties at the start, and returns the rest.
fn take_properties<'t>(
    index: &Index,
    entry: &Entry,
    body: &'t str,
    columns: &[String],
    front_matter: &mut FrontMatter,
    dates: &mut Dates,
) -> &'t str {
    let mut rest = body;
    while let Some(line) = rest.lines().next() {
        let Some((name, value)) = line
            .split_once(": ")
            .or_else(|| line.strip_suffix(':').map(|name| (name, "")))
        else {
            break;
        };
        if !columns.iter().any(|column| column == name) {
            break;
        }
        let content = related(index, &entry.path, value);
        let is_related = content
            .iter()
            .any(|inline| matches!(inline, Inline::Link { .. }));
        if is_related {
            let links = content.iter().filter_map(|inline| {
                let Inline::Link {
                    target, content, ..
                } = inline
                else {
                    return None;
                };
                if target.starts_with("http") {
                    return Some(format!("{} ({target})", plain(content)));
                }
                let label = plain(content).replace(['[', ']', '|'], " ");
                Some(format!("[[{target}|{label}]]"))
            });
            let links: Vec<String> = links.collect();
            match links.as_slice() {
                [only] => front_matter.text(name, only),
                _ => front_matter.list(name, links),
            }
        } else {
            properties::add(front_matter, dates, name, value);
        }
        rest = rest[line.len()..].strip_prefix('\n').unwrap_or("");
    }
    rest
}

/// Writes the callouts, which Notion exports as `<aside>`, as those of the dialect.
fn callouts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    let mut fence: Option<&str> = None;
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            fence = if fence.is_some() { None } else { Some("```") };
        }
        if fence.is_some() || trimmed.trim_end() != "<aside>" {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let indent = &line[..line.len() - trimmed.len()];
        let mut inner = Vec::new();
        let mut depth = 1;
        for line in lines.by_ref() {
            match line.trim() {
                "<aside>" => depth += 1,
                "</aside>" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            inner.push(line.strip_prefix(indent).unwrap_or(line));
        }
        while inner.first().is_some_and(|line| line.trim().is_empty()) {
            inner.remove(0);
        }
        let first = if inner.is_empty() {
            ""
        } else {
            inner.remove(0)
        };
        let (icon, first) = split_icon(first);
        out.push_str(format!("{indent}> [!note] {icon}").trim_end());
        out.push('\n');
        let content = format!("{first}\n{}", inner.join("\n"));
        for line in content.trim().lines() {
            out.push_str(format!("{indent}> {line}").trim_end());
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// Splits the icon, an emoji or a picture, from the first line of a callout.
fn split_icon(line: &str) -> (&str, &str) {
    if line.starts_with("<img")
        && let Some((picture, rest)) = line.split_once('>')
    {
        // The icon is a picture of Notion's own web site.
        let _ = picture;
        return ("", rest.trim_start());
    }
    match line.split_once(' ') {
        Some((icon, rest))
            if !icon.is_empty()
                && icon.chars().count() < 9
                && !icon
                    .chars()
                    .any(|char| char.is_alphanumeric() || char.is_ascii()) =>
        {
            (icon, rest)
        }
        None if !line.is_empty()
            && line.chars().count() < 9
            && !line
                .chars()
                .any(|char| char.is_alphanumeric() || char.is_ascii()) =>
        {
            (line, "")
        }
        _ => ("", line),
    }
}
