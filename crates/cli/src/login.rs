//! `fumi login`: asks the running server for an address that lets a browser in.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use crate::client::Running;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let server = Running::find(arguments.data.as_deref())?;
    let link = server.post("api/login-links")?;
    let login = link["login"]
        .as_str()
        .filter(|login| server.file().is_own_login(login))
        .context("the running server's answer makes no sense")?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", json!({ "login": login }))?;
    } else {
        writeln!(out, "{login}")?;
    }
    Ok(())
}
