//! The whole way in one data folder: a name, the root page, a new page, an end, a start, and pictures, which
//! later starts hand to the running window: a folder, a picture that is in no open folder, a page, and
//! commands.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Stage, programs};
use fumikura_tests::wait::PATIENCE;

use crate::{pictures, writing};

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
    start_again(stage, Path::new("--quick")).await?;
    page.wait_for("quick-note-text").await?;
    Ok(())
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
