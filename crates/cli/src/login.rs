//! `fumi login`: asks the running server for an address that lets a browser in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use fumikura_base::dirs::AppDirs;
use fumikura_base::entropy::{SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_server::{ServerFile, find_running};
use serde_json::{Value, json};
use ureq::Agent;

/// How many random bytes a challenge has.
const CHALLENGE: usize = 32;
/// How long the running server may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

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
    let data = match &arguments.data {
        Some(data) => data.clone(),
        None => AppDirs::of_the_user()?.data,
    };
    // Whoever can write there could have written a server.json of their own.
    exposure::check(&data)?;
    let agent = agent();
    let server = running(&agent, &data)?;
    let mut answer = agent
        .post(format!("{}api/login-links", server.url))
        .header("Authorization", format!("Bearer {}", server.token))
        .send_empty()
        .context("the running server refused the request")?;
    let link: Value = answer.body_mut().read_json()?;
    let login = link["login"]
        .as_str()
        .filter(|login| server.is_own_login(login))
        .context("the running server's answer makes no sense")?;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", json!({ "login": login }))?;
    } else {
        writeln!(out, "{login}")?;
    }
    Ok(())
}

/// Asks this machine alone: neither a proxy nor another server gets to see the token. What answers at
/// the address by now may be a program that never answers.
fn agent() -> Agent {
    let config = Agent::config_builder()
        .proxy(None)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE));
    config.build().into()
}

/// The server of the data folder, if it is the one that answers at its address. Any program may have taken that
/// since the file was written, so it gets a challenge alone, and has to prove that it knows the token.
fn running(agent: &Agent, data: &Path) -> anyhow::Result<ServerFile> {
    let none = || {
        format!(
            "no server is running on {}: start one with “fumi serve”",
            data.display()
        )
    };
    let server = find_running(data).with_context(none)?;
    if server.url.starts_with("unix:") {
        bail!("the running server listens on a Unix socket, which browsers can't open");
    }
    let challenge = hex::encode(random_bytes::<CHALLENGE>(&SystemEntropy));
    let mut answer = agent
        .get(format!("{}healthz?challenge={challenge}", server.url))
        .call()
        .with_context(none)?;
    let health: Value = answer.body_mut().read_json().with_context(none)?;
    let is_same = health["instance"].as_str() == Some(&server.instance);
    let proof = health["proof"].as_str().unwrap_or_default();
    if !is_same || !server.is_proved_by(proof, &challenge) {
        bail!(none());
    }
    Ok(server)
}
