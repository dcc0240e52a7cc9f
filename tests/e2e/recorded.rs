//! Files that are recorded, change, and are found, from the folder browser and the Hashes view.

use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::grid::{cell, mean};
use crate::steps;

pub(crate) async fn a_folder_is_recorded_and_what_changed_is_found(
    stage: &mut Stage,
) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Recorded")?;
    for name in ["a.jpg", "b.jpg", "写真.jpg"] {
        let path = folder.join(name);
        fs::copy(fixture("images/orientation/Landscape_1.jpg"), &path)?;
        set_old(&path)?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();

    // Recorded by a key, from among the pictures.
    mean(&page, "a.jpg").await?;
    page.press(&[Key::Shift], "H").await?;
    has_badge(&page, "a.jpg", "ok").await?;
    has_badge(&page, "写真.jpg", "ok").await?;

    // A file that changes, and one that comes: both are shown, and found.
    fs::copy(
        fixture("images/orientation/Portrait_1.jpg"),
        folder.join("b.jpg"),
    )?;
    fs::copy(
        fixture("images/orientation/Landscape_1.jpg"),
        folder.join("c.jpg"),
    )?;
    has_badge(&page, "b.jpg", "changed").await?;
    has_badge(&page, "c.jpg", "new").await?;
    page.press(&[], "h").await?;

    // The view, reached by the activity bar.
    page.click("rail-hashes").await?;
    page.see("hash-list").await?;
    page.see_at("[data-testid=\"hash-record\"] [data-state=\"changed\"]")
        .await?;
    page.click_at("[data-testid=\"state-chip\"][data-state=\"changed\"]")
        .await?;
    page.read_at("[data-testid=\"hash-record\"]", "b.jpg")
        .await?;
    page.click("hash-record").await?;
    page.see("hash-details").await?;
    page.click("hash-accept").await?;
    page.click("question-yes").await?;
    page.see_at("[data-testid=\"hash-details\"] [data-state=\"ok\"]")
        .await?;

    // A name, explained.
    page.click("hashes-explain").await?;
    page.see("hash-explain").await?;
    page.click_at("[data-testid=\"hash-explain\"] input")
        .await?;
    page.client()
        .active_element()
        .await?
        .send_keys("/写真/a#.jpg")
        .await?;
    page.read("hash-explained-name", "~写真~a#1.jpg").await?;
    Ok(())
}

fn set_old(path: &Path) -> Result<()> {
    let file = File::options().write(true).open(path)?;
    let time = SystemTime::now() - Duration::from_secs(3600);
    Ok(file.set_times(FileTimes::new().set_modified(time))?)
}

async fn has_badge(page: &Page, name: &str, state: &str) -> Result<()> {
    let badge = format!(
        "{} [data-testid=\"hash-badge\"][data-state=\"{state}\"]",
        cell(name)
    );
    let seen = page.see_at(&badge).await;
    seen.with_context(|| format!("{name} is not shown as {state}"))?;
    Ok(())
}
