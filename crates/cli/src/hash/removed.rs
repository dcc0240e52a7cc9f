//! `fumi hash removed` and `reinstate`: records that `tidy` set aside.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use fumikura_hashes::lists;

use super::EXIT_FINDINGS;
use super::folder::Folder;
use super::paths::{display_path, resolve};
use crate::output;

#[derive(Args)]
pub(crate) struct RemovedArguments {
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object for each record
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ReinstateArguments {
    #[command(flatten)]
    folder: Folder,
    /// Bring back all records
    #[arg(long, conflicts_with = "paths", required_unless_present = "paths")]
    all: bool,
    /// Files whose records are brought back
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(super) fn removed(arguments: &RemovedArguments) -> anyhow::Result<ExitCode> {
    let removed = arguments.folder.open()?.removed_records()?;
    let mut out = BufWriter::new(output::stdout());
    if arguments.json {
        lists::removed_json_lines(&mut out, &removed.records)?;
    } else {
        lists::removed_text(&mut out, &removed.records)?;
    }
    out.flush()?;
    for (file, reason) in &removed.unusable {
        output::notice(&format!("{}: {reason}", display_path(file)));
    }
    Ok(exit_code(removed.unusable.is_empty()))
}

pub(super) fn reinstate(arguments: &ReinstateArguments) -> anyhow::Result<ExitCode> {
    let paths: BTreeSet<_> = resolve(&arguments.paths)?.into_iter().collect();
    let folder = arguments.folder.create(false)?;
    let outcome = folder.reinstate(|path| arguments.all || paths.contains(path))?;
    let answered = outcome.reinstated.iter();
    let answered: BTreeSet<_> = answered
        .chain(outcome.refused.iter().map(|(path, _)| path))
        .collect();
    let unknown = || paths.iter().filter(|path| !answered.contains(path));
    for (path, reason) in &outcome.refused {
        output::notice(&format!("{path}: {reason}"));
    }
    for path in unknown() {
        output::notice(&format!("{path}: no record of it was set aside"));
    }
    writeln!(
        output::stdout(),
        "{} brought back",
        outcome.reinstated.len()
    )?;
    Ok(exit_code(
        outcome.refused.is_empty() && unknown().next().is_none(),
    ))
}

fn exit_code(is_complete: bool) -> ExitCode {
    if is_complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    }
}
