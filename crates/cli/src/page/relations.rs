//! `fumi page links` and `tag`: the links between pages, and their tags.

use anyhow::bail;
use serde_json::{Value, json};

use super::{id_of, path_of};
use crate::client::{Client, percent_encode, print, row, text};
use crate::output::{self, List};

/// The largest number of links or pages in one answer.
const PART: usize = 1000;
/// The name of the property with tags, if a page has none yet.
const TAGS: &str = "tags";

/// Lists the pages to which a page links.
pub(super) fn links(client: &Client, list: List, path: &str) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let links = client.get(&format!("api/pages/{id}/links"))?;
    let mut out = output::stdout();
    for link in links.as_array().into_iter().flatten() {
        let state = match (text(link, "kind"), link["deleted"].as_bool()) {
            ("path", _) => "missing",
            (_, Some(true)) if link["path"].is_null() => "deleted",
            (_, Some(true)) => "trash",
            _ => "page",
        };
        let path = text(link, "path");
        list.write(
            &mut out,
            link,
            path,
            &row(&[path, state, text(link, "title")]),
        )?;
    }
    Ok(())
}

/// Lists the pages that link to a page.
pub(super) fn backlinks(client: &Client, list: List, path: &str) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let mut after = String::new();
    let mut out = output::stdout();
    loop {
        let pages = client.get(&format!("api/pages/{id}/backlinks?limit={PART}{after}"))?;
        let pages = pages.as_array().cloned().unwrap_or_default();
        for page in &pages {
            let path = text(page, "path");
            list.write(
                &mut out,
                page,
                path,
                &row(&[path, "page", text(page, "title")]),
            )?;
        }
        match pages.last() {
            Some(last) if pages.len() == PART => {
                after = format!("&after={}", percent_encode(text(last, "page_id")));
            }
            _ => return Ok(()),
        }
    }
}

/// Lists the tags of a page: those of its front matter and those in its text.
pub(super) fn tags(client: &Client, json: bool, path: &str) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let tags = all_tags(client, &id)?;
    if json {
        return print(json, &json!({"id": id, "tags": tags}), "");
    }
    for tag in tags {
        print(json, &Value::Null, &tag)?;
    }
    Ok(())
}

/// Adds tags to the front matter of a page, and removes tags from it.
pub(super) fn change_tags(
    client: &Client,
    json: bool,
    path: &str,
    add: &[String],
    remove: &[String],
) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let source = client.send("GET", &format!("api/pages/{id}/source"))?;
    let etag = source.header("etag")?.to_owned();
    let meta = client.get(&format!("api/pages/{id}/meta"))?;
    let properties = meta["properties"]["items"].as_array();
    let property = properties
        .into_iter()
        .flatten()
        .find(|property| property["kind"] == TAGS);
    let name = property.map_or(TAGS, |property| text(property, "name"));
    let values = property.and_then(|property| property["values"].as_array());
    let mut values: Vec<String> = values
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let before = values.clone();
    for tag in remove.iter().map(|tag| bare(tag)) {
        let count = values.len();
        values.retain(|value| !is_same(value, tag));
        if values.len() == count && all_tags(client, &id)?.iter().any(|one| is_same(one, tag)) {
            bail!("#{tag} is in the text of {path}; remove it there with “fumi page edit”");
        }
    }
    for tag in add.iter().map(|tag| bare(tag)) {
        if !values.iter().any(|value| is_same(value, tag)) {
            values.push(tag.to_owned());
        }
    }
    if values != before {
        let value = match values.is_empty() {
            true => Value::Null,
            false => json!({"kind": TAGS, "values": values}),
        };
        let body = json!({"name": name, "value": value}).to_string();
        let headers = [("content-type", "application/json"), ("if-match", &etag)];
        let address = format!("api/pages/{id}/properties");
        client.ask("PATCH", &address, &headers, body.as_bytes())?;
    }
    tags(client, json, path)
}

/// Returns the tags of a page, as the list of pages has them.
fn all_tags(client: &Client, id: &str) -> anyhow::Result<Vec<String>> {
    let path = path_of(client, id)?;
    let mut offset = 0;
    loop {
        let (parent, _) = path.rsplit_once('/').unwrap_or_default();
        let query = match (path.as_str(), parent) {
            // By path, the root page is the first one.
            ("/", _) => json!({"limit": 1}),
            (_, parent) => {
                let below = if parent.is_empty() { "/" } else { parent };
                json!({"below": below, "children": true, "offset": offset, "limit": PART})
            }
        };
        let pages = client.send_json("POST", "api/pages/query", &query)?;
        let pages = pages["items"].as_array().cloned().unwrap_or_default();
        if let Some(page) = pages.iter().find(|page| page["page_id"] == id) {
            let tags = page["tags"].as_array().into_iter().flatten();
            return Ok(tags.filter_map(Value::as_str).map(str::to_owned).collect());
        }
        if pages.len() < PART {
            // Removed meanwhile.
            bail!("{path} is not among the pages");
        }
        offset += PART;
    }
}

/// Returns a tag without the sign before it.
fn bare(tag: &str) -> &str {
    tag.strip_prefix('#').unwrap_or(tag)
}

fn is_same(a: &str, b: &str) -> bool {
    a.to_lowercase() == b.to_lowercase()
}
