//! Installs what a fresh machine lacks, from its package manager and from the registries.

pub(crate) mod apt;
pub(crate) mod cargo_tool;
pub(crate) mod chromium;
pub(crate) mod node;
pub(crate) mod ui;

use anyhow::{Result, bail};

use crate::{command, output, paths};

/// The parts of the Rust toolchain that a minimal one lacks, by their names in cargo and in rustup.
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Installs everything that a build needs.
pub(crate) fn for_building() -> Result<()> {
    apt::ensure(&[apt::BUILD, node::packages()].concat())?;
    ui::packages()
}

/// Installs everything that a build and the static checks need.
pub(crate) fn for_checking() -> Result<()> {
    for_building()?;
    ensure_components()
}

/// Installs everything that a build and the tests need.
pub(crate) fn for_testing() -> Result<()> {
    let chromium = chromium::source()?;
    let packages = [apt::BUILD, apt::TEST, node::packages(), chromium.packages()];
    apt::ensure(&packages.concat())?;
    ui::packages()?;
    ensure_components()?;
    chromium.install()
}

/// Ensures that the formatter and the linter are installed.
fn ensure_components() -> Result<()> {
    let missing: Vec<&str> = COMPONENTS
        .iter()
        .filter(|(name, _)| command::quiet(command::cargo().args([name, "--version"])).is_err())
        .map(|(_, component)| *component)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    if paths::on_path(&["rustup"]).is_none() {
        bail!(
            "The Rust toolchain lacks {}. Install what your system calls so, or use rustup's toolchain.",
            missing.join(" and ")
        );
    }
    output::step("rust", format!("installing {}", missing.join(" ")));
    command::quiet(
        command::program("rustup")
            .args(["component", "add"])
            .args(&missing),
    )
    .map(drop)
}
