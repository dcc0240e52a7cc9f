//! Names the commands that the page may be granted; no capability file grants any of them.

#[path = "src/commands/names.rs"]
mod names;

#[path = "src/commands/generated.rs"]
mod generated;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = [&generated::OPERATIONS[..], &names::SHELL_COMMANDS].concat();
    // The manifest keeps the list until the build ends.
    let commands = tauri_build::AppManifest::new().commands(all.leak());
    let attributes = tauri_build::Attributes::new()
        .app_manifest(commands)
        // By default cargo would watch a folder that does not exist, and so build the program anew each time.
        .capabilities_path_pattern("src-tauri/no-capabilities/*");
    tauri_build::try_build(attributes)?;
    Ok(())
}
