//! Files that are recorded, change, and are found, from the folder browser and the Hashes view.

use std::fs::{self, File, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::screen::Screen;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::grid::{cell, select};
use crate::{dialog, steps};

/// True if each visible head begins where its column does. Paths are cut at their beginning, and may begin later.
const HEADS_ALIGN: &str = r#"
    const left = (one) => one.getBoundingClientRect().left;
    const heads = [...document.querySelectorAll('[data-testid="hash-columns"] > *')].filter((one) => one.offsetWidth > 0);
    const cells = [...document.querySelectorAll('[data-testid="hash-record"]')][0].children;
    return heads.length > 1 && heads.every((head, at) => Math.abs(left(head) - left(cells[at])) < 1);
"#;

pub(crate) async fn recorded_folder_shows_changed_files(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Recorded")?;
    for name in ["a.jpg", "b.jpg", "写真.jpg"] {
        let path = folder.join(name);
        fs::copy(fixture("images/orientation/Landscape_1.jpg"), &path)?;
        set_old(&path)?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();

    // Recorded by a key in the folder browser.
    select(&page, "a.jpg").await?;
    page.press(&[Key::Shift], "H").await?;
    page.wait_for_text("folder-verified", "3 files verified")
        .await?;

    // A changed file and a new one: both are shown, and found.
    fs::copy(
        fixture("images/orientation/Portrait_1.jpg"),
        folder.join("b.jpg"),
    )?;
    fs::copy(
        fixture("images/orientation/Landscape_1.jpg"),
        folder.join("c.jpg"),
    )?;
    wait_for_badge(&page, "b.jpg", "changed").await?;
    wait_for_badge(&page, "c.jpg", "new").await?;
    page.press(&[], "h").await?;

    // The view, reached by the activity bar.
    page.click("activity-hashes").await?;
    page.wait_for("hash-list").await?;
    page.wait_for_selector("[data-testid=\"hash-record\"] [data-state=\"changed\"]")
        .await?;
    page.wait_until("the column heads are above their columns", HEADS_ALIGN)
        .await?;
    page.click_at("[data-testid=\"state-chip\"][data-state=\"changed\"]")
        .await?;
    page.wait_for_text_at("[data-testid=\"hash-record\"]", "b.jpg")
        .await?;
    page.click("hash-record").await?;
    page.wait_for("hash-details").await?;
    page.click("hash-accept").await?;
    page.click("question-yes").await?;
    page.wait_for_selector("[data-testid=\"hash-details\"] [data-state=\"ok\"]")
        .await?;

    // A name, explained.
    page.press(&[Key::Control, Key::Alt], "e").await?;
    page.wait_for_text("hash-explained-name", "~b.jpg").await?;
    Ok(())
}

pub(crate) async fn foreign_hash_records_are_read(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let folder = stage.home().folder("runner-hashes")?;
    let name = "~data~写真##a#1.jpg";
    write_record(&folder.join(name), "/data/写真~a#.jpg")?;
    write_record(&folder.join("~data~b.jpg"), "/data/b.jpg")?;

    // Chosen in the system's dialog.
    page.click("activity-hashes").await?;
    page.wait_for("hashes-empty").await?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    page.press(&[], "o").await?;
    dialog::type_path(stage, &screen, &before, &folder).await?;
    page.wait_for_text("hash-facts", "Read-only").await?;
    page.wait_for_text("hash-facts", "2 records").await?;
    let row = "[data-testid=\"hash-record\"][data-path=\"/data/写真~a#.jpg\"]";
    page.click_at(row).await?;
    page.wait_for_text("hash-json", "\"schema_version\": 23")
        .await?;
    page.wait_until_gone("hash-restore").await?;

    // A record's name becomes a path, step by step.
    page.click("hash-explain-open").await?;
    page.click("hash-explain-field").await?;
    let field = page.client().active_element().await?;
    field.clear().await?;
    field.send_keys(name).await?;
    for (step, text) in [
        ("name", name),
        ("unescape", "~data~写真/a#.jpg"),
        ("substitute", "/data/写真~a#.jpg"),
    ] {
        let selector = format!("[data-testid=\"hash-step\"][data-step=\"{step}\"]");
        page.wait_for_text_at(&selector, text).await?;
    }

    // Nothing was written there.
    ensure!(
        fs::read_dir(&folder)?.count() == 2,
        "the folder has more in it"
    );
    page.click("hashes-records").await?;
    page.press(&[Key::Shift], "O").await?;
    page.wait_for("hashes-empty").await?;
    Ok(())
}

/// Writes a record as the other program does.
fn write_record(file: &Path, path: &str) -> Result<()> {
    let hash = "0".repeat(64);
    let record = format!(
        "{{\n  \"schema_version\": 23,\n  \"file_path\": \"{path}\",\n  \"content_hash\": \"sha256:{hash}\"\n}}"
    );
    Ok(fs::write(file, record)?)
}

fn set_old(path: &Path) -> Result<()> {
    let file = File::options().write(true).open(path)?;
    let time = SystemTime::now() - Duration::from_secs(3600);
    Ok(file.set_times(FileTimes::new().set_modified(time))?)
}

async fn wait_for_badge(page: &Page, name: &str, state: &str) -> Result<()> {
    let badge = format!(
        "{} [data-testid=\"hash-badge\"][data-state=\"{state}\"]",
        cell(name)
    );
    let outcome = page.wait_for_selector(&badge).await;
    outcome.with_context(|| format!("{name} is not shown as {state}"))?;
    Ok(())
}
