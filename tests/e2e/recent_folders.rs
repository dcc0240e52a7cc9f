//! Links to the folders that were viewed last.

use std::fs;

use anyhow::{Context, Result};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use serde_json::json;

use crate::grid::{cell, key, wait_for_entries};
use crate::steps;

pub(crate) async fn recent_folder_is_found_again(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Journeys")?;
    for path in ["京都/a.jpg", "Nara/b.jpg"] {
        let to = folder.join(path);
        fs::create_dir(to.parent().context("it lies in a folder")?)?;
        fs::copy(fixture("images/orientation/Landscape_1.jpg"), to)?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    let api = stage.api().await?;
    wait_for_entries(&page, &["Nara", "京都"]).await?;
    page.open_cell(&cell("京都")).await?;
    wait_for_entries(&page, &["a.jpg"]).await?;
    wait_for_visit(&api, "京都").await?;
    page.press(&[], &key(Key::Backspace)).await?;
    wait_for_entries(&page, &["Nara", "京都"]).await?;
    page.open_cell(&cell("Nara")).await?;
    wait_for_entries(&page, &["b.jpg"]).await?;
    wait_for_visit(&api, "Nara").await?;

    // From another view, by its name and from the list.
    page.press(&[Key::Alt], "1").await?;
    page.wait_for("page-body").await?;
    find(&page, "京都").await?;
    wait_for_entries(&page, &["a.jpg"]).await?;
    wait_for_visit(&api, "京都").await?;
    page.press(&[Key::Alt], "2").await?;
    wait_for_recent_folders(&page, &["京都", "Nara"]).await?;
    stage.stop().await?;

    // Also the folders that were viewed before the program ended.
    let page = stage.start(&[folder]).await?.clone();
    wait_for_entries(&page, &["Nara", "京都"]).await?;
    find(&page, "Nara").await?;
    wait_for_entries(&page, &["b.jpg"]).await?;
    wait_for_visit(&stage.api().await?, "Nara").await?;
    page.press(&[Key::Alt], "2").await?;
    wait_for_recent_folders(&page, &["Nara", "京都"]).await?;
    page.click_at(&format!("li:nth-child(2) {}", by_id("recent-folder")))
        .await?;
    wait_for_entries(&page, &["a.jpg"]).await
}

/// Waits until the folder is the first of the server's list: a folder that is viewed for a moment counts as
/// visited.
async fn wait_for_visit(api: &Api, path: &str) -> Result<()> {
    wait::until(&format!("{path} to be noted"), async || {
        let folders = api.get("api/users/me/folders").await?;
        Ok((folders[0]["path"] == path).then_some(()))
    })
    .await
}

/// Goes to a folder by a part of its name.
async fn find(page: &Page, name: &str) -> Result<()> {
    page.press(&[Key::Control], "k").await?;
    page.wait_for("palette").await?;
    page.type_into("palette-input", name).await?;
    let is_offered = format!(
        "const list = document.querySelector('{}');
         const entry = list?.querySelector('.active');
         return list?.dataset.query === '{name}' && entry?.querySelector('.label').textContent === '{name}'
             && entry.querySelector('.place').textContent === 'Journeys';",
        by_id("palette-list")
    );
    page.wait_until(&format!("the folder {name} to be offered"), &is_offered)
        .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_until_gone("palette").await
}

/// Waits until the list below the open folders has these, and no others.
async fn wait_for_recent_folders(page: &Page, names: &[&str]) -> Result<()> {
    let script = format!(
        "const names = [...document.querySelectorAll('{} .name')];
         return JSON.stringify(names.map((name) => name.textContent)) === JSON.stringify({});",
        by_id("recent-folder"),
        json!(names)
    );
    page.wait_until(&format!("the recent folders {names:?}"), &script)
        .await
}
