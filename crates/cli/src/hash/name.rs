//! `fumi hash name` and `fumi hash decode`: convert between paths and the names of records.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use fumikura_base::printable::Printable;
use fumikura_hashes::{FilePath, record_name};
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
    refuse_links(&path)?;
    if arguments.json {
        return print_steps(&HashName::Path(bytes.to_vec()));
    }
    let (name, is_short) = record_name(&path, arguments.folder.name_limit());
    if is_short && arguments.folder.name_limit() < fumikura_hashes::MAX_NAME {
        output::notice(&format!(
            "names in this hash folder have at most {} bytes; a hash of the path is used",
            arguments.folder.name_limit()
        ));
    }
    print_line(&name)
}

pub(super) fn decode(arguments: &DecodeArguments) -> anyhow::Result<ExitCode> {
    let name = arguments.name.as_bytes();
    let path = fumikura_hashes::decode(name)
        .with_context(|| Printable(String::from_utf8_lossy(name)).to_string())?;
    if arguments.json {
        return print_steps(&HashName::Name(name.to_vec()));
    }
    print_line(path.as_bytes())
}

/// Refuses a path through a symbolic link: only its resolved path has a record.
fn refuse_links(path: &FilePath) -> anyhow::Result<()> {
    let is_link = |path: &&Path| {
        path.symlink_metadata()
            .is_ok_and(|metadata| metadata.is_symlink())
    };
    match path.as_path().ancestors().find(is_link) {
        Some(link) => bail!(
            "{path}: {} is a symbolic link; name the path that it leads to",
            display_path(link)
        ),
        None => Ok(()),
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

fn print_steps(name: &HashName) -> anyhow::Result<ExitCode> {
    let steps = name
        .explain()
        .map_err(|error| anyhow::anyhow!(error.message))?;
    writeln!(output::stdout(), "{}", serde_json::to_string(&steps)?)?;
    Ok(ExitCode::SUCCESS)
}
