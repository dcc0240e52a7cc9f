//! Full-text search, from the key that opens it to the place in the page.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use reqwest::Method;

use crate::steps;
use crate::wiki::{key, wait_for_content};

const ITEM: &str = "[data-testid=\"search-item\"]";

/// Returns true if what is typed replaces the text of the field.
const IS_READY: &str = "
    const field = document.querySelector('[data-testid=\"search-field\"]');
    return field !== null && field === document.activeElement && field.selectionEnd - field.selectionStart === field.value.length;";

/// Opens the search by its key and types.
async fn search(page: &Page, typed: &str) -> Result<()> {
    page.press(&[Key::Control, Key::Shift], "f").await?;
    page.wait_until("the field to be ready for another text", IS_READY)
        .await?;
    page.press(&[], typed).await?;
    let script = format!(
        "return document.querySelector('[data-testid=\"search-view\"]')?.dataset.query === {typed:?}"
    );
    page.wait_until("the answer", &script).await
}

pub(crate) async fn search_opens_matches_and_follows_moves(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let text = format!(
        "# 秋の旅\n\n{}ｻｰﾊﾞｰの管理。\n\nサーバを見る。",
        "前置き。\n\n".repeat(60)
    );
    let id = seed::write(&api, "/旅/京都", text).await?;

    search(&page, "サーバー").await?;
    wait_for_content(&page, ITEM, "秋の旅").await?;
    wait_for_content(&page, &format!("{ITEM} mark"), "ｻｰﾊﾞｰ").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("page-title", "秋の旅").await?;
    page.wait_for_text("found-position", "Match 1 of").await?;
    page.wait_until(
        "the match to be on the screen",
        "const [range] = CSS.highlights.get('found-current'); \
         const { top, bottom } = range.getBoundingClientRect(); \
         return range.toString() === 'ｻｰﾊﾞｰ' && top > 0 && bottom < innerHeight",
    )
    .await?;
    page.press(&[], &key(Key::F3)).await?;
    page.wait_for_text("found-position", "Match 2 of").await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("found-bar").await?;

    let moved = format!("api/pages/{id}/path?rename_to=/journey");
    let answer = api.send(Method::POST, &moved, &[], String::new()).await?;
    answer.error_for_status()?;
    search(&page, "サーバー").await?;
    wait_for_content(&page, ITEM, "/journey").await?;
    search(&page, "京都").await?;
    wait_for_content(&page, ITEM, "Moved from /旅/京都").await
}
