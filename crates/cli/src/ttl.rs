//! `fumi ttl`: expiry of unread thumbnails and folder indexes.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::files::OpenFolders;
use crate::output;

#[derive(Args)]
pub(crate) struct TtlArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: TtlCommand,
}

#[derive(Subcommand)]
enum TtlCommand {
    /// List the policies and the cached files of each folder
    List,
    /// Set the policy of a folder
    Set {
        /// An opened folder, by its path or id, or "default" for all folders without a policy of their own
        folder: PathBuf,
        #[command(flatten)]
        policy: Policy,
        /// Remove thumbnails of missing pictures, at any age
        #[arg(long)]
        remove_gone: bool,
    },
    /// Remove expired files
    Run {
        /// Only print what would expire
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Policy {
    /// Days without a read after which thumbnails expire, 1 to 3650
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: Option<u32>,
    /// Nothing expires
    #[arg(long)]
    off: bool,
    /// Follow the default policy
    #[arg(long)]
    follow_default: bool,
}

pub(crate) fn run(arguments: &TtlArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match &arguments.command {
        TtlCommand::List => list(&client, json),
        TtlCommand::Set {
            folder,
            policy,
            remove_gone,
        } => set(&client, folder, policy, *remove_gone, json),
        TtlCommand::Run { dry_run: true } => {
            let would = client.get("api/ttl/preview")?;
            let line = format!(
                "{} files, {} bytes would expire",
                would["artifacts"], would["bytes"]
            );
            print(json, &would, &line)
        }
        TtlCommand::Run { dry_run: false } => {
            let start = || client.send("POST", "api/ttl/run");
            let remains = "what was removed until then stays removed";
            let done = client.run_job(start, json, remains)?;
            let line = format!(
                "Removed {} files, {} bytes",
                done["artifacts"], done["bytes"]
            );
            print(json, &done, &line)
        }
    }
}

/// Prints one line for each group: its policy, its files and bytes in the cache, and its folder.
fn list(client: &Client, json: bool) -> anyhow::Result<()> {
    let state = client.get("api/ttl")?;
    let mut out = output::stdout();
    if json {
        writeln!(out, "{state}")?;
        return Ok(());
    }
    if let Some(notice) = overdue_notice(&state) {
        output::notice(&notice);
    }
    let default = describe_policy(&state["default"]);
    out.write_row(&row(&["default", &default, "", "", ""]))?;
    for group in state["groups"].as_array().into_iter().flatten() {
        let sum = |field: &str| {
            let of = |kind: &str| group[kind][field].as_u64().unwrap_or_default();
            (of("blobs") + of("manifests")).to_string()
        };
        let policy = match group["is_default"].as_bool() {
            Some(true) => "default".to_owned(),
            _ => describe_policy(&group["policy"]),
        };
        let fields = [
            text(group, "group"),
            &policy,
            &sum("artifacts"),
            &sum("bytes"),
            text(group, "path"),
        ];
        out.write_row(&row(&fields))?;
    }
    Ok(())
}

/// Returns a warning if no run has succeeded for days.
fn overdue_notice(state: &Value) -> Option<String> {
    if state["overdue"] != true {
        return None;
    }
    Some(match state["last_success"].as_str() {
        Some(last) => format!("No expiry run has succeeded since {last}"),
        None => "No expiry run has succeeded yet".to_owned(),
    })
}

fn describe_policy(policy: &Value) -> String {
    let removal = match policy["remove_gone"].as_bool() {
        Some(true) => ", gone removed",
        _ => "",
    };
    match policy["enabled"].as_bool() {
        Some(true) => format!("{} days{removal}", policy["ttl_days"]),
        _ => format!("off{removal}"),
    }
}

fn set(
    client: &Client,
    folder: &Path,
    policy: &Policy,
    remove_gone: bool,
    json: bool,
) -> anyhow::Result<()> {
    let is_default = folder == Path::new("default");
    let address = match is_default {
        true => "api/ttl/default".to_owned(),
        false => {
            let id = OpenFolders::get(client)?.id(folder)?;
            format!("api/roots/{}/ttl-policy", percent_encode(&id))
        }
    };
    if policy.follow_default {
        if is_default {
            bail!("the default policy follows no other one");
        }
        client.send("DELETE", &address)?;
        return print(
            json,
            &client.get(&address)?,
            "The folder follows the default policy",
        );
    }
    // Disabling expiry keeps the number of days.
    let days = match policy.days {
        Some(days) => json!(days),
        None => client.get(&address)?["ttl_days"].clone(),
    };
    let body = json!({
        "enabled": policy.days.is_some(),
        "ttl_days": days,
        "remove_gone": remove_gone,
    });
    let headers = [("content-type", "application/json")];
    let answer = client.ask("PUT", &address, &headers, body.to_string().as_bytes())?;
    let set = answer.json()?;
    print(json, &set, &describe_policy(&set))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_runs_are_noticed() {
        let of = |overdue: bool, last: Option<&str>| {
            overdue_notice(&json!({"overdue": overdue, "last_success": last}))
        };
        let last = Some("2026-11-18T12:00:00Z");
        assert_eq!(of(false, last), None);
        assert_eq!(
            of(true, last).unwrap(),
            "No expiry run has succeeded since 2026-11-18T12:00:00Z"
        );
        assert_eq!(of(true, None).unwrap(), "No expiry run has succeeded yet");
    }
}
