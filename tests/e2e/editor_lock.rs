//! The lock of the editor: extended while writing, released, lost, and never shared.

use std::fs;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use serde_json::Value;

use crate::steps;

/// Returns the tab's stored locks: keys and values.
const STORED_LOCKS: &str = r#"
return Object.entries(sessionStorage).filter(([key]) => key.startsWith("fumikura.lock."));
"#;
const TAB_ID: &str = r#"return sessionStorage.getItem("fumikura.tab-id")"#;

/// Sets the duration of locks from the next start on.
pub(crate) fn set_lock_duration(stage: &Stage, seconds: u32) -> Result<()> {
    let folder = stage.home().path().join("config/fumikura");
    fs::create_dir_all(&folder)?;
    let setting = format!("lock_ttl_seconds = {seconds}\n");
    Ok(fs::write(folder.join("config.toml"), setting)?)
}

/// Returns the only token that the tab stores, with its key.
async fn stored_token(page: &Page) -> Result<(String, String)> {
    let stored = page.execute(STORED_LOCKS).await?;
    let [entry] = &stored.as_array().context("entries are a list")?[..] else {
        anyhow::bail!("the tab stores {stored}");
    };
    let text = |value: &Value| value.as_str().map(str::to_owned).context("a text");
    let lock: Value = serde_json::from_str(&text(&entry[1])?)?;
    Ok((text(&entry[0])?, text(&lock["token"])?))
}

async fn check_no_stored_token(page: &Page) -> Result<()> {
    let stored = page.execute(STORED_LOCKS).await?;
    ensure!(
        stored == Value::Array(Vec::new()),
        "the tab still stores {stored}"
    );
    Ok(())
}

/// Follows docs/spec/wiki.md, Editing, step by step.
pub(crate) async fn editing_acquires_renews_and_releases_the_lock(stage: &mut Stage) -> Result<()> {
    // Long enough not to expire by itself, short enough to observe an extension.
    set_lock_duration(stage, 15)?;
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;

    steps::edit(&page).await?;
    page.wait_for_address("/edit/").await?;
    let tab = page.execute(TAB_ID).await?;
    let (key, first) = stored_token(&page).await?;
    let tab = tab.as_str().context("the tab has an id")?;
    ensure!(
        key == format!("fumikura.lock.{id}.{tab}"),
        "the token is under {key}"
    );
    ensure!(steps::is_locked(&api, &id).await?, "the page is not locked");
    wait::until("the lock to be prolonged with a new token", async || {
        let (_, token) = stored_token(&page).await?;
        Ok((token != first).then_some(()))
    })
    .await?;
    steps::write(&page, "Held all the while").await?;
    steps::save(&page).await?;
    page.wait_for_address("/wiki/").await?;
    ensure!(
        !steps::is_locked(&api, &id).await?,
        "the save did not release the lock"
    );
    check_no_stored_token(&page).await?;

    // A copied address has no lock.
    let editor = page.client().current_url().await?.join("/edit/")?;
    page.execute(&format!("location.href = \"{editor}\""))
        .await?;
    page.wait_for("editor-no-lock").await?;
    ensure!(
        !steps::is_locked(&api, &id).await?,
        "a lock came from nowhere"
    );

    let new = editor.join("/edit/new")?;
    page.execute(&format!("location.href = \"{new}\"")).await?;
    page.wait_for("page-write").await?;
    let locks = api.get("api/locks").await?;
    ensure!(
        locks.as_array().is_some_and(Vec::is_empty),
        "a typed address took a lock: {locks}"
    );
    page.click("page-write").await?;
    page.wait_for_selector(steps::TEXT).await?;
    stored_token(&page).await?;
    steps::write(&page, "The first revision").await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", "The first revision")
        .await?;
    check_no_stored_token(&page).await?;
    let new = steps::page_id(&api, "/new").await?;
    let meta = api.get(&format!("api/pages/{new}/meta")).await?;
    ensure!(meta["revision_info"]["revision"] == 1, "{meta}");
    ensure!(
        !steps::is_locked(&api, &new).await?,
        "the new page stayed locked"
    );
    Ok(())
}

/// Writes the unlocked page as another program does. On a busy machine, a short lock may end before the text is sent.
pub(crate) async fn save_as_another(api: &Api, id: &str, text: &str) -> Result<()> {
    wait::until("the text of another program to be saved", async || {
        let token = seed::lock(api, id).await?;
        seed::save(api, id, &token, text.to_owned()).await.map(Some)
    })
    .await
}

/// The page is saved by another user after the lock has expired; then the two texts are merged.
pub(crate) async fn expired_editor_lock_loses_no_text(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    save_as_another(&api, &id, "first\n\nsecond\n\nthird").await?;
    stage.stop().await?;
    set_lock_duration(stage, 2)?;
    let page = stage.start(&[]).await?.clone();
    let api = stage.api().await?;
    page.wait_for_text("page-body", "third").await?;

    steps::edit(&page).await?;
    steps::write(&page, "first, mine\n\nsecond\n\nthird").await?;
    page.wait_for("lock-lost").await?;
    wait::until("the lock to be over", async || {
        Ok((!steps::is_locked(&api, &id).await?).then_some(()))
    })
    .await?;
    save_as_another(&api, &id, "first\n\nsecond\n\nthird, theirs").await?;

    page.click("editor-save").await?;
    page.click("conflict-merge").await?;
    page.wait_until_gone("editor-conflict").await?;
    for line in ["first, mine", "second", "third, theirs"] {
        page.wait_for_text_at(steps::TEXT, line).await?;
    }
    steps::save(&page).await?;
    page.wait_for_text("page-body", "first, mine").await?;
    page.wait_for_text("page-body", "third, theirs").await
}

/// docs/spec/wiki.md, Tab ids: a duplicated tab has a copy of the other's storage, and must not have its lock.
pub(crate) async fn duplicated_tab_gets_its_own_id(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "The first tab writes").await?;
    let (first, id) = (page.client().window().await?, page.execute(TAB_ID).await?);

    // A page that another one opens starts with a copy of its storage, as a duplicate does.
    page.execute("window.open(location.href)").await?;
    let second = wait::until("the second tab", async || {
        let tabs = page.client().windows().await?;
        Ok(tabs.into_iter().find(|tab| *tab != first))
    })
    .await?;
    page.client().switch_to_window(second).await?;
    page.wait_for("editor-no-lock").await?;
    let other = page.execute(TAB_ID).await?;
    ensure!(other.is_string() && other != id, "both tabs are {id}");
    page.client().close_window().await?;

    page.client().switch_to_window(first).await?;
    ensure!(
        page.execute(TAB_ID).await? == id,
        "the first tab lost its id"
    );
    steps::save(&page).await?;
    page.wait_for_text("page-body", "The first tab writes")
        .await
}
