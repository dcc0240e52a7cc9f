//! Work on the whole that goes on for as long as somebody looks at it.

use anyhow::{Context, Result};
use reqwest::{Method, Response};

use super::page_id;
use crate::stage::Api;

/// More than lies on its way between a server and a reader who doesn't read.
const LONG: usize = 48 << 20;
const NAME: &str = "long.bin";

/// Begins an export that goes on as long as nobody reads the answer, and is cancelled when it is dropped.
///
/// # Errors
/// Fails if the server refuses it.
pub async fn lasting_export(api: &Api) -> Result<Response> {
    let files = format!("api/pages/{}/assets", page_id(api, "/").await?);
    let there = api.get(&files).await?;
    let mut there = there.as_array().context("files are a list")?.iter();
    if !there.any(|file| file["file_name"] == NAME) {
        let address = format!("{files}/{NAME}");
        let brought = api.send_bytes(Method::POST, &address, noise());
        brought.await?.error_for_status()?;
    }
    let export = api.send(Method::GET, "api/export", &[], String::new());
    Ok(export.await?.error_for_status()?)
}

/// What no archive makes any smaller.
fn noise() -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(LONG);
    while bytes.len() < LONG {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}
