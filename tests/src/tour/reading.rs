//! The view for reading pages, and its overlays.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Guest, Walk, key};
use crate::seed;

impl<G: Guest> Walk<'_, G> {
    pub(super) async fn reading(&mut self) -> Result<()> {
        self.read(seed::exposure(self.language)).await?;
        self.page.see_at(".katex").await?;
        self.page.see_at(".diagram img").await?;
        self.arrive("exposure").await?;
        self.read(seed::gallery(self.language)).await?;
        let shown = "const seen = (one) => one.getBoundingClientRect().top < innerHeight;
            const pictures = [...document.querySelectorAll('.gallery img')].filter(seen);
            return pictures.length > 0 && pictures.every((one) => one.complete && one.naturalWidth > 0);";
        self.page.holds("the pictures of a gallery", shown).await?;
        self.arrive("gallery").await?;
        self.read(&seed::overlong(self.language)).await?;
        self.arrive("overlong").await?;
        self.drawer("overlong-contents", "right-toggle", 900)
            .await?;
        self.read(&format!("{}?rev=1", seed::garden(self.language)))
            .await?;
        self.page.see("old-revision").await?;
        self.arrive("old-revision").await?;
        // An address without a page opens the editor; cancelling it shows that there is no such page.
        self.go("/wiki/nothing/here").await?;
        self.page.see_at(".cm-content").await?;
        self.arrive("edit-new").await?;
        self.page.click("editor-cancel").await?;
        self.page.see("page-not-found").await?;
        self.arrive("page-unknown").await?;

        self.read(seed::garden(self.language)).await?;
        if !self.is_narrower_than(900).await? {
            self.page.see("backlink").await?;
        }
        self.arrive("wiki").await?;
        self.drawer("pages-drawer", "side-toggle", 640).await?;
        self.drawer("contents-drawer", "right-toggle", 900).await
    }

    pub(super) async fn over_the_page(&mut self) -> Result<()> {
        self.glance("keys", &[], "?", "keys-dialog").await?;
        self.glance("new-page", &[], "n", "new-page-dialog").await?;
        self.palette().await?;
        // Escape closes a menu before it does anything else.
        self.glance_at("menu", "more-actions", "action-rename")
            .await?;
        self.renaming().await?;
        self.deleting().await?;
        self.renamed().await
    }

    async fn palette(&mut self) -> Result<()> {
        self.page.press(&[Key::Control], "k").await?;
        self.page.see("palette-entry").await?;
        self.arrive("palette").await?;
        let typed = self.in_language("gardens", "庭");
        self.page.press(&[], typed).await?;
        self.found_for(typed).await?;
        self.arrive("palette-found").await?;
        self.page.press(&[], "qqq").await?;
        self.found_for(&format!("{typed}qqq")).await?;
        self.arrive("palette-none").await?;
        self.escape("palette").await
    }

    async fn found_for(&self, query: &str) -> Result<()> {
        self.page
            .see_at(&format!(
                "[data-testid=\"palette-list\"][data-query=\"{query}\"]"
            ))
            .await?;
        Ok(())
    }

    /// Renames a page that has subpages, and whose relative links would change their meaning.
    async fn renaming(&mut self) -> Result<()> {
        self.propose_a_name().await?;
        self.arrive("rename").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page.press(&[], "/").await?;
        self.page
            .see_at("[data-testid=\"move-path\"][aria-invalid=\"true\"]")
            .await?;
        self.arrive("rename-refused").await?;
        self.escape("rename-dialog").await
    }

    async fn propose_a_name(&self) -> Result<()> {
        self.read(seed::winter(self.language)).await?;
        self.page.press(&[], &key(Key::F2)).await?;
        self.page.see("rename-dialog").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page
            .press(&[], self.in_language("/archive/winter", "/書庫/冬"))
            .await?;
        self.page.see("link-changes").await?;
        Ok(())
    }

    /// Moves the page, and back by the offered action.
    async fn renamed(&mut self) -> Result<()> {
        self.propose_a_name().await?;
        self.page.click("rename-submit").await?;
        self.page.gone("rename-dialog").await?;
        let there = self.in_language("/wiki/archive/", "/wiki/%E6%9B%B8%E5%BA%AB/");
        self.page.address_below(there).await?;
        self.page.see("toast-action").await?;
        self.arrive("renamed").await?;
        self.page.click("toast-action").await?;
        let back = self.in_language("/wiki/plans/", "/wiki/%E8%A8%88%E7%94%BB/");
        self.page.address_below(back).await
    }

    async fn deleting(&mut self) -> Result<()> {
        self.page.press(&[], &key(Key::Delete)).await?;
        self.page.see("delete-dialog").await?;
        self.arrive("delete").await?;
        self.page.click("delete-all").await?;
        self.page.see("toast-action").await?;
        self.arrive("undo").await?;
        self.page.click("toast-action").await?;
        self.page
            .read("page-title", self.in_language("Winter", "冬"))
            .await
    }
}
