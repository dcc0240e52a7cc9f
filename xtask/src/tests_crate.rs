//! The workspace members `tests/` and `benches/`: suites, and programs that drive the real application.

use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context, Result};

use crate::build::Profile;
use crate::{command, install};

/// A suite of `tests/` (`rest`, `agreement`, `crash`, `e2e`).
pub(crate) struct Suite {
    name: String,
}

impl Suite {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the arguments of cargo that run it.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--test".to_owned(), self.name.clone()];
        // Tests per two processors: crash tests wait for processes half of the time, windows and browsers a third.
        let threads = match self.name() {
            "crash" => 4,
            "e2e" => 3,
            _ => return arguments,
        };
        let processors = available_parallelism().map_or(2, usize::from);
        arguments.extend(["--".to_owned(), "--test-threads".to_owned()]);
        arguments.push((processors * threads).div_ceil(2).to_string());
        arguments
    }

    /// Returns the name in the summary.
    pub(crate) fn phase(&self) -> &'static str {
        match self.name.as_str() {
            "rest" => "REST",
            "agreement" => "agreement",
            "crash" => "crashes",
            "e2e" => "end to end",
            _ => "another suite",
        }
    }
}

/// Returns the suites that `tests/Cargo.toml` declares, in its order.
pub(crate) fn suites() -> Result<Vec<Suite>> {
    let metadata = crate::check::metadata::read()?;
    let package = metadata
        .package("fumikura-tests")
        .context("the workspace has no member fumikura-tests")?;
    Ok(package
        .test_targets()
        .map(|name| Suite {
            name: name.to_owned(),
        })
        .collect())
}

/// Runs one of the programs against the application as it was just built.
pub(crate) fn program(name: &str, profile: Profile, arguments: &[&str]) -> Result<()> {
    drive(name, profile, Profile::Dev, arguments)
}

/// Runs a program whose own performance matters, built with the application's profile.
pub(crate) fn optimized(profile: Profile, name: &str, arguments: &[&str]) -> Result<()> {
    drive(name, profile, profile, arguments)
}

/// Returns the package of a program. Measurements have one of their own, which tests do not build.
fn package_of(program: &str) -> &'static str {
    match program.starts_with("bench_") {
        true => "fumikura-benches",
        false => "fumikura-tests",
    }
}

/// Runs a program that is built with the profile `own` against programs of `profile`.
fn drive(name: &str, profile: Profile, own: Profile, arguments: &[&str]) -> Result<()> {
    let mut program = built(name, profile, own)?;
    if let Some(path) = install::chromium::search_path() {
        program.env("PATH", path);
    }
    command::show(
        program
            .args(arguments)
            .env("FUMIKURA_PROGRAMS", profile.out_dir()),
    )
}

/// Runs a program that measures without the application.
pub(crate) fn alone(profile: Profile, name: &str, arguments: &[&str]) -> Result<()> {
    command::show(built(name, profile, profile)?.args(arguments))
}

/// Returns a command of a program that is built first.
fn built(name: &str, profile: Profile, own: Profile) -> Result<Command> {
    let mut cargo = command::cargo();
    match profile {
        // With the features of the whole workspace, as all else of the dev profile; `cargo run` can't do that.
        Profile::Dev => {
            command::show(cargo.args(["build", "--quiet", "--workspace", "--bin", name]))?;
            return Ok(command::program(profile.out_dir().join(name)));
        }
        Profile::Release => cargo.args(["run", "--quiet", "--package", package_of(name)]),
    };
    if own == Profile::Release {
        cargo.arg("--release");
    }
    cargo.args(["--bin", name, "--"]);
    Ok(cargo)
}
