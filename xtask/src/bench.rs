//! `cargo xtask bench …`: measurements on this machine, beside something to compare with.

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
}

pub(crate) fn run(options: &Options) -> Result<()> {
    match options.subject {
        Subject::Start { launches } => start(launches),
    }
}

fn start(launches: u32) -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Release)?;
    // Outside the workspace, so that no other build pays for it; in the same folder, so that it shares what is built.
    command::show(
        command::cargo()
            .args(["build", "--release", "--manifest-path"])
            .arg(place::root().join("xtask/blank-window/Cargo.toml"))
            .arg("--target-dir")
            .arg(place::target().join("blank-window")),
    )?;
    let blank = place::target().join("blank-window/release/blank-window");
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
