//! A grid with more pictures than can be loaded while scrolling.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use fumikura_tests::stage::{Home, Stage};
use fumikura_tests::wait;
use image::RgbImage;
use serde_json::Value;

use crate::grid::cell;
use crate::steps;

const PICTURES: u64 = 400;

/// Scrolls by a screen as soon as all drawn thumbnails have been requested. Returns their number at the end;
/// null before.
const SCROLL_PAST: &str = r#"
    const grid = document.querySelector('[data-testid="grid"]');
    const cells = [...document.querySelectorAll('[data-testid="cell"]')];
    const requested = (window.requested ??= new Set());
    const before = requested.size;
    const thumbs = cells.filter((cell) => cell.querySelector('[data-testid="thumb"]') !== null);
    thumbs.forEach((cell) => requested.add(cell.dataset.name));
    const isLast = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
    if (thumbs.length === 0 || thumbs.length < cells.length || (requested.size === before && !isLast)) return null;
    if (isLast) return requested.size;
    grid.scrollTop += grid.clientHeight;
    return null;
"#;

/// Returns true if the last screen's thumbnails are loaded.
const ALL_LOADED: &str = r#"
    const thumbs = [...document.querySelectorAll('[data-testid="thumb"]')];
    return thumbs.length > 0 && thumbs.every((image) => image.complete && image.naturalWidth > 0);
"#;

pub(crate) async fn large_grid_scrolls_to_its_end(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = many_pictures(stage.home(), [96, 64])?;
    let page = stage.start(&[folder]).await?.clone();
    let requested = wait::until("the end of the grid", async || {
        Ok(page.execute(SCROLL_PAST).await?.as_u64())
    })
    .await?;
    ensure!(requested > PICTURES / 2, "only {requested} were requested");
    let last = PICTURES - 1;
    page.wait_for_selector(&cell(&format!("{last}.png")))
        .await?;
    page.wait_until("the thumbnails at the end", ALL_LOADED)
        .await
}

pub(crate) async fn skipped_thumbnails_are_not_made(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    stage.home().configure("[thumbnails]\nworkers = 1\n")?;
    // Each takes longer to decode than to scroll past.
    let folder = many_pictures(stage.home(), [1400, 1050])?;
    let page = stage.start(&[folder]).await?.clone();
    let requested = wait::until("the end of the grid", async || {
        Ok(page.execute(SCROLL_PAST).await?.as_u64())
    })
    .await?;
    ensure!(requested > PICTURES / 2, "only {requested} were requested");
    let api = stage.api().await?;
    let cache = wait::until("the visible thumbnails, and an empty queue", async || {
        let cache = api.get("api/cache").await?;
        let is_shown = page.execute(ALL_LOADED).await? == Value::Bool(true);
        ensure!(is_shown && cache["queue"]["len"] == 0, "{cache}");
        Ok(Some(cache))
    })
    .await?;
    let made = number(&cache["counters"]["generated"])?;
    ensure!(2 * made < requested, "{made} of {requested} were made");
    Ok(())
}

/// Makes a folder of pictures of this size.
fn many_pictures(home: &Home, [width, height]: [u32; 2]) -> Result<PathBuf> {
    let folder = home.folder("Many")?;
    let picture = RgbImage::from_fn(width, height, |x, y| {
        image::Rgb([x, y, x * y].map(|value| value.to_le_bytes()[0]))
    });
    let first = folder.join("0.png");
    picture.save(&first)?;
    for number in 1..PICTURES {
        // Each name counts as another picture.
        fs::hard_link(&first, folder.join(format!("{number}.png")))?;
    }
    Ok(folder)
}

fn number(value: &Value) -> Result<u64> {
    value.as_u64().context("a number")
}
