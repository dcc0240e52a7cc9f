//! `cargo xtask soak`: a server under continuous use, for hours.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::build::{self, Profile};
use crate::{install, tests_crate};

/// The longest warm-up, in minutes.
const WARM_UP: u32 = 10;

#[derive(clap::Args)]
pub(crate) struct SoakTaskOptions {
    /// Duration of the clients' work, in hours
    #[arg(long, default_value_t = 1)]
    hours: u32,
    /// Duration in minutes instead, to try it out
    #[arg(long, conflicts_with = "hours")]
    minutes: Option<u32>,
    /// Number of clients of the wiki
    #[arg(long, default_value_t = 4)]
    clients: u32,
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 1000)]
    pages: u32,
    /// Let the server's clock be as it is
    #[arg(long)]
    no_clock_jumps: bool,
    /// Use programs of the dev profile
    #[arg(long)]
    dev: bool,
}

pub(crate) fn run(options: &SoakTaskOptions) -> Result<()> {
    let profile = match options.dev {
        true => Profile::Dev,
        false => Profile::Release,
    };
    let minutes = options.minutes.unwrap_or(options.hours * 60);
    install::for_building()?;
    let mut arguments: Vec<String> = [
        ("--minutes", minutes),
        ("--warm-up", WARM_UP.min(minutes / 2)),
        ("--clients", options.clients),
        ("--pages", options.pages),
    ]
    .into_iter()
    .flat_map(|(name, value)| [name.to_owned(), value.to_string()])
    .collect();
    if !options.no_clock_jumps {
        let library = faketime()?.to_string_lossy().into_owned();
        arguments.extend(["--faketime".to_owned(), library]);
    }
    build::programs(profile)?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    tests_crate::program("bench_soak", profile, &arguments)
}

/// Returns the library that offsets a program's clock.
fn faketime() -> Result<PathBuf> {
    let folder = install::apt::unpack("libfaketime")?.join("usr/lib");
    for entry in fs::read_dir(&folder)? {
        let library = entry?.path().join("faketime/libfaketime.so.1");
        if library.is_file() {
            return Ok(library);
        }
    }
    None.with_context(|| format!("{} has no libfaketime", folder.display()))
}
