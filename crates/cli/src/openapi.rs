//! `fumi openapi`: prints the OpenAPI document of the HTTP interface, and what is derived from it.

use std::io::Write;

use clap::{Args, ValueEnum};
use fumikura_server::{commands_document, commands_for_page, commands_for_shell, openapi_document};

use crate::output;

#[derive(Args)]
pub(crate) struct Openapi {
    /// Print the window's commands instead
    #[arg(long)]
    commands: Option<CommandsFor>,
}

/// The readers of the table of commands.
#[derive(Clone, Copy, ValueEnum)]
enum CommandsFor {
    Shell,
    Page,
    Document,
}

pub(crate) fn run(options: &Openapi) -> anyhow::Result<()> {
    let text = match options.commands {
        None => openapi_document(),
        Some(CommandsFor::Shell) => commands_for_shell(),
        Some(CommandsFor::Page) => commands_for_page(),
        Some(CommandsFor::Document) => commands_document(),
    };
    Ok(output::stdout().write_all(text.as_bytes())?)
}
