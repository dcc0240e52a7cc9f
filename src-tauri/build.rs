//! Names the commands that the page may be granted; no capability file grants any of them.

#[path = "src/commands/names.rs"]
mod names;

/// Reads the names from the server's table of commands.
macro_rules! commands {
    ($($name:ident($args:ty) => |$app:ident, $read:ident, $window:ident| $run:expr;)*) => {
        pub(crate) const COMMANDS: &[&str] = &[$(stringify!($name)),*];
    };
}

#[path = "../crates/server/src/commands/table.rs"]
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let all = [table::COMMANDS, &names::SHELL_COMMANDS].concat();
    // The manifest keeps the list until the build ends.
    let commands = tauri_build::AppManifest::new().commands(all.leak());
    let attributes = tauri_build::Attributes::new()
        .app_manifest(commands)
        // By default cargo would watch a folder that does not exist, and so build the program anew each time.
        .capabilities_path_pattern("src-tauri/no-capabilities/*");
    tauri_build::try_build(attributes)?;
    Ok(())
}
