//! Chromium as a user's browser, showing `fumi serve`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::display::Display;
use super::home::Home;
use super::process::Process;
use super::{RunningApplication, Server, driver, programs};
use crate::page::Page;

/// A browser with its driver; killed when dropped.
pub struct Browser {
    page: Page,
    driver: Process,
}

impl Browser {
    /// Opens a browser with the profile in this folder; an empty folder is a new profile.
    ///
    /// # Errors
    /// Fails if it does not start.
    pub async fn open(home: &Home, display: &Display, profile: &Path) -> Result<Self> {
        Self::open_with(home, display, profile, &[]).await
    }

    /// Opens a browser with additional command-line switches.
    ///
    /// # Errors
    /// Fails if it does not start.
    pub async fn open_with(
        home: &Home,
        display: &Display,
        profile: &Path,
        switches: &[String],
    ) -> Result<Self> {
        let mut command = display.command(home, programs::system("chromedriver")?)?;
        let capabilities = capabilities(home, profile, switches)?;
        let (driver, client) = driver::open(&mut command, capabilities).await?;
        Ok(Self {
            page: Page::new(client),
            driver,
        })
    }

    /// Closes the browser normally, so that it writes its pending data.
    ///
    /// # Errors
    /// Fails if it does not close.
    pub async fn close(self) -> Result<()> {
        let client = self.page.client().clone();
        client.close().await.context("the browser does not end")
    }

    /// Returns its only tab.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }
}

/// Starts the server, logs a browser in, opens the folders, and shows the first of them.
pub(super) async fn start(
    home: &Home,
    display: &Display,
    folders: &[PathBuf],
) -> Result<RunningApplication> {
    let server = Server::start(home, folders).await?;
    let Browser { page, driver } = Browser::open(home, display, &home.profile()).await?;
    page.go(server.login()).await?;
    page.wait_for_address_below("/wiki").await?;

    let api = server.api()?;
    let mut roots = Vec::new();
    for folder in folders {
        roots.push(api.post("api/roots", &json!({ "path": folder })).await?);
    }
    // As the window does.
    if let Some(first) = roots.first() {
        let id = first["id"].as_str().context("a root has an id")?;
        // The login has redirected the browser to the server's own host.
        let address = page.client().current_url().await?;
        page.go(address.join(&format!("/pictures/{id}/"))?.as_str())
            .await?;
    }
    Ok(RunningApplication {
        page,
        application: server.pid(),
        _processes: vec![driver, server.into_process()],
    })
}

fn capabilities(home: &Home, profile: &Path, switches: &[String]) -> Result<Value> {
    let (browser, name) = programs::chromium()?;
    let lang = if home.language().starts_with("ja") {
        "ja"
    } else {
        "en"
    };
    let mut arguments = [
        "--headless=new",
        "--window-size=1360,860",
        // A container has neither the privileges for a sandbox nor a GPU; and nothing must be downloaded.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--accept-lang={lang}"));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.extend_from_slice(switches);
    Ok(json!({
        "browserName": name,
        "goog:chromeOptions": { "binary": browser, "args": arguments },
    }))
}
