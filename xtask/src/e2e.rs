//! `cargo xtask e2e [FILTER]`: runs only the end-to-end scenarios.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::{command, install, test};

#[derive(clap::Args)]
pub(crate) struct E2eTaskOptions {
    /// Only the scenarios whose name holds this
    filter: Option<String>,
}

pub(crate) fn run(options: &E2eTaskOptions) -> Result<()> {
    install::for_testing()?;
    build::programs(Profile::Dev)?;
    let mut cargo = test::cargo_tests(&["--test", "e2e", "--"]);
    cargo.args(&options.filter);
    command::show(&mut cargo)
}
