//! `fumi login`: requests a one-time sign-in address from the running server. On a terminal, the address has
//! the server's own host name, for a browser. A program that reads the output gets the bound address.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::client::RunningServer;
use crate::output;

#[derive(Args)]
pub(crate) struct LoginArguments {
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &LoginArguments) -> anyhow::Result<()> {
    let server = RunningServer::find(arguments.data.as_deref())?;
    let link = server.post("api/login-links")?;
    let senseless = "the running server's answer is invalid";
    let login = link["login"].as_str();
    if login.is_some_and(|login| login.starts_with('/')) {
        bail!("the running server listens on a Unix socket alone, which no browser can open");
    }
    let login = login.filter(|login| server.is_own_login(login));
    let login = login.context(senseless)?;
    let browser_login = link["browser_login"].as_str();
    let browser_login = browser_login.filter(|login| server.is_own_browser_login(login));
    let browser_login = browser_login.context(senseless)?;
    let mut out = output::stdout();
    if arguments.json {
        let links = json!({ "login": login, "browser_login": browser_login });
        writeln!(out, "{links}")?;
    } else if out.is_terminal() {
        writeln!(out, "{browser_login}")?;
    } else {
        writeln!(out, "{login}")?;
    }
    Ok(())
}
