//! `fumi mirror`: a folder with the pages as Markdown, which follows the wiki.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use fumikura_base::printable::Printable;
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::maintenance::EXIT_FINDINGS;
use crate::output;
use crate::page::print_hunks;

#[derive(Args)]
pub(crate) struct Mirror {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: MirrorCommand,
}

#[derive(Subcommand)]
enum MirrorCommand {
    /// Choose the folder of the mirror, and write all pages there
    Set {
        /// Existing folder without files, except hidden ones; or one that was a mirror
        folder: PathBuf,
    },
    /// Bring the mirror up to date, and list the files that were edited outside
    Status,
    /// Switch the mirror on again
    On,
    /// Switch the mirror off; its files stay
    Off,
    /// End the mirror; its files stay
    Forget,
    /// Show how a file that was edited outside differs from its page
    Diff {
        /// Path of the file, as `status` lists it
        path: String,
    },
    /// Make a file that was edited outside a revision of its page
    TakeOver {
        /// Path of the file, as `status` lists it
        path: String,
    },
    /// Write the page over a file that was edited outside; what the file has is lost
    WriteAgain {
        /// Path of the file, as `status` lists it
        path: String,
    },
    /// Forget an edited file whose page has moved or is gone; the file stays
    Leave {
        /// Path of the file, as `status` lists it
        path: String,
    },
}

pub(crate) fn run(arguments: &Mirror) -> anyhow::Result<ExitCode> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    let send = |method: &str, address: &str, body: &Value| {
        let kind = [("content-type", "application/json")];
        let answer = client.ask(method, address, &kind, body.to_string().as_bytes())?;
        answer.json()
    };
    let file = |path: &str| json!({"entry": path});
    match &arguments.command {
        MirrorCommand::Set { folder } => {
            let folder = std::path::absolute(folder)?;
            let path = folder.to_str().context("the path is not UTF-8")?;
            status(json, &send("PUT", "api/mirror", &json!({"path": path}))?)
        }
        MirrorCommand::Status => status(json, &client.send("POST", "api/mirror")?.json()?),
        command @ (MirrorCommand::On | MirrorCommand::Off) => {
            let is_on = matches!(command, MirrorCommand::On);
            let switch = json!({"is_on": is_on});
            status(json, &send("PUT", "api/mirror/switch", &switch)?)
        }
        MirrorCommand::Forget => {
            client.send("DELETE", "api/mirror")?;
            status(json, &json!({"folder": null}))
        }
        MirrorCommand::Diff { path } => difference(&client, path, json),
        MirrorCommand::TakeOver { path } => {
            let taken = send("POST", "api/mirror/take-over", &file(path))?;
            let page = text(&taken, "path");
            let line = format!("{path} is revision {} of {page}", taken["revision"]);
            print(json, &taken, &line)?;
            Ok(ExitCode::SUCCESS)
        }
        MirrorCommand::WriteAgain { path } => {
            status(json, &send("POST", "api/mirror/write-again", &file(path))?)
        }
        MirrorCommand::Leave { path } => {
            status(json, &send("POST", "api/mirror/leave", &file(path))?)
        }
    }
}

fn difference(client: &Client, path: &str, json: bool) -> anyhow::Result<ExitCode> {
    let address = format!("api/mirror/difference?entry={}", percent_encode(path));
    let found = client.get(&address)?;
    let mut out = output::stdout();
    if json {
        writeln!(out, "{found}")?;
        return Ok(ExitCode::SUCCESS);
    }
    print_hunks(&mut out, &found)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the state of the mirror. A mirror that is not up to date is an error.
fn status(json: bool, state: &Value) -> anyhow::Result<ExitCode> {
    let outside = state["outside"].as_array().cloned().unwrap_or_default();
    let mut out = output::stdout();
    if json {
        writeln!(out, "{state}")?;
    } else if let Some(folder) = state["folder"].as_str() {
        for file in &outside {
            let line = row(&[text(file, "kind"), text(file, "entry")]);
            out.write_row(&line)?;
        }
        let folder = Printable(folder);
        if state["is_on"] == false {
            writeln!(out, "{folder}: switched off")?;
        } else {
            let (pages, files) = (&state["pages"], &state["files"]);
            let count = outside.len();
            writeln!(
                out,
                "{folder}: {pages} pages, {files} files, {count} edited outside"
            )?;
        }
    } else {
        writeln!(out, "There is no mirror")?;
    }
    if let Some(failure) = state["failure_message"].as_str() {
        anyhow::bail!("the mirror is not up to date: {failure}");
    }
    Ok(match outside.is_empty() {
        true => ExitCode::SUCCESS,
        false => EXIT_FINDINGS.into(),
    })
}
