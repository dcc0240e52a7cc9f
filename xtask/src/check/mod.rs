//! `cargo xtask check`: every check that needs no running program.

mod licences;
pub(crate) mod metadata;
mod tidy;

use anyhow::Result;

use crate::build::{self, Profile};
use crate::install::{self, node};
use crate::phases::Phases;
use crate::{command, generate, notices, paths};

pub(crate) fn run() -> Result<()> {
    let mut phases = Phases::new();
    phases.need("packages", install::for_checking)?;
    quick(&mut phases);
    phases.need("build", || build::programs(Profile::Dev))?;
    thorough(&mut phases);
    phases.finish()
}

/// Runs the checks that take seconds.
pub(crate) fn quick(phases: &mut Phases) {
    phases.step("format", || {
        command::show(command::cargo().args(["fmt", "--all", "--check"]))
    });
    phases.step("house rules", house_rules);
    phases.step("page types", || npm("check"));
    phases.step("page lint", || npm("lint"));
}

/// Runs the checks of the sources' text.
pub(crate) fn house_rules() -> Result<()> {
    tidy::run()
}

/// Runs the checks that compile. They need the built programs.
pub(crate) fn thorough(phases: &mut Phases) {
    phases.step("generated", generate::check);
    phases.step("clippy", || {
        command::show(command::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ]))
    });
    phases.step("licences", licences::run);
    phases.step("notices", || notices::write().map(drop));
}

fn npm(script: &str) -> Result<()> {
    command::quiet(
        node::program("npm")
            .current_dir(paths::ui())
            .args(["run", "--silent", script]),
    )
    .map(drop)
}
