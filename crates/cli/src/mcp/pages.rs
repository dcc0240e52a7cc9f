//! The tools that read pages.

use anyhow::bail;
use fumikura_wiki::PagePath;
use rmcp::model::CallToolResult;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::Connection;
use crate::client::{Refusal, percent_encode, text};
use crate::page::as_of;

/// The maximum number of lines of an answer, unless the assistant asks for more.
const LINES: usize = 2000;
/// The number of pages of a request.
const PART: usize = 1000;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct ReadInput {
    /// The path of the page, such as /travel/kyoto
    path: String,
    /// The revision; the newest one by default
    revision: Option<u64>,
    /// A moment, as of which the page is read: a date, or a time such as 2026-05-12T14:30
    at: Option<String>,
    /// The first line, from 1
    first_line: Option<usize>,
    /// The maximum number of lines, 2000 by default
    lines: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct ListInput {
    /// Only this page and those below it; all pages by default
    below: Option<String>,
    /// The maximum number of pages, 200 by default, at most 1000
    limit: Option<usize>,
    /// The `next` of the previous answer, for further pages
    from: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct BacklinksInput {
    /// The path of the page to which the others link
    path: String,
}

/// A page that the assistant may see.
pub(super) struct FoundPage {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) title: Value,
}

/// Finds the page at a path, now or as of a moment. A hidden page is answered as one that does not exist.
pub(super) fn find(
    connection: &Connection<'_>,
    path: &str,
    at: Option<&str>,
) -> anyhow::Result<FoundPage> {
    let path = PagePath::new(path)?;
    let exclusions = connection.exclusions;
    if exclusions.hide_page(path.as_str()) {
        return Err(no_page(&path, None));
    }
    let address = format!("api/pages/resolve?path={}", percent_encode(path.as_str()));
    let page = connection.get(&as_of(address, at)).map_err(|error| {
        match Refusal::of(&error) {
            // The server's words name the path to which the page moved, which may be hidden.
            Some(refusal) if refusal.code() == "page_not_found" && at.is_none() => {
                let moved = refusal.body()["moved_to"].as_str();
                no_page(&path, moved.filter(|path| !exclusions.hide_page(path)))
            }
            _ => error,
        }
    })?;
    let id = text(&page, "id").to_owned();
    // The page may have moved since the moment, or since it was found.
    let now = connection.get(&format!("api/pages/{id}/path"));
    let Ok(now) = now else {
        return Err(no_page(&path, None));
    };
    if exclusions.hide_page(text(&now, "path")) {
        return Err(no_page(&path, None));
    }
    let path = match at {
        Some(_) => path.as_str(),
        None => text(&now, "path"),
    };
    Ok(FoundPage {
        id,
        path: path.to_owned(),
        title: page["title"].clone(),
    })
}

fn no_page(path: &PagePath, moved_to: Option<&str>) -> anyhow::Error {
    match moved_to {
        Some(moved) => {
            anyhow::anyhow!("there is no page at {path}; the one there moved to {moved}")
        }
        None => anyhow::anyhow!("there is no page at {path}"),
    }
}

pub(super) fn read(
    connection: &Connection<'_>,
    input: ReadInput,
) -> anyhow::Result<CallToolResult> {
    if input.revision.is_some() && input.at.is_some() {
        bail!("revision and at exclude each other");
    }
    let at = input.at.as_deref();
    let page = find(connection, &input.path, at)?;
    let rev = input.revision.map(|revision| format!("?rev={revision}"));
    let address = format!("api/pages/{}/source{}", page.id, rev.unwrap_or_default());
    let answer = connection.get_bytes(&as_of(address, at))?;
    let revision: u64 = answer.header("x-page-revision")?.parse()?;
    let source = str::from_utf8(&answer.body)?;
    let mut read = json!({
        "path": page.path,
        "title": page.title,
        "revision": revision,
    });
    let first = input.first_line.unwrap_or(1).max(1);
    let lines = input.lines.unwrap_or(LINES);
    let (part, total) = part_of(source, first, lines);
    if part.len() < source.len() {
        read["first_line"] = first.into();
        read["total_lines"] = total.into();
    }
    read["text"] = part.into();
    Ok(CallToolResult::structured(read))
}

/// Returns some lines of a text, and the number of all its lines.
fn part_of(source: &str, first: usize, lines: usize) -> (String, usize) {
    let part = source.split_inclusive('\n').skip(first - 1).take(lines);
    (part.collect(), source.split_inclusive('\n').count())
}

pub(super) fn list(
    connection: &Connection<'_>,
    input: ListInput,
) -> anyhow::Result<CallToolResult> {
    let below = PagePath::new(input.below.as_deref().unwrap_or("/"))?;
    let limit = input.limit.unwrap_or(200).clamp(1, PART);
    let mut from = input.from;
    let mut pages = Vec::new();
    // Pages that are hidden make a part shorter, and `next` never names one of them.
    loop {
        let mut address = format!(
            "api/pages?prefix={}&limit={limit}",
            percent_encode(below.as_str())
        );
        if let Some(from) = &from {
            address += &format!("&forward={}", percent_encode(from));
        }
        let part = connection.get(&address)?;
        let items = part["items"].as_array().into_iter().flatten();
        pages.extend(items.filter_map(|page| shown(connection, page)));
        from = match part["has_more"] == true {
            true => part["anchor"].as_str().map(str::to_owned),
            false => None,
        };
        let Some(next) = &from else { break };
        if pages.len() >= limit && !connection.exclusions.hide_page(next) {
            break;
        }
    }
    let mut listed = json!({ "pages": pages });
    if let Some(next) = from {
        listed["next"] = next.into();
    }
    Ok(CallToolResult::structured(listed))
}

/// Returns a page of a list; none if it is hidden.
fn shown(connection: &Connection<'_>, page: &Value) -> Option<Value> {
    if connection.exclusions.hide_page(text(page, "path")) {
        return None;
    }
    Some(json!({ "path": page["path"], "title": page["title"] }))
}

pub(super) fn backlinks(
    connection: &Connection<'_>,
    input: BacklinksInput,
) -> anyhow::Result<CallToolResult> {
    let page = find(connection, &input.path, None)?;
    let mut pages = Vec::new();
    let mut after = String::new();
    loop {
        let address = format!("api/pages/{}/backlinks?limit={PART}{after}", page.id);
        let part = connection.get(&address)?;
        let items = part.as_array().map_or(&[][..], Vec::as_slice);
        pages.extend(items.iter().filter_map(|page| shown(connection, page)));
        match items.last() {
            Some(last) if items.len() == PART => {
                after = format!("&after={}", text(last, "page_id"));
            }
            _ => break,
        }
    }
    Ok(CallToolResult::structured(
        json!({ "path": page.path, "pages": pages }),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_read_in_parts() {
        let source = "one\ntwo\nthree";
        assert_eq!(part_of(source, 1, 2), ("one\ntwo\n".to_owned(), 3));
        assert_eq!(part_of(source, 3, 9), ("three".to_owned(), 3));
        assert_eq!(part_of(source, 4, 1), (String::new(), 3));
        assert_eq!(part_of("", 1, 1), (String::new(), 0));
    }
}
