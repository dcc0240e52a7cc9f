//! `fumi openapi`: prints the OpenAPI document of the HTTP interface, and what is derived from it.

use std::io::Write;

use clap::Args;
use fumikura_server::{commands_table, openapi_document};

use crate::output;

#[derive(Args)]
pub(crate) struct Openapi {
    /// Print the table of the window's commands instead
    #[arg(long)]
    commands: bool,
}

pub(crate) fn run(options: &Openapi) -> anyhow::Result<()> {
    let text = match options.commands {
        false => openapi_document(),
        true => commands_table(),
    };
    Ok(output::stdout().write_all(text.as_bytes())?)
}
