//! `fumi formats`: prints the document of picture formats, or their media types.

use std::io::Write;

use clap::Args;
use fumikura_image::{formats_document, picture_media_types};

use crate::output;

#[derive(Args)]
pub(crate) struct Formats {
    /// Print the media types alone, one a line
    #[arg(long)]
    media_types: bool,
}

pub(crate) fn run(options: &Formats) -> anyhow::Result<()> {
    let text = match options.media_types {
        true => picture_media_types()
            .map(|one| format!("{one}\n"))
            .collect(),
        false => formats_document(),
    };
    Ok(output::stdout().write_all(text.as_bytes())?)
}
