//! Installs what a fresh machine lacks, from its package manager and from the registries.

pub(crate) mod apt;
pub(crate) mod cargo_tool;
pub(crate) mod chromium;
pub(crate) mod node;
mod rust;
pub(crate) mod ui;

use anyhow::Result;

/// Installs everything that a build needs.
pub(crate) fn for_building() -> Result<()> {
    apt::ensure(&[apt::BUILD, node::packages()].concat())?;
    ui::packages()
}

/// Installs everything that a build and the static checks need.
pub(crate) fn for_checking() -> Result<()> {
    for_building()?;
    rust::ensure_components()
}

/// Installs everything that a build and the tests need.
pub(crate) fn for_testing() -> Result<()> {
    let chromium = chromium::source()?;
    let packages = [apt::BUILD, apt::TEST, node::packages(), chromium.packages()];
    apt::ensure(&packages.concat())?;
    ui::packages()?;
    rust::ensure_components()?;
    chromium.install()
}
