//! `cargo xtask bench all`: every measurement one after the other, and a page of their figures.

use std::env;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::report;
use crate::{command, output, paths};

/// The variable by which a measurement learns the file of its figures, as `benches/src/lib.rs` names it.
const FIGURES: &str = "FUMIKURA_FIGURES";

#[derive(clap::Args)]
pub(crate) struct AllBenchOptions {
    /// Write docs/PERFORMANCE.md with the figures of the last run of each
    #[arg(long)]
    report: bool,
    /// Less work and fewer rounds, to try the measurements out
    #[arg(long)]
    quick: bool,
    /// The measurements to run, separated by commas; without it, all. Empty for none
    #[arg(long, value_delimiter = ',')]
    only: Option<Vec<String>>,
}

/// A measurement of the report.
pub(super) struct Measurement {
    pub(super) name: &'static str,
    /// The words added for a quick run, with options instead of their defaults.
    quick: &'static str,
    /// The Debian packages, or crates in `Cargo.lock`, that it is compared with.
    pub(super) peers: &'static [&'static str],
}

/// All measurements with figures, in the order of the report.
pub(super) const MEASUREMENTS: [Measurement; 19] = [
    measurement("hits", "--seconds 2 --rounds 2", &["nginx", "wrk"]),
    measurement("folder", "--pictures 10000 --rounds 2", &["findutils"]),
    measurement("thumbs", "--count 12 --rounds 2", &["libvips-tools"]),
    measurement("formats", "--count 4 --rounds 2", &["libvips-tools"]),
    measurement("export", "--count 12 --rounds 2", &["libvips-tools"]),
    measurement("jpeg", "--rounds 2", &["libjpeg-turbo-progs"]),
    measurement(
        "hash",
        "--files 10000 --rounds 1",
        &["openssl", "rhash", "hashdeep", "coreutils", "findutils"],
    ),
    measurement("limits", "--rounds 2", &["governor", "redis-server"]),
    measurement(
        "wiki",
        "--pages 1000,10000 --listed 1000 --rounds 100",
        &["redb"],
    ),
    measurement(
        "search",
        "--pages 2000 --queries 500 --pictures 5000",
        &["rusqlite", "ripgrep"],
    ),
    measurement("reading", "--pages 1000 --rounds 2", &["chromium"]),
    measurement("preview", "--pages 1000 --rounds 1", &["chromium"]),
    measurement("switcher", "--pages 1000 --rounds 1", &["chromium"]),
    measurement("start", "--launches 3", &["libwebkit2gtk-4.1-0"]),
    measurement(
        "archive",
        "--pages 1000 --files 50 --rounds 1",
        &["restic", "zip"],
    ),
    measurement("cache", "--files 50000", &["wrk"]),
    measurement("writes", "--pictures 200 --rounds 2", &[]),
    measurement("kills", "--count 25", &[]),
    measurement("soak", "--minutes 6", &["libfaketime"]),
];

pub(super) const fn measurement(
    name: &'static str,
    quick: &'static str,
    peers: &'static [&'static str],
) -> Measurement {
    Measurement { name, quick, peers }
}

impl Measurement {
    /// Returns the words after `cargo xtask`.
    fn words(&self, quick: bool, dev: bool) -> Vec<&'static str> {
        let mut words = match self.name {
            "soak" => vec![self.name],
            name => vec!["bench", name],
        };
        if quick {
            words.extend(self.quick.split(' '));
        }
        if dev {
            words.push("--dev");
        }
        words
    }

    /// Returns the file with the figures of the last run that ended.
    pub(super) fn file(&self) -> PathBuf {
        folder().join(self.name).with_extension("json")
    }
}

/// Returns the folder of the figures.
fn folder() -> PathBuf {
    paths::target().join("figures")
}

pub(super) fn run(options: &AllBenchOptions, dev: bool) -> Result<()> {
    let mut failed = Vec::new();
    for measurement in chosen(options)? {
        let words = measurement.words(options.quick, dev);
        output::step("bench", words.join(" "));
        if let Err(error) = measure(measurement, &words) {
            output::failure(&error);
            failed.push(measurement.name);
        }
    }
    if options.report {
        report::write()?;
    }
    if !failed.is_empty() {
        bail!("these measurements failed: {}", failed.join(", "));
    }
    Ok(())
}

fn chosen(options: &AllBenchOptions) -> Result<Vec<&'static Measurement>> {
    let Some(only) = &options.only else {
        return Ok(MEASUREMENTS.iter().collect());
    };
    let names = only.iter().filter(|name| !name.is_empty());
    names
        .map(|name| {
            let found = MEASUREMENTS.iter().find(|it| it.name == name);
            found.with_context(|| format!("there is no measurement {name}"))
        })
        .collect()
}

/// Runs a measurement and stores its figures. Those of the run before are kept if it fails.
pub(super) fn measure(measurement: &Measurement, words: &[&str]) -> Result<()> {
    fs::create_dir_all(folder())?;
    let lines = folder().join(measurement.name).with_extension("lines");
    if lines.exists() {
        fs::remove_file(&lines)?;
    }
    let mut xtask = command::program(env::current_exe()?);
    command::show(xtask.args(words).env(FIGURES, &lines))?;
    let text = fs::read_to_string(&lines).unwrap_or_default();
    let figures = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<Vec<Value>, _>>()?;
    ensure!(!figures.is_empty(), "{} gave no figures", measurement.name);
    let git = |words: &[&str]| command::quiet(command::program("git").args(words));
    let run = json!({
        "command": format!("cargo xtask {}", words.join(" ")),
        "commit": git(&["rev-parse", "--short", "HEAD"])?.trim(),
        "date": command::quiet(command::program("date").arg("+%F"))?.trim(),
        "figures": figures,
    });
    fs::write(measurement.file(), format!("{run:#}\n"))?;
    Ok(fs::remove_file(lines)?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Arguments;

    #[test]
    fn words_of_measurements_are_commands() {
        for measurement in &MEASUREMENTS {
            for quick in [false, true] {
                let words = measurement.words(quick, true);
                let words = std::iter::once("xtask").chain(words.iter().copied());
                let parsed = Arguments::try_parse_from(words);
                assert!(parsed.is_ok(), "{}", measurement.name);
            }
        }
    }

    #[test]
    fn unknown_measurement_is_an_error() {
        let options = |only: &str| AllBenchOptions {
            report: false,
            quick: false,
            only: Some(vec![only.to_owned()]),
        };
        assert_eq!(chosen(&options("hits")).unwrap().len(), 1);
        assert!(chosen(&options("")).unwrap().is_empty());
        assert!(chosen(&options("hit")).is_err());
    }
}
