//! `cargo xtask advisories`: compares all dependencies with the advisories of RustSec. A command of its own, because
//! it downloads them, and `check` must not depend on a download.

use anyhow::{Context, Result};

use crate::install::cargo_tool;
use crate::{command, output};

pub(crate) fn run() -> Result<()> {
    let deny = cargo_tool::DENY.ensure()?;
    output::step("advisories", "compares the dependencies with RustSec");
    let mut check = command::program(deny);
    command::show(check.args(["check", "advisories"]))
        .context("an advisory applies, or the advisories could not be downloaded")
}
