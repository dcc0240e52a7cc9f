//! Every screen, in the order in which a user would visit them.

mod editor;
mod errors;
mod first_day;
mod history;
mod pictures;
mod reader;
mod save_conflicts;
mod search;
mod subfolders;
mod viewer;
mod views;

use anyhow::{Context, Result};
use fantoccini::key::Key;
use reqwest::Url;
use serde_json::json;

use crate::page::Page;
use crate::seed;
use crate::stage::Api;

/// An action for each screen.
pub trait Visitor {
    /// Called when the screen of this name is shown.
    #[allow(async_fn_in_trait, reason = "only our own programs implement it")]
    async fn visit(&mut self, page: &Page, screen: &str) -> Result<()>;
}

/// Visits the views of a storehouse (`seed::storehouse`, `seed::traces`) in which the folders of
/// `seed::folders` are open.
///
/// # Errors
/// Fails if a screen never appears, or the visitor fails.
pub async fn tour(
    page: &Page,
    api: &Api,
    language: &str,
    visitor: &mut impl Visitor,
) -> Result<()> {
    let mut tour = Tour::new(page, api, language, visitor).await?;
    seed::add_partly_undoable_operation(api).await?;
    tour.pictures().await?;
    tour.reader().await?;
    tour.page_overlays().await?;
    tour.page_dock().await?;
    tour.editor().await?;
    tour.unsaved_text().await?;
    tour.save_conflicts().await?;
    tour.history().await?;
    tour.views().await?;
    tour.search().await?;
    tour.running_job().await?;
    tour.errors().await
}

/// Visits the views of an empty wiki with a registered user.
///
/// # Errors
/// Fails as [`tour`] does.
pub async fn first_day(
    page: &Page,
    api: &Api,
    language: &str,
    visitor: &mut impl Visitor,
) -> Result<()> {
    let mut tour = Tour::new(page, api, language, visitor).await?;
    tour.empty_views().await
}

/// The state of a tour.
struct Tour<'a, G> {
    page: &'a Page,
    api: &'a Api,
    base: Url,
    language: &'a str,
    visitor: &'a mut G,
}

impl<'a, G: Visitor> Tour<'a, G> {
    async fn new(
        page: &'a Page,
        api: &'a Api,
        language: &'a str,
        visitor: &'a mut G,
    ) -> Result<Self> {
        let base = page.client().current_url().await?;
        Ok(Self {
            page,
            api,
            base,
            language,
            visitor,
        })
    }

    async fn visit(&mut self, screen: &str) -> Result<()> {
        self.visitor
            .visit(self.page, screen)
            .await
            .with_context(|| format!("on the screen “{screen}”"))
    }

    async fn go(&self, address: &str) -> Result<()> {
        self.page.go(self.base.join(address)?.as_str()).await
    }

    async fn open_page(&self, path: &str) -> Result<()> {
        self.go(&format!("/wiki{path}")).await?;
        self.page.wait_for("page-body").await?;
        Ok(())
    }

    /// Presses a key, calls the visitor on what opened, and closes it again.
    async fn show_and_close(
        &mut self,
        screen: &str,
        held: &[Key],
        key: &str,
        id: &str,
    ) -> Result<()> {
        self.page.press(held, key).await?;
        self.page.wait_for(id).await?;
        self.visit(screen).await?;
        self.escape(id).await
    }

    /// Does the same as [`Self::show_and_close`], by a click.
    async fn click_and_close(&mut self, screen: &str, button: &str, id: &str) -> Result<()> {
        self.page.click(button).await?;
        self.page.wait_for(id).await?;
        self.visit(screen).await?;
        self.escape(id).await
    }

    async fn escape(&self, id: &str) -> Result<()> {
        self.page.press(&[], &key(Key::Escape)).await?;
        self.page.wait_until_gone(id).await
    }

    /// Returns true if the page is so narrow that a part overlays the view.
    async fn is_narrower_than(&self, width: u32) -> Result<bool> {
        let narrow = self
            .page
            .execute(&format!("return innerWidth < {width}"))
            .await?;
        Ok(narrow == json!(true))
    }

    fn in_language(&self, english: &'static str, japanese: &'static str) -> &'static str {
        seed::in_language(self.language, english, japanese)
    }
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}
