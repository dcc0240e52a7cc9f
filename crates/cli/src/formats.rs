//! `fumi formats`: prints the table of picture formats, for the documents and for the page.

use std::io::Write;

use clap::Args;
use fumikura_image::{formats_document, formats_for_page};

use crate::output;

#[derive(Args)]
pub(crate) struct Formats {
    /// Print the table of the page, in TypeScript, instead of the document
    #[arg(long)]
    page: bool,
}

pub(crate) fn run(options: &Formats) -> anyhow::Result<()> {
    let text = match options.page {
        true => formats_for_page(),
        false => formats_document(),
    };
    Ok(output::stdout().write_all(text.as_bytes())?)
}
