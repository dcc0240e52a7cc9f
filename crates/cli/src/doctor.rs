//! `fumi doctor`: checks the surroundings of the program, and says what to do.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use fumikura_base::disk::free_space;
use fumikura_base::error_chain::error_chain;
use fumikura_base::exposure;
use fumikura_base::printable::Printable;
use fumikura_server::{Config, find_running};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::client::{Client, Common, RunningServer, config_of, row, text};
use crate::maintenance::EXIT_FINDINGS;
use crate::output;

/// The free space of a disk below which there is a warning.
const LITTLE_SPACE: u64 = 1 << 30;
/// The age of the last proved backup from which there is a warning, as in the status bar.
const OLD_BACKUP: SignedDuration = SignedDuration::from_hours(3 * 24);
/// The number of watched folders and files from which large picture folders can be watched.
const ENOUGH_WATCHES: u64 = 8192;
/// The system's limit of watched folders and files of one user.
const WATCHES_FILE: &str = "/proc/sys/fs/inotify/max_user_watches";

#[derive(Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    common: Common,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fine,
    Warning,
    Fault,
}

/// The checks that were made, and their findings.
struct Finding {
    check: &'static str,
    state: State,
    words: String,
}

/// The findings so far.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, check: &'static str, state: State, words: impl Into<String>) {
        let words = words.into();
        self.0.push(Finding {
            check,
            state,
            words,
        });
    }
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

pub(crate) fn run(arguments: &DoctorArguments) -> anyhow::Result<ExitCode> {
    let common = &arguments.common;
    let mut findings = Findings::default();
    findings.add("version", State::Fine, env!("CARGO_PKG_VERSION"));
    match config_of(common) {
        Ok(config) => {
            findings.add("configuration", State::Fine, shown(&config.config_file));
            check_folders(&mut findings, &config);
            check_data(&mut findings, common, &config.data_dir);
        }
        Err(error) => findings.add("configuration", State::Fault, error_chain(error.as_ref())),
    }
    check_watches(&mut findings);
    check_desktop(&mut findings)?;
    let mut out = output::stdout();
    for Finding {
        check,
        state,
        words,
    } in &findings.0
    {
        let state = state.word();
        match common.json {
            true => writeln!(
                out,
                "{}",
                json!({"check": check, "state": state, "message": words})
            )?,
            false => out.write_row(&row(&[state, check, words]))?,
        }
    }
    Ok(
        match findings.0.iter().any(|one| one.state == State::Fault) {
            true => EXIT_FINDINGS.into(),
            false => ExitCode::SUCCESS,
        },
    )
}

/// Checks the folders of data, cache and thumbnails.
fn check_folders(findings: &mut Findings, config: &Config) {
    for (check, folder) in [
        ("data folder", &config.data_dir),
        ("cache folder", &config.cache_dir),
        ("thumbnails", &config.thumbs_dir),
    ] {
        if let Err(error) = exposure::check(folder) {
            findings.add(check, State::Fault, error_chain(&error));
            continue;
        }
        let words = shown(folder);
        // A folder that does not exist yet is created on the disk of the nearest one above it.
        let existing = folder.ancestors().find(|above| above.is_dir());
        let existing = existing.unwrap_or(Path::new("/"));
        if rustix::fs::access(existing, rustix::fs::Access::WRITE_OK).is_err() {
            findings.add(check, State::Fault, format!("{words} can't be written to"));
            continue;
        }
        match free_space(existing) {
            Ok(free) if free < LITTLE_SPACE => {
                let free = free >> 20;
                let words = format!("{words}: only {free} MiB are free on its disk");
                findings.add(check, State::Warning, words);
            }
            Ok(_) => findings.add(check, State::Fine, words),
            Err(error) => findings.add(check, State::Fault, error_chain(&error)),
        }
    }
}

/// Checks the server, the data and the state of what is done in the background.
fn check_data(findings: &mut Findings, common: &Common, data: &Path) {
    match RunningServer::find(Some(data)) {
        Ok(server) => findings.add("server", State::Fine, server.url()),
        Err(_) if find_running(data).is_none() => {
            findings.add("server", State::Fine, "none is running");
        }
        Err(_) => findings.add(
            "server",
            State::Warning,
            "the last one ended without removing its address; the next start does that",
        ),
    }
    if !data.join("wiki.redb").exists() && !data.join("backups").is_dir() {
        findings.add(
            "data",
            State::Fine,
            "none yet; the first start creates them",
        );
        return;
    }
    let checked = Client::open(common).and_then(|client| {
        check_pages(findings, &client)?;
        check_backups(findings, &client)?;
        check_background(findings, &client)
    });
    if let Err(error) = checked {
        findings.add("data", State::Fault, error_chain(error.as_ref()));
    }
}

fn check_pages(findings: &mut Findings, client: &Client) -> anyhow::Result<()> {
    let pages = client.get("api/pages?limit=1")?;
    let words = match pages["items"].as_array().is_none_or(Vec::is_empty) {
        true => "the database opens, and has no pages yet",
        false => "the database opens; “fumi check” checks all of it",
    };
    findings.add("data", State::Fine, words);
    for root in client.get("api/roots")?.as_array().into_iter().flatten() {
        let path = text(root, "path");
        match root["available"] == true {
            true => findings.add("picture folder", State::Fine, path),
            false => {
                let words = format!("{path} can't be reached; connect its disk");
                findings.add("picture folder", State::Warning, words);
            }
        }
    }
    Ok(())
}

fn check_backups(findings: &mut Findings, client: &Client) -> anyhow::Result<()> {
    let backups = client.get("api/backups")?;
    let proved = backups["last_proved"].as_str();
    let proved = proved.map(str::parse::<Timestamp>).transpose();
    match proved.context("the time of a backup is invalid")? {
        None => findings.add(
            "backup",
            State::Warning,
            "there is no proved backup; “fumi backup” makes one",
        ),
        Some(at) if Timestamp::now().duration_since(at) > OLD_BACKUP => {
            let words = format!("the last proved backup is of {at}; “fumi backup” makes one");
            findings.add("backup", State::Warning, words);
        }
        Some(at) => findings.add("backup", State::Fine, format!("proved, of {at}")),
    }
    Ok(())
}

/// Checks the mirror, the expiry of thumbnails, and the thumbnails.
fn check_background(findings: &mut Findings, client: &Client) -> anyhow::Result<()> {
    let mirror = client.get("api/mirror")?;
    match (
        mirror["folder"].as_str(),
        mirror["failure_message"].as_str(),
    ) {
        (None, _) => {}
        (Some(_), Some(failure)) => findings.add("mirror", State::Warning, failure),
        (Some(folder), None) => findings.add("mirror", State::Fine, folder),
    }
    if client.get("api/ttl")?["overdue"] == true {
        let words = "no expiry run has succeeded for days; see “fumi ttl list”";
        findings.add("expiry", State::Warning, words);
    }
    let cache = client.get("api/cache")?;
    let counted = |field: &str| cache[field].as_u64().unwrap_or_default() >> 20;
    let (used, limit) = (counted("used_bytes"), counted("limit_bytes"));
    let words = format!("{used} of {limit} MiB are used");
    findings.add("thumbnails", State::Fine, words);
    Ok(())
}

/// Checks the number of folders that the system can watch.
fn check_watches(findings: &mut Findings) {
    // Another system has no such limit.
    let limit = fumikura_base::own_file::read_users(Path::new(WATCHES_FILE), 64);
    let Some(limit) = limit
        .ok()
        .and_then(|limit| limit.trim().parse::<u64>().ok())
    else {
        return;
    };
    match limit < ENOUGH_WATCHES {
        true => {
            let words = format!(
                "the system watches only {limit} folders; raise fs.inotify.max_user_watches"
            );
            findings.add("watches", State::Warning, words);
        }
        false => findings.add("watches", State::Fine, limit.to_string()),
    }
}

/// Checks the desktop program, and the display for it.
fn check_desktop(findings: &mut Findings) -> io::Result<()> {
    let beside = std::env::current_exe()?.with_file_name("fumikura");
    let display = ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .find_map(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    match (beside.is_file(), display) {
        (false, _) => findings.add(
            "window",
            State::Warning,
            "the desktop program fumikura is not beside this one; “fumi serve” works without it",
        ),
        (true, None) => findings.add(
            "window",
            State::Fine,
            "no display here; “fumi serve” works without one",
        ),
        (true, Some(display)) => {
            let display = Printable(display.to_string_lossy()).to_string();
            findings.add("window", State::Fine, format!("display {display}"));
        }
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    Printable(path.display()).to_string()
}
