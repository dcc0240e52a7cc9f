//! What a fresh machine lacks, brought from its package manager and from the registries.

pub(crate) mod apt;
pub(crate) mod cargo_tool;
pub(crate) mod chromium;
pub(crate) mod node;
pub(crate) mod ui;

use anyhow::Result;

/// Everything that a build needs.
pub(crate) fn for_building() -> Result<()> {
    apt::ensure(apt::BUILD)?;
    ui::packages()
}

/// Everything that a build and the tests need.
pub(crate) fn for_testing() -> Result<()> {
    let mut packages = apt::BUILD.to_vec();
    packages.extend(apt::TEST);
    let chromium = chromium::source()?;
    packages.extend(chromium.packages());
    apt::ensure(&packages)?;
    ui::packages()?;
    chromium.install()
}
