//! `cargo xtask dist`: the .deb and .rpm packages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::build::{self, Profile};
use crate::install::node;
use crate::{command, install, notices, output, paths};

/// The bundler, from the npm registry. An AppImage would need a download from another source.
const BUNDLER: &str = "@tauri-apps/cli@2.12.5";
const BUNDLES: &str = "deb,rpm";

pub(crate) fn run() -> Result<()> {
    install::for_building()?;
    build::programs(Profile::Release)?;
    let notices = notices::write()?;
    let bundler = bundler()?;
    command::show(
        node::program("node")
            .arg(bundler)
            // Only packs what was just built: `build` would compile everything again, with flags of its own.
            .args(["bundle", "--bundles", BUNDLES, "--config"])
            .arg(extra_files(&notices).to_string()),
    )?;
    let bundles = paths::target().join("release/bundle");
    for kind in BUNDLES.split(',') {
        let dir = bundles.join(kind);
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == kind) {
                output::step("package", path.display());
            }
        }
    }
    Ok(())
}

/// The files that the packages contain in addition to those of `tauri.conf.json`: the headless program, from
/// cargo's output folder wherever that is, the licences, and the third-party notices.
fn extra_files(notices: &Path) -> Value {
    let files = |licences: &str| {
        let mut files = json!({"/usr/bin/fumi": Profile::Release.out_dir().join("fumi")});
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            files[format!("{licences}/{name}")] = json!(paths::root().join(name));
        }
        files[format!("{licences}/{}", notices::NAME)] = json!(notices);
        json!({"files": files})
    };
    json!({"bundle": {"linux": {
        "deb": files("/usr/share/doc/fumikura"),
        "rpm": files("/usr/share/licenses/fumikura"),
    }}})
}

/// Returns the bundler's script, installed once into the tools folder at its fixed version.
fn bundler() -> Result<PathBuf> {
    let prefix = paths::tools().join("tauri-cli");
    let script = prefix.join("node_modules/@tauri-apps/cli/tauri.js");
    let stamp = prefix.join(".installed");
    if script.is_file()
        && std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == BUNDLER)
    {
        return Ok(script);
    }
    output::step("tools", format!("installing {BUNDLER}"));
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
