//! The size of a page in Chromium, which may be smaller than the minimum of its window.

use anyhow::Result;
use serde_json::json;

use crate::devtools;
use crate::page::Page;

/// The visible size of a page, and its zoom.
#[derive(Clone, Copy, Debug)]
pub struct Viewport {
    /// The width in CSS pixels.
    pub width: u32,
    /// The height in CSS pixels.
    pub height: u32,
    /// The number of screen pixels to a CSS pixel: 2 is a zoom of 200 %.
    pub zoom: u32,
}

/// Changes the size of a browser's page.
///
/// # Errors
/// Fails if the browser rejects it.
pub async fn resize(page: &Page, viewport: Viewport) -> Result<()> {
    let Viewport {
        width,
        height,
        zoom,
    } = viewport;
    let metrics =
        json!({ "width": width, "height": height, "deviceScaleFactor": zoom, "mobile": false });
    devtools::command(page, "Emulation.setDeviceMetricsOverride", metrics).await?;
    let is_resized = format!("return innerWidth === {width} && innerHeight === {height}");
    page.wait_until("the page to have its size", &is_resized)
        .await
}
