//! The view for writing pages, and its unsaved text.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Tour, Visitor, key};
use crate::seed;

pub(super) const TEXT: &str = ".cm-content";
/// Inserted as if typed: on a Japanese desktop, WebKit's driver loses the Shift key of typed text.
const IMAGE: &str = "document.execCommand('insertText', false, ']] ![](asset:')";
const SUGGESTION: &str = ".cm-tooltip-autocomplete li";
/// WebKit's driver returns no text of a row that may be cut off.
const FILE_IS_SUGGESTED: &str = "return document.querySelector('.cm-tooltip-autocomplete li')?.textContent.includes('.jpg') ?? false";

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn editor(&mut self) -> Result<()> {
        self.open_page(seed::garden(self.language)).await?;
        self.page.click("page-edit").await?;
        self.page.wait_for_selector(TEXT).await?;
        if self.page.count("[data-testid=\"tab-preview\"]").await? == 0 {
            self.page.wait_for("editor-preview").await?;
            self.visit("edit").await?;
        } else {
            self.visit("edit").await?;
            self.page.click("tab-preview").await?;
            self.page.wait_for("editor-preview").await?;
            self.visit("edit-preview").await?;
            self.page.click("tab-write").await?;
        }
        self.page.click_at(TEXT).await?;
        self.page.press(&[Key::Control], "h").await?;
        self.page.wait_for_selector(".cm-search").await?;
        self.page
            .press(&[], self.in_language("garden", "庭"))
            .await?;
        self.visit("find").await?;
        self.page.press(&[], &key(Key::Escape)).await?;
        self.files_panel().await?;
        self.completion().await?;

        self.page.click("editor-cancel").await?;
        self.page.wait_for("question").await?;
        self.visit("leave").await?;
        self.page.click("question-yes").await?;
        self.page.wait_for("page-body").await?;
        Ok(())
    }

    async fn files_panel(&mut self) -> Result<()> {
        self.page.click("editor-assets-toggle").await?;
        self.page.wait_for("asset-use").await?;
        self.visit("edit-files").await?;
        self.page.press(&[Key::Control, Key::Shift], "l").await?;
        self.page.wait_until_gone("asset-use").await
    }

    async fn completion(&mut self) -> Result<()> {
        self.page.click_at(TEXT).await?;
        self.page.press(&[Key::Control], &key(Key::Home)).await?;
        self.page
            .press(&[], self.in_language("[[gard", "[[庭"))
            .await?;
        self.page.wait_for_selector(SUGGESTION).await?;
        self.visit("completion-pages").await?;
        self.page.execute(IMAGE).await?;
        self.page
            .wait_until("a file to be offered", FILE_IS_SUGGESTED)
            .await?;
        self.visit("completion-files").await?;
        self.page.press(&[], &key(Key::Escape)).await
    }

    /// Shows the unsaved text of a closed tab, after the page was saved elsewhere.
    pub(super) async fn unsaved_text(&mut self) -> Result<()> {
        self.open_page(seed::lenses(self.language)).await?;
        self.page.wait_for("autosave-offer").await?;
        self.visit("unsaved").await?;
        self.page.press(&[], "e").await?;
        self.page.wait_for("autosave-compare").await?;
        self.visit("offers").await?;
        self.page.click("autosave-compare").await?;
        self.page
            .wait_for_selector("[data-testid=\"compare\"] .cm-line")
            .await?;
        self.visit("compare").await?;
        self.escape("compare").await?;
        self.page.click("autosave-discard").await?;
        self.page.wait_until_gone("autosave-restore").await?;
        self.page.wait_for("toast-action").await?;
        self.visit("discarded").await?;
        self.page.click("toast-action").await?;
        self.page.click("autosave-restore").await?;
        self.page.wait_for("merge").await?;
        self.page.click("merge-mine").await?;
        self.visit("merge").await?;
        self.escape("merge").await?;
        self.page.click("editor-cancel").await?;
        self.page.wait_for("page-body").await?;
        Ok(())
    }
}
