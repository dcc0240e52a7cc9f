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
    let page = phases.beside(page);
    phases.need("build", || build::programs(Profile::Dev))?;
    phases.step("generated", generate::check);
    clippy(&mut phases);
    phases.join(page);
    phases.finish()
}

/// Runs the checks that take seconds.
pub(crate) fn quick(phases: &mut Phases) {
    phases.step("format", || {
        command::show(command::cargo().args(["fmt", "--all", "--check"]))
    });
    phases.step("house rules", house_rules);
    phases.step("licences", licences::run);
    phases.step("notices", || notices::write().map(drop));
}

/// Runs the checks of the sources' text.
pub(crate) fn house_rules() -> Result<()> {
    tidy::run()
}

/// Runs the checks of the page's types and style, which keep one processor busy for minutes.
pub(crate) fn page(phases: &mut Phases) {
    phases.step("page types", || npm("check"));
    phases.step("page lint", || npm("lint"));
}

/// Runs the check that compiles.
pub(crate) fn clippy(phases: &mut Phases) {
    phases.step("clippy", || {
        command::quiet(command::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ]))
        .map(drop)
    });
}

fn npm(script: &str) -> Result<()> {
    command::quiet(
        node::program("npm")
            .current_dir(paths::ui())
            .args(["run", "--silent", script]),
    )
    .map(drop)
}
