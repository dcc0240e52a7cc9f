//! `fumi folder`: the folders of pictures that are open.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::listing::{ListingArguments, list_files};
use super::place::{OpenFolders, bytes_of, display};
use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::output::{self, List, named};

#[derive(Args)]
pub(crate) struct FolderArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: FolderCommand,
}

#[derive(Subcommand)]
enum FolderCommand {
    /// List the open folders
    List {
        /// Print paths alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// Open a folder
    Add {
        /// The folder
        folder: PathBuf,
    },
    /// Close a folder; its files stay as they are
    Remove {
        /// The folder, or its id
        folder: PathBuf,
    },
    /// List the files of an open folder, with ratings and tags
    Ls(ListingArguments),
}

pub(crate) fn folder(arguments: FolderArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        FolderCommand::List { null } => list(&client, List::new(json, null)),
        FolderCommand::Add { folder } => {
            let absolute = std::path::absolute(&folder)?;
            let named = named("chosen_path", absolute.as_os_str().as_bytes());
            let added = client.send_json("POST", "api/roots", &named)?;
            print(json, &added, &format!("Opened {}", text(&added, "path")))
        }
        FolderCommand::Remove { folder } => {
            let id = OpenFolders::get(&client)?.id(&folder)?;
            client.send("DELETE", &format!("api/roots/{}", percent_encode(&id)))?;
            print(
                json,
                &json!({"id": id}),
                &format!("Closed {}", display(&folder)),
            )
        }
        FolderCommand::Ls(arguments) => list_files(&client, json, &arguments),
    }
}

fn list(client: &Client, list: List) -> anyhow::Result<()> {
    let roots = client.get("api/roots")?;
    let mut out = output::stdout();
    for root in roots.as_array().into_iter().flatten() {
        list.write(&mut out, root, bytes_of(root, "path"), &line(root))?;
    }
    Ok(())
}

fn line(root: &Value) -> String {
    let state = match root["available"].as_bool() {
        Some(true) => "available",
        _ => "away",
    };
    row(&[text(root, "path"), state, text(root, "id")])
}
