//! The window on a desktop with others.

use anyhow::{Context, Result};
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::Stage;

use crate::steps;

/// Neither the size of a first start nor one that a screen would determine.
const SIZE: (u16, u16) = (1111, 707);

pub(crate) async fn window_size_survives_restart(stage: &mut Stage) -> Result<()> {
    let (width, height) = SIZE;
    let as_left = format!("return innerWidth === {width} && innerHeight === {height}");
    let page = steps::begin(stage).await?;
    let windows = Screen::of(stage.display())?.windows()?;
    let window = windows.first().context("a window")?.to_string();
    let words = [
        "windowsize",
        "--sync",
        &window,
        &width.to_string(),
        &height.to_string(),
    ];
    stage.display().xdotool(&words).await?;
    page.wait_until("the window to have its new size", &as_left)
        .await?;
    let zoomed = format!("return Math.abs(innerWidth * 1.1 - {width}) < 2");
    stage.display().xdotool(&["key", "ctrl+plus"]).await?;
    page.wait_until("everything to be larger", &zoomed).await?;
    stage.display().xdotool(&["key", "ctrl+q"]).await?;
    stage.wait_for_end().await?;

    let page = stage.start(&[]).await?.clone();
    page.wait_for("page-body").await?;
    page.wait_until("the zoom that it was left with", &zoomed)
        .await?;
    stage.display().xdotool(&["key", "ctrl+0"]).await?;
    page.wait_until(
        "the window to have the size that it was left with",
        &as_left,
    )
    .await?;
    stage.display().xdotool(&["key", "F11"]).await?;
    page.wait_until(
        "the window to fill the screen",
        "return innerWidth === screen.width && innerHeight === screen.height",
    )
    .await?;
    stage.display().xdotool(&["key", "F11"]).await?;
    page.wait_until("the window to have its size again", &as_left)
        .await
}
