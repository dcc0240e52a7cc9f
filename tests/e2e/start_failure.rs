//! Starts that fail: a window says why, and offers what can be done.

use std::fs;

use anyhow::{Context, Result, ensure};
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::{Process, Stage, programs};
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::Value;

use crate::steps;

/// The button that restores the newest backup has the focus.
pub(crate) async fn lost_database_is_restored_from_the_failure_window(
    stage: &mut Stage,
) -> Result<()> {
    steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    let started = api.send(Method::POST, "/api/backup", &[], String::new());
    let started: Value = started.await?.error_for_status()?.json().await?;
    let id_of_job = started["id"].as_str().context("a backup has no id")?;
    let job = format!("/api/jobs/{id_of_job}");
    wait::until("the backup to be made", async || {
        let job: Value = api.get(&job).await?;
        Ok((!job["ended_at"].is_null()).then_some(()))
    })
    .await?;
    stage.stop().await?;
    let database = stage.home().data().join("wiki.redb");
    fs::remove_file(&database)?;

    let screen = Screen::of(stage.display())?;
    wait::until("the earlier window to be gone", async || {
        Ok(screen.windows()?.is_empty().then_some(()))
    })
    .await?;
    let mut command = stage.display().command(stage.home(), programs::window()?)?;
    let _started = Process::spawn(&mut command)?;
    let window = wait::until("the window to open", async || Ok(screen.windows()?.pop())).await?;
    ensure!(!database.exists(), "an empty wiki was made");
    let display = stage.display();
    display
        .xdotool(&["windowactivate", "--sync", &window.to_string()])
        .await?;
    display.xdotool(&["key", "Return"]).await?;
    wait::until("the page to be back", async || {
        let back = steps::page_id(&stage.api().await?, "/").await?;
        Ok((back == id).then_some(()))
    })
    .await
}
