//! The whole way in one data folder: a name, the root page, a new page, an end, a start, and pictures, which
//! later starts hand to the running window: a folder, a picture that is in no open folder, a page, and
//! commands.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Stage, programs};
use fumikura_tests::wait::{self, PATIENCE};

use crate::{pictures, steps, writing};

pub(crate) async fn second_start_opens_folder_in_running_window(stage: &mut Stage) -> Result<()> {
    writing::page_with_japanese_title_survives_restart(stage).await?;
    start_again(stage, &fixture("images/orientation")).await?;
    pictures::all_are_upright(stage.page()).await?;

    let downloads = stage.home().folder("Downloads")?;
    for name in ["a.jpg", "庭 1.jpg"] {
        fs::copy(
            fixture("images/orientation/Landscape_1.jpg"),
            downloads.join(name),
        )?;
    }
    let picture = downloads.join("庭 1.jpg");
    start_again(stage, &picture).await?;
    shows_picture(stage.page(), "庭 1.jpg").await?;
    stage.stop().await?;
    // The folder of the picture was open in that launch only.
    let page = stage.start(&[picture]).await?.clone();
    shows_picture(&page, "庭 1.jpg").await?;
    page.press(&[], "k").await?;
    shows_picture(&page, "a.jpg").await?;
    start_again(stage, Path::new("--search")).await?;
    page.wait_for_address_below("/search").await?;
    start_again(stage, Path::new("--page=/")).await?;
    page.wait_for_address_below("/wiki/").await?;
    quick_note_has_a_window_of_its_own(stage, &page).await
}

/// Begins today's note in the window, and adds to it in the small window of the quick note.
async fn quick_note_has_a_window_of_its_own(stage: &Stage, page: &Page) -> Result<()> {
    start_again(stage, Path::new("--today")).await?;
    page.wait_for_selector(steps::TEXT).await?;
    start_again(stage, Path::new("--quick")).await?;
    let display = stage.display();
    // The page names the window when it is ready.
    let small = display
        .xdotool(&["search", "--sync", "--onlyvisible", "--name", "^Quick note"])
        .await?;
    display
        .xdotool(&["windowfocus", "--sync", &small, "type", "tea"])
        .await?;
    display.xdotool(&["key", "ctrl+Return"]).await?;
    page.wait_for_text_at(steps::TEXT, "tea").await?;
    wait::until("the small window to close", async || {
        let windows = display.xdotool(&["search", "--onlyvisible", "--name", "Fumikura"]);
        Ok((!windows.await?.contains(&small)).then_some(()))
    })
    .await
}

/// Starts the program once more, as a file manager or an action of the desktop entry does.
async fn start_again(stage: &Stage, argument: &Path) -> Result<()> {
    let mut again = stage.display().command(stage.home(), programs::window()?)?;
    let status = tokio::time::timeout(PATIENCE, again.arg(argument).status()).await;
    let status = status.context("the second start goes on")??;
    ensure!(status.success(), "the second start ended with {status}");
    Ok(())
}

/// Waits until the picture is shown large.
async fn shows_picture(page: &Page, name: &str) -> Result<()> {
    page.wait_until(
        &format!("{name} to be shown large"),
        &format!(
            "const image = document.querySelector('[data-testid=\"viewer-image\"]');
             return image?.complete && image.naturalWidth > 0 && document.title.includes('{name}');"
        ),
    )
    .await
}
