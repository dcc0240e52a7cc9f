//! `fumi serve`, and Chromium as a person's browser.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::display::Display;
use super::home::Home;
use super::process::Process;
use super::{Api, Running, driver, programs};
use crate::page::Page;

/// Starts the server, lets a browser log in, and opens the folders.
pub(super) async fn start(home: &Home, display: &Display, folders: &[PathBuf]) -> Result<Running> {
    let mut serve = Process::command(home, programs::headless()?)?;
    serve
        .arg("serve")
        .arg("--data")
        .arg(home.data())
        .arg("--cache")
        .arg(home.cache());
    for folder in folders {
        serve.arg("--allow").arg(folder);
    }
    let (server, line, _) = Process::spawn_and_read(&mut serve).await?;
    let ready: Value = serde_json::from_str(
        line.strip_prefix("FUMIKURA_READY ")
            .context("the ready line is another")?,
    )?;
    let text = |field: &str| {
        ready[field]
            .as_str()
            .map(str::to_owned)
            .context("the ready line lacks a field")
    };
    let (url, login) = (text("url")?, text("login")?);

    let mut command = display.command(home, programs::system("chromedriver")?)?;
    let (driver, client) = driver::open(&mut command, capabilities(home)?).await?;
    let page = Page::new(client);
    page.go(&login).await?;
    page.address("/wiki").await?;

    let api = Api::at(&url, &text("token")?)?;
    for folder in folders {
        let root = api.post("api/roots", &json!({ "path": folder })).await?;
        let id = root["id"].as_str().context("a root has an id")?;
        page.go(&format!("{url}pictures/{id}/")).await?;
    }
    Ok(Running {
        page,
        application: server.pid(),
        _processes: vec![driver, server],
    })
}

fn capabilities(home: &Home) -> Result<Value> {
    let (browser, name) = programs::chromium()?;
    Ok(json!({
        "browserName": name,
        "goog:chromeOptions": {
            "binary": browser,
            "args": [
                "--headless=new",
                "--window-size=1360,860",
                // A container has neither the rights for a sandbox nor a GPU; and nothing is to be fetched.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                format!("--accept-lang={}", if home.language().starts_with("ja") { "ja" } else { "en" }),
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                format!("--user-data-dir={}", home.profile().display()),
            ],
        },
    }))
}
