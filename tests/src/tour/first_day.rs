//! The views of an empty wiki.

use anyhow::Result;

use super::{Tour, Visitor};

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn empty_views(&mut self) -> Result<()> {
        self.go("/wiki/").await?;
        self.page.wait_for("page-body").await?;
        self.visit("first-page").await?;
        for (address, seen) in [
            ("/pictures/", "no-folders"),
            ("/bin", "trash-empty"),
            ("/settings/files", "orphans-empty"),
        ] {
            self.go(address).await?;
            self.page.wait_for(seen).await?;
            self.visit(seen).await?;
        }
        Ok(())
    }
}
