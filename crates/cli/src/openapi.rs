//! `fumi openapi`: prints the OpenAPI document of the HTTP interface.

use std::io::Write;

use crate::output;

pub(crate) fn run() -> anyhow::Result<()> {
    Ok(output::stdout().write_all(fumikura_server::openapi_document().as_bytes())?)
}
