//! The page's Node packages, and the page itself, built only if something changed.

use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};

use super::node;
use crate::{command, output, paths};

/// The inputs of the build, relative to `ui/`.
const SOURCES: &[&str] = &[
    "src",
    "public",
    "build",
    "openapi.json",
    "../docs/FORMATS.md",
    "package-lock.json",
    "package.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// Installs the packages of `package-lock.json`, unless they are installed already.
pub(crate) fn packages() -> Result<()> {
    node::ensure()?;
    let lock = fs::read(paths::ui().join("package-lock.json")).context("ui/package-lock.json")?;
    // The stamp is a copy of the lock file inside node_modules, so that deleting the folder deletes it too.
    let stamp = paths::ui().join("node_modules/.installed-package-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    output::step(
        "node packages",
        "installing what ui/package-lock.json names",
    );
    command::quiet(node::program("npm").current_dir(paths::ui()).args([
        "ci",
        "--no-audit",
        "--no-fund",
    ]))?;
    fs::write(stamp, lock)?;
    Ok(())
}

/// Builds `ui/dist/` if one of its sources is newer.
pub(crate) fn build() -> Result<()> {
    let ui = paths::ui();
    let built = modification_time(&ui.join("dist/app.js"));
    let newest = SOURCES
        .iter()
        .filter_map(|source| newest(&ui.join(source)))
        .max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    let start = Instant::now();
    command::quiet(node::program("npm").current_dir(&ui).args(["run", "build"]))?;
    output::step(
        "page",
        format!("built in {}", output::format_duration(start.elapsed())),
    );
    Ok(())
}

/// Returns the newest modification time below `path`. Folders count too: removing a file changes its folder.
fn newest(path: &Path) -> Option<SystemTime> {
    let own = modification_time(path);
    let Ok(entries) = fs::read_dir(path) else {
        return own;
    };
    entries
        .flatten()
        .filter_map(|entry| newest(&entry.path()))
        .chain(own)
        .max()
}

fn modification_time(path: &Path) -> Option<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_change_is_found_in_subfolders() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b");
        fs::create_dir_all(&deep).unwrap();
        let file = deep.join("c");
        fs::write(&file, "x").unwrap();
        let future = SystemTime::now() + std::time::Duration::from_secs(3600);
        fs::File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(future)
            .unwrap();
        assert_eq!(newest(dir.path()), modification_time(&file));
        assert_eq!(newest(&dir.path().join("nothing")), None);
    }
}
