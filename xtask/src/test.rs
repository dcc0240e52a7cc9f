//! `cargo xtask test`: installs, builds and runs every test, as CI does. `cargo xtask e2e [FILTER]` runs only the
//! end-to-end scenarios.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::mpsc;

use anyhow::{Context, Result};

use crate::install::{node, ui};
use crate::phases::{Beside, Phases};
use crate::tally::Tally;
use crate::{build, check, command, dist, generate, install, paths, tests_crate};

/// The seed of the cases of property tests.
const SEED: &str = "4";

#[derive(clap::Args)]
pub(crate) struct TestTaskOptions {
    /// The long versions: more cases, more crashes, more of everything
    #[arg(long, conflicts_with = "fast")]
    full: bool,
    /// Only the tests without processes, windows and browsers: of the crates, of REST, and of the page's files
    /// that differ from the last commit. For use between edits, when everything is built
    #[arg(long)]
    fast: bool,
    /// Only the trial of the package of `cargo xtask dist`: installed in a clean root, used, upgraded and removed
    #[arg(long, conflicts_with_all = ["full", "fast"])]
    packages: bool,
}

#[derive(clap::Args)]
pub(crate) struct E2eTaskOptions {
    /// Only the scenarios whose name holds this
    filter: Option<String>,
}

pub(crate) fn run(options: &TestTaskOptions) -> Result<()> {
    let mut phases = Phases::new();
    if options.packages {
        return dist::trial::run();
    }
    if options.fast {
        phases.need("page", ui::build)?;
        phases.count("page tests", |tally| page_tests(&["--changed"], tally));
        phases.step("house rules", check::house_rules);
        phases.count("unit tests", |tally| {
            cargo_test(options, &["--lib", "--bins"], tally)
        });
        phases.count("REST", |tally| {
            cargo_test(options, &["--test", "rest"], tally)
        });
        return phases.finish();
    }
    phases.need("packages", install::for_testing)?;
    phases.need("page", ui::build)?;
    check::quick(&mut phases);
    phases.count("page tests", |tally| page_tests(&[], tally));
    let page = phases.beside(check::page);
    phases.need("build", || build::programs(build::Profile::Dev))?;
    phases.step("generated", generate::check);
    // No doc comment has an example, and `rustdoc` would look for some in each crate.
    phases.count("unit tests", |tally| {
        cargo_test(options, &["--tests"], tally)
    });
    let clippy = suites(options, &mut phases)?;
    phases.join(page);
    phases.join(clippy);
    phases.finish()
}

pub(crate) fn run_scenarios(options: &E2eTaskOptions) -> Result<()> {
    install::for_testing()?;
    build::programs(build::Profile::Dev)?;
    let mut cargo = cargo_tests(&["--test", "e2e", "--"]);
    cargo.args(&options.filter);
    command::show(&mut cargo)
}

/// Runs the suites of `tests/`, and clippy beside the last one. Not earlier: cargo compiles one thing at a time, and
/// the suites would wait for it.
fn suites(options: &TestTaskOptions, phases: &mut Phases) -> Result<Beside> {
    let (begin, compiled) = mpsc::channel();
    let clippy = phases.beside(move |phases| {
        // An error says that the last suite has ended without a test.
        let _ = compiled.recv();
        check::clippy(phases);
    });
    let mut suites = tests_crate::suites()?;
    let last = suites.pop().context("tests/ has no suite")?;
    for suite in suites {
        phases.count(suite.phase(), |tally| {
            cargo_test(options, &suite.arguments(), tally)
        });
    }
    phases.count(last.phase(), |tally| {
        command::follow(&mut cargo_tests_of(options, &last.arguments()), |line| {
            if line.starts_with("running ") {
                // It fails if clippy has ended already.
                let _ = begin.send(());
            }
            tally.read(line);
        })
    });
    Ok(clippy)
}

fn page_tests(arguments: &[&str], tally: &mut Tally) -> Result<()> {
    command::follow(
        node::program("npm")
            .current_dir(paths::ui())
            .args(["run", "--silent", "test", "--"])
            .args(arguments)
            // Colours would hide the closing line from the parser, and CI makes vitest use them.
            .env("NO_COLOR", "1")
            .env_remove("FORCE_COLOR"),
        |line| tally.read(line),
    )
}

fn cargo_test(
    options: &TestTaskOptions,
    arguments: &[impl AsRef<OsStr>],
    tally: &mut Tally,
) -> Result<()> {
    command::follow(&mut cargo_tests_of(options, arguments), |line| {
        tally.read(line);
    })
}

fn cargo_tests_of(options: &TestTaskOptions, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut cargo = cargo_tests(arguments);
    if options.full {
        cargo.env("FUMIKURA_FULL", "1");
    } else {
        // The same cases in each run, so that a failure is due to the change under test. The long versions,
        // and `cargo test` alone, look for new cases.
        cargo.env("PROPTEST_RNG_SEED", SEED);
    }
    cargo
}

/// Returns the test command, always for the whole workspace, so that every phase shares one build of the
/// dependencies.
fn cargo_tests(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut cargo = command::cargo();
    cargo
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(arguments);
    cargo.env("FUMIKURA_PROGRAMS", build::Profile::Dev.out_dir());
    // For tests that run parts of the page outside of a browser.
    cargo.env("FUMIKURA_NODE", node::path());
    if let Some(path) = install::chromium::search_path() {
        cargo.env("PATH", path);
    }
    cargo
}
