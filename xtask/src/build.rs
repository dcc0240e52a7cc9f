//! Builds the two programs, and the page first.

use std::path::PathBuf;

use anyhow::Result;

use crate::install::ui;
use crate::{command, paths};

/// The desktop program and the headless program, always together: built alone, either has dependencies with other
/// features, which would be compiled a second time.
const PROGRAMS: &[&str] = &["--package", "fumikura", "--package", "fumikura-cli"];
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
        Profile::Release => PROGRAMS,
    };
    ui::build()?;
    let mut cargo = command::cargo();
    cargo.arg("build").args(targets);
    if profile == Profile::Release {
        cargo.arg("--release");
    }
    command::show(&mut cargo)
}
