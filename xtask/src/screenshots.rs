//! `cargo xtask screenshots`: pictures of the real window, for the README and to look at.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::{install, place, say, tests_crate};

pub(crate) fn run() -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Dev)?;
    let docs = place::root().join("docs/pictures");
    let all = place::target().join("screenshots");
    tests_crate::program(
        "screenshots",
        Profile::Dev,
        &[
            "--readme",
            &docs.to_string_lossy(),
            "--all",
            &all.to_string_lossy(),
        ],
    )?;
    say::step(
        "screenshots",
        format!("in {} and {}", docs.display(), all.display()),
    );
    Ok(())
}
