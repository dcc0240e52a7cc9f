//! The two doors, asked from the page.

use anyhow::{Context, Result};
use fumikura_tests::page::Page;
use reqwest::Url;
use serde_json::{Value, json};

use crate::steps;

/// Asks over HTTP; a lock's header becomes what the command answers.
const FETCH: &str = r#"
const [{ method, path, headers, body }, done] = arguments;
const lockOf = (header) => Object.fromEntries(header.split(" ").map((part) => part.split("=")));
fetch(path, { method, headers, body: body === null ? undefined : JSON.stringify(body) })
  .then(async (answer) => {
    const text = await answer.text();
    const value = text === "" ? null : JSON.parse(text);
    const lock = answer.headers.get("X-Page-Lock");
    done(answer.ok ? { ok: lock === null ? value : lockOf(lock) } : { error: value });
  })
  .catch((error) => done({ failed: String(error) }));
"#;

/// How the page asks.
#[derive(Clone, Copy)]
pub(super) enum Door {
    Http,
    Command,
}

impl Door {
    pub(super) const BOTH: [Self; 2] = [Self::Http, Self::Command];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Command => "command",
        }
    }

    /// What comes of it: `{"ok": answer}` or `{"error": body}`.
    pub(super) async fn ask(
        self,
        page: &Page,
        operation: &str,
        arguments: &Value,
    ) -> Result<Value> {
        match self {
            Self::Http => {
                let request = vec![request(operation, arguments)?];
                Ok(page.client().execute_async(FETCH, request).await?)
            }
            Self::Command => steps::command(page, operation, arguments.clone()).await,
        }
    }
}

/// The operation as a request: `{method, path, headers, body}`.
fn request(operation: &str, arguments: &Value) -> Result<Value> {
    let text = |name: &str| match &arguments[name] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
            Some(other.to_string())
        }
    };
    let id = |name: &str| text(name).unwrap_or_default();
    let (page, asset) = (
        format!("/api/pages/{}", id("page_id")),
        format!("/api/assets/{}", id("asset_id")),
    );
    let (method, path, queries): (_, _, &[&str]) = match operation {
        "lock_acquire" => ("POST", format!("{page}/lock"), &["take_over"]),
        "lock_renew" => ("PUT", format!("{page}/lock"), &[]),
        "lock_release" => ("DELETE", format!("{page}/lock"), &[]),
        "lock_status" => ("GET", format!("{page}/lock"), &[]),
        "revision_list" => ("GET", format!("{page}/revisions"), &["before", "limit"]),
        "revision_diff" => ("GET", format!("{page}/diff"), &["from", "to"]),
        "revision_rollback" => ("POST", format!("{page}/revision"), &["rollback_to"]),
        "revision_compact" => ("POST", format!("{page}/revision"), &["keep_from"]),
        "asset_list" => ("GET", format!("{page}/assets"), &["with_deleted"]),
        "asset_rename" => ("PATCH", asset, &[]),
        "asset_remove" => ("DELETE", asset, &["hard"]),
        "asset_restore" => ("POST", format!("{asset}/restore"), &[]),
        "asset_zombies" => ("GET", "/api/assets/zombies".to_owned(), &[]),
        "asset_set_owner" => ("POST", format!("{asset}/owner"), &["page_id"]),
        other => anyhow::bail!("BUG: {other} has no address"),
    };
    let queries = queries
        .iter()
        .filter_map(|name| text(name).map(|value| (*name, value)));
    let address = Url::parse_with_params(&format!("http://x{path}"), queries)?;
    let token = text("token").map(|token| format!("token={token}"));
    let mut headers = serde_json::Map::new();
    if let Some(token) = token {
        headers.insert("X-Lock-Authentication".to_owned(), token.into());
    }
    let mut body = Value::Null;
    if operation == "asset_rename" {
        body = json!({ "file_name": arguments["file_name"] });
        headers.insert("Content-Type".to_owned(), "application/json".into());
    }
    let (_, path) = address
        .as_str()
        .split_once("http://x")
        .context("BUG: the address begins as it was made")?;
    Ok(json!({ "method": method, "path": path, "headers": headers, "body": body }))
}
