//! Large views of pictures: compared side by side, with a filmstrip, and full screen.

use anyhow::Result;
use fantoccini::key::Key;
use serde_json::json;

use super::{Tour, Visitor, key};
use crate::seed;

/// Makes the system refuse full screen: the window keeps its size.
const REFUSE_FULL_SCREEN: &str =
    "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('refused'))";

/// Below this height there is room for the picture only.
const HAS_ROOM: &str =
    "return document.querySelector('[data-testid=\"viewer\"]').clientHeight >= 440";

impl<G: Visitor> Tour<'_, G> {
    /// Compares two and four pictures, from a cell on.
    pub(super) async fn comparison(&mut self, first: &str) -> Result<()> {
        self.page.click_at(first).await?;
        for (screen, more) in [("compare-two", 1), ("compare-four", 2)] {
            for _ in 0..more {
                self.page.press(&[Key::Shift], &key(Key::Right)).await?;
            }
            self.page.press(&[], "c").await?;
            self.page.wait_for("compare-picture").await?;
            self.visit(screen).await?;
            self.escape("compare").await?;
        }
        self.page.press(&[], &key(Key::Escape)).await
    }

    /// Shows the controls around a large picture.
    pub(super) async fn viewer_controls(&mut self) -> Result<()> {
        self.page.press(&[], "e").await?;
        self.page.wait_for("crop-frame").await?;
        for _ in 0..8 {
            self.page.press(&[], ".").await?;
        }
        self.visit("viewer-crop").await?;
        self.escape("crop").await?;
        self.page.press(&[], "m").await?;
        if self.page.execute(HAS_ROOM).await? == json!(true) {
            self.page.wait_for("filmstrip-picture").await?;
            self.visit("viewer-filmstrip").await?;
        }
        self.page.execute(REFUSE_FULL_SCREEN).await?;
        self.page.press(&[], "f").await?;
        self.page.wait_for("slides-stay").await?;
        for _ in 0..5 {
            self.page.press(&[], ">").await?;
        }
        // The controls disappear if there is no activity, unless one of them has the focus.
        self.page.press(&[], &key(Key::Tab)).await?;
        self.visit("viewer-full").await?;
        self.page.press(&[], "s").await?;
        self.page
            .wait_for_selector("[data-testid=\"slideshow\"][aria-pressed=\"true\"]")
            .await?;
        self.visit("viewer-slideshow").await?;
        self.escape("slides-stay").await?;
        self.page.press(&[], "m").await?;
        self.page.wait_until_gone("filmstrip").await
    }

    /// Shows the address of a picture that does not exist.
    pub(super) async fn missing_picture(&mut self) -> Result<()> {
        let folder = self.folder(seed::PHOTOGRAPHS).await?;
        self.go(&format!("{folder}?view=nothing.jpg")).await?;
        self.page.wait_for("picture-gone").await?;
        self.visit("picture-gone").await
    }
}
