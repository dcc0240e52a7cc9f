//! Obstacles to writing and saving.

use anyhow::Result;
use fantoccini::key::Key;
use reqwest::Method;

use super::editor::TEXT;
use super::views::IN_WINDOW;
use super::{Tour, Visitor};
use crate::seed;

const IDLE_AFTER_KEYS: &str = "
    window.idleSince ??= performance.now();
    return performance.now() - window.idleSince > 600;";

/// Makes every request fail, and later succeed again.
const FAIL_REQUESTS: &str = "
    window.originalFetch = window.fetch;
    window.fetch = () => Promise.reject(new TypeError('no answer'));";
const RESTORE_REQUESTS: &str = "
    window.fetch = window.originalFetch;
    dispatchEvent(new Event('online'));";

/// Simulates the end of a sleep during which the lock should have been extended.
const SIMULATE_WAKE: &str = "
    const { now } = Date;
    Date.now = () => now() + 250_000;
    dispatchEvent(new Event('online'));";

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn save_conflicts(&mut self) -> Result<()> {
        let path = seed::winter(self.language);
        let id = seed::page_id(self.api, path).await?;
        let source = format!("api/pages/{id}/source");
        let text = self.api.send(Method::GET, &source, &[], String::new());
        let text = text.await?.error_for_status()?.text().await?;

        self.go(&format!("/edit{path}")).await?;
        self.page.wait_for("editor-no-lock").await?;
        self.visit("edit-no-lock").await?;
        seed::lock(self.api, &id).await?;
        self.page.click("editor-take-lock").await?;
        self.page.wait_for("editor-taken").await?;
        self.visit("edit-taken").await?;
        self.page.click("editor-take-over").await?;
        self.page.wait_for_selector(TEXT).await?;

        self.page.click_at(TEXT).await?;
        self.page.press(&[], "1 ").await?;
        self.fail_lock_extension().await?;
        // A movement right after a key press may be its purpose.
        self.page
            .wait_until("the keys to be at rest", IDLE_AFTER_KEYS)
            .await?;
        let token = seed::lock(self.api, &id).await?;
        self.page.wait_for("lock-lost").await?;
        self.visit("lock-lost").await?;
        self.page.press(&[Key::Control], "s").await?;
        self.page.wait_for("save-failed").await?;
        self.visit("save-failed").await?;
        let theirs = self.in_language("\nSkis.\n", "\nスキー板。\n");
        seed::save(self.api, &id, &token, text.clone() + theirs).await?;
        self.page.click("save-again").await?;
        self.page.wait_for("editor-conflict").await?;
        self.visit("conflict").await?;
        self.page.press(&[Key::Control, Key::Shift], "b").await?;
        self.page
            .wait_for_selector("[data-testid=\"compare\"] .cm-line")
            .await?;
        self.visit("conflict-compare").await?;
        self.escape("compare").await?;

        self.page.click("editor-cancel").await?;
        self.page.click("question-yes").await?;
        self.page.wait_for("page-body").await?;
        seed::write(self.api, path, text).await?;

        let before = seed::before_overlong(self.language);
        self.go(&format!("/edit{before}")).await?;
        self.page.wait_for("editor-moved").await?;
        self.visit("edit-moved").await
    }

    /// Makes extending the lock fail for a while.
    async fn fail_lock_extension(&mut self) -> Result<()> {
        // The window uses commands, which no script can intercept.
        if self.page.execute(IN_WINDOW).await? == true {
            return Ok(());
        }
        self.page
            .wait_until("the keys to be at rest", IDLE_AFTER_KEYS)
            .await?;
        self.page.execute(FAIL_REQUESTS).await?;
        self.page.execute(SIMULATE_WAKE).await?;
        self.page.wait_for("lock-unsure").await?;
        self.visit("lock-unsure").await?;
        self.page.execute(RESTORE_REQUESTS).await?;
        self.page.wait_until_gone("lock-unsure").await?;
        // What was reported below the notice may have left first, and moved it.
        self.page.wait_until_gone("banner").await?;
        self.visit("lock-extended").await
    }
}
