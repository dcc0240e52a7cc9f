//! The two transports, called from the page.

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fumikura_tests::page::Page;
use fumikura_tests::stage::Stage;
use reqwest::Url;
use serde_json::{Value, json};

use super::step::Step;
use super::uploads::FileGrants;
use crate::steps;

/// Sends a request over HTTP. A lock's header is converted to the command's answer. The body is in base64.
const FETCH: &str = r#"
const [{ method, path, headers, body }, done] = arguments;
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const lockOf = (header) => Object.fromEntries(header.split(" ").map((part) => part.split("=")));
fetch(path, { method, headers, body: body === null ? undefined : bytes(body) })
  .then(async (answer) => {
    const text = await answer.text();
    const value = text === "" ? null : JSON.parse(text);
    const lock = answer.headers.get("X-Page-Lock");
    done(answer.ok ? { ok: lock === null ? value : lockOf(lock) } : { error: value });
  })
  .catch((error) => done({ failed: String(error) }));
"#;

/// The page's transport.
#[derive(Clone, Copy)]
pub(super) enum Transport {
    Http,
    Command,
}

impl Transport {
    pub(super) const BOTH: [Self; 2] = [Self::Http, Self::Command];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Command => "command",
        }
    }
}

/// A caller on one of the transports, from the page in the window.
pub(super) struct Caller<'a> {
    pub(super) stage: &'a Stage,
    pub(super) page: &'a Page,
    transport: Transport,
    grants: FileGrants,
}

impl<'a> Caller<'a> {
    /// Prepares a table's steps.
    pub(super) async fn begin(
        stage: &'a Stage,
        page: &'a Page,
        transport: Transport,
        table: &[Step],
    ) -> Result<Self> {
        let grants = match transport {
            Transport::Http => FileGrants::default(),
            Transport::Command => FileGrants::begin(stage, page, table).await?,
        };
        Ok(Self {
            stage,
            page,
            transport,
            grants,
        })
    }

    /// Returns the outcome: `{"ok": answer}` or `{"error": body}`.
    pub(super) async fn ask(&mut self, operation: &str, arguments: &Value) -> Result<Value> {
        match (self.transport, operation) {
            (Transport::Http, "asset_add_files" | "asset_paste") => {
                self.upload_all(arguments).await
            }
            (Transport::Http, _) => self.fetch(request(operation, arguments)?).await,
            (Transport::Command, "asset_add_files") => {
                let grant = self.grants.next_grant()?;
                self.add_granted(arguments, &grant).await
            }
            (Transport::Command, "asset_paste") => self.paste(arguments).await,
            (Transport::Command, _) => self.command(operation, arguments.clone()).await,
        }
    }

    pub(super) async fn command(&self, operation: &str, arguments: Value) -> Result<Value> {
        steps::command(self.page, operation, arguments).await
    }

    /// Returns the outcome of a request: `{method, path, headers, body}`.
    pub(super) async fn fetch(&self, request: Value) -> Result<Value> {
        let client = self.page.client();
        Ok(client.execute_async(FETCH, vec![request]).await?)
    }
}

fn ttl_policy(arguments: &Value) -> String {
    match arguments["root"].as_str() {
        Some(root) => format!("/api/roots/{root}/ttl-policy"),
        None => "/api/ttl/default".to_owned(),
    }
}

/// Converts the operation to a request: `{method, path, headers, body}`.
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
        "asset_list" => (
            "GET",
            format!("{page}/assets"),
            &["with_deleted", "offset", "limit"],
        ),
        "asset_rename" => ("PATCH", asset, &[]),
        "asset_remove" => ("DELETE", asset, &["hard"]),
        "asset_restore" => ("POST", format!("{asset}/restore"), &[]),
        "asset_zombies" => (
            "GET",
            "/api/assets/zombies".to_owned(),
            &["offset", "limit"],
        ),
        "cache_stats" => ("GET", "/api/cache".to_owned(), &[]),
        "cache_gc" => ("POST", "/api/cache/gc".to_owned(), &[]),
        "ttl_policy_get" => ("GET", ttl_policy(arguments), &[]),
        "ttl_policy_set" => ("PUT", ttl_policy(arguments), &[]),
        "ttl_run" => ("POST", "/api/ttl/run".to_owned(), &[]),
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
    let sent = match operation {
        "asset_rename" => Some(json!({ "file_name": arguments["file_name"] })),
        "ttl_policy_set" => Some(arguments["policy"].clone()),
        _ => None,
    };
    if let Some(sent) = sent {
        body = STANDARD.encode(sent.to_string()).into();
        headers.insert("Content-Type".to_owned(), "application/json".into());
    }
    let (_, path) = address
        .as_str()
        .split_once("http://x")
        .context("BUG: the address begins as it was made")?;
    Ok(json!({ "method": method, "path": path, "headers": headers, "body": body }))
}
