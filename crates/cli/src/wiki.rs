//! `fumi revision`, `lock`, `asset` and `user`: the revisions, locks, files and users of pages.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::new_file::write_new;
use crate::output::{self, List};
use crate::page::{id_of, unlock};

#[derive(Args)]
pub(crate) struct WikiArguments<C: Subcommand> {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: C,
}

#[derive(Subcommand)]
pub(crate) enum Revision {
    /// List the revisions of a page, the newest first
    List {
        /// Path of the page
        path: String,
    },
    /// Make an old revision the newest one
    Rollback {
        /// Path of the page
        path: String,
        /// Revision to restore
        rev: u64,
    },
    /// Permanently remove all revisions before one
    Compact {
        /// Path of the page
        path: String,
        /// The oldest revision to keep
        rev: u64,
    },
}

#[derive(Subcommand)]
pub(crate) enum Lock {
    /// List the pages that are being edited
    List {
        /// Print paths alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// End the edit lock of a page, as `fumi page unlock` does
    Release {
        /// Path of the page
        path: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Asset {
    /// List the files of a page
    List {
        /// Path of the page
        path: String,
        /// Print names alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// Add a file to a page
    Add {
        /// Path of the page
        path: String,
        /// The file
        file: PathBuf,
    },
    /// Write a file of a page to a local file, or to standard output
    Get {
        /// Path of the page
        path: String,
        /// Name of its file
        name: String,
        /// File to write; an existing file is not overwritten
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Rename a file of a page, also in the text of the page
    Rename {
        /// Path of the page
        path: String,
        /// Name of its file
        name: String,
        /// New name of the file
        to: String,
    },
    /// Move a file to another page; the texts of both stay as they are
    Move {
        /// Path of the page
        path: String,
        /// Name of its file
        name: String,
        /// Path of the page that receives it
        to: String,
    },
    /// Delete a file of a page; it can be restored
    Delete {
        /// Path of the page
        path: String,
        /// Name of its file
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum User {
    /// List the users
    List,
    /// Register a user
    Add {
        /// The name
        name: String,
    },
    /// Rename the user who writes here; earlier revisions keep the old name
    Rename {
        /// The new name
        name: String,
    },
}

pub(crate) fn revision(arguments: WikiArguments<Revision>) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        Revision::List { path } => revisions(&client, json, &path),
        Revision::Rollback { path, rev } => {
            let id = id_of(&client, &path)?;
            let made = client.send(
                "POST",
                &format!("api/pages/{id}/revision?rollback_to={rev}"),
            )?;
            let made = made.json()?;
            print(
                json,
                &made,
                &format!(
                    "Revision {} of {path} has the text of revision {rev}",
                    made["revision"]
                ),
            )
        }
        Revision::Compact { path, rev } => {
            let id = id_of(&client, &path)?;
            client.send("POST", &format!("api/pages/{id}/revision?keep_from={rev}"))?;
            print(
                json,
                &json!({"id": id, "keep_from": rev}),
                &format!("Removed all revisions of {path} before {rev}"),
            )
        }
    }
}

fn revisions(client: &Client, json: bool, path: &str) -> anyhow::Result<()> {
    each_revision(client, json, path, None, |item| {
        row(&[
            &item["revision"].to_string(),
            text(item, "timestamp"),
            text(item, "user_name"),
            &item["bytes"].to_string(),
        ])
    })
}

/// Lists the revisions of a page with the paths that it had.
pub(crate) fn history(
    client: &Client,
    json: bool,
    path: &str,
    limit: Option<usize>,
) -> anyhow::Result<()> {
    each_revision(client, json, path, limit, |item| {
        row(&[
            &item["revision"].to_string(),
            text(item, "timestamp"),
            text(item, "user_name"),
            &item["bytes"].to_string(),
            text(item, "path"),
        ])
    })
}

fn each_revision(
    client: &Client,
    json: bool,
    path: &str,
    limit: Option<usize>,
    line: impl Fn(&Value) -> String,
) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let mut left = limit.unwrap_or(usize::MAX);
    let mut before = String::new();
    let mut out = output::stdout();
    loop {
        let page = client.get(&format!("api/pages/{id}/revisions?limit=1000{before}"))?;
        let items = page["items"].as_array().into_iter().flatten().take(left);
        let mut last = None;
        for item in items {
            last = item["revision"].as_u64();
            left -= 1;
            match json {
                true => writeln!(out, "{item}")?,
                false => out.write_row(&line(item))?,
            }
        }
        match last.filter(|_| page["has_more"] == true && left > 0) {
            Some(last) => before = format!("&before={last}"),
            None => return Ok(()),
        }
    }
}

pub(crate) fn lock(arguments: WikiArguments<Lock>) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    let line = |lock: &Value| row(&["path", "user_name", "expire"].map(|field| text(lock, field)));
    match arguments.command {
        Lock::List { null } => {
            let form = List::new(json, null);
            list(form, &client.get("api/locks")?, "path", line)
        }
        Lock::Release { path } => unlock(&client, json, &path),
    }
}

pub(crate) fn user(arguments: WikiArguments<User>) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        User::List => {
            let line = |user: &Value| row(&[text(user, "name"), text(user, "created_at")]);
            list(
                List::new(json, false),
                &client.get("api/users")?,
                "name",
                line,
            )
        }
        User::Add { name } => {
            let added = client.send_json("POST", "api/users", &json!({"name": name}))?;
            print(json, &added, &format!("Added {}", text(&added, "name")))
        }
        User::Rename { name } => {
            let old = client.get("api/users/me")?;
            let renamed = client.send_json("PATCH", "api/users/me", &json!({"name": name}))?;
            let [old, new] = [&old, &renamed].map(|user| text(user, "name"));
            print(json, &renamed, &format!("Renamed {old} to {new}"))
        }
    }
}

/// Prints the items of a list: as lines, JSON, or the values of a field.
fn list(
    form: List,
    items: &Value,
    field: &str,
    line: impl Fn(&Value) -> String,
) -> anyhow::Result<()> {
    let mut out = output::stdout();
    for item in items.as_array().into_iter().flatten() {
        form.write(&mut out, item, text(item, field), &line(item))?;
    }
    Ok(())
}

pub(crate) fn asset(arguments: WikiArguments<Asset>) -> anyhow::Result<()> {
    let json = arguments.common.json;
    // A pipe may take its time, so it is read before the data is opened.
    let mut added = Vec::new();
    if let Asset::Add { file, .. } = &arguments.command {
        added = fs::read(file).with_context(|| format!("couldn't read {}", file.display()))?;
    }
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        Asset::List { path, null } => {
            let id = id_of(&client, &path)?;
            let line = |asset: &Value| {
                let size = asset["size"].to_string();
                row(&[text(asset, "file_name"), &size, text(asset, "mime")])
            };
            let files = client.get(&format!("api/pages/{id}/assets"))?;
            list(List::new(json, null), &files, "file_name", line)
        }
        Asset::Add { path, file } => {
            let id = id_of(&client, &path)?;
            let name = file.file_name().and_then(|name| name.to_str());
            let name = name.context("the file's name is not UTF-8")?;
            let address = format!("api/pages/{id}/assets/{}", percent_encode(name));
            let kind = [("content-type", "application/octet-stream")];
            let added = client.ask("POST", &address, &kind, &added)?.json()?;
            print(json, &added, &format!("Added {name} to {path}"))
        }
        Asset::Get { path, name, output } => {
            let asset = find(&client, &path, &name)?;
            let address = format!("api/asset?id={}", text(&asset, "id"));
            match output {
                None => client.download("GET", &address, &[], b"", &mut output::stdout()),
                Some(file) => {
                    write_new(&file, |out| client.download("GET", &address, &[], b"", out))
                }
            }
            .map(drop)
        }
        Asset::Rename { path, name, to } => rename_asset(&client, json, &path, &name, &to),
        Asset::Move { path, name, to } => {
            let asset = find(&client, &path, &name)?;
            let owner = id_of(&client, &to)?;
            let id = text(&asset, "id");
            client.send("POST", &format!("api/assets/{id}/owner?page_id={owner}"))?;
            let moved = client.get(&format!("api/assets/{id}/meta"))?;
            print(json, &moved, &format!("Moved {name} of {path} to {to}"))
        }
        Asset::Delete { path, name } => {
            let asset = find(&client, &path, &name)?;
            client.send("DELETE", &format!("api/assets/{}", text(&asset, "id")))?;
            print(json, &asset, &format!("Deleted {name} of {path}"))
        }
    }
}

fn find(client: &Client, path: &str, name: &str) -> anyhow::Result<Value> {
    let id = id_of(client, path)?;
    let assets = client.get(&format!("api/pages/{id}/assets"))?;
    let mut assets = assets.as_array().cloned().unwrap_or_default().into_iter();
    let found = assets.find(|asset| asset["file_name"] == name);
    found.with_context(|| format!("{path} has no file named {name}"))
}

fn rename_asset(
    client: &Client,
    json: bool,
    path: &str,
    name: &str,
    to: &str,
) -> anyhow::Result<()> {
    let asset = find(client, path, name)?;
    let address = format!("api/assets/{}/rename", text(&asset, "id"));
    let renamed = client.send_json("POST", &address, &json!({"file_name": to}))?;
    let words = match renamed["revision"].is_null() {
        true => format!("Renamed {name} of {path} to {to}"),
        false => format!("Renamed {name} of {path} to {to}, also in its text"),
    };
    print(json, &renamed, &words)
}
