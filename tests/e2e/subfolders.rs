//! All pictures below a folder, grouped by folder.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use serde_json::json;

use crate::grid::{cell, key, select, wait_for_entries};
use crate::steps;

pub(crate) async fn subfolders_are_shown_with_their_folder(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Journeys")?;
    for path in ["a.jpg", "京都/b.jpg", "京都/c.jpg", "奈良/鹿/d.jpg"] {
        put(&folder, path)?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_entries(&page, &["京都", "奈良", "a.jpg"]).await?;
    select(&page, "a.jpg").await?;
    for grouping in ["day", "month", "year", "camera", "rating", "folder"] {
        page.press(&[], "g").await?;
        wait_for_grouping(&page, grouping).await?;
    }
    wait_for_entries(&page, &["a.jpg", "b.jpg", "c.jpg", "d.jpg"]).await?;
    wait_for_groups(&page, &["This folder", "京都", "奈良 › 鹿"]).await?;

    // From one picture to the next, which is in another folder.
    page.open_cell(&cell("c.jpg")).await?;
    wait_for_viewer(&page, "c.jpg").await?;
    page.press(&[], "j").await?;
    wait_for_viewer(&page, "d.jpg").await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("viewer").await?;
    page.wait_until(
        "the focus on the picture that was gone to",
        "return document.activeElement?.dataset.name === 'd.jpg'",
    )
    .await?;

    rename_in_a_subfolder(&page, &folder).await?;

    // Into a new folder.
    put(&folder, "宇治/茶畑/e.jpg")?;
    wait_for_entries(&page, &["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]).await?;
    wait_for_groups(&page, &["This folder", "京都", "奈良 › 鹿", "宇治 › 茶畑"]).await?;
    wait_for_thumbnail(&page, "e.jpg").await?;

    // The name of a group leads to its folder, by a real click.
    let kyoto = format!(
        "{} a[href$=\"/%E4%BA%AC%E9%83%BD\"]",
        by_id("group-heading")
    );
    page.click_at(&kyoto).await?;
    wait_for_entries(&page, &["b.jpg", "c.jpg"]).await?;
    page.client().back().await?;
    wait_for_entries(&page, &["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"]).await?;

    // The address determines the view of this folder; the choice for all others is kept.
    page.client().refresh().await?;
    wait_for_grouping(&page, "folder").await?;
    wait_for_thumbnail(&page, "d.jpg").await
}

async fn rename_in_a_subfolder(page: &Page, folder: &Path) -> Result<()> {
    let deep = folder.join("奈良/鹿");
    select(page, "d.jpg").await?;
    page.press(&[], &key(Key::F2)).await?;
    page.replace_text("rename-name", "子鹿.jpg").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_until_gone("rename-files").await?;
    wait_for_entries(page, &["a.jpg", "b.jpg", "c.jpg", "子鹿.jpg"]).await?;
    ensure!(deep.join("子鹿.jpg").exists() && !deep.join("d.jpg").exists());
    page.press(&[Key::Control], "z").await?;
    wait_for_entries(page, &["a.jpg", "b.jpg", "c.jpg", "d.jpg"]).await?;
    ensure!(deep.join("d.jpg").exists() && !deep.join("子鹿.jpg").exists());
    Ok(())
}

/// Copies a picture as another program would, and creates its folders.
fn put(folder: &Path, path: &str) -> Result<()> {
    let to = folder.join(path);
    if let Some(within) = to.parent() {
        fs::create_dir_all(within)?;
    }
    fs::copy(fixture("images/orientation/Landscape_1.jpg"), to)?;
    Ok(())
}

async fn wait_for_grouping(page: &Page, grouping: &str) -> Result<()> {
    let chosen = format!(
        "return document.querySelector('{}')?.value === '{grouping}'",
        by_id("group")
    );
    page.wait_until(&format!("the groups to be by {grouping}"), &chosen)
        .await
}

/// Checks that these headings are shown, in this order, and no others.
async fn wait_for_groups(page: &Page, names: &[&str]) -> Result<()> {
    let script = format!(
        "const names = [...document.querySelectorAll('{} b')];
         return JSON.stringify(names.map((name) => name.textContent)) === JSON.stringify({});",
        by_id("group-heading"),
        json!(names)
    );
    page.wait_until(&format!("the groups {names:?}"), &script)
        .await
}

/// Waits until the picture of this name is shown large.
async fn wait_for_viewer(page: &Page, name: &str) -> Result<()> {
    let is_shown = format!(
        "const image = document.querySelector('{}');
         return image !== null && image.alt === '{name}' && image.complete && image.naturalWidth > 0;",
        by_id("viewer-image")
    );
    page.wait_until(&format!("{name} to be shown large"), &is_shown)
        .await
}

/// Waits until the thumbnail of a picture is loaded.
async fn wait_for_thumbnail(page: &Page, name: &str) -> Result<()> {
    let is_shown = format!(
        "const image = document.querySelector('{} {}');
         return image !== null && image.complete && image.naturalWidth > 0;",
        cell(name),
        by_id("thumb")
    );
    page.wait_until(&format!("the thumbnail of {name}"), &is_shown)
        .await
}
