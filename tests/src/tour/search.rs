//! The search, the map of a page's links, and the hash records.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Tour, Visitor};
use crate::seed;

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn search(&mut self) -> Result<()> {
        self.go("/search").await?;
        self.page.wait_for("search-overview").await?;
        self.visit("search-begin").await?;
        self.find(self.in_language("garden", "庭")).await?;
        self.page.wait_for("search-group").await?;
        self.visit("search").await?;
        self.page.click("search-deleted").await?;
        self.visit("search-trash").await?;
        self.find("qqqqqq").await?;
        self.page.wait_until_gone("search-group").await?;
        self.visit("search-none").await?;

        self.open_page(seed::garden(self.language)).await?;
        if !self.is_narrower_than(900).await? {
            self.page.click("link-map-toggle").await?;
            self.page.wait_for("link-map-graph").await?;
            self.visit("link-map").await?;
            self.page.click("link-map-toggle").await?;
        }
        self.go("/hashes").await?;
        self.page.wait_for("hashes").await?;
        self.visit("hashes").await
    }

    async fn find(&self, words: &str) -> Result<()> {
        self.page.click("search-field").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page.press(&[], words).await?;
        let answer = format!(
            "return document.querySelector('[data-testid=\"search-view\"]')?.dataset.query === {words:?}"
        );
        self.page.wait_until("the answer", &answer).await
    }
}
