//! A folder in other orders, and a part of it.

use std::fs;
use std::path::Path;

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use serde_json::json;

use crate::steps;

pub(crate) async fn a_folder_is_ordered_by_date_and_filtered_by_name(
    stage: &mut Stage,
) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Sorted")?;
    put(&folder, "a.jpg", "2024:05:06 07:08:09")?;
    put(&folder, "カメラ.jpg", "2022:01:01 00:00:00")?;
    put(&folder, "IMG_2.jpg", "2023:12:31 23:59:59")?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    are(&page, &["a.jpg", "IMG_2.jpg", "カメラ.jpg"]).await?;
    press(&page, "s").await?;
    are(&page, &["カメラ.jpg", "IMG_2.jpg", "a.jpg"]).await?;
    // Its size comes from the header, which is read behind the list.
    page.open_cell("[data-name=\"IMG_2.jpg\"]").await?;
    page.see("viewer").await?;
    page.holds(
        "its size to be told",
        "return document.querySelector('[data-testid=\"picture-about\"]')?.textContent.includes('1800 × 1200') ?? false",
    )
    .await?;
    page.click("viewer-close").await?;
    page.gone("viewer").await?;

    press(&page, "/").await?;
    page.type_into("folder-filter", "かめ").await?;
    are(&page, &["カメラ.jpg"]).await?;
    press(&page, &char::from(Key::Enter).to_string()).await?;
    page.holds(
        "the focus on what was found",
        "return document.activeElement.dataset.name === 'カメラ.jpg'",
    )
    .await?;
    press(&page, "/").await?;
    page.type_into("folder-filter", "nothing").await?;
    page.see("folder-none").await?;
    press(&page, &char::from(Key::Escape).to_string()).await?;
    are(&page, &["カメラ.jpg", "IMG_2.jpg", "a.jpg"]).await
}

async fn press(page: &Page, key: &str) -> Result<()> {
    page.press(&[], key).await
}

/// A picture whose camera says when it was taken.
fn put(folder: &Path, name: &str, taken: &str) -> Result<()> {
    let picture = fs::read(fixture("images/orientation/Landscape_1.jpg"))?;
    // A TIFF of two directories: the first leads to EXIF's own, which holds the date.
    let mut notes =
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x1a\0\0\0\0\0\0\0".to_vec();
    notes.extend(b"\x01\0\x03\x90\x02\0\x14\0\0\0\x2c\0\0\0\0\0\0\0");
    notes.extend(taken.as_bytes());
    notes.push(0);
    let length = u16::try_from(notes.len() + 2)?.to_be_bytes();
    let (start, rest) = picture.split_at(2);
    let bytes = [start, &[0xFF, 0xE1], &length, &notes, rest].concat();
    Ok(fs::write(folder.join(name), bytes)?)
}

/// The pictures stand there, in this order.
async fn are(page: &Page, names: &[&str]) -> Result<()> {
    let script = format!(
        "const cells = [...document.querySelectorAll('[data-testid=\"cell\"]')];
         return JSON.stringify(cells.map((cell) => cell.dataset.name)) === JSON.stringify({});",
        json!(names)
    );
    page.holds(&format!("{names:?}"), &script).await
}
