//! Names the commands that the page may be granted; no capability file grants any of them.

#[path = "src/commands/names.rs"]
mod names;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

/// The document that names the server's commands.
const DOCUMENT: &str = "ui/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    if env::var_os("CARGO_FEATURE_FUMI").is_some() {
        hide_symbols()?;
    }
    let operations = operations()?;
    let list = Path::new(&env::var("OUT_DIR")?).join("operations.rs");
    let text = format!("&{operations:?}");
    // An unchanged list stays as old as the program, which the tests would otherwise take for outdated.
    if fs::read_to_string(&list).ok().as_ref() != Some(&text) {
        fs::write(list, text)?;
    }
    // The manifest keeps the list until the build ends.
    let operations = operations.into_iter().map(|name| &*name.leak());
    let all: Vec<&str> = operations.chain(names::SHELL_COMMANDS).collect();
    let commands = tauri_build::AppManifest::new().commands(all.leak());
    let attributes = tauri_build::Attributes::new()
        .app_manifest(commands)
        // By default cargo would watch a folder that does not exist, and so build the program anew each time.
        .capabilities_path_pattern("src-tauri/no-capabilities/*");
    tauri_build::try_build(attributes)?;
    Ok(())
}

/// Keeps the libraries of the desktop from the functions of our decoders, whose names are those of other versions of libjpeg,
/// libwebp and dav1d.
fn hide_symbols() -> Result<(), Box<dyn Error>> {
    let versions = Path::new(&env::var("OUT_DIR")?).join("no-exports.map");
    fs::write(&versions, "{ local: *; };\n")?;
    let versions = versions.display();
    println!("cargo:rustc-link-arg-bins=-Wl,--version-script={versions}");
    Ok(())
}

/// Returns the names of the commands that the server runs.
fn operations() -> Result<Vec<String>, Box<dyn Error>> {
    println!("cargo:rerun-if-changed={DOCUMENT}");
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(DOCUMENT)?)?;
    let paths = document["paths"].as_object().ok_or("no paths")?.values();
    let operations = paths.filter_map(|path| path.as_object()).flatten();
    let named = operations.filter_map(|(_, operation)| operation["x-commands"].as_object());
    let mut names: Vec<String> = named.flat_map(|named| named.keys().cloned()).collect();
    names.sort_unstable();
    Ok(names)
}
