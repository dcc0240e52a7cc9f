//! The desktop window, driven by WebKit's own driver.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::json;

use super::display::Display;
use super::home::Home;
use super::{RunningApplication, driver, process_tree, programs};
use crate::page::Page;
use crate::screen::Screen;
use crate::wait;

/// Starts the window's program through the driver, as Tauri's own driver does.
pub(super) async fn start(
    home: &Home,
    display: &Display,
    folders: &[PathBuf],
) -> Result<RunningApplication> {
    let screen = Screen::of(display)?;
    // The window of an earlier start would be taken for the new one.
    wait::until("an earlier window to be gone", async || {
        Ok(screen.windows()?.is_empty().then_some(()))
    })
    .await?;
    let program = programs::window()?;
    let mut command = display.command(home, programs::system("WebKitWebDriver")?)?;
    command
        .arg("--host=127.0.0.1")
        .env("TAURI_AUTOMATION", "true")
        .env("TAURI_WEBVIEW_AUTOMATION", "true");
    let (driver, client) = driver::open(
        &mut command,
        json!({ "webkitgtk:browserOptions": { "binary": program, "args": folders } }),
    )
    .await?;
    let application = process_tree::descendants(driver.pid())
        .into_iter()
        .find(|pid| process_tree::program(*pid).as_deref() == Some(&program))
        .context("the driver runs no window of ours")?;
    // The page may be ready before the window manager manages the window and sends it key presses.
    wait::until("the window to be taken up", async || {
        Ok((!screen.windows()?.is_empty()).then_some(()))
    })
    .await?;
    wait::until("the window to be the active one", async || {
        display.xdotool(&["getactivewindow"]).await.map(Some)
    })
    .await?;
    Ok(RunningApplication {
        page: Page::new(client),
        application,
        _processes: vec![driver],
    })
}
