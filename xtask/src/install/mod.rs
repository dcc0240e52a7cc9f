//! What a fresh machine lacks, brought from its package manager and from the registries.

pub(crate) mod apt;
pub(crate) mod cargo_tool;
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
    if apt::chromium_is_there() {
        packages.retain(|package| !apt::CHROMIUM.contains(package));
    }
    apt::ensure(&packages)?;
    ui::packages()
}
