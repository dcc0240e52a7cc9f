//! The view for reading pages, and its overlays.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Tour, Visitor, key};
use crate::seed;

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn reader(&mut self) -> Result<()> {
        self.open_page(seed::exposure(self.language)).await?;
        self.page.wait_for_selector(".katex").await?;
        self.page.wait_for_selector(".diagram img").await?;
        self.visit("exposure").await?;
        self.open_page(seed::gallery(self.language)).await?;
        let are_loaded = "const isVisible = (one) => one.getBoundingClientRect().top < innerHeight;
            const pictures = [...document.querySelectorAll('.gallery img')].filter(isVisible);
            return pictures.length > 0 && pictures.every((one) => one.complete && one.naturalWidth > 0);";
        self.page
            .wait_until("the pictures of a gallery", are_loaded)
            .await?;
        self.visit("gallery").await?;
        self.open_page(&seed::overlong(self.language)).await?;
        self.visit("overlong").await?;
        self.drawer("overlong-contents", "right-toggle", 900)
            .await?;
        self.open_page(&format!("{}?rev=1", seed::garden(self.language)))
            .await?;
        self.page.wait_for("old-revision").await?;
        self.visit("old-revision").await?;
        self.go("/wiki/nothing/here").await?;
        self.page.wait_for("page-not-found").await?;
        self.visit("page-unknown").await?;
        self.page.click("page-write").await?;
        self.page.wait_for_selector(".cm-content").await?;
        self.visit("edit-new").await?;
        self.page.click("editor-cancel").await?;
        self.page.wait_for("page-not-found").await?;

        self.open_page(seed::garden(self.language)).await?;
        if !self.is_narrower_than(900).await? {
            self.page.wait_for("backlink").await?;
        }
        self.visit("wiki").await?;
        self.drawer("pages-drawer", "side-toggle", 640).await?;
        self.drawer("contents-drawer", "right-toggle", 900).await
    }

    pub(super) async fn page_overlays(&mut self) -> Result<()> {
        self.show_and_close("keys", &[], "?", "keys-dialog").await?;
        self.show_and_close("new-page", &[], "n", "new-page-dialog")
            .await?;
        self.palette().await?;
        // Escape closes a menu before it does anything else.
        self.click_and_close("menu", "more-actions", "action-rename")
            .await?;
        self.rename().await?;
        self.delete_and_undo().await?;
        self.rename_and_undo().await
    }

    async fn palette(&mut self) -> Result<()> {
        self.page.press(&[Key::Control], "k").await?;
        self.page.wait_for("palette-entry").await?;
        self.visit("palette").await?;
        let typed = self.in_language("gardens", "庭");
        self.page.press(&[], typed).await?;
        self.wait_for_results(typed).await?;
        self.visit("palette-found").await?;
        self.page.press(&[], "qqq").await?;
        self.wait_for_results(&format!("{typed}qqq")).await?;
        self.visit("palette-none").await?;
        self.escape("palette").await
    }

    async fn wait_for_results(&self, query: &str) -> Result<()> {
        self.page
            .wait_for_selector(&format!(
                "[data-testid=\"palette-list\"][data-query=\"{query}\"]"
            ))
            .await?;
        Ok(())
    }

    /// Renames a page that has subpages, and whose relative links would change their meaning.
    async fn rename(&mut self) -> Result<()> {
        self.enter_new_path().await?;
        self.visit("rename").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page.press(&[], "/").await?;
        self.page
            .wait_for_selector("[data-testid=\"move-path\"][aria-invalid=\"true\"]")
            .await?;
        self.visit("rename-refused").await?;
        self.escape("rename-dialog").await
    }

    async fn enter_new_path(&self) -> Result<()> {
        self.open_page(seed::winter(self.language)).await?;
        self.page.press(&[], &key(Key::F2)).await?;
        self.page.wait_for("rename-dialog").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page
            .press(&[], self.in_language("/archive/winter", "/書庫/冬"))
            .await?;
        self.page.wait_for("link-changes").await?;
        Ok(())
    }

    /// Moves the page, and back by the offered action.
    async fn rename_and_undo(&mut self) -> Result<()> {
        self.enter_new_path().await?;
        self.page.click("rename-submit").await?;
        self.page.wait_until_gone("rename-dialog").await?;
        let address = self.in_language("/wiki/archive/", "/wiki/%E6%9B%B8%E5%BA%AB/");
        self.page.wait_for_address_below(address).await?;
        self.page.wait_for("toast-action").await?;
        self.visit("renamed").await?;
        self.page.click("toast-action").await?;
        let back = self.in_language("/wiki/plans/", "/wiki/%E8%A8%88%E7%94%BB/");
        self.page.wait_for_address_below(back).await
    }

    async fn delete_and_undo(&mut self) -> Result<()> {
        self.page.press(&[], &key(Key::Delete)).await?;
        self.page.wait_for("delete-dialog").await?;
        self.visit("delete").await?;
        let path = self.page.execute("return location.pathname").await?;
        self.page.click("delete-all").await?;
        self.page.wait_for("toast-action").await?;
        // The tree follows the event of the deletion, which may come after the message.
        let has_left = format!(
            "return ![...document.querySelectorAll('[role=treeitem]')].some(row => row.pathname === {path})"
        );
        self.page
            .wait_until("the tree without the page", &has_left)
            .await?;
        self.visit("undo").await?;
        self.page.click("toast-action").await?;
        self.page
            .wait_for_text("page-title", self.in_language("Winter", "冬"))
            .await
    }
}
