//! The tree of folders beside the pictures, while other programs change the folders.

use std::fs;
use std::path::Path;

use anyhow::Result;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::grid::wait_for_entries;
use crate::steps;

pub(crate) async fn tree_counts_pictures_and_shows_new_folders(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Journeys")?;
    let kyoto = folder.join("京都");
    put(&folder, &["a.jpg"])?;
    put(&kyoto, &["b.jpg", "c.jpg"])?;
    put(&kyoto.join("祇園"), &["d.jpg", "e.jpg", "f.jpg"])?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_entries(&page, &["京都", "a.jpg"]).await?;
    wait_for_count(&page, "Journeys", "1").await?;
    expand(&page, "Journeys").await?;
    wait_for_count(&page, "京都", "2").await?;
    expand(&page, "京都").await?;
    wait_for_count(&page, "祇園", "3").await?;

    // The other program's folder gets its name once it is complete.
    let aside = stage.home().folder("aside")?;
    put(&aside, &["g.jpg", "h.jpg"])?;
    fs::rename(&aside, kyoto.join("嵐山"))?;
    wait_for_count(&page, "嵐山", "2").await?;
    put(&kyoto, &["i.jpg"])?;
    wait_for_count(&page, "京都", "3").await?;
    fs::remove_dir_all(kyoto.join("祇園"))?;
    page.wait_until(
        "a folder that went to be gone",
        &format!("{ROW} return row('祇園') === undefined"),
    )
    .await?;
    // None of that happened in the folder that is shown.
    wait_for_entries(&page, &["京都", "a.jpg"]).await
}

/// Finds a row of the tree by its name.
const ROW: &str = r#"
    const rows = [...document.querySelectorAll('[data-testid="tree-item"]')];
    const row = (name) => rows.find((one) => one.querySelector('.label').textContent === name);"#;

/// Waits until the tree shows this number of pictures for the folder itself.
async fn wait_for_count(page: &Page, name: &str, pictures: &str) -> Result<()> {
    let script = format!(
        "{ROW} return row('{name}')?.querySelector('small')?.textContent === '{pictures}';"
    );
    page.wait_until(&format!("{name} with {pictures} in the tree"), &script)
        .await
}

async fn expand(page: &Page, name: &str) -> Result<()> {
    let index = page
        .execute(&format!("{ROW} return row('{name}').dataset.index;"))
        .await?;
    let row = format!("{}[data-index={index}]", by_id("tree-item"));
    page.click_at(&format!("{row}[aria-expanded=\"false\"] [data-twisty]"))
        .await?;
    page.wait_for_selector(&format!("{row}[aria-expanded=\"true\"]"))
        .await?;
    Ok(())
}

fn put(folder: &Path, names: &[&str]) -> Result<()> {
    fs::create_dir_all(folder)?;
    for name in names {
        fs::copy(
            fixture("images/orientation/Landscape_1.jpg"),
            folder.join(name),
        )?;
    }
    Ok(())
}
