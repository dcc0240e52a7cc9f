//! The history of pages.

use anyhow::{Result, ensure};

use super::{Tour, Visitor};
use crate::seed;

impl<G: Visitor> Tour<'_, G> {
    /// Compares two texts side by side, if there is room.
    async fn side_by_side(&mut self) -> Result<()> {
        let has_room = self.page.count("[data-testid=\"mode-side\"]").await? > 0;
        ensure!(
            has_room || self.is_narrower_than(900).await?,
            "a wide window has room for two texts"
        );
        if !has_room {
            return Ok(());
        }
        self.page.press(&[], "s").await?;
        self.page
            .wait_for_selector("[data-testid=\"diff\"][data-mode=\"side\"]")
            .await?;
        self.visit("history-side").await?;
        self.page.press(&[], "s").await?;
        self.page
            .wait_for_selector("[data-testid=\"diff\"]:not([data-mode=\"side\"])")
            .await?;
        Ok(())
    }

    pub(super) async fn history(&mut self) -> Result<()> {
        self.open_page(seed::garden(self.language)).await?;
        self.page.press(&[], "h").await?;
        self.page.wait_for("diff").await?;
        self.visit("history").await?;
        self.side_by_side().await?;
        self.show_and_close("compact", &[], "x", "compact-dialog")
            .await?;

        // A page that has moved, with an overlong name.
        self.open_page(&seed::overlong(self.language)).await?;
        self.page.press(&[], "h").await?;
        self.page.wait_for("revision-slider").await?;
        self.page.press(&[], "j").await?;
        self.page.wait_for("renames").await?;
        self.visit("history-renamed").await?;
        self.page.press(&[], "j").await?;
        self.page.wait_for("only-revision").await?;
        self.visit("history-first").await
    }
}
