//! Every main screen, one after the other, as somebody would come to it.

use anyhow::Result;
use fantoccini::key::Key;
use reqwest::Url;

use crate::page::Page;
use crate::seed;

/// What waits on each screen.
pub trait Guest {
    /// Called when the screen of this name is there.
    #[allow(async_fn_in_trait, reason = "only our own programs implement it")]
    async fn arrive(&mut self, page: &Page, screen: &str) -> Result<()>;
}

/// Goes through the rooms of a storehouse, with a folder of pictures that is open already.
///
/// # Errors
/// When a screen never comes, or the guest says so.
pub async fn tour(page: &Page, folder: &Url, language: &str, guest: &mut impl Guest) -> Result<()> {
    pictures(page, folder, guest).await?;
    reading(page, folder, language, guest).await?;
    over_the_page(page, guest).await?;
    page.press(&[], "h").await?;
    page.see("comparison").await?;
    guest.arrive(page, "history").await?;
    page.press(&[], "h").await?;
    page.see("page-body").await?;
    page.click("page-edit").await?;
    page.see_at(".cm-content").await?;
    page.see("editor-preview").await?;
    guest.arrive(page, "edit").await?;
    page.click("editor-cancel").await?;
    page.see("page-body").await?;
    for (screen, address, id) in [
        ("pages", "/pages", "list-page"),
        ("bin", "/bin", "bin-page"),
        ("settings", "/settings", "settings"),
        ("lost-files", "/settings/files", "lost-files"),
    ] {
        page.go(folder.join(address)?.as_str()).await?;
        page.see(id).await?;
        guest.arrive(page, screen).await?;
    }
    in_the_bin(page, folder, guest).await
}

/// A deleted page that is looked at, and the address where it stood.
async fn in_the_bin(page: &Page, folder: &Url, guest: &mut impl Guest) -> Result<()> {
    page.go(folder.join("/bin")?.as_str()).await?;
    let row = page.see("bin-page").await?;
    let path = row.attr("data-path").await?.unwrap_or_default();
    page.click("bin-look").await?;
    page.see("page-deleted").await?;
    page.see("page-body").await?;
    guest.arrive(page, "deleted").await?;
    page.go(folder.join(&format!("/wiki{path}"))?.as_str())
        .await?;
    page.see("deleted-here").await?;
    guest.arrive(page, "deleted-here").await
}

async fn pictures(page: &Page, folder: &Url, guest: &mut impl Guest) -> Result<()> {
    page.go(folder.as_str()).await?;
    page.see("thumb").await?;
    guest.arrive(page, "folder").await?;
    page.click_at("[data-testid=\"cell\"][data-index=\"3\"]")
        .await?;
    page.see("viewer").await?;
    guest.arrive(page, "viewer").await?;
    page.go(folder.join("/pictures/")?.as_str()).await?;
    page.see("root").await?;
    guest.arrive(page, "roots").await
}

async fn reading(page: &Page, folder: &Url, language: &str, guest: &mut impl Guest) -> Result<()> {
    let exposure = folder.join(&format!("/wiki{}", seed::exposure(language)))?;
    page.go(exposure.as_str()).await?;
    page.see_at(".katex").await?;
    page.see_at(".diagram img").await?;
    guest.arrive(page, "exposure").await?;
    let garden = folder.join(&format!("/wiki{}", seed::garden(language)))?;
    page.go(garden.as_str()).await?;
    page.see("page-body").await?;
    page.see("backlink").await?;
    guest.arrive(page, "wiki").await
}

/// What floats above a page that is read.
async fn over_the_page(page: &Page, guest: &mut impl Guest) -> Result<()> {
    let rename = char::from(Key::F2).to_string();
    for (screen, held, key, id) in [
        ("palette", Some(Key::Control), "k", "palette"),
        ("keys", None, "?", "keys-dialog"),
        ("new-page", None, "n", "new-page-dialog"),
        ("rename", None, &rename, "rename-dialog"),
    ] {
        page.press(held.as_slice(), key).await?;
        page.see(id).await?;
        guest.arrive(page, screen).await?;
        page.press(&[], &char::from(Key::Escape).to_string())
            .await?;
        page.gone(id).await?;
    }
    Ok(())
}
