//! A folder of pictures, opened by argument, and one of them large.

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use serde_json::Value;

use crate::steps;

/// Draws every thumbnail very small, which shows its orientation. Returns null until all are loaded.
const READ_THUMBNAILS: &str = r#"
    const thumbs = [...document.querySelectorAll('[data-testid="cell"]')].map((cell) => ({
        name: cell.dataset.name, image: cell.querySelector('[data-testid="thumb"]'),
    }));
    if (thumbs.length === 0 || !thumbs.every(({ image }) => image?.complete && image.naturalWidth > 0)) return null;
    return thumbs.map(({ name, image }) => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 6, height: 6 });
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0, 6, 6);
        const pixels = [...context.getImageData(0, 0, 6, 6).data];
        return { name, width: image.naturalWidth, height: image.naturalHeight, pixels };
    });
"#;

struct ShownThumbnail {
    name: String,
    wide: bool,
    pixels: Vec<f64>,
}

pub(crate) async fn every_orientation_is_shown_upright(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;

    let page = stage.start(&[fixture("images/orientation")]).await?.clone();
    all_are_upright(&page).await?;

    page.open_cell("[data-testid=\"cell\"][data-name=\"Portrait_6.jpg\"]")
        .await?;
    page.wait_for("viewer").await?;
    page.wait_until(
        "the picture to be shown large and upright",
        "const image = document.querySelector('[data-testid=\"viewer-image\"]');
         return image !== null && image.complete && image.naturalHeight > image.naturalWidth
            && image.getBoundingClientRect().height > 300;",
    )
    .await?;
    page.click("viewer-close").await?;
    page.wait_until_gone("viewer").await?;
    page.wait_for("grid").await?;
    Ok(())
}

/// Checks that the folder of orientations is complete, and none of its thumbnails is turned or mirrored.
pub(crate) async fn all_are_upright(page: &Page) -> Result<()> {
    let thumbnails = all_thumbnails(page, 18).await?;
    for thumbnail in &thumbnails {
        let landscape = thumbnail.name.starts_with("Landscape");
        ensure!(
            thumbnail.wide == landscape,
            "{} lies on its side",
            thumbnail.name
        );
        let model = if landscape {
            "Landscape_1.jpg"
        } else {
            "Portrait_1.jpg"
        };
        let model = thumbnails
            .iter()
            .find(|thumbnail| thumbnail.name == model)
            .context("the first of the series is there")?;
        let apart = difference(&thumbnail.pixels, &model.pixels);
        ensure!(
            apart < 12.0,
            "{} is turned or mirrored: {apart:.0} apart from the first of its series",
            thumbnail.name
        );
    }
    Ok(())
}

async fn all_thumbnails(page: &Page, count: usize) -> Result<Vec<ShownThumbnail>> {
    let thumbnails = wait::until(&format!("{count} thumbnails"), async || {
        let thumbnails = page.execute(READ_THUMBNAILS).await?;
        let thumbnails = thumbnails.as_array().cloned().unwrap_or_default();
        ensure!(
            thumbnails.len() == count,
            "{} of them are there",
            thumbnails.len()
        );
        Ok(Some(thumbnails))
    })
    .await?;
    thumbnails.iter().map(read).collect()
}

fn read(thumbnail: &Value) -> Result<ShownThumbnail> {
    let number = |value: &Value| value.as_f64().context("a number");
    Ok(ShownThumbnail {
        name: thumbnail["name"].as_str().context("a name")?.to_owned(),
        wide: number(&thumbnail["width"])? > number(&thumbnail["height"])?,
        pixels: thumbnail["pixels"]
            .as_array()
            .context("pixels")?
            .iter()
            .map(number)
            .collect::<Result<_>>()?,
    })
}

/// Returns the difference of two pictures: the mean over all their bytes.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    let sum: f64 = one.iter().zip(other).map(|(a, b)| (a - b).abs()).sum();
    sum / one.len() as f64
}
