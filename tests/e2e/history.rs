//! The history of pages: compared and rolled back; moved, deleted, and restored.

use std::fs;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::screen::Screen;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use reqwest::Method;

use crate::wiki::{upload_file, wait_for_content};
use crate::{dialog, steps};

const KYOTO: &str = "[data-testid=\"page-body\"] a";

/// Starts for the first time, and opens `/travel/kyoto`, which has a subpage and a link from the top page.
async fn begin(stage: &mut Stage) -> Result<Page> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/travel/kyoto", "# Kyoto\n\n[map](map)".to_owned()).await?;
    seed::write(&api, "/travel/kyoto/temples", "# Temples".to_owned()).await?;
    seed::write(&api, "/", "# Top\n\n[Kyoto](/travel/kyoto)".to_owned()).await?;
    page.wait_for_text("page-title", "Top").await?;
    open_kyoto(&page).await?;
    Ok(page)
}

/// Opens the page by the link of the top page.
async fn open_kyoto(page: &Page) -> Result<()> {
    page.click("activity-wiki").await?;
    page.wait_for_text("page-title", "Top").await?;
    page.click_at(KYOTO).await?;
    page.wait_for_text("page-title", "Kyoto").await
}

pub(crate) async fn links_follow_a_moved_page(stage: &mut Stage) -> Result<()> {
    let page = begin(stage).await?;
    page.press(&[], &key(Key::F2)).await?;
    let field = page.wait_for("move-path").await?;
    field.send_keys(&steps::chord(Key::Control, "a")).await?;
    field.send_keys("/diary/kyoto").await?;
    page.wait_for_text("rename-preview", "2 pages will be moved")
        .await?;
    page.wait_for_text("link-changes", "/diary/map").await?;
    page.click("rename-submit").await?;
    // The links that were just confirmed are not listed again.
    page.wait_until_gone("rename-dialog").await?;
    page.wait_for_address("/wiki/diary/kyoto").await?;

    open_kyoto(&page).await?;
    page.wait_for_address("/wiki/diary/kyoto").await?;
    let api = stage.api().await?;
    steps::page_id(&api, "/diary/kyoto/temples").await?;

    page.press(&[Key::Control], "z").await?;
    page.wait_for_address("/wiki/travel/kyoto").await?;
    steps::page_id(&api, "/travel/kyoto/temples").await?;
    Ok(())
}

pub(crate) async fn deleted_subtree_is_restored_from_the_trash(stage: &mut Stage) -> Result<()> {
    let page = begin(stage).await?;
    page.press(&[], &key(Key::Delete)).await?;
    page.wait_for_text("delete-dialog", "has 1 subpage").await?;
    page.click("delete-all").await?;
    page.wait_for_text("page-title", "Top").await?;

    page.press(&[], "b").await?;
    page.wait_for_text("trash-list", "/travel/kyoto/temples")
        .await?;
    page.click("trash-restore").await?;
    page.wait_for("trash-empty").await?;
    open_kyoto(&page).await?;
    let api = stage.api().await?;
    steps::page_id(&api, "/travel/kyoto/temples").await?;

    // Permanently, after the pages are listed.
    page.press(&[], &key(Key::Delete)).await?;
    page.click("delete-all").await?;
    page.click("side-trash").await?;
    page.click("trash-destroy").await?;
    page.wait_for_text("question", "/travel/kyoto").await?;
    page.click("question-yes").await?;
    page.wait_for("trash-empty").await?;
    let pages = api.get("api/pages/deleted").await?;
    ensure!(pages.as_array().is_some_and(Vec::is_empty), "{pages}");
    Ok(())
}

pub(crate) async fn deleted_page_is_viewed_and_restored(stage: &mut Stage) -> Result<()> {
    let page = begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/travel/kyoto").await?;
    upload_file(&api, &id, "moss.txt").await?;
    let text = "# Kyoto\n\n[map](map), [moss](asset:moss.txt)".to_owned();
    seed::write(&api, "/travel/kyoto", text).await?;
    page.press(&[], &key(Key::Delete)).await?;
    page.click("delete-all").await?;
    wait_for_content(&page, &by_id("page-title"), "Top").await?;

    // By keys: to the trash, to the first row, to the page, and to its history.
    page.press(&[], "b").await?;
    wait_for_content(&page, &by_id("trash-list"), "/travel/kyoto/temples").await?;
    page.press(&[], "j").await?;
    page.press(&[], "o").await?;
    wait_for_content(&page, &by_id("page-deleted"), "花子").await?;
    wait_for_content(&page, &by_id("page-title"), "Kyoto").await?;
    wait_for_content(&page, &by_id("trashed-file"), "moss.txt").await?;
    let file = page.execute(FILE).await?;
    let address = file.as_str().context("the text links to its file")?;
    let answer = api.send(Method::GET, address, &[], String::new()).await?;
    answer.error_for_status()?;
    page.wait_until_gone("page-edit").await?;
    page.press(&[], "h").await?;
    wait_for_content(&page, &by_id("diff"), "moss").await?;
    page.wait_until_gone("go-back-older").await?;
    page.wait_for("page-deleted").await?;

    // Loads its former address.
    let address = page.client().current_url().await?;
    page.go(address.join("/wiki/travel/kyoto")?.as_str())
        .await?;
    wait_for_content(&page, &by_id("deleted-here"), "Kyoto").await?;
    page.wait_for_address("/edit/travel/kyoto").await?;
    let nothing = api.get("api/locks").await?;
    ensure!(nothing.as_array().is_some_and(Vec::is_empty), "{nothing}");
    page.press(&[], "r").await?;
    page.wait_for_address("/wiki/travel/kyoto").await?;
    wait_for_content(&page, &by_id("page-title"), "Kyoto").await?;
    ensure!(steps::page_id(&api, "/travel/kyoto").await? == id);
    steps::page_id(&api, "/travel/kyoto/temples").await?;
    let file = api.get(&format!("api/pages/{id}/assets")).await?;
    ensure!(file[0]["state"] == "live", "{file}");
    Ok(())
}

/// Returns the address of the file in the text, without its first slash.
const FILE: &str = "return [...document.querySelectorAll('[data-testid=\"page-body\"] a')]
    .find((link) => link.textContent === 'moss')?.getAttribute('href').slice(1)";

pub(crate) async fn old_revision_is_compared_and_restored(stage: &mut Stage) -> Result<()> {
    let page = begin(stage).await?;
    let api = stage.api().await?;
    let text = "# Kyoto\n\n[map](map) and moss".to_owned();
    seed::write(&api, "/travel/kyoto", text).await?;
    page.wait_for_text("page-body", "moss").await?;

    page.press(&[], "h").await?;
    page.wait_for_text("diff", "and moss").await?;
    page.wait_for_text_at("[data-testid=\"diff\"] ins mark", "moss")
        .await?;
    page.press(&[], "s").await?;
    page.wait_for_selector("[data-testid=\"diff\"][data-mode=\"side\"]")
        .await?;
    page.press(&[], "j").await?;
    page.wait_for_text("only-revision", "oldest one kept")
        .await?;
    page.press(&[], "k").await?;
    page.wait_for("diff").await?;

    page.click("action-go-back").await?;
    page.wait_for_text("toast", "as revision 3").await?;
    page.press(&[], "h").await?;
    page.wait_until("the old text", &page_mentions_moss(false))
        .await?;
    page.press(&[Key::Control], "z").await?;
    page.wait_until("the new text again", &page_mentions_moss(true))
        .await
}

pub(crate) async fn history_is_saved_at_chosen_path(stage: &mut Stage) -> Result<()> {
    let page = begin(stage).await?;
    let target = stage.home().folder("saved")?.join("history.md");
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    page.press(&[], "h").await?;
    page.wait_for("history").await?;
    page.click("more-actions").await?;
    page.click("action-save-history").await?;
    dialog::type_path(stage, &screen, &before, &target).await?;
    page.wait_for_text("toast", "history.md").await?;
    let saved = wait::until("the file", async || Ok(fs::read_to_string(&target).ok())).await?;
    ensure!(saved.contains("/travel/kyoto"), "{saved}");
    Ok(())
}

fn page_mentions_moss(expected: bool) -> String {
    let text = "document.querySelector('[data-testid=\"page-body\"]')?.textContent";
    format!("return {text} !== undefined && {text}.includes('moss') === {expected}")
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}
