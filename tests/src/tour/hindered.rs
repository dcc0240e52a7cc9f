//! Obstacles to writing and saving.

use anyhow::Result;
use fantoccini::key::Key;
use reqwest::Method;

use super::rooms::IN_THE_WINDOW;
use super::writing::TEXT;
use super::{Guest, Walk};
use crate::seed;

const RESTED: &str = "
    window.restedSince ??= performance.now();
    return performance.now() - window.restedSince > 600;";

/// Makes every request fail, and later succeed again.
const UNHEARD: &str = "
    window.heard = window.fetch;
    window.fetch = () => Promise.reject(new TypeError('nobody answers'));";
const HEARD: &str = "
    window.fetch = window.heard;
    dispatchEvent(new Event('online'));";

/// Simulates the end of a sleep during which the lock should have been extended.
const WOKEN: &str = "
    const { now } = Date;
    Date.now = () => now() + 250_000;
    dispatchEvent(new Event('online'));";

impl<G: Guest> Walk<'_, G> {
    pub(super) async fn hindered(&mut self) -> Result<()> {
        let path = seed::winter(self.language);
        let id = seed::page_id(self.api, path).await?;
        let source = format!("api/pages/{id}/source");
        let text = self.api.send(Method::GET, &source, &[], String::new());
        let text = text.await?.error_for_status()?.text().await?;

        self.go(&format!("/edit{path}")).await?;
        self.page.see("editor-no-lock").await?;
        self.arrive("edit-no-lock").await?;
        seed::lock(self.api, &id).await?;
        self.page.click("editor-take-lock").await?;
        self.page.see("editor-taken").await?;
        self.arrive("edit-taken").await?;
        self.page.click("editor-take-over").await?;
        self.page.see_at(TEXT).await?;

        self.page.click_at(TEXT).await?;
        self.page.press(&[], "1 ").await?;
        self.unsure().await?;
        // Whatever moves right after a key may be what the key was pressed for.
        self.page.holds("the keys to be at rest", RESTED).await?;
        let token = seed::lock(self.api, &id).await?;
        self.page.see("lock-lost").await?;
        self.arrive("lock-lost").await?;
        self.page.press(&[Key::Control], "s").await?;
        self.page.see("save-failed").await?;
        self.arrive("save-failed").await?;
        let theirs = self.in_language("\nSkis.\n", "\nスキー板。\n");
        seed::save(self.api, &id, &token, text.clone() + theirs).await?;
        self.page.click("save-again").await?;
        self.page.see("editor-conflict").await?;
        self.arrive("conflict").await?;
        self.page.press(&[Key::Control, Key::Shift], "b").await?;
        self.page
            .see_at("[data-testid=\"compare\"] .cm-line")
            .await?;
        self.arrive("conflict-compare").await?;
        self.escape("compare").await?;

        self.page.click("editor-cancel").await?;
        self.page.click("question-yes").await?;
        self.page.see("page-body").await?;
        seed::write(self.api, path, text).await?;

        let before = seed::before_overlong(self.language);
        self.go(&format!("/edit{before}")).await?;
        self.page.see("editor-moved").await?;
        self.arrive("edit-moved").await
    }

    /// Makes extending the lock fail for a while.
    async fn unsure(&mut self) -> Result<()> {
        // The window uses commands, which no script can intercept.
        if self.page.ask(IN_THE_WINDOW).await? == true {
            return Ok(());
        }
        self.page.holds("the keys to be at rest", RESTED).await?;
        self.page.ask(UNHEARD).await?;
        self.page.ask(WOKEN).await?;
        self.page.see("lock-unsure").await?;
        self.arrive("lock-unsure").await?;
        self.page.ask(HEARD).await?;
        self.page.gone("lock-unsure").await
    }
}
