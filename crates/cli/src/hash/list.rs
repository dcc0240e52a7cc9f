//! `fumi hash list`, `import` and `export`: records, and the lists of other programs.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use fumikura_base::printable::Printable;
use fumikura_hashes::lists::List;
use fumikura_hashes::{ExportFormat, FilePath, check_list, lists};
use jiff::Timestamp;

use super::EXIT_FINDINGS;
use super::folder::Folder;
use super::paths::{display_path, resolve_one};
use super::runs::{AttendedRun, print};

use crate::output;

#[derive(Args)]
pub(crate) struct HashListArguments {
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
    #[command(flatten)]
    list: ListFile,
    /// Write into another program's hash folder
    #[arg(long)]
    foreign: bool,
}

/// A list, and the folder for its relative names.
#[derive(Args)]
pub(super) struct ListFile {
    /// Folder for relative names; by default the list's own folder
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// List of hashes; - for standard input
    #[arg(value_name = "LIST")]
    list: PathBuf,
}

impl ListFile {
    pub(super) fn read(&self) -> anyhow::Result<(List, FilePath)> {
        let is_input = self.list == Path::new("-");
        let bytes = if is_input {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            bytes
        } else {
            fs::read(&self.list).with_context(|| display_path(&self.list))?
        };
        let list = lists::parse(&bytes).with_context(|| display_path(&self.list))?;
        let base = match (&self.base, self.list.parent()) {
            (Some(base), _) => base,
            (None, Some(parent)) if !is_input && parent != Path::new("") => parent,
            (None, _) => Path::new("."),
        };
        Ok((list, resolve_one(base)?))
    }
}

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// Print one JSON object for each finding, and a summary
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    list: ListFile,
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

pub(super) fn list(arguments: &HashListArguments) -> anyhow::Result<ExitCode> {
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
    let (list, base) = arguments.list.read()?;
    let folder = arguments.folder.create(arguments.foreign)?;
    let imported = folder.import(&list, &base, false, Timestamp::now())?;
    let mut out = output::stdout();
    for conflict in &imported.conflicts {
        writeln!(
            out,
            "conflict   {}: recorded {}, listed {}",
            conflict.path, conflict.recorded, conflict.listed
        )?;
    }
    for (line, path) in &imported.other_forms {
        writeln!(
            out,
            "matched    {path}: line {line} writes the name in another Unicode form"
        )?;
    }
    for (line, reason) in &imported.skipped {
        writeln!(out, "skipped    line {line}: {}", Printable(reason))?;
    }
    for (word, omitted) in [
        ("conflicts", imported.conflicts.omitted()),
        ("matched names", imported.other_forms.omitted()),
        ("skipped lines", imported.skipped.omitted()),
    ] {
        if omitted > 0 {
            writeln!(out, "{omitted} more {word}")?;
        }
    }
    writeln!(
        out,
        "{} imported, {} known, {} conflicts, {} lines skipped",
        imported.imported,
        imported.already_recorded,
        imported.conflicts.count(),
        imported.skipped.count()
    )?;
    let nothing = imported.reasons_for_nothing();
    if let Some(reasons) = &nothing {
        let reasons: Vec<_> = reasons.iter().map(|reason| reason.to_string()).collect();
        let reasons = reasons.join("; ");
        output::notice(&format!("nothing is imported: {reasons}"));
    }
    Ok(if imported.conflicts.is_empty() && nothing.is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}

pub(super) fn check(arguments: &CheckArguments) -> anyhow::Result<ExitCode> {
    let (list, base) = arguments.list.read()?;
    let run = AttendedRun::begin(arguments.json)?;
    let report = check_list(&list, &base, false, &run)?;
    drop(run);
    print(&report, arguments.json)
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
