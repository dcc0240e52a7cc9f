//! Building the two programs, with the page beside them.

use std::path::PathBuf;

use anyhow::Result;

use crate::install::ui;
use crate::{command, place};

/// The window and the headless program.
pub(crate) const PROGRAMS: &[&str] = &["--package", "fumikura", "--package", "fumikura-cli"];

/// How a program is built.
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

    /// Where cargo puts what it builds so.
    pub(crate) fn out_dir(self) -> PathBuf {
        place::target().join(self.dir())
    }
}

/// Builds the page, then both programs.
pub(crate) fn programs(profile: Profile) -> Result<()> {
    ui::build()?;
    let mut cargo = command::cargo();
    cargo.arg("build").args(PROGRAMS);
    if profile == Profile::Release {
        cargo.arg("--release");
    }
    command::show(&mut cargo)
}
