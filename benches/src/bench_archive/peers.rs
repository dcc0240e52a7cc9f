//! The same bytes with common tools: `zip -1` and `cp`. On return, the results are on the disk.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Unpacks an archive, whose contents the peers then pack and copy.
pub(crate) fn unpack(archive: &Path, into: &Path) -> Result<()> {
    run(Command::new("unzip")
        .arg("-q")
        .arg(archive)
        .arg("-d")
        .arg(into))
}

/// Packs a folder quickly.
pub(crate) fn zip(folder: &Path, place: &Path) -> Result<()> {
    let packed = place.join("peer.zip");
    run(Command::new("zip")
        .current_dir(folder)
        .args(["-1", "-q", "-r"])
        .arg(&packed)
        .arg("."))?;
    File::open(&packed)?.sync_all()?;
    Ok(fs::remove_file(packed)?)
}

/// Copies a folder.
pub(crate) fn copy(folder: &Path, place: &Path) -> Result<()> {
    let copied = place.join("peer");
    run(Command::new("cp").arg("-r").arg(folder).arg(&copied))?;
    run(Command::new("sync").arg("-f").arg(&copied))?;
    Ok(fs::remove_dir_all(copied)?)
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("{program} can't be started: is it installed?"))?;
    ensure!(
        output.status.success(),
        "{program} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
