//! The views of folders.

use anyhow::{Context, Result};
use fantoccini::key::Key;

use super::{Tour, Visitor, key};
use crate::seed;

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn pictures(&mut self) -> Result<()> {
        self.open(seed::PHOTOGRAPHS).await?;
        self.page.wait_for("thumb").await?;
        self.visit("folder").await?;
        self.drawer("folder-drawer", "side-toggle", 640).await?;
        self.page.type_into("folder-filter", "zebra").await?;
        self.page.wait_for("folder-none").await?;
        self.visit("folder-none").await?;
        self.page.click("unfilter").await?;
        let third = "[data-testid=\"cell\"][data-index=\"3\"]";
        self.page.click_at(third).await?;
        let shift = &[Key::Shift];
        self.page.press(shift, &key(Key::Right)).await?;
        self.page.press(shift, &key(Key::Right)).await?;
        self.page
            .wait_until(
                "three to be selected",
                "return document.querySelectorAll('[role=gridcell][aria-selected=true]').length === 3",
            )
            .await?;
        self.visit("folder-selected").await?;
        self.page.press(&[], &key(Key::F2)).await?;
        self.page.wait_for("rename-files").await?;
        self.visit("rename-files").await?;
        self.escape("rename-files").await?;
        self.target_and_export().await?;
        self.page.press(shift, "Z").await?;
        self.page.wait_for("recent-operations").await?;
        self.visit("recent-operations").await?;
        self.escape("recent-operations").await?;
        self.add_to_album().await?;
        self.page.press(&[], &key(Key::Escape)).await?;
        self.go_to_name().await?;
        self.comparison(third).await?;
        self.page.open_cell(third).await?;
        self.page.wait_for("viewer").await?;
        self.visit("viewer").await?;
        self.viewer_controls().await?;
        self.page.press(&[], "i").await?;
        self.page.wait_for("fact").await?;
        self.visit("viewer-info").await?;
        self.page.press(&[], "i").await?;
        self.page.wait_until_gone("fact").await?;
        self.missing_picture().await?;

        self.ratings().await?;
        self.subfolders().await?;
        self.albums().await?;
        self.duplicates().await?;
        self.open(seed::BROKEN_PICTURES).await?;
        self.page.wait_for("thumb-failed").await?;
        self.visit("folder-odd").await?;
        let broken = format!("[data-testid=\"cell\"][data-name=\"{}\"]", seed::NO_PICTURE);
        self.page.open_cell(&broken).await?;
        self.page.wait_for("viewer-failed").await?;
        self.visit("viewer-failed").await?;

        self.open(seed::EMPTY).await?;
        self.page.wait_for("folder-empty").await?;
        self.visit("folder-empty").await?;
        self.open(seed::MEMORY_CARD).await?;
        self.page.wait_for("folder-gone").await?;
        self.visit("folder-gone").await?;
        self.go("/pictures/").await?;
        self.page.wait_for("root").await?;
        self.page.wait_for("recent-folder").await?;
        self.page.wait_for("start-added").await?;
        self.page.wait_for("cover").await?;
        self.visit("roots").await?;
        self.click_and_close("forget", "root-forget", "question")
            .await
    }

    /// Adds the selected pictures to a new album.
    async fn add_to_album(&mut self) -> Result<()> {
        self.page.press(&[], "a").await?;
        self.page.wait_for("album-add-dialog").await?;
        // There is an album already on a second tour of the same data.
        let new = "[data-testid=\"album-choice-new\"]";
        if self.page.count(new).await? > 0 {
            self.page.click_at(new).await?;
        }
        self.page.wait_for("album-name").await?;
        self.visit("album-add").await?;
        self.page.type_into("album-name", "海と山の旅").await?;
        self.page.press(&[], &key(Key::Enter)).await?;
        self.page.wait_until_gone("album-add-dialog").await
    }

    /// Visits the dialogs that move, export and print the selected pictures.
    async fn target_and_export(&mut self) -> Result<()> {
        self.page.press(&[Key::Shift], "M").await?;
        self.page.wait_for("target-dialog").await?;
        self.visit("target-files").await?;
        self.escape("target-dialog").await?;
        self.page.press(&[Key::Shift], "X").await?;
        self.page.wait_for("export-dialog").await?;
        self.visit("export-files").await?;
        self.escape("export-dialog").await?;
        self.page.press(&[Key::Shift], "I").await?;
        self.page.wait_for("sheet-preview").await?;
        self.visit("contact-sheet").await?;
        self.escape("sheet-dialog").await?;
        self.page.press(&[Key::Control], "p").await?;
        self.page.wait_for("printed-page").await?;
        self.visit("print-pictures").await?;
        self.escape("print-dialog").await
    }

    /// Visits the search for duplicates, the copies among the journeys, and similar pictures.
    async fn duplicates(&mut self) -> Result<()> {
        self.go("/duplicates/").await?;
        self.page.wait_for("duplicates-start").await?;
        self.visit("duplicates-start").await?;
        self.page.click("duplicates-search").await?;
        self.page.wait_for("duplicate-group").await?;
        self.visit("duplicates").await?;
        self.go("/duplicates/").await?;
        self.page.wait_for("duplicates-start").await?;
        self.page.click("duplicates-likeness-similar").await?;
        self.page.click("duplicates-search").await?;
        self.page.wait_for("duplicate-group").await?;
        self.visit("similar").await
    }

    /// Visits the albums, the one of the pictures that were selected, and the pictures of a search.
    async fn albums(&mut self) -> Result<()> {
        self.go("/albums/").await?;
        self.page.wait_for("album").await?;
        self.visit("albums").await?;
        self.page.click("album").await?;
        self.page.wait_for("album-picture").await?;
        self.visit("album").await?;
        self.open_page(seed::gallery(self.language)).await?;
        let are_loaded = "document.querySelector('.album').scrollIntoView({block: 'center'});
            const pictures = [...document.querySelectorAll('.album img')];
            return pictures.length > 0 && pictures.every((one) => one.complete && one.naturalWidth > 0);";
        self.page
            .wait_until("the pictures of an album", are_loaded)
            .await?;
        self.visit("page-album").await?;
        self.go("/pictures/search/?q=type:jpeg").await?;
        self.page.wait_for("cell").await?;
        self.visit("found-pictures").await?;
        self.page.press(&[Key::Shift], "K").await?;
        self.page.wait_for("album-name").await?;
        self.visit("smart-album-name").await?;
        self.escape("album-name-dialog").await?;
        self.tags().await
    }

    /// Visits the tags of all pictures, and the dialog that renames one.
    async fn tags(&mut self) -> Result<()> {
        self.go("/picture-tags").await?;
        let first = "[data-testid=\"picture-tags\"] [data-testid=\"tree-item\"]";
        self.page.wait_for_selector(first).await?;
        self.visit("picture-tags").await?;
        self.page.click_at(first).await?;
        self.page.click("tag-rename").await?;
        self.page.wait_for("tag-change-name").await?;
        self.visit("tag-change-dialog").await?;
        self.escape("tag-change-dialog").await
    }

    /// Visits a folder whose pictures are rated, tagged and of several days.
    async fn ratings(&mut self) -> Result<()> {
        let shift = &[Key::Shift];
        self.open(seed::MARKED).await?;
        self.page.wait_for("rating").await?;
        self.page.wait_for("group").await?;
        self.page.press(&[], "g").await?;
        self.page
            .wait_for_selector("[role=\"grid\"] .group")
            .await?;
        self.visit("folder-grouped").await?;
        self.page.press(shift, "F").await?;
        self.page.wait_for("filter-bar").await?;
        self.page.type_into("tag-field", "京都").await?;
        self.page.press(&[], &key(Key::Enter)).await?;
        self.page.wait_for("filter-part").await?;
        self.visit("filter-bar").await?;
        self.page.click("filter-clear").await?;
        // Back to the pictures, from where the bar can be closed.
        self.page.press(&[], &key(Key::Escape)).await?;
        self.page.press(shift, "F").await?;
        self.page.wait_until_gone("filter-bar").await?;
        // Through the other groupings, until the pictures are ungrouped again.
        for grouping in ["month", "year", "camera", "rating", "folder", "none"] {
            self.page.press(&[], "g").await?;
            let chosen = format!(
                "return document.querySelector('[data-testid=\"group\"]')?.value === '{grouping}'"
            );
            self.page.wait_until(grouping, &chosen).await?;
        }
        let second = "[data-testid=\"cell\"][data-index=\"1\"]";
        self.page.click_at(second).await?;
        self.page.press(shift, &key(Key::Right)).await?;
        self.page.press(shift, "T").await?;
        self.page.wait_for("tag").await?;
        self.visit("marks-dialog").await?;
        self.escape("marks-dialog").await?;
        self.page.press(&[], "t").await?;
        self.page.wait_for("dates-hours").await?;
        self.visit("dates-dialog").await?;
        self.escape("dates-dialog").await?;
        self.page.press(shift, "P").await?;
        self.page.wait_for("give-option").await?;
        self.visit("insert-pictures").await?;
        self.escape("give-dialog").await?;
        self.page.open_cell(second).await?;
        self.page.wait_for("viewer").await?;
        self.page.press(&[], "i").await?;
        self.page.wait_for("tag").await?;
        self.visit("viewer-marks").await?;
        self.page.press(&[], "i").await?;
        self.page.wait_until_gone("tag").await
    }

    /// Opens the folder of this name, by the list of open folders.
    pub(super) async fn open(&self, name: &str) -> Result<()> {
        self.go(&self.folder(name).await?).await
    }

    /// Returns the address of the folder of this name.
    pub(super) async fn folder(&self, name: &str) -> Result<String> {
        let roots = self.api.get("api/roots").await?;
        let root = roots
            .as_array()
            .and_then(|roots| roots.iter().find(|root| root["name"] == name))
            .with_context(|| format!("{name} is not open: {roots}"))?;
        let id = root["id"].as_str().context("a root has an id")?;
        Ok(format!("/pictures/{id}/"))
    }

    /// Opens a side panel, if the page is narrow enough that it overlays the view.
    pub(super) async fn drawer(&mut self, screen: &str, button: &str, below: u32) -> Result<()> {
        if !self.is_narrower_than(below).await? {
            return Ok(());
        }
        self.click_and_close(screen, button, "drawer").await
    }
}
