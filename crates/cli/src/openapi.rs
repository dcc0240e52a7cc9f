//! `fumi openapi`: prints the OpenAPI document of the HTTP interface.

use std::io::Write;

pub(crate) fn run() -> anyhow::Result<()> {
    Ok(std::io::stdout().write_all(fumikura_server::openapi_document().as_bytes())?)
}
