//! Pictures of every shape, in every place that shows pictures.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use image::{DynamicImage, ImageFormat, RgbImage};
use reqwest::Method;

use crate::grid::{cell, key, select};
use crate::steps;

/// The pictures' names, widths and heights.
const SHAPES: [(&str, u32, u32); 5] = [
    ("shape-a-upright.png", 300, 400),
    ("shape-b-wide.png", 800, 300),
    ("shape-c-tiny.png", 6, 10),
    ("shape-d-panorama.png", 2400, 60),
    ("shape-e-column.png", 60, 2400),
];

/// Measures each picture below `SELECTOR`: its proportions, and the parts that boxes cut off which do not scroll. Returns
/// null until `COUNT` are loaded.
const MEASURE: &str = r#"
    const pictures = [...document.querySelectorAll('SELECTOR')].filter((one) => getComputedStyle(one).visibility === "visible");
    pictures.find((one) => !one.complete || one.naturalWidth === 0)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (pictures.length !== COUNT || !pictures.every((one) => one.complete && one.naturalWidth > 0)) return null;
    const faults = [];
    for (const picture of pictures) {
        picture.scrollIntoView({ block: "nearest", inline: "nearest" });
        const { naturalWidth, naturalHeight } = picture;
        const shown = picture.getBoundingClientRect();
        const say = (what) => faults.push(`${picture.src.slice(-60)} (${naturalWidth} x ${naturalHeight}), shown ${shown.width} x ${shown.height}: ${what}`);
        const [long, short] = naturalWidth > naturalHeight ? [shown.width / naturalWidth, shown.height - shown.width * naturalHeight / naturalWidth]
            : [shown.height / naturalHeight, shown.width - shown.height * naturalWidth / naturalHeight];
        if (Math.abs(short) > 1 || long <= 0) say("has other proportions");
        for (let box = picture.parentElement; box; box = box.parentElement) {
            const { overflow, overflowY } = getComputedStyle(box);
            if (["auto", "scroll"].includes(overflowY)) break;
            if (overflow === "visible") continue;
            const { left, top, right, bottom } = box.getBoundingClientRect();
            const cut = Math.max(left - shown.left, top - shown.top, shown.right - right, shown.bottom - bottom);
            if (cut > 1) say(`${cut} pixels are cut off by ${box.outerHTML.slice(0, 60)}`);
        }
    }
    return faults.join("\n");
"#;

pub(crate) async fn pictures_of_every_shape_are_shown_whole(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Shapes")?;
    put_pictures(&folder)?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    page.wait_for("thumb").await?;

    are_whole(&page, "the grid", &by_id("thumb"), 5).await?;
    page.press(&[], "g").await?;
    page.wait_for_selector("[role=\"grid\"] .group").await?;
    are_whole(&page, "the grouped grid", &by_id("thumb"), 5).await?;

    let [first, ..] = SHAPES;
    select(&page, first.0).await?;
    for _ in 0..3 {
        page.press(&[Key::Shift], &key(Key::Right)).await?;
    }
    page.press(&[], "c").await?;
    are_whole(
        &page,
        "the comparison",
        &format!("{} {}", by_id("compare"), by_id("viewer-image")),
        4,
    )
    .await?;
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("compare").await?;

    page.open_cell(&cell(first.0)).await?;
    page.wait_for("viewer").await?;
    page.press(&[], "m").await?;
    are_whole(
        &page,
        "the filmstrip",
        &format!("{} img", by_id("filmstrip")),
        5,
    )
    .await?;
    for (name, ..) in SHAPES {
        are_whole(&page, &format!("{name}, large"), &by_id("viewer-image"), 1).await?;
        page.press(&[], "j").await?;
    }

    visit(&page, "/search?q=shape").await?;
    are_whole(
        &page,
        "the search",
        &format!("{} img", by_id("search-picture")),
        5,
    )
    .await?;

    write_page(&stage.api().await?).await?;
    visit(&page, "/wiki/shapes").await?;
    let body = by_id("page-body");
    are_whole(&page, "the gallery", &format!("{body} .gallery img"), 5).await?;
    are_whole(&page, "the text", &format!("{body} p img"), 5).await?;
    page.press(&[], "a").await?;
    are_whole(
        &page,
        "the page's files",
        &format!("{} img", by_id("asset")),
        5,
    )
    .await
}

fn put_pictures(folder: &Path) -> Result<()> {
    for (name, width, height) in SHAPES {
        fs::write(folder.join(name), picture(width, height)?)?;
    }
    Ok(())
}

fn picture(width: u32, height: u32) -> Result<Vec<u8>> {
    let green = image::Rgb([60, 120, 90]);
    let picture = DynamicImage::from(RgbImage::from_pixel(width, height, green));
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// Writes a page that shows the pictures in its text, has them as its files, and shows their folder.
async fn write_page(api: &Api) -> Result<()> {
    let id = seed::write(api, "/shapes", "# Shapes\n".to_owned()).await?;
    let mut text = "# Shapes\n\n```gallery\nfolder: Shapes\n```\n".to_owned();
    for (name, width, height) in SHAPES {
        let address = format!("api/pages/{id}/assets/{name}");
        let added = api.send_bytes(Method::POST, &address, picture(width, height)?);
        added.await?.error_for_status()?;
        text.push_str(&format!("\n![](asset:{name})\n"));
    }
    seed::write(api, "/shapes", text).await?;
    Ok(())
}

async fn visit(page: &Page, address: &str) -> Result<()> {
    let here = page.client().current_url().await?;
    page.go(here.join(address)?.as_str()).await
}

/// Checks that this number of pictures is shown, each whole and in its proportions.
async fn are_whole(page: &Page, place: &str, selector: &str, count: usize) -> Result<()> {
    let script = MEASURE
        .replace("SELECTOR", selector)
        .replace("COUNT", &count.to_string());
    let faults = wait::until(&format!("{count} pictures in {place}"), async || {
        let faults = page.execute(&script).await?;
        Ok(faults.as_str().map(str::to_owned))
    })
    .await?;
    ensure!(faults.is_empty(), "in {place}: {faults}");
    Ok(())
}
