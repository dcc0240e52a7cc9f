//! The system's language, and the choice of another one.

use anyhow::Result;
use fumikura_tests::stage::Stage;

use crate::steps;

pub(crate) async fn interface_follows_the_japanese_desktop(stage: &mut Stage) -> Result<()> {
    stage.home_mut().use_japanese().await?;
    let page = steps::begin(stage).await?;
    page.read("page-title", "文庫へようこそ").await?;
    page.read("page-edit", "編集").await?;

    page.click("rail-settings").await?;
    page.click("language-en").await?;
    page.read("settings", "Language").await?;

    stage.stop().await?;
    let page = stage.start(&[]).await?.clone();
    page.read("page-edit", "Edit").await
}
