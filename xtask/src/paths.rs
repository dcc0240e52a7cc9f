//! Paths of the repository, of the build folder, and of the tools that are installed by these commands.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("BUG: xtask is one level below the root")
}

/// The folder of the page's sources.
pub(crate) fn ui() -> PathBuf {
    root().join("ui")
}

/// Returns cargo's build folder, wherever the developer has put it.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => env::current_dir()
            .unwrap_or_else(|_| root().to_owned())
            .join(dir),
        None => root().join("target"),
    }
}

/// Returns the folder of the tools that come from the registries instead of the system: a current Node,
/// The bundler, cargo-deny.
pub(crate) fn tools() -> PathBuf {
    target().join("tools")
}

/// Returns the first program on the PATH that has one of these names.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let dirs: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(name)))
        .find(|candidate| candidate.is_file())
}
