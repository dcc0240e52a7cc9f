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
    let entry = write_desktop_entry()?;
    let bundler = bundler()?;
    command::show(
        node::program("node")
            .arg(bundler)
            // Only packs what was just built: `build` would compile everything again, with flags of its own.
            .args(["bundle", "--bundles", BUNDLES, "--config"])
            .arg(extra_files(&notices, &entry).to_string()),
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

/// The line of the desktop entry to which the media types of pictures are added.
const MEDIA_TYPES: &str = "MimeType=inode/directory;\n";

/// Writes the desktop entry of the packages, with the media types of all formats of pictures.
fn write_desktop_entry() -> Result<PathBuf> {
    let entry = std::fs::read_to_string(paths::root().join("src-tauri/fumikura.desktop"))?;
    let program = Profile::Release.out_dir().join("fumi");
    let types = command::quiet(command::program(program).args(["formats", "--media-types"]))?;
    let path = paths::target().join("release/fumikura.desktop");
    std::fs::write(&path, with_media_types(&entry, &types)?)?;
    Ok(path)
}

/// Returns a desktop entry with media types, which are listed one a line.
fn with_media_types(entry: &str, types: &str) -> Result<String> {
    let (before, after) = entry
        .split_once(MEDIA_TYPES)
        .with_context(|| format!("the desktop entry lacks the line: {MEDIA_TYPES}"))?;
    let types: String = types.lines().map(|one| format!("{one};")).collect();
    Ok(format!(
        "{before}{}{types}\n{after}",
        MEDIA_TYPES.trim_end()
    ))
}

/// The parts of the packages in addition to those of `tauri.conf.json`: the headless program, from cargo's output
/// folder wherever that is, the licences, the third-party notices, and the desktop entry.
fn extra_files(notices: &Path, entry: &Path) -> Value {
    let files = |licences: &str| {
        let mut files = json!({"/usr/bin/fumi": Profile::Release.out_dir().join("fumi")});
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            files[format!("{licences}/{name}")] = json!(paths::root().join(name));
        }
        files[format!("{licences}/{}", notices::NAME)] = json!(notices);
        json!({"files": files, "desktopTemplate": entry})
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desktop_entry_gets_the_media_types() {
        let entry = include_str!("../../src-tauri/fumikura.desktop");
        let written = with_media_types(entry, "image/jpeg\nimage/png\n").unwrap();
        let line = "\nMimeType=inode/directory;image/jpeg;image/png;\n";
        assert!(written.contains(line), "{written}");
        assert_eq!(written.replace("image/jpeg;image/png;", ""), entry);
    }

    #[test]
    fn entry_without_media_types_is_an_error() {
        assert!(with_media_types("[Desktop Entry]\n", "image/jpeg\n").is_err());
    }
}
