//! Finding pages, and operations on files and on the wiki as a whole.

use std::fs;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::screen::Screen;
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::Value;

use crate::{dialog, steps};

/// Adds a file to a page as another program would. Returns its id.
pub(crate) async fn upload_file(api: &Api, page: &str, name: &str) -> Result<String> {
    let address = format!("api/pages/{page}/assets/{name}");
    let answer = api
        .send(Method::POST, &address, &[], "What it holds".to_owned())
        .await?;
    let made: Value = answer.error_for_status()?.json().await?;
    Ok(made["id"].as_str().context("a file has an id")?.to_owned())
}

/// Waits until an element contains a text. WebKit's driver considers the contents of some rows invisible.
pub(crate) async fn wait_for_content(page: &Page, selector: &str, text: &str) -> Result<()> {
    let script = format!(
        "return document.querySelector({selector:?})?.textContent.includes({text:?}) ?? false"
    );
    page.wait_until(&format!("{selector} to hold “{text}”"), &script)
        .await
}

pub(crate) fn key(key: Key) -> String {
    char::from(key).to_string()
}

pub(crate) async fn palette_finds_pages_and_offers_new_ones(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(
        &api,
        "/カメラ/レンズの手入れ",
        "# ﾚﾝｽﾞの手入れ\n\nまず埃を。".to_owned(),
    )
    .await?;
    seed::write(&api, "/カメラ/三脚", "# 三脚\n".to_owned()).await?;

    page.press(&[Key::Control], "k").await?;
    page.wait_for("palette").await?;
    page.press(&[], "れんず").await?;
    page.wait_for_text("palette-entry", "の手入れ").await?;
    page.wait_for_text_at("[data-testid=\"palette-entry\"] mark", "ﾚﾝｽﾞ")
        .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_until_gone("palette").await?;
    page.wait_for_text("page-body", "まず埃を。").await?;

    // A query without results.
    page.press(&[Key::Control], "k").await?;
    page.wait_for("palette").await?;
    page.press(&[], "ない頁").await?;
    page.wait_for_text("palette-entry", "/ない頁").await?;
    page.press(&[], &key(Key::Down)).await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_selector(steps::TEXT).await?;
    page.wait_for_address("/edit/%E3%81%AA%E3%81%84%E9%A0%81")
        .await
}

pub(crate) async fn file_is_inserted_from_the_panel(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    upload_file(&api, &id, "plan.txt").await?;

    steps::edit(&page).await?;
    steps::write(&page, "The plan: ").await?;
    page.press(&[Key::Control, Key::Shift], "l").await?;
    wait_for_content(&page, &by_id("asset"), "plan.txt").await?;
    page.wait_until("the focus on the file", FOCUS_ON_FILE)
        .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text_at(steps::TEXT, "The plan: [plan.txt](asset:plan.txt)")
        .await?;
    wait_for_content(&page, &by_id("asset"), "13").await?;
    steps::save(&page).await?;
    page.wait_for_text_at("[data-testid=\"page-body\"] a", "plan.txt")
        .await?;
    delete_and_undo(&page).await
}

const FOCUS_ON_FILE: &str = "return document.activeElement?.dataset.testid === 'asset-use'";

async fn delete_and_undo(page: &Page) -> Result<()> {
    page.press(&[], "a").await?;
    page.wait_until("the focus on the file", FOCUS_ON_FILE)
        .await?;
    page.press(&[], &key(Key::Delete)).await?;
    page.wait_until_gone("asset").await?;
    page.click("toast-action").await?;
    wait_for_content(page, &by_id("asset"), "plan.txt").await
}

pub(crate) async fn orphaned_file_is_moved_to_another_page(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let lost = seed::write(&api, "/古い頁", "gone".to_owned()).await?;
    let file = upload_file(&api, &lost, "moss.txt").await?;
    seed::write(&api, "/庭", "# 庭\n".to_owned()).await?;
    let address = format!("api/pages/{lost}?hard=true");
    let deletion = api.send(Method::DELETE, &address, &[], String::new());
    deletion.await?.error_for_status()?;

    page.press(&[Key::Control], ",").await?;
    page.click("settings-orphans").await?;
    wait_for_content(&page, &by_id("orphan"), "/古い頁").await?;
    page.click("orphan-assign").await?;
    page.type_into("give-page", "庭").await?;
    wait_for_content(
        &page,
        "[data-testid=\"give-option\"][aria-selected=\"true\"]",
        "庭",
    )
    .await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for("orphans-empty").await?;
    let meta = api.get(&format!("api/assets/{file}/meta")).await?;
    ensure!(
        meta["page_id"] == steps::page_id(&api, "/庭").await?.as_str() && meta["state"] == "live",
        "{meta}"
    );
    Ok(())
}

pub(crate) async fn exported_wiki_is_imported_again(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let garden = seed::write(&api, "/庭", "苔".to_owned()).await?;
    upload_file(&api, &garden, "moss.txt").await?;
    page.press(&[Key::Control], ",").await?;
    page.click("export").await?;
    wait_for_content(&page, &by_id("job-export"), "Exported 2 pages.").await?;

    let answer = api.send(Method::GET, "api/export", &[], String::new());
    let archive = stage.home().folder("archive")?.join("wiki.zip");
    let bytes = answer.await?.error_for_status()?.bytes().await?;
    fs::write(&archive, bytes)?;
    let address = format!("api/pages/{garden}?hard=true");
    let deletion = api.send(Method::DELETE, &address, &[], String::new());
    deletion.await?.error_for_status()?;

    let input = page.client().find(fantoccini::Locator::Css(INPUT)).await?;
    page.click_at("label:has([data-testid=\"conflict-skip\"])")
        .await?;
    input.send_keys(&archive.to_string_lossy()).await?;
    wait_for_garden(&page, &api).await
}

/// Waits until the import has ended, and the page exists with its file.
async fn wait_for_garden(page: &Page, api: &Api) -> Result<()> {
    wait_for_content(page, &by_id("job-import"), "Imported 1 page.").await?;
    wait_for_content(page, &by_id("job-import"), "Imported 1 file.").await?;
    let id = steps::page_id(api, "/庭").await?;
    let files = api.get(&format!("api/pages/{id}/assets")).await?;
    ensure!(files[0]["file_name"] == "moss.txt", "{files}");
    Ok(())
}

pub(crate) async fn wiki_is_exported_and_imported_by_dialogs(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let garden = seed::write(&api, "/庭", "苔".to_owned()).await?;
    upload_file(&api, &garden, "moss.txt").await?;
    let archive = stage.home().folder("saved")?.join("wiki.zip");
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    page.press(&[Key::Control], ",").await?;
    page.click("export").await?;
    dialog::type_path(stage, &screen, &before, &archive).await?;
    wait_for_content(&page, &by_id("job-export"), "Exported 2 pages.").await?;
    wait_for_content(&page, &by_id("toast"), "wiki.zip").await?;
    ensure!(fs::metadata(&archive)?.len() > 0, "the archive is empty");
    let address = format!("api/pages/{garden}?hard=true");
    let deletion = api.send(Method::DELETE, &address, &[], String::new());
    deletion.await?.error_for_status()?;

    page.click_at("label:has([data-testid=\"conflict-skip\"])")
        .await?;
    let before = screen.windows()?;
    page.click("import").await?;
    dialog::type_path(stage, &screen, &before, &archive).await?;
    wait_for_garden(&page, &api).await
}

pub(crate) async fn mirror_folder_is_chosen_by_dialog(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = seed::write(&api, "/庭", "苔\n".to_owned()).await?;
    let folder = stage.home().folder("mirror")?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    page.press(&[Key::Control], ",").await?;
    page.click("mirror-choose").await?;
    dialog::type_path(stage, &screen, &before, &folder).await?;
    let chosen = folder.to_string_lossy();
    wait_for_content(&page, &by_id("mirror"), &chosen).await?;
    let file = folder.join("pages/庭.md");
    wait::until("the page to be in the folder", async || {
        Ok(fs::read_to_string(&file)
            .ok()
            .filter(|text| text.contains("苔")))
    })
    .await?;
    // The window reports files that are edited there.
    fs::write(&file, "羊歯\n")?;
    page.click("mirror-update").await?;
    page.click("mirror-look").await?;
    page.wait_for("mirror-file").await?;
    wait_for_content(&page, &by_id("mirror-file"), "pages/庭.md").await?;
    page.click_at("[data-testid=\"mirror-file\"] a").await?;
    page.click("mirror-take-over").await?;
    let source = format!("api/pages/{id}/source");
    wait::until("the page to have the edited text", async || {
        let answer = api.send(Method::GET, &source, &[], String::new()).await?;
        let text = answer.error_for_status()?.text().await?;
        Ok((text == "羊歯\n").then_some(()))
    })
    .await?;
    // Until then, a check finds the file edited.
    wait::until("the mirror to have the text as its own", async || {
        let state = api.get("api/mirror").await?;
        let is_settled = state["outside"].as_array().is_some_and(Vec::is_empty);
        Ok(is_settled.then_some(()))
    })
    .await
}

pub(crate) async fn recent_pages_are_offered_after_restart(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let read = seed::write(&api, "/庭", "# 苔の庭\n".to_owned()).await?;
    let address = page.client().current_url().await?;
    page.go(address.join("/wiki/庭")?.as_str()).await?;
    wait_for_content(&page, &by_id("page-title"), "苔の庭").await?;
    wait::until("the visit to be recorded", async || {
        let visits = api.get("api/users/me/visits").await?;
        Ok((visits[0]["page_id"] == read.as_str()).then_some(()))
    })
    .await?;
    let moved = format!("api/pages/{read}/path?rename_to=/moss");
    let moved = api.send(Method::POST, &moved, &[], String::new()).await?;
    moved.error_for_status()?;
    // If recently changed pages were listed, these would be the first.
    for number in 0..10 {
        seed::write(&api, &format!("/later/{number}"), "x".to_owned()).await?;
    }
    stage.stop().await?;

    let page = stage.start(&[]).await?.clone();
    page.click("activity-wiki").await?;
    page.wait_for_address("/wiki/").await?;
    page.wait_for("page-body").await?;
    page.press(&[Key::Control], "k").await?;
    wait_for_content(&page, &by_id("palette-entry"), "苔の庭").await?;
    wait_for_content(&page, &by_id("palette-entry"), "/moss").await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_address("/wiki/moss").await
}

const INPUT: &str = "[data-testid=\"import-input\"]";
