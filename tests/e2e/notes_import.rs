//! An import from another program, without a mouse.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::screen::Screen;
use fumikura_tests::seed::{lock, page_id, save};
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use serde_json::{Value, json};

use crate::dialog::type_path;
use crate::steps;
use crate::wiki::key;

pub(crate) async fn folder_is_imported_and_undone_by_keys(stage: &mut Stage) -> Result<()> {
    // The system's dialog would accept a folder in it instead.
    let folder = stage.home().folder("Vault")?;
    for (name, text) in [
        ("Home.md", "[[Kyoto]] and [[Later]]\n"),
        ("Kyoto.md", "A note about deer.\n"),
    ] {
        std::fs::write(folder.join(name), text)?;
    }
    let page = steps::begin(stage).await?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;

    // The preview.
    page.press(&[Key::Control], ",").await?;
    page.wait_for("notes-import").await?;
    page.press(&[], "o").await?;
    type_path(stage, &screen, &before, &folder).await?;
    page.wait_for_text("import-format", "Markdown").await?;
    page.wait_for_text("import-counts", "2 pages").await?;

    // The import, and its report.
    tab_to(&page, "[data-testid=\"import-run\"]").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("import-done", "2 pages").await?;
    tab_to(&page, "[data-testid=\"import-report\"]").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("page-body", "Later").await?;

    // A link of the report, and a link of its page.
    tab_to(
        &page,
        "[data-testid=\"page-body\"] a[href$=\"/Vault/Home\"]",
    )
    .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_address("/wiki/Vault/Home").await?;
    tab_to(
        &page,
        "[data-testid=\"page-body\"] a[href$=\"/Vault/Kyoto\"]",
    )
    .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("page-body", "A note about deer").await?;

    // Undoing all of it.
    page.press(&[Key::Control], ",").await?;
    page.wait_for("undo-import").await?;
    tab_to(&page, "[data-testid=\"undo-import\"]").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_until_gone("undo-import").await?;
    steps::go(stage, "/wiki/Vault/Kyoto").await?;
    page.wait_for_address_below("/edit/").await
}

pub(crate) async fn imported_text_is_taken_over_by_keys(stage: &mut Stage) -> Result<()> {
    let folder = stage.home().folder("Notes")?;
    let note = folder.join("Deer.md");
    std::fs::write(&note, "Deer eat grass.\n")?;
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    import(&api, &folder).await?;
    let id = page_id(&api, "/Notes/Deer").await?;
    let token = lock(&api, &id).await?;
    save(&api, &id, &token, "Deer eat moss.\n".to_owned()).await?;
    std::fs::write(&note, "Deer eat leaves.\n")?;
    import(&api, &folder).await?;

    steps::go(stage, "/imported-texts").await?;
    page.wait_for("imported-text").await?;
    tab_to(&page, "[data-testid=\"imported-text\"] a").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("imported-text-details", "leaves")
        .await?;
    page.wait_for("imported-text-take-over").await?;
    page.press(&[], "t").await?;
    page.wait_for("imported-texts-none").await?;
    steps::go(stage, "/wiki/Notes/Deer").await?;
    page.wait_for_text("page-body", "Deer eat leaves").await
}

/// Imports a folder as `fumi import` does.
async fn import(api: &Api, folder: &Path) -> Result<()> {
    let preview = run(api, "/api/imports", &json!({"path": folder})).await?;
    let id = preview["id"].as_str().context("a preview has an id")?;
    run(api, &format!("/api/imports/{id}/run"), &Value::Null).await?;
    Ok(())
}

/// Starts a job, and returns its result.
async fn run(api: &Api, address: &str, body: &Value) -> Result<Value> {
    let started = api.post(address, body).await?;
    let path = format!(
        "/api/jobs/{}",
        started["id"].as_str().context("a job has an id")?
    );
    let job = wait::until("the job to end", async || {
        let job = api.get(&path).await?;
        Ok((!job["ended_at"].is_null()).then_some(job))
    })
    .await?;
    ensure!(job["state"] == "done", "{job}");
    Ok(job["result"].clone())
}

/// Tabs from the focused element to another one.
async fn tab_to(page: &Page, selector: &str) -> Result<()> {
    page.wait_for_selector(selector).await?;
    let is_there = format!("return document.activeElement?.matches({selector:?}) === true");
    for _ in 0..120 {
        if page.execute(&is_there).await? == true {
            return Ok(());
        }
        page.press(&[], &key(Key::Tab)).await?;
    }
    bail!("the Tab key does not lead to {selector}")
}
