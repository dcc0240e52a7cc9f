//! The list of pages, the trash, the settings, the cache.

use anyhow::Result;
use fantoccini::key::Key;
use reqwest::Method;
use serde_json::json;

use super::{Tour, Visitor};
use crate::seed;

pub(super) const IN_WINDOW: &str = "return '__TAURI_INTERNALS__' in window";

/// Makes the thumbnails exceed their limit.
const REPORT_FULL_CACHE: &str = r#"
    const originalFetch = window.fetch;
    window.fetch = async (...request) => {
        const answer = await originalFetch(...request);
        if (!String(request[0]).endsWith('/api/cache')) return answer;
        const cache = await answer.json();
        return Response.json({ ...cache, used_bytes: 0.93 * cache.limit_bytes, files: 98765 });
    };"#;

/// Makes the requests for the cache's size fail.
const FAIL_CACHE_REQUESTS: &str = r#"
    const originalFetch = window.fetch;
    window.fetch = (...request) =>
        String(request[0]).endsWith('/api/cache') ? Promise.reject(new TypeError('no answer')) : originalFetch(...request);"#;

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn views(&mut self) -> Result<()> {
        self.go("/pages").await?;
        self.page.wait_for("list-page").await?;
        self.visit("pages").await?;
        self.page.type_into("list-filter", "/nowhere").await?;
        self.page.wait_for("list-none").await?;
        self.visit("pages-none").await?;

        self.go("/tasks").await?;
        self.page.wait_for("task-row").await?;
        self.visit("tasks").await?;

        self.go("/bin").await?;
        self.page.wait_for("trash-page").await?;
        self.visit("trash").await?;
        self.click_and_close("restore", "trash-restore-to", "restore-dialog")
            .await?;
        self.click_and_close("destroy", "trash-destroy", "question")
            .await?;

        self.deleted_page().await?;
        self.go("/settings").await?;
        self.page.wait_for("settings").await?;
        self.visit("settings").await?;
        self.page
            .execute("document.getElementById('shortcuts').scrollIntoView()")
            .await?;
        self.visit("settings-shortcuts").await?;
        self.jobs().await?;
        self.backup().await?;
        self.mirror().await?;
        self.go("/imported-texts").await?;
        self.page.wait_for("imported-texts-none").await?;
        self.visit("imported-texts").await?;
        self.cache().await?;

        self.go("/settings/files").await?;
        self.page.wait_for("orphan-assign").await?;
        self.visit("orphans").await?;
        self.page.click("orphan-assign").await?;
        self.page.wait_for("give-option").await?;
        self.visit("give").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page.press(&[], "qqq").await?;
        self.page.wait_until_gone("give-option").await?;
        self.visit("give-none").await?;
        self.escape("give-dialog").await?;
        self.click_and_close("lose", "orphan-remove", "question")
            .await
    }

    /// Views a deleted page, and its former address.
    async fn deleted_page(&mut self) -> Result<()> {
        let row = self.page.wait_for("trash-page").await?;
        let path = row.attr("data-path").await?.unwrap_or_default();
        self.page.click("trash-open").await?;
        self.page.wait_for("page-deleted").await?;
        self.page.wait_for("page-body").await?;
        self.visit("deleted").await?;
        self.page.press(&[], "h").await?;
        self.page.wait_for("only-revision").await?;
        self.visit("history-deleted").await?;
        self.go(&format!("/wiki{path}")).await?;
        self.page.wait_for("deleted-here").await?;
        self.visit("deleted-here").await
    }

    /// Visits the cache: its contents, making room, and the expiry policy.
    async fn cache(&mut self) -> Result<()> {
        self.go("/cache").await?;
        self.page.wait_for("cache-used").await?;
        self.page.wait_for("cache-groups").await?;
        self.page.click("cache-gc").await?;
        self.page
            .wait_for_selector("[data-testid=\"job-cache_gc\"] .outcome")
            .await?;
        self.visit("cache").await?;
        self.page
            .execute("document.querySelector('[data-testid=\"cache-kinds\"]').scrollIntoView()")
            .await?;
        self.visit("cache-parts").await?;
        self.page.click("cache-default-change").await?;
        self.page.wait_for("policy-preview").await?;
        self.visit("cache-policy").await?;
        self.escape("policy-dialog").await?;
        // The window uses commands, which no script can intercept.
        if self.page.execute(IN_WINDOW).await? == true {
            return Ok(());
        }
        self.page.execute(REPORT_FULL_CACHE).await?;
        self.reopen_cache("cache-used").await?;
        self.visit("cache-full").await?;
        self.page.execute(FAIL_CACHE_REQUESTS).await?;
        self.reopen_cache("cache-failed").await?;
        self.visit("cache-failed").await
    }

    /// Leaves the view and comes back, without reloading the page.
    async fn reopen_cache(&mut self, seen: &str) -> Result<()> {
        self.page.press(&[], "l").await?;
        self.page.wait_for("list-page").await?;
        self.page.press(&[Key::Alt], "4").await?;
        self.page.wait_for(seen).await?;
        Ok(())
    }

    /// Shows the results of jobs on the whole wiki, one successful, one failed.
    async fn jobs(&mut self) -> Result<()> {
        // From its beginning, so that results of jobs move nothing that is in sight.
        self.go("/settings").await?;
        self.page.wait_for("settings").await?;
        let zip = [("content-type", "application/zip")];
        for (address, headers, body) in [
            ("api/backup", &[][..], ""),
            ("api/import", &zip, "no archive"),
        ] {
            let body = body.to_owned();
            let started = self.api.send(Method::POST, address, headers, body);
            started.await?.error_for_status()?;
        }
        for kind in ["backup", "import"] {
            self.page
                .wait_for_selector(&format!("[data-testid=\"job-{kind}\"] .outcome"))
                .await?;
        }
        self.page
            .execute("document.querySelector('[data-testid=\"exchange\"]').scrollIntoView()")
            .await?;
        self.visit("settings-jobs").await
    }

    /// Shows the backup that was just made: its pages, and one of them.
    async fn backup(&mut self) -> Result<()> {
        self.go("/settings").await?;
        // The list appears once it is read.
        self.page.wait_for_selector("details.made").await?;
        self.page
            .execute("document.querySelector('details.made').open = true")
            .await?;
        self.page.click_at("[data-testid=\"backup-row\"] a").await?;
        self.page.wait_for("backup-page").await?;
        self.visit("backup").await?;
        self.page
            .click_at("[data-testid=\"backup-page\"] a")
            .await?;
        self.page.wait_for("backup-page-details").await?;
        self.visit("backup-page").await
    }

    /// Shows a mirror with files that were edited outside: the list, one of them, and the settings.
    async fn mirror(&mut self) -> Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().canonicalize()?;
        let json = [("content-type", "application/json")];
        let choice = json!({"path": path}).to_string();
        let chosen = self.api.send(Method::PUT, "api/mirror", &json, choice);
        chosen.await?.error_for_status()?;
        std::fs::write(path.join("pages.md"), "# Edited outside\n")?;
        let copy = "pages.sync-conflict-20261118-120000-ABCDEFG.md";
        std::fs::write(path.join(copy), "# Edited on the notebook\n")?;
        let updated = self
            .api
            .send(Method::POST, "api/mirror", &[], String::new());
        updated.await?.error_for_status()?;
        self.go("/mirror").await?;
        self.page.wait_for("mirror-file").await?;
        self.visit("mirror").await?;
        self.page
            .click_at("[data-testid=\"mirror-file\"] a")
            .await?;
        self.page.wait_for("mirror-take-over").await?;
        self.visit("mirror-file").await?;
        self.go("/settings").await?;
        self.page.wait_for("mirror-look").await?;
        self.page
            .execute("document.querySelector('[data-testid=\"mirror\"]').scrollIntoView()")
            .await?;
        self.visit("settings-mirror").await?;
        let ended = self
            .api
            .send(Method::DELETE, "api/mirror", &[], String::new());
        ended.await?.error_for_status()?;
        Ok(())
    }

    /// Shows a job on the whole wiki, from another view and in the list where it is paused and cancelled.
    pub(super) async fn running_job(&mut self) -> Result<()> {
        self.go("/pages").await?;
        let export = seed::start_long_export(self.api).await?;
        self.page.wait_for("jobs-at-work").await?;
        self.visit("work").await?;
        self.page.press(&[Key::Control, Key::Alt], "j").await?;
        let with_state =
            |state: &str| format!("[data-testid=\"job-export\"][data-state=\"{state}\"]");
        self.page.wait_for_selector(&with_state("running")).await?;
        self.visit("settings-job-running").await?;
        drop(export);
        self.page
            .wait_for_selector(&with_state("cancelled"))
            .await?;
        self.page.wait_until_gone("jobs-at-work").await
    }
}
