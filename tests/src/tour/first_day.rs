//! The views of an empty wiki.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Tour, Visitor, key};

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn empty_views(&mut self) -> Result<()> {
        self.go("/wiki/").await?;
        self.page.wait_for("page-body").await?;
        self.visit("first-page").await?;
        for (letter, seen) in [("t", "tour-next"), ("n", "quick-note-text")] {
            self.page.press(&[Key::Alt, Key::Shift], letter).await?;
            self.page.wait_for(seen).await?;
            self.visit(seen).await?;
            self.page.press(&[], &key(Key::Escape)).await?;
            self.page.wait_until_gone(seen).await?;
        }
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
