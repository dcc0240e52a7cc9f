//! Adding files to a page: over HTTP as the body of a request; in the window by a grant, or from the clipboard.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fumikura_tests::clipboard;
use fumikura_tests::page::Page;
use fumikura_tests::stage::Stage;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Url;
use serde_json::{Value, json};

use super::step::Step;
use super::transport::Caller;
use crate::file_drop;

/// The grants for the files in a table, in order.
#[derive(Default)]
pub(super) struct FileGrants(VecDeque<String>);

/// A file in a table: `{name, contents}`.
struct TestFile {
    name: String,
    contents: String,
}

impl FileGrants {
    /// Creates the files in the table, and drops all of them on the window.
    pub(super) async fn begin(stage: &Stage, page: &Page, table: &[Step]) -> Result<Self> {
        let mut paths = Vec::new();
        for (number, step) in table.iter().enumerate() {
            if step.operation() == "asset_add_files" {
                let files = files_of(step.arguments())?;
                paths.extend(make(stage, &format!("given/{number}"), &files)?);
            }
        }
        if paths.is_empty() {
            return Ok(Self::default());
        }
        let sources: Vec<_> = paths.iter().map(PathBuf::as_path).collect();
        let dropped = file_drop::drop_files(stage, page, &sources).await?;
        let files = dropped["grants"].as_array().context("grants are a list")?;
        ensure!(files.len() == paths.len(), "{dropped}");
        let grants = files.iter().map(|file| file["grant"].as_str());
        let grants = grants.map(|grant| grant.map(str::to_owned));
        let grants: Option<_> = grants.collect();
        Ok(Self(grants.context("a grant is a text")?))
    }

    pub(super) fn next_grant(&mut self) -> Result<String> {
        self.0.pop_front().context("BUG: each file has a grant")
    }
}

impl Caller<'_> {
    /// Uploads each file over HTTP, and returns the outcome in the commands' form.
    pub(super) async fn upload_all(&self, arguments: &Value) -> Result<Value> {
        let mut items = Vec::new();
        for file in files_of(arguments)? {
            let outcome = self.upload(arguments, &file).await?;
            items.push(json!({
                "name": file.name, "asset": outcome["ok"], "error": outcome["error"] }));
        }
        Ok(outcome(items))
    }

    async fn upload(&self, arguments: &Value, file: &TestFile) -> Result<Value> {
        let page = arguments["page_id"].as_str().unwrap_or_default();
        let name = utf8_percent_encode(&file.name, NON_ALPHANUMERIC);
        // A pasted file always gets a free name.
        let free = match &arguments["free_names"] {
            Value::Null if arguments["name"].is_null() => String::new(),
            Value::Null => "?free_name=true".to_owned(),
            value => format!(
                "?free_name={}",
                value.as_str().map_or(value.to_string(), str::to_owned)
            ),
        };
        let created = self
            .fetch(json!({
                "method": "POST",
                "path": format!("/api/pages/{page}/assets/{name}{free}"),
                "headers": {},
                "body": file.contents,
            }))
            .await?;
        let Some(id) = created["ok"]["id"].as_str() else {
            return Ok(created);
        };
        let path = format!("/api/assets/{id}/meta");
        self.fetch(json!({"method": "GET", "path": path, "headers": {}, "body": null}))
            .await
    }

    /// Adds the file by a grant.
    pub(super) async fn add_granted(&self, arguments: &Value, grant: &str) -> Result<Value> {
        let mut values = json!({"page_id": arguments["page_id"], "grants": [grant]});
        if !arguments["free_names"].is_null() {
            values["free_names"] = arguments["free_names"].clone();
        }
        normalize(self.command("asset_add_files", values).await?)
    }

    /// Adds the files by the clipboard, which contains the files, or a picture.
    pub(super) async fn paste(&self, arguments: &Value) -> Result<Value> {
        let display = self.stage.display();
        let files = files_of(arguments)?;
        let (kind, held) = if arguments["picture"].is_null() {
            let name = arguments["name"].as_str().context("a paste has a name")?;
            let mut list = String::new();
            for path in make(self.stage, &format!("copied/{name}"), &files)? {
                let address = Url::from_file_path(&path)
                    .ok()
                    .context("an absolute path")?;
                list += &format!("{address}\r\n");
            }
            ("text/uri-list", list.into_bytes())
        } else {
            let picture = files.first().context("BUG: a picture is a file")?;
            ("image/png", STANDARD.decode(&picture.contents)?)
        };
        let values = json!({"page_id": arguments["page_id"], "name": arguments["name"]});
        let pasted = self.command("asset_paste", values);
        normalize(clipboard::while_holding(display, kind, held, pasted).await?)
    }
}

/// Returns the files of a step: `file`, `files`, or a `picture`, which has the name of the paste.
fn files_of(arguments: &Value) -> Result<Vec<TestFile>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let named = |name: Option<String>, contents: Option<String>| {
        let contents = STANDARD.encode(contents.context("a file has contents")?);
        let name = name.context("a file has a name")?;
        anyhow::Ok(TestFile { name, contents })
    };
    if let Some(picture) = text(&arguments["picture"]) {
        let name = text(&arguments["name"]).context("a paste has a name")?;
        return Ok(vec![TestFile {
            name: format!("{name}.png"),
            contents: picture,
        }]);
    }
    let one = std::slice::from_ref(&arguments["file"]);
    let all = arguments["files"].as_array().map_or(one, Vec::as_slice);
    let files = all
        .iter()
        .map(|file| named(text(&file["name"]), text(&file["contents"])));
    files.collect()
}

/// Creates the files in a folder of the user's, each in a separate one.
fn make(stage: &Stage, folder: &str, files: &[TestFile]) -> Result<Vec<PathBuf>> {
    let made = files.iter().enumerate().map(|(number, file)| {
        let folder = stage.home().folder(&format!("{folder}/{number}"))?;
        let path = folder.join(&file.name);
        fs::write(&path, STANDARD.decode(&file.contents)?)?;
        Ok(path)
    });
    made.collect()
}

/// Converts a command's answer about files; a single file becomes the answer itself.
fn normalize(answer: Value) -> Result<Value> {
    if answer.get("error").is_some() {
        return Ok(answer);
    }
    let items = answer["ok"].as_array().cloned();
    Ok(outcome(items.context("the answer is a list")?))
}

fn outcome(items: Vec<Value>) -> Value {
    match items.as_slice() {
        [one] if one["error"].is_null() => json!({ "ok": one["asset"] }),
        [one] => json!({ "error": one["error"] }),
        _ => json!({ "ok": items }),
    }
}
