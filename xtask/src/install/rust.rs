//! Parts of the Rust toolchain that a minimal one lacks.

use anyhow::{Result, bail};

use crate::{command, output, paths};

/// The names in cargo and in rustup.
const COMPONENTS: [(&str, &str); 2] = [("fmt", "rustfmt"), ("clippy", "clippy")];

/// Ensures that the formatter and the linter are installed.
pub(crate) fn ensure_components() -> Result<()> {
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
