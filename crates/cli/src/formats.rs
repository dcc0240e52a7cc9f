//! `fumi formats`: the document that describes the formats of pictures.

use std::io::Write;

pub(crate) fn run() -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(fumikura_image::formats_document().as_bytes())?)
}
