//! The system's own folder dialog, operated by the keyboard.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow};
use fumikura_tests::screen::Screen;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;

use crate::steps;

pub(crate) async fn folder_is_chosen_in_the_system_dialog(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;

    page.click("activity-pictures").await?;
    page.click("open-folder-first").await?;
    type_path(stage, &screen, &before, &fixture("images/orientation")).await?;

    page.wait_for_address_below("/pictures/").await?;
    page.wait_for("thumb").await?;
    Ok(())
}

/// Types a path into the file dialog that opens in addition to the windows of `before`, and accepts it.
pub(crate) async fn type_path(
    stage: &Stage,
    screen: &Screen,
    before: &[u32],
    path: &Path,
) -> Result<()> {
    let dialog = wait::until("the dialog to open", async || {
        Ok(screen
            .windows()?
            .into_iter()
            .find(|window| !before.contains(window)))
    })
    .await?;
    wait::until("the dialog to stay above the window", async || {
        let parent = screen.parent(dialog)?;
        Ok(parent.filter(|parent| before.contains(parent)))
    })
    .await?;
    let dialog = dialog.to_string();
    let display = stage.display();
    display
        .xdotool(&["windowactivate", "--sync", &dialog])
        .await?;
    // In GTK's chooser a slash begins a typed address. Only the stem of a proposed name is selected.
    display
        .xdotool(&["key", "--clearmodifiers", "ctrl+l", "ctrl+a"])
        .await?;
    display
        .xdotool(&["type", "--delay", "5", &path.to_string_lossy()])
        .await?;
    accept(stage, screen, before.len()).await
}

/// Presses Return until the dialog has closed. GTK checks the typed folder in the background, and drops a
/// Return that arrives before it has; one that arrives too soon after another restarts the check.
async fn accept(stage: &Stage, screen: &Screen, windows: usize) -> Result<()> {
    let mut closed = Err(anyhow!("the dialog stays"));
    for _ in 0..8 {
        stage.display().xdotool(&["key", "Return"]).await?;
        closed = wait::within(Duration::from_secs(3), "the dialog to close", async || {
            Ok((screen.windows()?.len() == windows).then_some(()))
        })
        .await;
        if closed.is_ok() {
            break;
        }
    }
    closed
}
