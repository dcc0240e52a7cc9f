//! The whole way in one data folder: a name, the root page, a new page, an end, a start, and pictures, which
//! a second start hands to the running window.

use anyhow::{Context, Result, ensure};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Stage, programs};
use fumikura_tests::wait::PATIENCE;

use crate::{pictures, writing};

pub(crate) async fn from_the_first_name_to_pictures_that_a_second_start_hands_over(
    stage: &mut Stage,
) -> Result<()> {
    writing::a_page_with_a_japanese_title_outlives_the_program(stage).await?;
    let mut second = stage.display().command(stage.home(), programs::window()?)?;
    second.arg(fixture("images/orientation"));
    let ended = tokio::time::timeout(PATIENCE, second.status()).await;
    let ended = ended.context("the second start goes on")??;
    ensure!(ended.success(), "the second start ended with {ended}");
    pictures::all_are_upright(stage.page()).await
}
