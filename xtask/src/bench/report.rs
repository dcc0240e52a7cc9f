//! `docs/PERFORMANCE.md`: the figures of the last run of each measurement, the machine and the peers.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::all::{MEASUREMENTS, Measurement};
use super::scale::SCALE;
use crate::{command, output, paths};

const PAGE: &str = "docs/PERFORMANCE.md";
const SCALE_PAGE: &str = "docs/SCALE.md";
/// The heading below which the page of growth is generated.
const SCALE_FIGURES: &str = "## Figures\n\n";

const INTRODUCTION: &str = "# Performance

`cargo xtask bench all --report` wrote this page. Each figure is a ratio to a peer that did the same work in the same \
run, or has a unit. An aim that is not met is stated as such. `--only NAME` repeats one measurement and keeps the \
figures of the others.
";

/// Writes the page.
pub(super) fn write() -> Result<()> {
    let runs = runs()?;
    let mut page = format!("{INTRODUCTION}\n## Machine\n\n{}", machine()?);
    page.push_str(&format!("\n## Peers\n\n{}", peers(&runs)?));
    page.push_str("\n## Figures\n");
    for (_, run) in &runs {
        page.push_str(&section(run)?);
    }
    fs::write(paths::root().join(PAGE), page)?;
    output::step("report", PAGE);
    Ok(())
}

/// Writes the figures of the last measurement of growth below the words of its page.
pub(super) fn write_scale() -> Result<()> {
    let page = paths::root().join(SCALE_PAGE);
    let text = fs::read_to_string(&page)?;
    let (words, _) = text
        .split_once(SCALE_FIGURES)
        .context("the page has no place for figures")?;
    let run = fs::read_to_string(SCALE.file())?;
    let run = serde_json::from_str(&run)?;
    let (machine, section) = (machine()?, section(&run)?);
    fs::write(page, format!("{words}{SCALE_FIGURES}{machine}{section}"))?;
    output::step("report", SCALE_PAGE);
    Ok(())
}

/// Returns the measurements that have run, with their figures.
fn runs() -> Result<Vec<(&'static Measurement, Value)>> {
    let mut runs = Vec::new();
    for measurement in &MEASUREMENTS {
        let path = measurement.file();
        if path.exists() {
            let text = fs::read_to_string(&path)?;
            let run = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
            runs.push((measurement, run));
        }
    }
    Ok(runs)
}

/// Returns the section of a run.
fn section(run: &Value) -> Result<String> {
    let text = |field: &str| run[field].as_str().context("a run lacks a field");
    let mut section = format!(
        "\n### `{}`\n\nCommit {}, {}.\n\n| Work | Peer | Figure | Aim | |\n| --- | --- | --- | --- | --- |\n",
        text("command")?,
        text("commit")?,
        text("date")?
    );
    for figure in run["figures"].as_array().into_iter().flatten() {
        writeln!(section, "{}", row(figure))?;
    }
    Ok(section)
}

fn row(figure: &Value) -> String {
    let unit = match figure["unit"].as_str() {
        None | Some("") => String::new(),
        Some(unit) => format!(" {unit}"),
    };
    // JSON has no other numbers than finite ones.
    let value = figure["value"]
        .as_f64()
        .map_or_else(|| "–".to_owned(), |value| format!("{value:.2}{unit}"));
    let aim = match (figure["at_most"].as_f64(), figure["at_least"].as_f64()) {
        (Some(aim), _) => format!("≤ {aim}{unit}"),
        (None, Some(aim)) => format!("≥ {aim}{unit}"),
        (None, None) => "–".to_owned(),
    };
    let met = match figure["met"].as_bool() {
        Some(true) => "met",
        Some(false) => "**not met**",
        None => "",
    };
    let work = figure["work"].as_str().unwrap_or_default();
    let peer = figure["peer"].as_str().unwrap_or("–");
    format!("| {work} | {peer} | {value} | {aim} | {met} |")
}

/// Describes this machine.
fn machine() -> Result<String> {
    let field = |file: &str, name: &str| -> Result<String> {
        let text = fs::read_to_string(file)?;
        let line = text.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_once(':'));
        Ok(value
            .map_or("unknown", |(_, value)| value.trim())
            .to_owned())
    };
    let processors = std::thread::available_parallelism()?;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let system = system
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))
        .unwrap_or("unknown");
    let disk = command::quiet(
        command::program("stat")
            .args(["--file-system", "--format=%T"])
            .arg(std::env::temp_dir()),
    )?;
    Ok(format!(
        "| | |\n| --- | --- |\n| processors | {processors} × {} |\n| memory | {} |\n| system | {}, kernel {} |\n| file system of the temporary folder | {} |\n",
        field("/proc/cpuinfo", "model name")?,
        field("/proc/meminfo", "MemTotal")?,
        system.trim_matches('"'),
        kernel.trim(),
        disk.trim()
    ))
}

/// Returns the versions of the peers of these runs.
fn peers(runs: &[(&Measurement, Value)]) -> Result<String> {
    let mut names: Vec<&str> = runs
        .iter()
        .flat_map(|(measurement, _)| measurement.peers.iter().copied())
        .collect();
    names.sort_unstable();
    names.dedup();
    let lock = fs::read_to_string(paths::root().join("Cargo.lock"))?;
    let mut table = "| Peer | Version |\n| --- | --- |\n".to_owned();
    for name in names {
        let version = version_in(&lock, name).map_or_else(|| version_of_package(name), Ok)?;
        writeln!(table, "| {name} | {version} |")?;
    }
    Ok(table)
}

/// Returns the version of a crate.
fn version_in(lock: &str, name: &str) -> Option<String> {
    let begin = format!("name = \"{name}\"\nversion = \"");
    let (_, rest) = lock.split_once(&begin)?;
    Some(rest.split('"').next()?.to_owned())
}

/// Returns the version of a Debian package that is installed, or that was unpacked.
fn version_of_package(name: &str) -> Result<String> {
    let mut policy = Command::new("apt-cache");
    let policy = command::quiet(policy.args(["policy", name]).env("LC_ALL", "C"))?;
    let version = |field: &str| {
        let line = policy.lines().find_map(|it| it.trim().strip_prefix(field));
        line.map(str::trim).filter(|version| *version != "(none)")
    };
    let version = version("Installed:").or_else(|| version("Candidate:"));
    Ok(version.unwrap_or("unknown").to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_state_figure_and_aim() {
        let figure = json!({
            "work": "JPEG", "peer": "vipsthumbnail", "value": 0.456, "unit": "",
            "at_most": 0.35, "at_least": null, "met": false,
        });
        let expected = "| JPEG | vipsthumbnail | 0.46 | ≤ 0.35 | **not met** |";
        assert_eq!(row(&figure), expected);
        let plain = json!({"work": "open", "value": 1.0, "unit": "ms"});
        assert_eq!(row(&plain), "| open | – | 1.00 ms | – |  |");
    }

    #[test]
    fn crate_versions_come_from_the_lock_file() {
        let lock = "[[package]]\nname = \"redb\"\nversion = \"4.4.0\"\n";
        assert_eq!(version_in(lock, "redb").as_deref(), Some("4.4.0"));
        assert_eq!(version_in(lock, "red"), None);
    }
}
