//! Locks: a page has one writer at a time.

use anyhow::{Result, ensure};
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use reqwest::Method;

use crate::steps;

pub(crate) async fn locked_page_does_not_open_the_editor(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    let token = seed::lock(&api, &id).await?;

    page.click("page-edit").await?;
    page.wait_for("toast").await?;
    page.wait_for_address("/wiki/").await?;
    ensure!(
        page.count(steps::TEXT).await? == 0,
        "the page is open for writing"
    );

    let authentication = format!("token={token}");
    let header = [("x-lock-authentication", authentication.as_str())];
    api.send(
        Method::DELETE,
        &format!("api/pages/{id}/lock"),
        &header,
        String::new(),
    )
    .await?
    .error_for_status()?;
    steps::edit(&page).await?;
    ensure!(
        steps::is_locked(&api, &id).await?,
        "it is written without a lock"
    );
    page.click("editor-cancel").await?;
    page.wait_for("page-body").await?;
    wait::until("the lock to be given back", async || {
        Ok((!steps::is_locked(&api, &id).await?).then_some(()))
    })
    .await
}

pub(crate) async fn second_tab_cannot_edit_a_locked_page(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "The first tab writes").await?;
    let first = page.client().window().await?;
    let address = page.client().current_url().await?;

    let second = page.client().new_window(true).await?.handle;
    page.client().switch_to_window(second).await?;
    page.go(address.join("/wiki/")?.as_str()).await?;
    page.click("page-edit").await?;
    page.wait_for("toast").await?;
    page.wait_for_address("/wiki/").await?;

    page.client().close_window().await?;
    page.client().switch_to_window(first).await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", "The first tab writes")
        .await
}
