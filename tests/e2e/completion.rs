//! Assistance while writing, only with the keyboard: completion of links and files, find and replace.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;

use crate::steps;
use crate::wiki::{key, upload_file, wait_for_content};

pub(crate) async fn links_and_files_are_completed_by_keys(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/カメラ/レンズ", "# ﾚﾝｽﾞの手入れ".to_owned()).await?;
    seed::write(&api, "/カメラ/三脚", "# 三脚".to_owned()).await?;
    let top = steps::page_id(&api, "/").await?;
    upload_file(&api, &top, "moss.txt").await?;
    upload_file(&api, &top, "plan.txt").await?;

    steps::edit(&page).await?;
    // Hiragana finds half-width katakana.
    steps::write(&page, "See [[れんず").await?;
    accept_suggestion(&page, "ﾚﾝｽﾞの手入れ").await?;
    wait_for_lines(&page, "See [[/カメラ/レンズ]]").await?;
    page.press(&[], ", [a tripod](三").await?;
    accept_suggestion(&page, "三脚").await?;
    page.press(&[], ", ![](asset:").await?;
    // The second of two.
    wait_for_suggestion(&page, "moss.txt").await?;
    page.press(&[], &key(Key::Down)).await?;
    accept_suggestion(&page, "plan.txt").await?;
    let text = "See [[/カメラ/レンズ]], [a tripod](/カメラ/三脚), ![](asset:plan.txt)";
    wait_for_lines(&page, text).await?;

    // A dismissed suggestion is not inserted: Escape leaves the text as it was typed.
    page.press(&[], " [[三").await?;
    wait_for_suggestion(&page, "三脚").await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until(
        "nothing to be suggested",
        "return document.querySelector('.cm-tooltip-autocomplete') === null",
    )
    .await?;
    wait_for_lines(&page, &format!("{text} [[三")).await?;
    page.press(&[], "]]").await?;
    steps::save(&page).await?;
    page.click_at("[data-testid=\"page-body\"] a[href$=\"%E4%B8%89%E8%84%9A\"]")
        .await?;
    wait_for_content(&page, "[data-testid=\"page-title\"]", "三脚").await
}

pub(crate) async fn words_are_found_and_replaced_by_keys(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "カメラの手入れ\nレンズの手入れ\n手入れ帳").await?;

    page.press(&[Key::Control], "f").await?;
    wait_for_focus(&page, "search").await?;
    page.press(&[], "手入れ").await?;
    wait_for_matches(&page, ".cm-searchMatch", 3).await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_matches(&page, ".cm-searchMatch-selected", 1).await?;

    // From one field to the other, without a mouse.
    page.press(&[Key::Control], "h").await?;
    wait_for_focus(&page, "replace").await?;
    page.press(&[], "整備").await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_lines(&page, "カメラの整備レンズの手入れ手入れ帳").await?;
    page.press(&[], &key(Key::Tab)).await?;
    page.press(&[], &key(Key::Tab)).await?;
    wait_for_focus(&page, "replaceAll").await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_lines(&page, "カメラの整備レンズの整備整備帳").await?;

    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until("the focus back in the text", FOCUS_IN_TEXT)
        .await?;
    page.press(&[Key::Control], "z").await?;
    wait_for_lines(&page, "カメラの整備レンズの手入れ手入れ帳").await?;
    page.press(&[Key::Control], &key(Key::Enter)).await?;
    wait_for_content(&page, "[data-testid=\"page-body\"]", "手入れ帳").await
}

const FOCUS_IN_TEXT: &str = "return document.querySelector('.cm-search') === null \
     && document.activeElement.matches('.cm-content')";

/// Waits until this suggestion is selected, and the list has been shown for longer than the time in which the
/// editor leaves its keys to the text.
async fn wait_for_suggestion(page: &Page, label: &str) -> Result<()> {
    let chosen = ".cm-tooltip-autocomplete [aria-selected=\"true\"]";
    wait_for_content(page, chosen, label).await?;
    let is_settled = "const list = document.querySelector('.cm-tooltip-autocomplete');\n\
         list.since ??= performance.now();\n\
         return performance.now() - list.since > 200";
    page.wait_until("the list to be shown for a moment", is_settled)
        .await
}

/// Inserts the suggestion.
async fn accept_suggestion(page: &Page, label: &str) -> Result<()> {
    wait_for_suggestion(page, label).await?;
    page.press(&[], &key(Key::Enter)).await
}

/// Waits until the lines of the text, joined, are this.
async fn wait_for_lines(page: &Page, text: &str) -> Result<()> {
    let script = format!(
        "return [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('') === {text:?}"
    );
    page.wait_until(&format!("the text to be “{text}”"), &script)
        .await
}

/// Waits until the focus is on a part of the panel.
async fn wait_for_focus(page: &Page, name: &str) -> Result<()> {
    let script =
        format!("return document.activeElement.closest('.cm-search [name={name}]') !== null");
    page.wait_until(&format!("the focus on {name}"), &script)
        .await
}

async fn wait_for_matches(page: &Page, selector: &str, count: usize) -> Result<()> {
    let script = format!("return document.querySelectorAll('{selector}').length === {count}");
    page.wait_until(&format!("{count} of {selector}"), &script)
        .await
}
