//! A job on the whole wiki that continues while it is inspected.

use anyhow::{Context, Result};
use reqwest::{Method, Response};

use super::page_id;
use crate::stage::Api;

/// More than the buffers between a server and a client that does not read can hold.
const FILE_SIZE: usize = 48 << 20;
const NAME: &str = "long.bin";

/// Starts an export that continues until the answer is read, and is cancelled by dropping it.
///
/// # Errors
/// Fails if the server refuses it.
pub async fn start_long_export(api: &Api) -> Result<Response> {
    let files = format!("api/pages/{}/assets", page_id(api, "/").await?);
    let assets = api.get(&files).await?;
    let mut assets = assets.as_array().context("files are a list")?.iter();
    if !assets.any(|file| file["file_name"] == NAME) {
        let address = format!("{files}/{NAME}");
        let brought = api.send_bytes(Method::POST, &address, noise());
        brought.await?.error_for_status()?;
    }
    let export = api.send(Method::GET, "api/export", &[], String::new());
    Ok(export.await?.error_for_status()?)
}

/// Returns incompressible bytes.
fn noise() -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(FILE_SIZE);
    while bytes.len() < FILE_SIZE {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}
