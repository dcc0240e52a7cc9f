//! A folder in other orders, and a part of it.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;

use crate::grid::{key, wait_for_entries};
use crate::steps;

pub(crate) async fn folder_is_sorted_by_date_and_filtered(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Sorted")?;
    seed::put_dated_picture(&folder, "a.jpg", "2024:05:06 07:08:09")?;
    seed::put_dated_picture(&folder, "カメラ.jpg", "2022:01:01 00:00:00")?;
    seed::put_dated_picture(&folder, "IMG_2.jpg", "2023:12:31 23:59:59")?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    wait_for_entries(&page, &["a.jpg", "IMG_2.jpg", "カメラ.jpg"]).await?;
    press(&page, "s").await?;
    wait_for_entries(&page, &["カメラ.jpg", "IMG_2.jpg", "a.jpg"]).await?;
    // Its size comes from the header, which is read after the listing.
    page.open_cell("[data-name=\"IMG_2.jpg\"]").await?;
    page.wait_for("viewer").await?;
    page.wait_until(
        "its size to be told",
        "return document.querySelector('[data-testid=\"picture-about\"]')?.textContent.includes('1800 × 1200') ?? false",
    )
    .await?;
    page.click("viewer-close").await?;
    page.wait_until_gone("viewer").await?;

    press(&page, "/").await?;
    page.type_into("folder-filter", "かめ").await?;
    wait_for_entries(&page, &["カメラ.jpg"]).await?;
    press(&page, &key(Key::Enter)).await?;
    page.wait_until(
        "the focus on what was found",
        "return document.activeElement.dataset.name === 'カメラ.jpg'",
    )
    .await?;
    press(&page, "/").await?;
    page.type_into("folder-filter", "nothing").await?;
    page.wait_for("folder-none").await?;
    press(&page, &key(Key::Escape)).await?;
    wait_for_entries(&page, &["カメラ.jpg", "IMG_2.jpg", "a.jpg"]).await
}

async fn press(page: &Page, key: &str) -> Result<()> {
    page.press(&[], key).await
}
