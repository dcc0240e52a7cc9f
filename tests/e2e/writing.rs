//! A page is written, saved, and still there after the program has ended.

use anyhow::Result;
use fumikura_tests::stage::Stage;

use crate::steps;

pub(crate) async fn page_with_japanese_title_survives_restart(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;

    steps::edit(&page).await?;
    steps::write(&page, "# 入口\n\n[京都の旅](/旅/京都)").await?;
    page.wait_for_text("editor-preview", "京都の旅").await?;
    steps::save(&page).await?;
    page.wait_for_text("page-title", "入口").await?;

    page.click("link-unknown").await?;
    page.wait_for_selector(steps::TEXT).await?;
    steps::write(&page, "# 京都の旅\n\n嵐山で**竹林**を歩く。").await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", "嵐山で竹林を歩く。")
        .await?;
    page.wait_for_selector("[data-testid=\"page-body\"] strong")
        .await?;

    stage.stop().await?;
    let page = stage.start(&[]).await?.clone();

    // The window begins where it was left.
    page.wait_for_text("page-body", "嵐山で竹林を歩く。")
        .await?;
    page.click("activity-wiki").await?;
    page.wait_for_text("page-title", "入口").await?;
    page.click_at("[data-testid=\"page-body\"] a:not(.none)[href*=\"%E4%BA%AC%E9%83%BD\"]")
        .await?;
    page.wait_for_text("page-body", "嵐山で竹林を歩く。")
        .await?;

    steps::edit(&page).await?;
    steps::write(&page, "# 京都の旅\n\n渡月橋を渡る。").await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", "渡月橋を渡る。").await
}

pub(crate) async fn abandoned_draft_leaves_no_page(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "[later](/later)").await?;
    steps::save(&page).await?;

    page.click("link-unknown").await?;
    page.wait_for_selector(steps::TEXT).await?;
    steps::write(&page, "not worth keeping").await?;
    page.click("editor-cancel").await?;
    page.click("question-yes").await?;

    page.wait_for("page-not-found").await?;
    let api = stage.api().await?;
    let pages = api.get("api/pages?with_deleted=true").await?;
    let paths: Vec<_> = pages["items"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| &item["path"])
        .collect();
    anyhow::ensure!(paths == ["/"], "the pages are {paths:?}");
    anyhow::ensure!(
        steps::autosave_entries(&api).await?.is_empty(),
        "the discarded text is still stored"
    );
    Ok(())
}
