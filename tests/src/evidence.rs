//! Evidence of a failed scenario: a picture, the page's source, the programs' logs.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::fs;
use tokio::time::timeout;

use crate::screen::Screen;
use crate::stage::Stage;

/// The time limit for an answer of the page.
const ANSWER: Duration = Duration::from_secs(10);

/// Saves what can be saved, and returns the folder. The rest is skipped: the scenario's own failure matters more.
pub async fn save(stage: &Stage, scenario: &str) -> Result<PathBuf> {
    let dir = target()?
        .join("e2e")
        .join(format!("{scenario}-{}", stage.kind().name()));
    fs::create_dir_all(&dir).await?;
    // The whole screen: dialogs are not part of the page.
    if let Ok(picture) = Screen::of(stage.display()).and_then(|screen| screen.picture()) {
        picture.save(&dir.join("screen.png"))?;
    }
    let mut logs = fs::read_dir(stage.home().logs()).await?;
    while let Some(log) = logs.next_entry().await? {
        fs::copy(log.path(), dir.join(log.file_name())).await?;
    }
    // Saved last: the page may be what went wrong, and not answer.
    if let Some(page) = stage.page_if_running() {
        if let Ok(Ok(source)) = timeout(ANSWER, page.client().source()).await {
            fs::write(dir.join("page.html"), source).await?;
        }
        if let Ok(Ok(picture)) = timeout(ANSWER, page.client().screenshot()).await {
            fs::write(dir.join("page.png"), picture).await?;
        }
    }
    Ok(dir)
}

/// Returns cargo's build folder, which contains this test's own program.
fn target() -> Result<PathBuf> {
    let test = env::current_exe()?;
    let debug = test
        .ancestors()
        .find(|dir| dir.ends_with("debug") || dir.ends_with("release"));
    let target = debug
        .and_then(|debug| debug.parent())
        .context("the test does not lie in a build folder")?;
    Ok(target.to_owned())
}
