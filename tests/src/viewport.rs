//! The size of a page in Chromium, smaller than its window may be.

use std::str::FromStr;

use anyhow::{Context, Result};
use fantoccini::wd::WebDriverCompatibleCommand;
use reqwest::{Method, Url};
use serde_json::json;

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

/// Chromium's own command, which its driver hands on.
#[derive(Debug)]
struct Resize(Viewport);

impl WebDriverCompatibleCommand for Resize {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, <Url as FromStr>::Err> {
        let session = session.expect("BUG: a page without a session");
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let Viewport {
            width,
            height,
            zoom,
        } = self.0;
        let command = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": height, "deviceScaleFactor": zoom, "mobile": false },
        });
        (Method::POST, Some(command.to_string()))
    }
}

/// Gives the page of a browser another size.
///
/// # Errors
/// When it does not take it.
pub async fn resize(page: &Page, viewport: Viewport) -> Result<()> {
    page.client()
        .issue_cmd(Resize(viewport))
        .await
        .context("another size")?;
    let Viewport { width, height, .. } = viewport;
    let there = format!("return innerWidth === {width} && innerHeight === {height}");
    page.holds("the page to have its size", &there).await
}
