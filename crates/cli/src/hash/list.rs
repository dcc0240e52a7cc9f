//! `fumi hash list`, `import` and `export`: records, and the lists of other programs.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use fumikura_hashes::{ExportFormat, lists};
use jiff::Timestamp;

use super::EXIT_FINDINGS;
use super::folder::Folder;
use super::paths::{display_path, resolve_one};

use crate::output;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object for each record
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    folder: Folder,
    /// Folder for relative names; by default the list's own folder
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Write into another program's hash folder
    #[arg(long)]
    foreign: bool,
    /// SHA256SUMS, hashdeep or RHash list; - for standard input
    #[arg(value_name = "LIST")]
    list: PathBuf,
}

#[derive(Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    folder: Folder,
    /// Form of the list
    #[arg(long, value_enum, default_value_t = Form::Sha256sums)]
    format: Form,
    /// Folder whose records are exported, with names relative to it; by default all
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Sha256sums,
    Hashdeep,
    Rhash,
    Json,
    Csv,
    Text,
}

impl From<Form> for ExportFormat {
    fn from(form: Form) -> Self {
        match form {
            Form::Sha256sums => Self::Sha256sums,
            Form::Hashdeep => Self::Hashdeep,
            Form::Rhash => Self::Rhash,
            Form::Json => Self::Json,
            Form::Csv => Self::Csv,
            Form::Text => Self::Text,
        }
    }
}

pub(super) fn list(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let index = arguments.folder.open()?.index()?;
    let mut out = BufWriter::new(output::stdout());
    if arguments.json {
        lists::records_json_lines(&mut out, &index)?;
    } else {
        lists::records_text(&mut out, &index)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn import(arguments: &ImportArguments) -> anyhow::Result<ExitCode> {
    let is_input = arguments.list == Path::new("-");
    let bytes = if is_input {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        fs::read(&arguments.list).with_context(|| display_path(&arguments.list))?
    };
    let list = lists::parse(&bytes).with_context(|| display_path(&arguments.list))?;
    let base = match (&arguments.base, arguments.list.parent()) {
        (Some(base), _) => base.clone(),
        (None, Some(parent)) if !is_input => parent.to_owned(),
        (None, _) => PathBuf::from("."),
    };
    let base = if base.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        base
    };
    let folder = arguments.folder.create(arguments.foreign)?;
    let imported = folder.import(&list, &resolve_one(&base)?, None, Timestamp::now())?;
    let mut out = output::stdout();
    for conflict in &imported.conflicts {
        writeln!(
            out,
            "conflict   {}: recorded {}, listed {}",
            conflict.path, conflict.recorded, conflict.listed
        )?;
    }
    for (line, reason) in &imported.skipped {
        writeln!(
            out,
            "skipped    line {line}: {}",
            fumikura_base::printable::Printable(reason)
        )?;
    }
    writeln!(
        out,
        "{} imported, {} known, {} conflicts, {} lines skipped",
        imported.imported,
        imported.already_recorded,
        imported.conflicts.len(),
        imported.skipped.len()
    )?;
    Ok(if imported.conflicts.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}

pub(super) fn export(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    let within = arguments.path.as_deref().map(resolve_one).transpose()?;
    let index = arguments.folder.open()?.index()?;
    let mut out = BufWriter::new(output::stdout());
    let left_out =
        fumikura_hashes::export(&mut out, &index, within.as_ref(), arguments.format.into())?;
    out.flush()?;
    for left_out in &left_out {
        output::notice(&format!(
            "{} is left out: {}",
            left_out.path, left_out.reason
        ));
    }
    Ok(if left_out.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}
