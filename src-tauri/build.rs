//! Names the commands that the page may be granted; no capability file grants any of them.

#[path = "src/commands/names.rs"]
mod names;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let commands = tauri_build::AppManifest::new().commands(&names::COMMANDS);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}
