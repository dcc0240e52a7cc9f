//! `fumi hash accept` and `fumi hash restore`: repair files that differ from their records.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use fumikura_hashes::{MissingFile, files_of_size};
use jiff::Timestamp;

use super::folder::Folder;
use super::paths::{display_path, resolve_one};

use crate::output;

#[derive(Args)]
pub(crate) struct AcceptArguments {
    #[command(flatten)]
    folder: Folder,
    /// Write into another program's hash folder
    #[arg(long)]
    foreign: bool,
    /// Recorded files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct AcceptMoveArguments {
    #[command(flatten)]
    folder: Folder,
    /// Recorded file or folder that no longer exists
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// Its new place
    #[arg(value_name = "TO")]
    to: PathBuf,
}

#[derive(Args)]
pub(crate) struct RestoreArguments {
    #[command(flatten)]
    folder: Folder,
    /// Folder in which to search for copies; can be repeated
    #[arg(long, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// Recorded file
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

pub(super) fn accept(arguments: &AcceptArguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.create(arguments.foreign)?;
    for path in &arguments.paths {
        let path = resolve_one(path)?;
        let row = folder.accept(&path, Timestamp::now())?;
        println(&format!("{path}: {}", row.digest))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn accept_move(arguments: &AcceptMoveArguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.create(false)?;
    let (from, to) = (resolve_one(&arguments.from)?, resolve_one(&arguments.to)?);
    let records = folder.accept_move(&from, &to, Timestamp::now())?;
    println(&format!("{from} → {to}: {records} records"))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn restore(arguments: &RestoreArguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.create(false)?;
    let path = resolve_one(&arguments.path)?;
    folder.check_restorable(&path, MissingFile::Create)?;
    let mut copies = folder.recorded_copies(&path)?;
    let size = copies.size;
    for folder in &arguments.from {
        let files = files_of_size(folder, size).with_context(|| display_path(folder))?;
        copies.files.extend(files);
    }
    let restored = folder.restore(&path, copies.files, MissingFile::Create, Timestamp::now())?;
    println(&format!("{path}: restored from {}", restored.from))?;
    if let Some(kept) = restored.kept_as {
        println(&format!("{path}: the damaged file is now {kept}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn println(line: &str) -> std::io::Result<()> {
    use std::io::Write;
    writeln!(output::stdout(), "{line}")
}
