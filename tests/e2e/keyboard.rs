//! Use without a mouse.

use anyhow::{Result, bail};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::steps;

pub(crate) async fn views_are_operated_by_keys_alone(stage: &mut Stage) -> Result<()> {
    let page = stage.start(&[]).await?.clone();
    page.wait_for("greeting-name").await?;
    wait_for_focus(&page, "[data-testid=\"greeting-name\"]").await?;
    page.press(&[], "花子").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for("tour-next").await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("tour-next").await?;
    page.wait_for("page-body").await?;

    page.press(&[], "e").await?;
    page.wait_for_selector(steps::TEXT).await?;
    wait_for_focus(&page, steps::TEXT).await?;
    page.press(&[Key::Control], "a").await?;
    page.press(&[], "By keys alone").await?;
    page.press(&[Key::Control], &key(Key::Enter)).await?;
    page.wait_for_text("page-body", "By keys alone").await?;

    fold_and_unfold(&page).await?;
    page.press(&[Key::Control], "k").await?;
    page.wait_for("palette").await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("palette").await?;
    page.press(&[Key::Control], ",").await?;
    page.wait_for("settings").await?;
    page.press(&[Key::Alt], "1").await?;
    page.wait_for("page-body").await?;
    stage.stop().await?;

    pictures(&stage.start(&[fixture("images/orientation")]).await?.clone()).await
}

async fn fold_and_unfold(page: &Page) -> Result<()> {
    page.wait_for("side-panel").await?;
    page.press(&[Key::Control], "b").await?;
    page.wait_until_gone("side-panel").await?;
    page.press(&[Key::Control], "b").await?;
    page.wait_for("side-panel").await?;
    Ok(())
}

async fn pictures(page: &Page) -> Result<()> {
    page.wait_for("cell").await?;
    tab_to_the_pictures(page).await?;
    page.press(&[], &key(Key::Right)).await?;
    focus_on(page, 1).await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for("viewer").await?;
    let first = shown_view(page).await?;
    page.press(&[], "j").await?;
    page.wait_until(
        "the next picture",
        &format!("return {VIEWER_ALT} !== {first:?}"),
    )
    .await?;
    page.press(&[], "k").await?;
    page.wait_until(
        "the first picture",
        &format!("return {VIEWER_ALT} === {first:?}"),
    )
    .await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("viewer").await?;
    focus_on(page, 1).await
}

const VIEWER_ALT: &str = "document.querySelector('[data-testid=\"viewer-image\"]')?.alt";

async fn shown_view(page: &Page) -> Result<String> {
    Ok(page
        .execute(&format!("return {VIEWER_ALT} ?? ''"))
        .await?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// Tabs from the focused element to the pictures, in no more steps than the frame has controls.
async fn tab_to_the_pictures(page: &Page) -> Result<()> {
    for _ in 0..30 {
        page.press(&[], &key(Key::Tab)).await?;
        if page
            .execute("return document.activeElement?.dataset.testid === 'cell'")
            .await?
            == true
        {
            return Ok(());
        }
    }
    bail!("the Tab key does not lead to the pictures")
}

async fn focus_on(page: &Page, index: usize) -> Result<()> {
    let cell = format!("[data-testid=\"cell\"][data-index=\"{index}\"]");
    wait_for_focus(page, &cell).await
}

async fn wait_for_focus(page: &Page, selector: &str) -> Result<()> {
    let script = format!("return document.activeElement?.matches('{selector}')");
    page.wait_until(&format!("the focus on {selector}"), &script)
        .await
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}
