//! Cargo subcommands, built once into the tools folder at a fixed version.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use crate::{command, output, paths};

/// Compares dependencies with published advisories.
pub(crate) const DENY: CargoTool = CargoTool {
    name: "cargo-deny",
    version: "0.20.2",
};

/// Builds and runs fuzz targets.
pub(crate) const FUZZ: CargoTool = CargoTool {
    name: "cargo-fuzz",
    version: "0.13.2",
};

/// A program from crates.io.
pub(crate) struct CargoTool {
    name: &'static str,
    version: &'static str,
}

impl CargoTool {
    /// Returns the program, after building it if this version is not installed.
    pub(crate) fn ensure(&self) -> Result<PathBuf> {
        let program = paths::tools().join("bin").join(self.name);
        let stamp = paths::tools().join(format!("{}-{}.installed", self.name, self.version));
        if program.is_file() && stamp.is_file() {
            return Ok(program);
        }
        output::step("tools", format!("building {} {}", self.name, self.version));
        let start = Instant::now();
        // Unoptimised: it runs for a second, and optimising it takes minutes.
        command::quiet(
            command::cargo()
                .args(["install", "--locked", "--debug", "--force", "--root"])
                .arg(paths::tools())
                .arg(format!("{}@{}", self.name, self.version))
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .env("CARGO_TARGET_DIR", paths::tools().join("build")),
        )?;
        std::fs::remove_dir_all(paths::tools().join("build"))?;
        std::fs::write(&stamp, "")?;
        output::step(
            "tools",
            format!(
                "{} built in {}",
                self.name,
                output::format_duration(start.elapsed())
            ),
        );
        Ok(program)
    }
}
