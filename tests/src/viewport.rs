//! The size of a page in Chromium, smaller than its window may be.

use anyhow::Result;
use serde_json::json;

use crate::devtools;
use crate::page::Page;

/// How much of a page is seen, and how large.
#[derive(Clone, Copy, Debug)]
pub struct Viewport {
    /// In CSS pixels.
    pub width: u32,
    /// In CSS pixels.
    pub height: u32,
    /// Pixels of the screen to one of CSS: 2 is a zoom of 200 %.
    pub zoom: u32,
}

/// Gives the page of a browser another size.
///
/// # Errors
/// Fails if it does not take it.
pub async fn resize(page: &Page, viewport: Viewport) -> Result<()> {
    let Viewport {
        width,
        height,
        zoom,
    } = viewport;
    let metrics =
        json!({ "width": width, "height": height, "deviceScaleFactor": zoom, "mobile": false });
    devtools::command(page, "Emulation.setDeviceMetricsOverride", metrics).await?;
    let there = format!("return innerWidth === {width} && innerHeight === {height}");
    page.holds("the page to have its size", &there).await
}
