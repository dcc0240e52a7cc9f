//! `fumi hash name` and `fumi hash decode`: convert between paths and the names of records.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use fumikura_base::printable::Printable;
use fumikura_hashes::{FilePath, MAX_NAME, record_name};
use fumikura_server::HashName;

use super::folder::Folder;
use super::paths::display_path;

use crate::output;

#[derive(Args)]
pub(crate) struct NameArguments {
    #[command(flatten)]
    folder: Folder,
    /// Print the steps as JSON
    #[arg(long)]
    json: bool,
    /// Absolute path without links
    #[arg(value_name = "PATH")]
    path: OsString,
}

#[derive(Args)]
pub(crate) struct DecodeArguments {
    /// Print the steps as JSON
    #[arg(long)]
    json: bool,
    /// Name of a record
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    name: OsString,
}

pub(super) fn name(arguments: &NameArguments) -> anyhow::Result<ExitCode> {
    let bytes = arguments.path.as_bytes();
    let path = FilePath::new(bytes).with_context(|| display_path(Path::new(&arguments.path)))?;
    explain_link(&path);
    let limit = arguments.folder.name_limit();
    if arguments.json {
        return print_steps(&HashName::Path(bytes.to_vec()), limit);
    }
    let (name, is_short) = record_name(&path, limit);
    if is_short && limit < MAX_NAME {
        output::notice(&format!(
            "names in this hash folder have at most {limit} bytes; a hash of the path is used"
        ));
    }
    print_line(&name)
}

pub(super) fn decode(arguments: &DecodeArguments) -> anyhow::Result<ExitCode> {
    let name = arguments.name.as_bytes();
    let path = fumikura_hashes::decode(name)
        .with_context(|| Printable(String::from_utf8_lossy(name)).to_string())?;
    if arguments.json {
        return print_steps(&HashName::Name(name.to_vec()), MAX_NAME);
    }
    print_line(path.as_bytes())
}

/// Names the file that a path through a symbolic link leads to: only that one has a record.
fn explain_link(path: &FilePath) {
    let is_link = |path: &&Path| {
        path.symlink_metadata()
            .is_ok_and(|metadata| metadata.is_symlink())
    };
    let Some(link) = path.as_path().ancestors().find(is_link) else {
        return;
    };
    let link = display_path(link);
    match path.as_path().canonicalize() {
        Ok(target) => output::notice(&format!(
            "{link} is a symbolic link; the record is that of {}",
            display_path(&target)
        )),
        Err(error) => output::notice(&format!(
            "{link} is a symbolic link that leads nowhere: {error}"
        )),
    }
}

/// Prints raw bytes for programs, and escaped text for a terminal.
fn print_line(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    if out.is_terminal() {
        writeln!(out, "{}", Printable(String::from_utf8_lossy(bytes)))?;
    } else {
        out.write_all(bytes)?;
        out.write_all(b"\n")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_steps(name: &HashName, limit: usize) -> anyhow::Result<ExitCode> {
    let steps = name
        .explain(limit)
        .map_err(|error| anyhow::anyhow!(error.message))?;
    writeln!(output::stdout(), "{}", serde_json::to_string(&steps)?)?;
    Ok(ExitCode::SUCCESS)
}
