//! The whole way in one data folder: a name, the root page, a new page, an end, a start, and pictures, which
//! a second start hands to the running window.

use anyhow::{Context, Result, ensure};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Stage, programs};
use fumikura_tests::wait::PATIENCE;

use crate::{pictures, writing};

pub(crate) async fn second_start_opens_folder_in_running_window(stage: &mut Stage) -> Result<()> {
    writing::page_with_japanese_title_survives_restart(stage).await?;
    let mut second = stage.display().command(stage.home(), programs::window()?)?;
    second.arg(fixture("images/orientation"));
    let status = tokio::time::timeout(PATIENCE, second.status()).await;
    let status = status.context("the second start goes on")??;
    ensure!(status.success(), "the second start ended with {status}");
    pictures::all_are_upright(stage.page()).await
}
