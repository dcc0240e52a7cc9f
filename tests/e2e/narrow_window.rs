//! Narrow windows: every screen at 400 pixels, and at the 320 that are left of 1280 at 400 % (WCAG 1.4.10).
//! No screen scrolls sideways as a whole, no control is cut off or too small to be hit (WCAG 2.5.8), and no
//! text overlaps another.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::stage::Stage;
use fumikura_tests::tour::{Visitor, first_day, tour};
use fumikura_tests::viewport::{Viewport, resize};
use serde_json::json;

use crate::accessibility::IS_STILL;
use crate::sample_wiki::{change_settings, open_sample_wiki, register_user};

const MEASURE: &str = include_str!("narrow_window.js");

/// The widths; the smallest also in the language that doesn't break between words.
const SIZES: [(u32, u32, &str); 3] = [(400, 800, "ja"), (320, 640, "en"), (320, 640, "ja")];

pub(crate) async fn every_screen_fits_into_a_narrow_window(stage: &mut Stage) -> Result<()> {
    let page = stage.start(&[]).await?.clone();
    page.wait_for("greeting").await?;
    let mut surveyor = Surveyor::default();
    for (width, height, _) in SIZES {
        surveyor.fit(&page, width, height, "en").await?;
        surveyor.visit(&page, "greeting").await?;
    }
    let api = register_user(stage).await?;
    for (width, height, language) in SIZES {
        change_settings(&api, &json!({ "language": language })).await?;
        surveyor.fit(&page, width, height, language).await?;
        first_day(&page, &api, language, &mut surveyor).await?;
    }
    let (page, api) = open_sample_wiki(stage).await?;
    for (width, height, language) in SIZES {
        change_settings(&api, &json!({ "language": language })).await?;
        surveyor.fit(&page, width, height, language).await?;
        tour(&page, &api, language, &mut surveyor).await?;
    }
    ensure!(surveyor.faults.is_empty(), "{}", surveyor.faults);
    Ok(())
}

/// A check of each screen's layout, which collects faults.
#[derive(Default)]
struct Surveyor {
    /// The width of the window, and its language.
    place: String,
    faults: String,
}

impl Surveyor {
    async fn fit(&mut self, page: &Page, width: u32, height: u32, language: &str) -> Result<()> {
        self.place = format!("{width}, {language}");
        let viewport = Viewport {
            width,
            height,
            zoom: 1,
        };
        resize(page, viewport).await
    }
}

impl Visitor for Surveyor {
    async fn visit(&mut self, page: &Page, screen: &str) -> Result<()> {
        page.wait_until("all movement to end", IS_STILL).await?;
        let faults = page.execute(MEASURE).await?;
        for fault in faults.as_array().context("the faults are a list")? {
            let fault = fault.as_str().context("a fault is told in words")?;
            writeln!(self.faults, "{screen} ({}): {fault}", self.place)?;
        }
        Ok(())
    }
}
