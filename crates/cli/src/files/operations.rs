//! `fumi mv`, `cp`, `trash` and `undo`: operations on files, with the undo log of the program.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::place::{
    FileArguments, OpenFolders, check_failed, counted, display, is_joined, items,
    with_standard_input,
};
use crate::client::{Client, Common, Refusal, percent_encode, print, row, text};
use crate::output;

/// The treatment of files whose names are taken in the destination.
#[derive(Clone, Copy, ValueEnum)]
enum Existing {
    /// Do nothing, and fail
    Refuse,
    /// Leave these files where they are
    Skip,
    /// Add a number to the name
    KeepBoth,
    /// Move the files of the destination to the trash
    Replace,
}

#[derive(Args)]
pub(crate) struct TransferArguments {
    #[command(flatten)]
    common: Common,
    /// Files and folders in open folders, and last the folder that receives them; - reads paths from standard input
    #[arg(value_name = "FILE", num_args = 2.., required = true)]
    files: Vec<PathBuf>,
    /// The treatment of files whose names are taken there
    #[arg(long, value_name = "TREATMENT", default_value = "refuse")]
    existing: Existing,
    /// The paths of standard input end with NUL bytes instead of line breaks
    #[arg(long)]
    null: bool,
}

#[derive(Args)]
pub(crate) struct TrashArguments {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    files: FileArguments,
}

#[derive(Args)]
pub(crate) struct UndoArguments {
    #[command(flatten)]
    common: Common,
    /// Id of the operation; the last one if omitted
    id: Option<String>,
    /// List the operations that can be undone, the newest first
    #[arg(long, conflicts_with_all = ["id", "partly"])]
    list: bool,
    /// Undo the rest if some files can't go back
    #[arg(long)]
    partly: bool,
}

/// Moves files into a folder, or renames one.
pub(crate) fn move_files(arguments: &TransferArguments) -> anyhow::Result<()> {
    let (files, destination) = arguments.read()?;
    if let [file] = &files[..]
        && !destination.is_dir()
    {
        return rename(&arguments.common, file, &destination);
    }
    arguments.transfer("api/files/move", "Moved", &files, &destination)
}

/// Copies files into a folder.
pub(crate) fn copy(arguments: &TransferArguments) -> anyhow::Result<()> {
    let (files, destination) = arguments.read()?;
    arguments.transfer("api/files/copy", "Copied", &files, &destination)
}

impl TransferArguments {
    /// Returns the files and the destination.
    fn read(&self) -> anyhow::Result<(Vec<PathBuf>, PathBuf)> {
        let (destination, files) = self
            .files
            .split_last()
            .context("a destination is missing")?;
        Ok((with_standard_input(files, self.null)?, destination.clone()))
    }

    fn transfer(
        &self,
        address: &str,
        done: &str,
        files: &[PathBuf],
        destination: &Path,
    ) -> anyhow::Result<()> {
        if files.is_empty() {
            return Ok(());
        }
        let client = Client::open(&self.common)?;
        let folders = OpenFolders::get(&client)?;
        let existing = match self.existing {
            Existing::Refuse => "refuse",
            Existing::Skip => "skip",
            Existing::KeepBoth => "keep_both",
            Existing::Replace => "replace",
        };
        let body = json!({
            "items": items(&folders.places(files)?),
            "to": folders.place(destination)?.json(),
            "existing": existing,
            "joined": is_joined(&client)?,
        });
        let answer = client
            .send_json("POST", address, &body)
            .map_err(with_names)?;
        let line = format!(
            "{done} {} to {}",
            counted(&answer["done"]),
            display(destination)
        );
        report(self.common.json, &answer, &line)
    }
}

fn rename(common: &Common, file: &Path, to: &Path) -> anyhow::Result<()> {
    let client = Client::open(common)?;
    let folders = OpenFolders::get(&client)?;
    let (from, target) = (folders.place(file)?, folders.place(to)?);
    let (folder, name) = split(from.path());
    let (other_folder, new_name) = split(target.path());
    if from.root() != target.root() || folder != other_folder || new_name.is_empty() {
        bail!("{} is not a folder", display(to));
    }
    let new_name = str::from_utf8(new_name).context("the new name is not UTF-8")?;
    let mut change = output::named("from", name);
    change["to"] = new_name.into();
    let mut body = output::named("path", folder);
    body["root"] = from.root().into();
    body["names"] = json!([change]);
    body["joined"] = is_joined(&client)?.into();
    let answer = client.send_json("POST", "api/files/rename", &body);
    let answer = answer.map_err(with_names)?;
    let line = format!("Renamed {} to {}", display(file), display(to));
    report(common.json, &answer, &line)
}

/// Splits a relative path into the folder and the name.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// Moves files to the trash of the desktop.
pub(crate) fn trash(arguments: &TrashArguments) -> anyhow::Result<()> {
    let files = arguments.files.read()?;
    if files.is_empty() {
        return Ok(());
    }
    let client = Client::open(&arguments.common)?;
    let places = OpenFolders::get(&client)?.places(&files)?;
    let body = json!({"items": items(&places), "joined": is_joined(&client)?});
    let answer = client.send_json("POST", "api/files/bin", &body);
    let answer = answer.map_err(with_names)?;
    let line = format!("Moved {} to the trash", counted(&answer["done"]));
    report(arguments.common.json, &answer, &line)
}

/// Undoes an operation, or lists the operations.
pub(crate) fn undo(arguments: &UndoArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    let operations = client.get("api/files/operations")?;
    let operations = operations.as_array().cloned().unwrap_or_default();
    if arguments.list {
        let mut out = output::stdout();
        for operation in &operations {
            match json {
                true => writeln!(out, "{operation}")?,
                false => out.write_row(&operation_line(operation))?,
            }
        }
        return Ok(());
    }
    let id = match &arguments.id {
        Some(id) => id.as_str(),
        None => {
            let last = operations.iter().find(|one| one["undone"] == false);
            text(last.context("there is nothing to undo")?, "id")
        }
    };
    let address = format!(
        "api/files/operations/{}/undo?partly={}",
        percent_encode(id),
        arguments.partly
    );
    let answer = client.send("POST", &address).map_err(with_names)?.json()?;
    let line = match operations.iter().find(|one| text(one, "id") == id) {
        Some(one) => format!(
            "Undone: {} of {}",
            text(one, "kind"),
            counted(&one["count"])
        ),
        None => format!("Undone: {}", counted(&answer["done"])),
    };
    report_with(json, &answer, &line, "redo")
}

/// Formats an operation: id, kind, time, number of files, the first name, and whether it was undone.
fn operation_line(operation: &Value) -> String {
    let state = match operation["undone"].as_bool() {
        Some(true) => "undone",
        _ => "",
    };
    let [id, kind, at, name] = ["id", "kind", "at", "name"].map(|field| text(operation, field));
    row(&[id, kind, at, &operation["count"].to_string(), name, state])
}

fn report(json: bool, answer: &Value, line: &str) -> anyhow::Result<()> {
    report_with(json, answer, line, "operation")
}

/// Prints the result of an operation, with the id by which it is undone. Files that failed are an error.
fn report_with(json: bool, answer: &Value, line: &str, undo: &str) -> anyhow::Result<()> {
    let skipped = match answer["skipped"].as_u64() {
        None | Some(0) => String::new(),
        Some(count) => format!(", skipped {count}"),
    };
    let undo = match answer[undo].as_str() {
        Some(id) => format!(" (fumi undo {id})"),
        None => String::new(),
    };
    print(json, answer, &format!("{line}{skipped}{undo}"))?;
    check_failed(answer)
}

/// Adds the names of the files in the way to a refusal, which says why in general.
fn with_names(error: anyhow::Error) -> anyhow::Error {
    let Some(refusal) = Refusal::of(&error) else {
        return error;
    };
    let names = refusal.body()["names"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    if names.is_empty() {
        return error;
    }
    let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
    let words = error.to_string();
    if names.iter().all(|name| words.contains(name)) {
        return error;
    }
    let words = format!("{}: {}", words.trim_end_matches('.'), names.join(", "));
    anyhow::anyhow!(words)
}
