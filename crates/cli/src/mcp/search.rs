//! The tool that searches.

use std::path::Path;

use rmcp::model::CallToolResult;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::connection::Connection;
use crate::client::{percent_encode, text};

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct SearchInput {
    /// Words that must all occur; "…" for a phrase, -word to exclude, OR, tag:, title:, path:, and for pictures rating:,
    /// camera:, folder:
    query: String,
    /// Only results of this kind
    kind: Option<ResultKind>,
    /// Only this page and those below it
    below: Option<String>,
    /// The maximum number of results, 20 by default, at most 100
    limit: Option<u32>,
    /// The `next` of the previous answer, for further results
    from: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum ResultKind {
    Page,
    File,
    Picture,
}

pub(super) fn search(
    connection: &Connection<'_>,
    input: SearchInput,
) -> anyhow::Result<CallToolResult> {
    let mut address = format!(
        "api/search?q={}&limit={}",
        percent_encode(&input.query),
        input.limit.unwrap_or(20)
    );
    let kind = input.kind.map(|kind| match kind {
        ResultKind::Page => "page",
        ResultKind::File => "file",
        ResultKind::Picture => "picture",
    });
    let parameters = [
        ("kind", kind),
        ("prefix", input.below.as_deref()),
        ("anchor", input.from.as_deref()),
    ];
    for (name, value) in parameters {
        if let Some(value) = value {
            address += &format!("&{name}={}", percent_encode(value));
        }
    }
    let answer = connection.get(&address)?;
    let items = answer["items"].as_array().into_iter().flatten();
    let results: Vec<Value> = items.filter_map(|item| shown(connection, item)).collect();
    let mut found = json!({ "results": results });
    for (from, to) in [
        ("anchor", "next"),
        ("partial", "incomplete"),
        ("unknown_fields", "unknown_fields"),
    ] {
        if !answer[from].is_null() {
            found[to] = answer[from].clone();
        }
    }
    // A suggestion is made of words of all pages.
    if connection.exclusions.has_no_pages() && !answer["suggestion"].is_null() {
        found["suggestion"] = answer["suggestion"].clone();
    }
    Ok(CallToolResult::structured(found))
}

/// Returns a result as the assistant gets it; none if it is hidden.
fn shown(connection: &Connection<'_>, item: &Value) -> Option<Value> {
    let path = text(&item["path"], "text");
    let is_hidden = match text(item, "kind") {
        "page" => connection.exclusions.hide_page(path),
        "file" => connection.exclusions.hide_page(text(item, "page_path")),
        // A name that is not UTF-8 can't be asked for.
        "picture" => {
            item["root_path_bytes"].is_string() || connection.exclusions.hide_file(Path::new(path))
        }
        _ => true,
    };
    if is_hidden {
        return None;
    }
    let snippets = item["snippets"].as_array().into_iter().flatten();
    let snippets: Vec<_> = snippets.map(|snippet| text(snippet, "text")).collect();
    let mut shown = json!({
        "kind": item["kind"],
        "path": path,
        "title": item["title"]["text"],
        "snippets": snippets,
    });
    for field in ["page_path", "updated", "user_name", "taken"] {
        if !item[field].is_null() {
            shown[field] = item[field].clone();
        }
    }
    Some(shown)
}
