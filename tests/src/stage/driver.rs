//! A WebDriver program and the session that it opens.

use std::net::TcpListener;

use anyhow::{Context, Result};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::process::Command;

use super::process::Process;
use crate::wait;

/// Starts the driver and opens a session, which starts its browser.
pub(super) async fn open(command: &mut Command, capabilities: Value) -> Result<(Process, Client)> {
    let port = free_port()?;
    let driver = Process::spawn(command.arg(format!("--port={port}")))?;
    wait::until("the driver to listen", async || {
        Ok(TcpStream::connect(("127.0.0.1", port)).await.ok())
    })
    .await?;
    let Value::Object(capabilities) = capabilities else {
        anyhow::bail!("BUG: capabilities are an object");
    };
    let client = ClientBuilder::new(HttpConnector::new())
        .capabilities(capabilities)
        .connect(&format!("http://127.0.0.1:{port}"))
        .await
        .context("the driver could not start its browser")?;
    Ok((driver, client))
}

/// Returns a free port. Another test could take it meanwhile; the driver then reports that and the test fails.
fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
