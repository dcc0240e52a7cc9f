//! Builds the two programs, and the page first.

mod headless;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::install::ui;
use crate::{command, paths};

/// The desktop program that contains the headless one.
const PROGRAMS_IN_ONE: &[&str] = &["--package", "fumikura", "--features", "fumi"];
/// Both programs with the features of the whole workspace, so that tests share one build of the dependencies with them.
const PROGRAMS_OF_WORKSPACE: &[&str] = &["--workspace", "--bin", "fumikura", "--bin", "fumi"];

/// A build profile of cargo.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    Release,
}

impl Profile {
    fn dir(self) -> &'static str {
        match self {
            Self::Dev => "debug",
            Self::Release => "release",
        }
    }

    /// Returns the folder of cargo's output for this profile.
    pub(crate) fn out_dir(self) -> PathBuf {
        paths::target().join(self.dir())
    }
}

/// Builds the page, then both programs.
pub(crate) fn programs(profile: Profile) -> Result<()> {
    let targets = match profile {
        Profile::Dev => PROGRAMS_OF_WORKSPACE,
        Profile::Release => PROGRAMS_IN_ONE,
    };
    ui::build()?;
    let mut cargo = command::cargo();
    cargo.arg("build").args(targets);
    if profile == Profile::Release {
        cargo.arg("--release");
    }
    command::show(&mut cargo)?;
    match profile {
        Profile::Dev => Ok(()),
        Profile::Release => derive_headless(),
    }
}

/// Writes the headless program of a release, which the desktop program contains.
pub(crate) fn derive_headless() -> Result<()> {
    let out = Profile::Release.out_dir();
    headless::derive(&out.join("fumikura"), &out.join("fumi"))?;
    // Cargo's list of the sources, by which measurements know that a program is new enough.
    let sources = out.join("fumikura.d");
    fs::copy(&sources, out.join("fumi.d"))
        .map(drop)
        .with_context(|| sources.display().to_string())
}
