//! Unsaved text after a crash, and after the tab or the window was closed.

use anyhow::{Result, ensure};
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;

use crate::steps;

const SENTENCE: &str = "A sentence that was never saved";

/// Writes the sentence over the root page, and waits until the server has the autosave entry.
async fn write_without_saving(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, SENTENCE).await?;
    wait_for_autosave(stage).await
}

async fn wait_for_autosave(stage: &Stage) -> Result<()> {
    wait::until("the text to be autosaved", async || {
        Ok(is_autosaved(stage).await?.then_some(()))
    })
    .await
}

async fn is_autosaved(stage: &Stage) -> Result<bool> {
    let entries = steps::autosave_entries(&stage.api().await?).await?;
    Ok(entries.iter().any(|entry| entry["source"] == SENTENCE))
}

/// The lock of the dead tab is valid for some minutes more. It is the user's own: the user takes it over, and
/// continues.
pub(crate) async fn unsaved_text_is_offered_after_a_crash(stage: &mut Stage) -> Result<()> {
    write_without_saving(stage).await?;
    stage.kill().await?;
    let page = stage.start(&[]).await?.clone();
    page.wait_for("autosave-offer").await?;
    ensure!(
        is_autosaved(stage).await?,
        "the offered text is not the written one"
    );
    let id = steps::page_id(&stage.api().await?, "/").await?;
    ensure!(
        steps::is_locked(&stage.api().await?, &id).await?,
        "the dead tab's lock is gone"
    );
    page.click("autosave-restore").await?;
    page.wait_for("toast").await?;
    page.click("toast-action").await?;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", SENTENCE).await
}

/// A page that was never saved is recovered in the same way.
pub(crate) async fn new_page_is_recovered_after_a_crash(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let address = page.client().current_url().await?;
    page.go(address.join("/edit/new")?.as_str()).await?;
    page.click("page-write").await?;
    page.wait_for_selector(steps::TEXT).await?;
    steps::write(&page, SENTENCE).await?;
    wait_for_autosave(stage).await?;
    stage.kill().await?;
    let page = stage.start(&[]).await?.clone();
    page.wait_for("page-body").await?;
    let address = page.client().current_url().await?;
    let editor = address.join("/edit/new")?;
    page.execute(&format!("location.href = \"{editor}\""))
        .await?;
    page.click("editor-take-over").await?;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", SENTENCE).await
}

/// The last keys are sent while the tab closes.
pub(crate) async fn closing_tab_keeps_text_and_releases_lock(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let id = steps::page_id(&stage.api().await?, "/").await?;
    let (address, first) = (
        page.client().current_url().await?,
        page.client().window().await?,
    );
    let second = page.client().new_window(true).await?.handle;
    page.client().switch_to_window(first).await?;
    steps::edit(&page).await?;
    steps::write(&page, SENTENCE).await?;
    page.client().close_window().await?;
    page.client().switch_to_window(second).await?;
    wait_for_autosave(stage).await?;
    wait::until("the lock to be released", async || {
        Ok((!steps::is_locked(&stage.api().await?, &id).await?).then_some(()))
    })
    .await?;

    page.go(address.as_str()).await?;
    page.click("autosave-restore").await?;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", SENTENCE).await
}

/// Closing the window normally releases the lock, so that writing can continue where it ended.
pub(crate) async fn closing_window_keeps_text_and_releases_lock(stage: &mut Stage) -> Result<()> {
    write_without_saving(stage).await?;
    let id = steps::page_id(&stage.api().await?, "/").await?;

    // As a click on the close button of the window's frame does.
    Screen::of(stage.display())?.close_window()?;
    stage.wait_for_end().await?;

    let page = stage.start(&[]).await?.clone();
    page.wait_for("autosave-offer").await?;
    ensure!(
        !steps::is_locked(&stage.api().await?, &id).await?,
        "the lock outlived the window"
    );
    page.click("autosave-restore").await?;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", SENTENCE).await?;
    page.wait_until_gone("autosave-offer").await
}

/// Makes every request for an autosave entry fail as on a full disk.
const FAIL_AUTOSAVES: &str = r#"
    const real = window.fetch;
    const full = JSON.stringify({ code: "disk_full", message: "The disk is full." });
    const headers = { "content-type": "application/json" };
    window.fetch = (input, init) => String(input?.url ?? input).includes("/api/journal/")
        ? Promise.resolve(new Response(full, { status: 507, headers }))
        : real(input, init);
"#;

/// A new page is removed with its lock: the window must not release it before the user has answered.
pub(crate) async fn window_with_unsaved_text_asks_before_closing(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let address = page.client().current_url().await?;
    page.go(address.join("/edit/new")?.as_str()).await?;
    page.click("page-write").await?;
    page.wait_for_selector(steps::TEXT).await?;
    page.execute(FAIL_AUTOSAVES).await?;
    steps::write(&page, SENTENCE).await?;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;

    Screen::of(stage.display())?.close_window()?;
    page.click("question-no").await?;
    page.wait_until_gone("question").await?;
    // Longer than closing a page may take.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;

    Screen::of(stage.display())?.close_window()?;
    page.click("question-yes").await?;
    stage.wait_for_end().await
}

/// Delays the answers to autosave requests until [`RELEASE_AUTOSAVES`].
const DELAY_AUTOSAVES: &str = r#"
    const real = window.fetch;
    window.fetch = async (input, init) => {
        const answer = await real(input, init);
        const isAutosave = String(input?.url ?? input).includes("/api/journal/");
        while (isAutosave && !window.released) await new Promise((resolve) => setTimeout(resolve, 200));
        return answer;
    };
"#;
const RELEASE_AUTOSAVES: &str = "window.released = true;";

/// The question about unsaved text is withdrawn once a slow autosave succeeds.
pub(crate) async fn window_closes_once_text_is_saved(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let id = steps::page_id(&stage.api().await?, "/").await?;
    steps::edit(&page).await?;
    page.execute(DELAY_AUTOSAVES).await?;
    steps::write(&page, SENTENCE).await?;
    // The driver may return before the last keys have arrived: they would go to the question.
    page.wait_for_text_at(steps::TEXT, SENTENCE).await?;

    Screen::of(stage.display())?.close_window()?;
    page.wait_for("question").await?;
    page.execute(RELEASE_AUTOSAVES).await?;
    stage.wait_for_end().await?;

    stage.start(&[]).await?.wait_for("autosave-offer").await?;
    ensure!(is_autosaved(stage).await?, "the text was lost");
    ensure!(
        !steps::is_locked(&stage.api().await?, &id).await?,
        "the lock outlived the window"
    );
    Ok(())
}
