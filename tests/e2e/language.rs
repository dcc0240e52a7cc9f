//! The system's language, and the choice of another one.

use anyhow::Result;
use fumikura_tests::stage::Stage;

use crate::steps;

pub(crate) async fn interface_follows_the_japanese_desktop(stage: &mut Stage) -> Result<()> {
    stage.home_mut().use_japanese().await?;
    let page = steps::begin(stage).await?;
    page.wait_for_text("page-title", "文庫へようこそ").await?;
    page.wait_for_text("page-edit", "編集").await?;

    page.click("activity-settings").await?;
    page.click("language-en").await?;
    page.wait_for_text("settings", "Language").await?;

    stage.stop().await?;
    let page = stage.start(&[]).await?.clone();
    page.click("activity-wiki").await?;
    page.wait_for_text("page-edit", "Edit").await
}
