//! `fumi limits`: the rate limiter of the running server.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::client::RunningServer;
use crate::output;

#[derive(Subcommand)]
pub(crate) enum LimitsCommand {
    /// Show how many requests were made and how many remain
    Status(LimitsArguments),
    /// Reset all counts
    Reset(LimitsArguments),
}

#[derive(Args)]
pub(crate) struct LimitsArguments {
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &LimitsCommand) -> anyhow::Result<()> {
    match command {
        LimitsCommand::Status(arguments) => status(arguments),
        LimitsCommand::Reset(arguments) => reset(arguments),
    }
}

fn status(arguments: &LimitsArguments) -> anyhow::Result<()> {
    let server = RunningServer::find(arguments.data.as_deref())?;
    let usage = server.get("api/config/usage")?;
    let ready = server.get("readyz")?;
    let is_ok = ready["checks"]["rate_limiter_ok"].as_bool();
    let mut out = output::stdout();
    if arguments.json {
        let mut usage = usage;
        usage["ok"] = json!(is_ok);
        writeln!(out, "{usage}")?;
        return Ok(());
    }
    let backend = match (usage["backend"].as_str(), is_ok) {
        (Some("redis"), _) => "Redis",
        (_, Some(false)) => "in memory, as Redis can't be used",
        _ => "in memory",
    };
    writeln!(out, "Counted:      {backend}")?;
    writeln!(
        out,
        "This minute:  {}",
        part(&usage, "minute_count", "per_minute_limit")?
    )?;
    writeln!(
        out,
        "Today:        {}",
        part(&usage, "daily_count", "daily_limit")?
    )?;
    if usage["total_limit"].is_number() {
        writeln!(
            out,
            "All clients:  {}",
            part(&usage, "total_count", "total_limit")?
        )?;
    }
    Ok(())
}

fn part(usage: &Value, count: &str, limit: &str) -> anyhow::Result<String> {
    let number = |name| {
        usage[name]
            .as_u64()
            .context("the running server's answer is invalid")
    };
    Ok(format!("{} of {}", number(count)?, number(limit)?))
}

fn reset(arguments: &LimitsArguments) -> anyhow::Result<()> {
    RunningServer::find(arguments.data.as_deref())?.post("api/limits/reset")?;
    let mut out = output::stdout();
    if arguments.json {
        writeln!(out, "{}", json!({ "reset": true }))?;
    } else {
        writeln!(out, "All counts were reset.")?;
    }
    Ok(())
}
