//! Chromium as a person's browser, and what `fumi serve` shows in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::display::Display;
use super::home::Home;
use super::process::Process;
use super::{Running, Server, driver, programs};
use crate::page::Page;

/// A browser with the driver that drives it; killed when dropped.
pub struct Browser {
    page: Page,
    driver: Process,
}

impl Browser {
    /// Opens one with the profile in this folder; an empty one has never seen anything.
    ///
    /// # Errors
    /// Fails if it does not come up.
    pub async fn open(home: &Home, display: &Display, profile: &Path) -> Result<Self> {
        Self::open_with(home, display, profile, &[]).await
    }

    /// With more switches on its command line.
    ///
    /// # Errors
    /// Fails if it does not come up.
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

    /// Ends it as a person does, so that it writes what it still has to write.
    ///
    /// # Errors
    /// Fails if it does not end.
    pub async fn close(self) -> Result<()> {
        let client = self.page.client().clone();
        client.close().await.context("the browser does not end")
    }

    /// Its one tab.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }
}

/// Starts the server, lets a browser log in, opens the folders, and shows the first of them.
pub(super) async fn start(home: &Home, display: &Display, folders: &[PathBuf]) -> Result<Running> {
    let server = Server::start(home, folders).await?;
    let Browser { page, driver } = Browser::open(home, display, &home.profile()).await?;
    page.go(server.login()).await?;
    page.address_beneath("/wiki").await?;

    let api = server.api()?;
    let mut roots = Vec::new();
    for folder in folders {
        roots.push(api.post("api/roots", &json!({ "path": folder })).await?);
    }
    // As the window does.
    if let Some(first) = roots.first() {
        let id = first["id"].as_str().context("a root has an id")?;
        // The login has moved the browser to the server's own host.
        let here = page.client().current_url().await?;
        page.go(here.join(&format!("/pictures/{id}/"))?.as_str())
            .await?;
    }
    Ok(Running {
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
        // A container has neither the rights for a sandbox nor a GPU; and nothing is to be fetched.
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
