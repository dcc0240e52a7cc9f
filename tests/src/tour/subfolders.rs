//! A folder with subfolders: all of them together, the folders visited last, and conflicts with other files.

use anyhow::Result;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::key::Key;
use serde_json::Value;

use super::views::IN_WINDOW;
use super::{Tour, Visitor, key};
use crate::seed;
use crate::wait;

/// Makes the server report that folders are polled, as on another machine.
const REPORT_POLLING: &str = r#"
    const originalFetch = window.fetch;
    window.fetch = (...request) =>
        String(request[0]?.url ?? request[0]).includes('/api/folders/watch')
            ? Promise.resolve(Response.json({ watching: 'polling', renewed: true, seconds: 120 }))
            : originalFetch(...request);"#;

/// Drags as the mouse would, which not every driver can: a picture is dragged and held above the first page.
const START_DRAG: &str = r#"
    window.dragged = new DataTransfer();
    const drag = (name, element) => element.dispatchEvent(
        new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: window.dragged }));
    drag('dragstart', document.querySelector('[data-testid="cell"][data-kind="picture"]'));"#;
const DRAG_OVER_PAGE: &str = r#"
    document.querySelector('[data-testid="page-target"]').dispatchEvent(
        new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer: window.dragged }));"#;
const END_DRAG: &str = "dispatchEvent(new DragEvent('dragend'))";

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn subfolders(&mut self) -> Result<()> {
        let folder = self.folder(seed::JOURNEYS).await?;
        self.go(&format!("{folder}?group=folder")).await?;
        self.page.wait_for("group-heading").await?;
        self.page.wait_for("thumb").await?;
        self.visit("folder-beneath").await?;
        self.page
            .execute("document.querySelector('[data-testid=\"grid\"]').scrollTop = 330")
            .await?;
        self.page.wait_for("group-sticky").await?;
        self.visit("folder-beneath-scrolled").await?;

        self.name_conflicts(&folder).await?;
        self.refused_undo().await?;
        self.recent_folders(&folder).await
    }

    /// Copies pictures to a folder that has files of the same names.
    async fn name_conflicts(&mut self, folder: &str) -> Result<()> {
        let shift = &[Key::Shift];
        self.go(&format!("{folder}?group=none")).await?;
        self.page.wait_for("thumb").await?;
        self.page
            .click_at("[data-testid=\"cell\"][data-name=\"IMG_0001.jpg\"]")
            .await?;
        self.page.press(shift, &key(Key::Right)).await?;
        self.page.press(shift, &key(Key::Right)).await?;
        self.page.press(shift, "C").await?;
        self.page.wait_for("target-dialog").await?;
        self.page.press(&[], &key(Key::Right)).await?;
        self.page
            .wait_for_selector("[data-testid=\"target-tree\"] [aria-level=\"2\"]")
            .await?;
        self.page.press(&[], &key(Key::Down)).await?;
        self.page.press(&[], &key(Key::Enter)).await?;
        self.page.wait_for("name-conflict-dialog").await?;
        self.visit("name-conflict-dialog").await?;
        self.escape("name-conflict-dialog").await?;
        self.page.press(&[], &key(Key::Escape)).await
    }

    /// Tries to undo an operation after other programs have changed the files.
    async fn refused_undo(&mut self) -> Result<()> {
        self.page.press(&[Key::Shift], "Z").await?;
        self.page.wait_for("operation-undo").await?;
        self.page.press(&[], &key(Key::Enter)).await?;
        self.page.wait_for("question").await?;
        self.visit("undo-refused").await?;
        self.escape("question").await
    }

    /// Views two folders, and finds them again. One of them has no live updates.
    async fn recent_folders(&mut self, folder: &str) -> Result<()> {
        for path in ["京都", seed::DEEPEST] {
            self.go(&format!("{folder}{path}")).await?;
            self.page.wait_for("thumb").await?;
            wait::until("the folder to be noted", async || {
                let folders = self.api.get("api/users/me/folders").await?;
                Ok((folders[0]["path"] == path).then_some(()))
            })
            .await?;
        }
        // The window uses commands, which no script can intercept.
        if self.page.execute(IN_WINDOW).await? != Value::Bool(true) {
            self.page.execute(REPORT_POLLING).await?;
            self.page.press(&[], &key(Key::Backspace)).await?;
            // If the status bar has no room for it, it is still available to screen readers.
            let has_note =
                "return document.querySelector('[data-testid=\"folder-polling\"]') !== null";
            self.page
                .wait_until("the note about polling", has_note)
                .await?;
            self.visit("folder-polled").await?;
        }
        self.go("/pictures/").await?;
        self.page.wait_for("root").await?;
        self.page.press(&[Key::Control], "k").await?;
        self.page.wait_for("palette-entry").await?;
        self.page.press(&[], "park").await?;
        self.page
            .wait_for_selector("[data-testid=\"palette-list\"][data-query=\"park\"]")
            .await?;
        self.visit("palette-folders").await?;
        self.escape("palette").await
    }

    /// Goes to a picture by a part of an existing name, and of one that does not exist.
    pub(super) async fn go_to_name(&mut self) -> Result<()> {
        self.point_aside().await?;
        self.page.press(&[], "'").await?;
        self.page.wait_for("go-to-name").await?;
        self.page.press(&[], "pano").await?;
        self.page
            .wait_for_selector(
                "[data-testid=\"cell\"][data-name=\"Panorama.jpg\"][aria-selected=\"true\"]",
            )
            .await?;
        self.visit("go-to").await?;
        self.page.press(&[Key::Control], "a").await?;
        self.page.press(&[], "zebra").await?;
        self.page
            .wait_for_selector("[data-testid=\"go-to\"] .words")
            .await?;
        self.visit("go-to-none").await?;
        self.escape("go-to").await?;
        // Back to the previous position, which may be out of view.
        self.page.press(&[], &key(Key::Home)).await?;
        self.page.press(&[], &key(Key::Escape)).await
    }

    /// Moves the pointer away: an element under it shows information about itself.
    async fn point_aside(&self) -> Result<()> {
        let aside = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo {
            duration: None,
            x: 0.0,
            y: 0.0,
        });
        Ok(self.page.client().perform_actions(aside).await?)
    }

    /// Drags a picture to a page.
    pub(super) async fn page_dock(&mut self) -> Result<()> {
        self.open(seed::PHOTOGRAPHS).await?;
        self.page.wait_for("thumb").await?;
        self.page.execute(START_DRAG).await?;
        self.page
            .wait_for_selector("[data-testid=\"page-target\"]:not([data-page=\"other\"])")
            .await?;
        self.page.execute(DRAG_OVER_PAGE).await?;
        self.page
            .wait_for_selector("[data-testid=\"page-target\"].over")
            .await?;
        self.visit("page-targets").await?;
        self.page.execute(END_DRAG).await?;
        self.page.wait_until_gone("page-targets").await
    }
}
