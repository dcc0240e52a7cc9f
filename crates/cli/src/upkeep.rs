//! `fumi thumbs`, `fumi check`, `fumi backup`, `fumi export`: the data as a whole.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use fumikura_base::printable::Printable;
use serde_json::json;

use crate::client::{Client, Common, print, text};

/// The exit code when something is wrong with the data.
const FOUND: u8 = 3;

#[derive(Args)]
pub(crate) struct Thumbs {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: ThumbsCommand,
}

#[derive(Subcommand)]
enum ThumbsCommand {
    /// Show what the thumbnails take up
    Stats,
    /// Delete the thumbnails that were not used for longest, down to the low mark
    Gc,
}

#[derive(Args)]
pub(crate) struct Whole {
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
pub(crate) struct Export {
    #[command(flatten)]
    common: Common,
    /// The zip file to write; nothing is overwritten
    file: PathBuf,
}

pub(crate) fn thumbs(arguments: &Thumbs) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        ThumbsCommand::Stats => {
            let stats = client.get("api/cache")?;
            let number = |field: &str| stats[field].as_u64().unwrap_or_default();
            let line = format!(
                "{} thumbnails, {} of {} bytes",
                number("files"),
                number("used_bytes"),
                number("limit_bytes")
            );
            print(json, &stats, &line)
        }
        ThumbsCommand::Gc => {
            let freed = client.finish(&client.send("POST", "api/cache/gc")?)?;
            let line = format!(
                "Deleted {} thumbnails, {} bytes",
                freed["files"], freed["bytes"]
            );
            print(json, &freed, &line)
        }
    }
}

/// Exit code 3 when something is wrong.
pub(crate) fn check(arguments: &Whole) -> anyhow::Result<ExitCode> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    let found = client.finish(&client.send("POST", "api/check")?)?;
    let faults = found["faults"].as_array().cloned().unwrap_or_default();
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{found}")?;
    } else {
        for fault in &faults {
            let line = format!("{}: {}", text(fault, "place"), text(fault, "words"));
            writeln!(out, "{}", Printable(&line))?;
        }
        writeln!(
            out,
            "{} pages, {} revisions, {} faults",
            found["pages"],
            found["revisions"],
            faults.len()
        )?;
    }
    Ok(match faults.is_empty() {
        true => ExitCode::SUCCESS,
        false => FOUND.into(),
    })
}

pub(crate) fn backup(arguments: &Whole) -> anyhow::Result<()> {
    let client = Client::open(&arguments.common)?;
    let made = client.finish(&client.send("POST", "api/backup")?)?;
    let place = ["path", "folder", "name"]
        .iter()
        .find_map(|field| made[field].as_str());
    let line = format!("Backed up to {}", place.unwrap_or_default());
    print(arguments.common.json, &made, &line)
}

pub(crate) fn export(arguments: &Export) -> anyhow::Result<()> {
    let client = Client::open(&arguments.common)?;
    let created = File::create_new(&arguments.file);
    let shown = arguments.file.display();
    let mut file = created.with_context(|| format!("couldn't create {shown}"))?;
    let written = client.download("GET", "api/export", &[], b"", &mut file);
    if let Err(error) = written.and_then(|_| Ok(file.sync_all()?)) {
        // Half an archive is of no use.
        std::fs::remove_file(&arguments.file)?;
        return Err(error);
    }
    print(
        arguments.common.json,
        &json!({"file": arguments.file}),
        &format!("Exported to {shown}"),
    )
}
