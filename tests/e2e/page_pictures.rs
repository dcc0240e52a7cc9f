//! Pictures that are inserted from a folder into a page, and back.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::user_input::UserInput;
use fumikura_tests::wait;

use crate::grid::{cell, key, select};
use crate::steps;

pub(crate) async fn inserted_pictures_link_back_to_the_page(stage: &mut Stage) -> Result<()> {
    let (page, _) = begin(stage, &["海.jpg", "山.jpg"]).await?;
    select(&page, "山.jpg").await?;
    page.press(&[Key::Shift], &key(Key::Right)).await?;
    page.press(&[Key::Shift], "P").await?;
    page.wait_for("give-dialog").await?;
    page.wait_for("give-option").await?;
    page.press(&[], &key(Key::Enter)).await?;
    wait_for_lines(&page, &["![](asset:山.jpg)", "![](asset:海.jpg)"]).await?;
    steps::save(&page).await?;
    wait_for_pictures(&page, &by_id("page-body"), 2).await?;

    open_folder(&page, stage).await?;
    page.open_cell(&cell("海.jpg")).await?;
    page.wait_for("viewer").await?;
    page.press(&[], "i").await?;
    page.click("picture-page").await?;
    wait_for_pictures(&page, &by_id("page-body"), 2).await
}

pub(crate) async fn gallery_shows_the_current_folder(stage: &mut Stage) -> Result<()> {
    let (page, folder) = begin(stage, &["a.jpg"]).await?;
    page.click_at("[href=\"/wiki/\"]").await?;
    steps::edit(&page).await?;
    steps::write(&page, "```gallery\nfolder: Inserted").await?;
    steps::save(&page).await?;
    let body = by_id("page-body");
    wait_for_pictures(&page, &body, 1).await?;
    fs::copy(
        fixture("images/orientation/Portrait_1.jpg"),
        folder.join("b.jpg"),
    )?;
    wait_for_pictures(&page, &body, 2).await?;
    page.click_at(&format!("{body} li:last-child a")).await?;
    page.wait_for("viewer").await?;
    wait_for_viewer(&page, "b.jpg").await?;
    // Only the gallery's pictures are its neighbours, and closing it returns to the page.
    page.press(&[], "k").await?;
    wait_for_viewer(&page, "a.jpg").await?;
    page.press(&[], &key(Key::Escape)).await?;
    wait_for_pictures(&page, &body, 2).await
}

async fn wait_for_viewer(page: &Page, name: &str) -> Result<()> {
    let script = format!("return new URL(location.href).searchParams.get('view') === '{name}'");
    page.wait_until(&format!("{name} to be shown large"), &script)
        .await
}

pub(crate) async fn picture_is_dragged_into_a_page(stage: &mut Stage) -> Result<()> {
    let (page, _) = begin(stage, &["夏.jpg"]).await?;
    select(&page, "夏.jpg").await?;
    let picture = format!("{} {}", cell("夏.jpg"), by_id("thumb"));
    let target = format!("{}:not([data-page=\"other\"])", by_id("page-target"));
    if stage.kind() == Kind::Window {
        let input = UserInput::attach(stage)?;
        input.drag(&picture).await?;
        input.drop_on(&target).await?;
    } else {
        drag(&page, &picture, &target).await?;
    }
    wait_for_lines(&page, &["![](asset:夏.jpg)"]).await?;
    page.wait_until_gone("page-targets").await?;
    steps::save(&page).await?;
    wait_for_pictures(&page, &by_id("page-body"), 1).await
}

/// Makes a folder of such pictures, and shows it.
async fn begin(stage: &mut Stage, names: &[&str]) -> Result<(Page, PathBuf)> {
    steps::begin(stage).await?;
    let api = stage.api().await?;
    wait::until("the visit to be recorded", async || {
        let visits = api.get("api/users/me/visits").await?;
        Ok(visits[0].is_object().then_some(()))
    })
    .await?;
    stage.stop().await?;
    let folder = stage.home().folder("Inserted")?;
    let pictures = ["Landscape_1.jpg", "Portrait_1.jpg"];
    for (name, picture) in names.iter().zip(pictures) {
        let picture = fixture("images/orientation").join(picture);
        fs::copy(picture, folder.join(name))?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    page.wait_for("thumb").await?;
    Ok((page, folder))
}

async fn open_folder(page: &Page, stage: &Stage) -> Result<()> {
    let roots = stage.api().await?.get("api/roots").await?;
    let id = roots[0]["id"].as_str().context("the folder is open")?;
    let address = page.client().current_url().await?;
    page.go(address.join(&format!("/pictures/{id}/"))?.as_str())
        .await?;
    page.wait_for("thumb").await?;
    Ok(())
}

/// Waits until the editor contains these lines.
async fn wait_for_lines(page: &Page, lines: &[&str]) -> Result<()> {
    page.wait_for_selector(steps::TEXT).await?;
    wait::until(&format!("{lines:?} in the editor"), async || {
        let text = page.text_of(steps::TEXT).await?;
        Ok(lines.iter().all(|line| text.contains(line)).then_some(()))
    })
    .await
}

/// Waits until this number of pictures is loaded, scrolling to those that are not.
async fn wait_for_pictures(page: &Page, within: &str, count: usize) -> Result<()> {
    let script = format!(
        "const pictures = [...document.querySelectorAll('{within} img')];
         const missing = pictures.find((one) => !one.complete || one.naturalWidth === 0);
         missing?.scrollIntoView();
         return pictures.length === {count} && missing === undefined;"
    );
    page.wait_until(&format!("{count} pictures"), &script).await
}

/// Drags with the mouse, in an engine whose driver supports drags.
async fn drag(page: &Page, from: &str, to: &str) -> Result<()> {
    let client = page.client();
    let source = page.wait_for_selector(from).await?;
    let press = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveToElement {
            element: source,
            duration: None,
            x: 0.0,
            y: 0.0,
        })
        .then(PointerAction::Down { button: 0 })
        .then(PointerAction::MoveBy {
            duration: None,
            x: 20.0,
            y: 20.0,
        });
    client.perform_actions(press).await?;
    let target = page.wait_for_selector(to).await?;
    let release = MouseActions::new("mouse".to_owned())
        .then(PointerAction::MoveToElement {
            element: target,
            duration: None,
            x: 0.0,
            y: 0.0,
        })
        .then(PointerAction::MoveBy {
            duration: None,
            x: 2.0,
            y: 2.0,
        })
        .then(PointerAction::Up { button: 0 });
    client.perform_actions(release).await?;
    Ok(())
}
