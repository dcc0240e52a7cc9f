//! Live updates: changes by other programs in the folder that is viewed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use image::RgbImage;

use crate::steps;

/// More than a screen.
const FEW: usize = 500;
/// More than a part of the listing.
const MANY: usize = 10_000;

pub(crate) async fn folder_changes_appear_by_themselves(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Alive")?;
    put(&folder, "a.jpg", "Landscape_1.jpg")?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_thumbnail(&page, "a.jpg", true).await?;

    put(&folder, "b.jpg", "Landscape_1.jpg")?;
    wait_for_thumbnail(&page, "b.jpg", true).await?;
    // As programs that never leave a partial file save.
    put(&folder, ".a.jpg.new", "Portrait_1.jpg")?;
    fs::rename(folder.join(".a.jpg.new"), folder.join("a.jpg"))?;
    wait_for_thumbnail(&page, "a.jpg", false).await?;
    fs::rename(folder.join("b.jpg"), folder.join("c.jpg"))?;
    wait_for_thumbnail(&page, "c.jpg", true).await?;
    let is_removed = format!(
        "return document.querySelector('{}') === null",
        cell("b.jpg")
    );
    page.wait_until("its former name to disappear", &is_removed)
        .await?;

    page.open_cell(&cell("c.jpg")).await?;
    page.wait_for("viewer").await?;
    put(&folder, "c.jpg", "Portrait_1.jpg")?;
    page.wait_until(
        "the new picture in the viewer",
        "const image = document.querySelector('[data-testid=\"viewer-image\"]');
         return image !== null && image.complete && image.naturalHeight > image.naturalWidth;",
    )
    .await?;
    page.click("viewer-close").await?;

    let renamed = folder.with_file_name("Away");
    fs::rename(&folder, &renamed)?;
    page.wait_for("folder-gone").await?;
    fs::rename(&renamed, &folder)?;
    wait_for_thumbnail(&page, "a.jpg", false).await
}

pub(crate) async fn grid_keeps_its_position_while_filling(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Filling")?;
    let picture = folder.with_file_name("picture.jpg");
    RgbImage::from_fn(96, 64, |x, y| {
        image::Rgb([x, y, x + y].map(|value| value.to_le_bytes()[0]))
    })
    .save(&picture)?;
    // Each name counts as another picture.
    let put = |name: String| fs::hard_link(&picture, folder.join(name));
    for number in 0..FEW {
        put(format!("m{number}.jpg"))?;
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    page.wait_for("cell").await?;
    page.execute("document.querySelector('[data-testid=\"grid\"]').scrollTop = 3000")
        .await?;
    let far_down = format!("{FIND_TOP_CELL} return place !== null && place.name !== 'm0.jpg';");
    page.wait_until("another place to be seen", &far_down)
        .await?;
    page.wait_until("what is seen to have come", VISIBLE_LOADED)
        .await?;
    let before = page
        .execute(&format!("{FIND_TOP_CELL} return place;"))
        .await?;
    // Half of them before the visible part, and half after it.
    for number in 0..MANY {
        let side = if number % 2 == 0 { "a" } else { "z" };
        put(format!("{side}{number}.jpg"))?;
    }
    let count = "return document.querySelector('[data-testid=\"folder-count\"]')?.textContent === '10,500 pictures';";
    page.wait_until("all of them to be there", count).await?;
    // Perhaps in another column.
    let still = format!(
        "const before = {before};
         const cell = document.querySelector(`[data-testid=\"cell\"][data-name=\"${{before.name}}\"]`);
         const grid = document.querySelector('[data-testid=\"grid\"]');
         return cell !== null
            && Math.abs(cell.getBoundingClientRect().top - grid.getBoundingClientRect().top - before.top) < 2;"
    );
    page.wait_until("what was at the top to be there still", &still)
        .await
        .with_context(|| format!("before: {before}"))?;
    page.wait_until("what is seen to be there still", VISIBLE_LOADED)
        .await?;

    page.execute(
        "const grid = document.querySelector('[data-testid=\"grid\"]');
         grid.scrollTop = grid.scrollHeight;",
    )
    .await?;
    let end = format!("{} [data-testid=\"thumb\"]", cell("z9999.jpg"));
    page.wait_for_selector(&end).await?;
    page.wait_until("the thumbnails at the end", VISIBLE_LOADED)
        .await
}

/// Returns true if each visible picture, even if only in part, has its thumbnail.
const VISIBLE_LOADED: &str = r#"
    const grid = document.querySelector('[data-testid="grid"]').getBoundingClientRect();
    const visible = [...document.querySelectorAll('[role="gridcell"]')].filter((cell) => {
        const { top, bottom } = cell.getBoundingClientRect();
        return bottom > grid.top && top < grid.bottom;
    });
    const thumbs = visible.map((cell) => cell.querySelector('[data-testid="thumb"]'));
    return thumbs.length > 0 && thumbs.every((image) => image?.complete && image.naturalWidth > 0);"#;

/// Finds the first cell of the row at the top of the screen, and its position.
const FIND_TOP_CELL: &str = r#"
    const grid = document.querySelector('[data-testid="grid"]').getBoundingClientRect();
    const cells = [...document.querySelectorAll('[data-testid="cell"]')];
    const rows = cells.map((cell) => ({ name: cell.dataset.name, top: cell.getBoundingClientRect().top - grid.top }));
    const place = rows.filter(({ top }) => top >= 0).sort((a, b) => a.top - b.top)[0] ?? null;"#;

fn put(folder: &Path, name: &str, picture: &str) -> Result<()> {
    let picture = fixture("images/orientation").join(picture);
    fs::copy(picture, folder.join(name))?;
    Ok(())
}

fn cell(name: &str) -> String {
    format!("[data-testid=\"cell\"][data-name=\"{name}\"]")
}

/// Waits until the thumbnail of a picture is loaded, and is landscape or portrait.
async fn wait_for_thumbnail(page: &Page, name: &str, wide: bool) -> Result<()> {
    let cell = cell(name);
    let is_loaded = format!(
        "const image = document.querySelector('{cell} [data-testid=\"thumb\"]');
         return image !== null && image.complete && image.naturalWidth > 0
            && (image.naturalWidth > image.naturalHeight) === {wide};"
    );
    page.wait_until(&format!("the thumbnail of {name}"), &is_loaded)
        .await
}
