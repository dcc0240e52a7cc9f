//! `cargo xtask dist`: the .deb and .rpm packages.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::install::{node, ui};
use crate::{command, install, place, say};

/// The bundler, from the npm registry. An AppImage would need a download from elsewhere.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";
const BUNDLES: &str = "deb,rpm";

pub(crate) fn run() -> Result<()> {
    install::for_building()?;
    ui::build()?;
    let bundler = bundler()?;
    command::show(
        node::program("node")
            .arg(bundler)
            .args(["build", "--bundles", BUNDLES]),
    )?;
    let bundles = place::target().join("release/bundle");
    for kind in BUNDLES.split(',') {
        let dir = bundles.join(kind);
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == kind) {
                say::step("package", path.display());
            }
        }
    }
    Ok(())
}

/// The bundler's script, installed once into the tools folder at its fixed version.
fn bundler() -> Result<PathBuf> {
    let prefix = place::tools().join("tauri-cli");
    let script = prefix.join("node_modules/@tauri-apps/cli/tauri.js");
    let stamp = prefix.join(".installed");
    if script.is_file()
        && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == BUNDLER)
    {
        return Ok(script);
    }
    say::step("tools", format!("installing {BUNDLER}"));
    std::fs::create_dir_all(&prefix)?;
    command::quiet(
        node::program("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(&prefix)
            .arg(BUNDLER),
    )?;
    std::fs::write(stamp, BUNDLER)?;
    Ok(script)
}
