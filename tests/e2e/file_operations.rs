//! Files that a user renames, moves and deletes, and restores.

use std::path::Path;

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;

use crate::grid::{cell, key, select, wait_for_entries};
use crate::steps;

pub(crate) async fn file_operations_are_done_and_undone(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Doing")?;
    std::fs::create_dir(folder.join("inner"))?;
    for name in ["a.jpg", "b.jpg"] {
        std::fs::copy(
            fixture("images/orientation/Landscape_1.jpg"),
            folder.join(name),
        )?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();

    // One click selects a file, and F2 edits its name, without the extension.
    select(&page, "a.jpg").await?;
    page.press(&[], &key(Key::F2)).await?;
    page.wait_until(
        "what is before the extension to be chosen",
        "const field = document.activeElement;
         return field.dataset.testid === 'rename-name' && field.selectionStart === 0 && field.selectionEnd === 1;",
    )
    .await?;
    // A typing driver moves to the end of the field first.
    let field = page.wait_for("rename-name").await?;
    field.clear().await?;
    field.send_keys("夏.jpg").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_until_gone("rename-files").await?;
    wait_for_cell(&page, "夏.jpg").await?;
    ensure!(exists(&folder, "夏.jpg") && !exists(&folder, "a.jpg"));
    page.press(&[Key::Control], "z").await?;
    // It has its name at once, and then its place among the others.
    wait_for_entries(&page, &["inner", "a.jpg", "b.jpg"]).await?;

    // Several of them by a pattern.
    select(&page, "a.jpg").await?;
    page.press(&[Key::Shift], &key(Key::Right)).await?;
    page.press(&[], &key(Key::F2)).await?;
    let field = page.wait_for("rename-name").await?;
    field.clear().await?;
    field.send_keys("summer {nn}").await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_cell(&page, "summer 01.jpg").await?;
    wait_for_cell(&page, "summer 02.jpg").await?;
    page.press(&[Key::Control], "z").await?;
    wait_for_entries(&page, &["inner", "a.jpg", "b.jpg"]).await?;

    // Into the subfolder, chosen in the tree.
    select(&page, "b.jpg").await?;
    page.press(&[Key::Shift], "M").await?;
    page.wait_for("target-dialog").await?;
    page.press(&[], &key(Key::Right)).await?;
    let row = "[data-testid=\"target-tree\"] [aria-level=\"2\"]";
    page.wait_for_selector(row).await?;
    page.press(&[], &key(Key::Down)).await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_until_removed(&page, "b.jpg").await?;
    wait::until("the file to be moved", async || {
        Ok(exists(&folder, "inner/b.jpg").then_some(()))
    })
    .await?;

    // Into the desktop's trash, and back out of it in the next launch.
    select(&page, "a.jpg").await?;
    page.press(&[], &key(Key::Delete)).await?;
    wait_until_removed(&page, "a.jpg").await?;
    let bin = stage.home().path().join("data/Trash/files");
    ensure!(!exists(&folder, "a.jpg") && std::fs::read_dir(&bin)?.count() == 1);
    stage.stop().await?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_cell(&page, "inner").await?;
    page.press(&[Key::Shift], "Z").await?;
    page.wait_for("recent-operations").await?;
    page.click("operation-undo").await?;
    wait_for_cell(&page, "a.jpg").await?;
    ensure!(exists(&folder, "a.jpg") && std::fs::read_dir(&bin)?.count() == 0);
    Ok(())
}

async fn wait_for_cell(page: &Page, name: &str) -> Result<()> {
    page.wait_for_selector(&cell(name)).await?;
    Ok(())
}

async fn wait_until_removed(page: &Page, name: &str) -> Result<()> {
    let is_absent = format!("return document.querySelector('{}') === null", cell(name));
    page.wait_until("it to be gone", &is_absent).await
}

fn exists(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}
