//! Pictures that are rated and tagged in sidecars, and a folder filtered and grouped by marks.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use serde_json::json;

use crate::grid::{cell, key, select, wait_for_entries};
use crate::steps;

pub(crate) async fn pictures_are_rated_tagged_and_filtered(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Marked")?;
    let picture = fixture("images/orientation/Landscape_1.jpg");
    let names = ["a.jpg", "b.jpg", "c.jpg"];
    for name in names {
        fs::copy(&picture, folder.join(name))?;
    }
    let before = fs::read(&picture)?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();

    // By one key, and back by another.
    select(&page, "a.jpg").await?;
    page.press(&[], "4").await?;
    wait_for_rating(&page, "a.jpg", Some(4)).await?;
    wait_for_sidecar(&folder, "a.jpg", "4").await?;
    page.press(&[], "2").await?;
    wait_for_rating(&page, "a.jpg", Some(2)).await?;
    page.press(&[Key::Control], "z").await?;
    wait_for_rating(&page, "a.jpg", Some(4)).await?;
    select(&page, "c.jpg").await?;
    page.press(&[], "x").await?;
    wait_for_sidecar(&folder, "c.jpg", "-1").await?;

    // Tags by a dialog.
    select(&page, "b.jpg").await?;
    page.press(&[Key::Shift], "T").await?;
    page.wait_for("marks-dialog").await?;
    page.type_into("tag-field", "旅").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_selector("[data-testid=\"tag\"][data-tag=\"旅\"]")
        .await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("marks-dialog").await?;
    wait_for_sidecar(&folder, "b.jpg", "旅").await?;

    // The folder is filtered by the marks, which the next launch reads from the sidecars.
    stage.stop().await?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_entries(&page, &names).await?;
    wait_for_rating(&page, "a.jpg", Some(4)).await?;
    page.press(&[Key::Shift], "F").await?;
    choose(&page, "filter-rating", "3").await?;
    wait_for_entries(&page, &["a.jpg"]).await?;
    choose(&page, "filter-rating", "").await?;
    wait_for_entries(&page, &names).await?;
    page.type_into("tag-field", "旅").await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_entries(&page, &["b.jpg"]).await?;
    page.click("filter-clear").await?;
    wait_for_entries(&page, &names).await?;

    // Grouped, also in the next launch, whose address does not determine it.
    choose(&page, "group", "day").await?;
    wait_for_group_heading(&page).await?;
    page.wait_until(
        "the choice to be stored",
        "return fetch('/api/settings')
             .then((answer) => answer.json())
             .then((settings) => settings.picture_grouping === 'day')",
    )
    .await?;
    stage.stop().await?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_group_heading(&page).await?;
    for name in names {
        ensure!(fs::read(folder.join(name))? == before, "{name} has changed");
    }
    Ok(())
}

/// Waits until one heading is above all of them.
async fn wait_for_group_heading(page: &Page) -> Result<()> {
    page.wait_until(
        "a heading over all of them",
        "return document.querySelectorAll('[role=\"grid\"] .group').length === 1",
    )
    .await
}

/// Waits until the picture shows these stars.
async fn wait_for_rating(page: &Page, name: &str, stars: Option<u8>) -> Result<()> {
    let value = stars.map(|stars| stars.to_string());
    let script = format!(
        "const rating = document.querySelector('{} [data-testid=\"rating\"]');
         return (rating?.dataset.rating ?? null) === {};",
        cell(name),
        json!(value)
    );
    page.wait_until(&format!("{name} to have {stars:?}"), &script)
        .await
}

/// Waits until the picture's sidecar contains this text.
async fn wait_for_sidecar(folder: &Path, name: &str, what: &str) -> Result<()> {
    let sidecar = folder.join(format!("{name}.xmp"));
    wait::until(&format!("{what} in {}", sidecar.display()), async || {
        let text = fs::read_to_string(&sidecar).context("the sidecar")?;
        Ok(text.contains(what).then_some(()))
    })
    .await
}

/// Chooses from a list, with the events that the page expects.
async fn choose(page: &Page, id: &str, value: &str) -> Result<()> {
    let list = page.wait_for(id).await?;
    list.select_by_value(value).await?;
    Ok(())
}
