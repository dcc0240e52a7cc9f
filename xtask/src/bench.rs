//! `cargo xtask bench …`: measurements on this machine, beside something to compare with.

use std::fs;
use std::path::PathBuf;

use anyhow::Result;

use crate::build::{self, Profile};
use crate::{command, install, place, tests_crate};

#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(clap::Subcommand)]
enum Subject {
    /// Time from start to the painted page, and memory, beside a blank window
    Start {
        /// How often each of the two is started
        #[arg(long, default_value_t = 9)]
        launches: u32,
    },
    /// What saving, reading, listing, renaming and opening cost as a wiki grows
    Wiki {
        /// How many pages the wiki has, ascending
        #[arg(long, default_value = "1000,10000,100000")]
        pages: String,
        /// How often each operation is measured
        #[arg(long, default_value_t = 300)]
        rounds: u32,
    },
    /// Time from a key press in the switcher to the painted results, beside an empty query
    Switcher {
        /// How many pages the wiki has
        #[arg(long, default_value_t = 100_000)]
        pages: u32,
        /// How often everything is typed
        #[arg(long, default_value_t = 5)]
        rounds: u32,
    },
}

pub(crate) fn run(options: &Options) -> Result<()> {
    match &options.subject {
        Subject::Start { launches } => start(*launches),
        Subject::Wiki { pages, rounds } => tests_crate::optimized(
            "bench_wiki",
            &["--pages", pages, "--rounds", &rounds.to_string()],
        ),
        Subject::Switcher { pages, rounds } => switcher(*pages, *rounds),
    }
}

fn switcher(pages: u32, rounds: u32) -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Release)?;
    tests_crate::program(
        "bench_switcher",
        Profile::Release,
        &[
            "--pages",
            &pages.to_string(),
            "--rounds",
            &rounds.to_string(),
        ],
    )
}

fn start(launches: u32) -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Release)?;
    let blank = blank_window()?;
    tests_crate::program(
        "bench_start",
        Profile::Release,
        &[
            "--blank",
            &blank.to_string_lossy(),
            "--launches",
            &launches.to_string(),
        ],
    )
}

/// Builds the blank window: outside the workspace, so that no other build pays for it, but with the
/// versions of the workspace, so that both windows stand on the same ground.
fn blank_window() -> Result<PathBuf> {
    let dir = place::root().join("xtask/blank-window");
    fs::copy(place::root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
    command::show(
        command::cargo()
            .current_dir(&dir)
            .args(["build", "--release", "--target-dir"])
            .arg(place::target()),
    )?;
    Ok(Profile::Release.out_dir().join("blank-window"))
}
