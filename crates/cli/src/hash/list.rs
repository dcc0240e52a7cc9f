//! `fumi hash list`: the records of a folder.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use fumikura_hashes::{record_json_lines, record_text};

use super::folder::Folder;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    folder: Folder,
    /// Print one JSON object a record
    #[arg(long)]
    json: bool,
}

pub(super) fn list(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.open()?;
    let index = folder.index()?;
    let text = if arguments.json {
        record_json_lines(&index)
    } else {
        record_text(&index)
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
