//! A wiki that has been used for a while, for tests of every screen.

use anyhow::Result;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Stage};
use reqwest::Method;
use serde_json::{Value, json};

/// Continues after the greeting: registers a user.
pub(crate) async fn register_user(stage: &Stage) -> Result<Api> {
    let api = stage.api().await?;
    api.post("api/users", &json!({ "name": "綾" })).await?;
    Ok(api)
}

/// Continues from there: writes pages in both languages, and opens folders of pictures, one of which has been
/// removed since.
pub(crate) async fn open_sample_wiki(stage: &mut Stage) -> Result<(Page, Api)> {
    let api = stage.api().await?;
    for language in ["en", "ja"] {
        seed::storehouse(&api, language).await?;
        seed::traces(&api, language).await?;
    }
    stage.stop().await?;

    let page = stage.start(&seed::folders(stage.home())?).await?.clone();
    page.wait_for("cell").await?;
    seed::remove_memory_card(stage.home())?;
    let api = stage.api().await?;
    Ok((page, api))
}

/// Changes settings, as the page would.
pub(crate) async fn change_settings(api: &Api, settings: &Value) -> Result<()> {
    let json = [("content-type", "application/json")];
    api.send(Method::PATCH, "api/settings", &json, settings.to_string())
        .await?
        .error_for_status()?;
    Ok(())
}
