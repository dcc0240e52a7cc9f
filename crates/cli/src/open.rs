//! `fumi open`: shows a page, folder or picture in the window.

use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::client::{Client, Common, RunningServer, print};
use crate::page::{id_of, path_of};
use crate::pdf::{PROGRAM, program};

#[derive(Args)]
pub(crate) struct OpenArguments {
    #[command(flatten)]
    common: Common,
    /// Folder or picture, or path of a page
    what: PathBuf,
    /// Open a page, even if there is a file of this path
    #[arg(long)]
    page: bool,
}

/// The argument of the desktop program.
enum Target {
    File(PathBuf),
    Page(String),
}

pub(crate) fn run(arguments: &OpenArguments) -> anyhow::Result<()> {
    let common = &arguments.common;
    let target = match arguments.page || !arguments.what.exists() {
        false => Target::File(std::path::absolute(&arguments.what)?),
        true => Target::Page(page_of(common, &arguments.what)?),
    };
    let is_open = match RunningServer::find(common.data()) {
        Ok(server) => {
            let sessions = server.get("api/sessions")?;
            let mut sessions = sessions["items"].as_array().into_iter().flatten();
            if !sessions.any(|session| session["is_window"] == true) {
                bail!(
                    "no window is open, but a server has the data open: {}; “fumi login” prints a link for a browser",
                    server.url()
                );
            }
            true
        }
        Err(_) => false,
    };
    start(common, &target, is_open)?;
    let (json, words) = match &target {
        Target::File(file) => (
            crate::output::named("file", file.as_os_str().as_bytes()),
            format!("Opened {}", file.display()),
        ),
        Target::Page(page) => (json!({"path": page}), format!("Opened {page}")),
    };
    print(common.json, &json, &words)
}

/// Returns the normalized path of an existing page.
fn page_of(common: &Common, what: &Path) -> anyhow::Result<String> {
    let path = what.to_str().context("the path is not UTF-8")?;
    if !path.starts_with('/') {
        bail!("there is no file {path}; the path of a page begins with /");
    }
    let client = Client::open(common)?;
    let id = id_of(&client, path)?;
    path_of(&client, &id)
}

/// Starts the desktop program, which hands the target over to the open window, or opens one.
fn start(common: &Common, target: &Target, is_open: bool) -> anyhow::Result<()> {
    let mut command = Command::new(program()?);
    if let Some(data) = common.data() {
        command.arg("--data").arg(std::path::absolute(data)?);
    }
    match target {
        Target::Page(page) => command.args(["--page", page]),
        Target::File(file) => command.arg("--").arg(file),
    };
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let started = match command.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("the desktop program {PROGRAM} is not installed")
        }
        started => started.with_context(|| format!("couldn't start {PROGRAM}"))?,
    };
    if is_open {
        let mut started = started;
        let ended = started
            .wait()
            .with_context(|| format!("couldn't wait for {PROGRAM}"))?;
        if !ended.success() {
            bail!("the window couldn't be reached ({ended})");
        }
    }
    Ok(())
}
