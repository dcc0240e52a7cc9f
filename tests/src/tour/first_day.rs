//! The views of an empty wiki.

use anyhow::Result;

use super::{Guest, Walk};

impl<G: Guest> Walk<'_, G> {
    pub(super) async fn empty_rooms(&mut self) -> Result<()> {
        self.go("/wiki/").await?;
        self.page.see("page-body").await?;
        self.arrive("first-page").await?;
        for (address, seen) in [
            ("/pictures/", "no-folders"),
            ("/bin", "bin-empty"),
            ("/settings/files", "lost-empty"),
        ] {
            self.go(address).await?;
            self.page.see(seen).await?;
            self.arrive(seen).await?;
        }
        Ok(())
    }
}
