//! Paths of the programs, and a check that they are built from the current sources.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

/// Returns the window's program.
///
/// # Errors
/// Fails if it is missing or older than its sources.
pub fn window() -> Result<PathBuf> {
    built_program("fumikura")
}

/// Returns the headless program.
///
/// # Errors
/// Fails if it is missing or older than its sources.
pub fn headless() -> Result<PathBuf> {
    built_program("fumi")
}

/// Returns a program of the system that the tests need.
///
/// # Errors
/// Fails if it is not on the PATH: a missing browser fails the tests, it never shortens them.
pub fn system(name: &str) -> Result<PathBuf> {
    first_of(&[name])
}

/// Returns Chromium or its headless shell, whichever comes first on the PATH, and the driver's name for it.
///
/// # Errors
/// Fails if neither is on the PATH.
pub fn chromium() -> Result<(PathBuf, &'static str)> {
    let shell = "chrome-headless-shell";
    let program = first_of(&["chromium", shell])?;
    let name = if program.ends_with(shell) {
        shell
    } else {
        "chrome"
    };
    Ok((program, name))
}

fn first_of(names: &[&str]) -> Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .flat_map(|dir| names.iter().map(move |name| dir.join(name)))
        .find(|program| program.is_file())
        .with_context(|| {
            format!(
                "`{}` is not installed, and the tests need it; `cargo xtask test` installs it",
                names.join("` or `")
            )
        })
}

fn built_program(name: &str) -> Result<PathBuf> {
    let program = dir()?.join(name);
    ensure!(
        program.is_file(),
        "{} is not built; `cargo xtask e2e` builds it",
        program.display()
    );
    if let Some(source) = newer_source(&program)? {
        bail!(
            "{} is older than {source}; `cargo xtask e2e` builds it anew",
            program.display()
        );
    }
    Ok(program)
}

/// Returns the folder that the caller sets, or the folder above this test's own program.
fn dir() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("FUMIKURA_PROGRAMS") {
        return Ok(dir.into());
    }
    let test = env::current_exe()?;
    let dir = test
        .ancestors()
        .find(|dir| dir.ends_with("debug") || dir.ends_with("release"));
    dir.map(Path::to_owned)
        .context("FUMIKURA_PROGRAMS must name the folder of the built programs")
}

/// Returns a source that was changed after the program was built, by cargo's own dependency list.
fn newer_source(program: &Path) -> Result<Option<String>> {
    let list = program.with_extension("d");
    let list = fs::read_to_string(&list).with_context(|| list.display().to_string())?;
    let built = fs::metadata(program)?.modified()?;
    let (_, sources) = list.split_once(": ").unwrap_or_default();
    // A space inside a name is escaped.
    for source in sources.trim_end().replace("\\ ", "\0").split(' ') {
        let source = source.replace('\0', " ");
        let changed = fs::metadata(&source).and_then(|metadata| metadata.modified());
        if changed.is_ok_and(|changed| changed > built) {
            return Ok(Some(source));
        }
    }
    Ok(None)
}
