//! The screens in little room: in a narrow window, and zoomed. Desktop windows can't be as small; the browser
//! renders the same page.

use std::fs;
use std::path::Path;

use anyhow::Result;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::tour::{Visitor, first_day, tour};
use fumikura_tests::viewport::{Viewport, resize};
use serde_json::json;

use crate::{THEMES, name, register, set, wait_until_loaded};

/// The names and sizes: a window of 1280 pixels at 200 %, the minimum of the window, and the width of 1280
/// pixels at 400 % (WCAG 1.4.10).
const SIZES: [(&str, Viewport); 3] = [
    (
        "zoomed",
        Viewport {
            width: 640,
            height: 430,
            zoom: 2,
        },
    ),
    (
        "400",
        Viewport {
            width: 400,
            height: 800,
            zoom: 1,
        },
    ),
    (
        "320",
        Viewport {
            width: 320,
            height: 640,
            zoom: 1,
        },
    ),
];

pub(crate) async fn photograph(language: &str, all: &Path) -> Result<()> {
    let mut stage = Stage::new(Kind::Browser).await?;
    let page = stage.start(&[]).await?.clone();
    page.wait_for("greeting").await?;
    let api = stage.api().await?;
    register(&api, language).await?;
    for (theme, (size, viewport)) in themes_and_sizes() {
        set(&api, json!({ "theme": theme })).await?;
        resize(&page, viewport).await?;
        let mut camera = Camera {
            all,
            language,
            theme,
            size,
        };
        first_day(&page, &api, language, &mut camera).await?;
    }
    seed::storehouse(&api, language).await?;
    seed::traces(&api, language).await?;
    stage.stop().await?;
    let page = stage.start(&seed::folders(stage.home())?).await?.clone();
    page.wait_for("cell").await?;
    seed::remove_memory_card(stage.home())?;
    let api = stage.api().await?;
    for (theme, (size, viewport)) in themes_and_sizes() {
        set(&api, json!({ "theme": theme })).await?;
        resize(&page, viewport).await?;
        let mut camera = Camera {
            all,
            language,
            theme,
            size,
        };
        tour(&page, &api, language, &mut camera).await?;
    }
    Ok(())
}

fn themes_and_sizes() -> impl Iterator<Item = (&'static str, (&'static str, Viewport))> {
    THEMES
        .into_iter()
        .flat_map(|theme| SIZES.map(|size| (theme, size)))
}

struct Camera<'a> {
    all: &'a Path,
    language: &'a str,
    theme: &'a str,
    size: &'a str,
}

impl Visitor for Camera<'_> {
    async fn visit(&mut self, page: &Page, screen: &str) -> Result<()> {
        wait_until_loaded(page).await?;
        let picture = page.client().screenshot().await?;
        let screen = format!("{screen}-{}", self.size);
        fs::write(
            self.all.join(name(self.language, self.theme, &screen)),
            picture,
        )?;
        Ok(())
    }
}
