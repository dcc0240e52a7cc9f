//! Layout stability: parts that move without input, as far as the browser reports it.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use reqwest::Method;

use crate::steps;

/// Observes from the beginning of a document, and keeps the observer that exists. The bar at the top makes
/// room for the actions of a new view, and tooltips follow their words: both are ignored.
const WATCH: &str = r#"
if (window.moved === undefined) {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const stays = ({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest(".top, .cm-tooltip") != null;
      if (hadRecentInput || sources.every(stays)) continue;
      const parts = sources.map(({ node, previousRect: a, currentRect: b }) =>
        `${(node?.outerHTML ?? node?.textContent ?? "?").slice(0, 120)} from ${a.x},${a.y} ${a.width}x${a.height} to ${b.x},${b.y} ${b.width}x${b.height}`);
      window.moved.push({ value, parts });
    }
  }).observe({ type: "layout-shift", buffered: true });
}
"#;

/// Returns true two frames later, when the observer has received all earlier movements.
const IS_SETTLED: &str = "
    window.settled ??= 0;
    if (window.settled === 0) requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { window.settled = 2; })));
    window.settled = Math.max(window.settled, 1);
    return window.settled === 2;";

const TAKE_SHIFTS: &str =
    "const { moved } = window; window.moved = []; window.settled = 0; return moved;";

/// Screens whose parts move for a reason: three report a failure, which pushes the view aside, in one such a report has
/// ended, and in two a page has moved in the tree or left it, which the browser attributes to the user only if it happens
/// within half a second.
const MOVING_SCREENS: [&str; 6] = [
    "nowhere",
    "start-failed",
    "unreachable",
    "lock-extended",
    "renamed",
    "undo",
];

/// The minimum that counts, as a share of the screen: a few lines of small text that give way to a longer word.
const MIN_SHIFT: f64 = 0.002;

/// Loads pictures further down, too.
const LOAD_EAGERLY: &str =
    "document.querySelectorAll('img').forEach((picture) => { picture.loading = 'eager'; })";

/// Returns true if all pictures are completely loaded.
const ALL_LOADED: &str = "
    const pictures = [...document.querySelectorAll('[data-testid=\"page-body\"] img')];
    return pictures.length === 3 && pictures.every((picture) => picture.complete && picture.naturalWidth > 0);";

pub(crate) async fn loading_pictures_do_not_move_text(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    // Rotated by EXIF, so that width and height are swapped in the file.
    for name in ["Landscape_1.jpg", "Landscape_6.jpg", "Portrait_8.jpg"] {
        let bytes = fs::read(seed::fixture("images/orientation").join(name))?;
        let address = format!("api/pages/{id}/assets/{name}");
        api.send_bytes(Method::POST, &address, bytes)
            .await?
            .error_for_status()?;
    }
    let text = "# Pictures\n\nBefore.\n\n![](asset:Landscape_1.jpg)\n\n\
        Between.\n\n<img src=\"asset:Landscape_6.jpg\" width=\"300\">\n\n![](asset:Portrait_8.jpg)\n\nAfter.\n";
    seed::write(&api, "/", text.to_owned()).await?;
    let mut shifts = LayoutShifts::default();
    // First as unknown pictures, then with known sizes.
    for screen in ["first", "again"] {
        page.client().refresh().await?;
        page.wait_for("page-body").await?;
        page.execute(LOAD_EAGERLY).await?;
        page.wait_until("the pictures to be there", ALL_LOADED)
            .await?;
        shifts.watch(&page, screen).await?;
    }
    shifts.check()
}

pub(crate) async fn known_picture_sizes_reserve_their_space(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let other = seed::write(&api, "/other", "# Other\n".to_owned()).await?;
    let root = steps::page_id(&api, "/").await?;
    let wide = fs::read(seed::fixture("images/orientation/Landscape_1.jpg"))?;
    let drawing = r##"<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><path fill="#888" d="M0 0h320v200H0z"/></svg>"##;
    for (id, name, bytes) in [
        (&other, "wide.jpg", wide),
        (&root, "drawing.svg", drawing.as_bytes().to_vec()),
    ] {
        let address = format!("api/pages/{id}/assets/{name}");
        let brought = api.send_bytes(Method::POST, &address, bytes);
        brought.await?.error_for_status()?;
    }
    let text = "# Drawings\n\n![](asset:drawing.svg)\n\nBetween.\n\n![](asset:/other/wide.jpg)\n\nBetween.\n\n\
        ```mermaid\nflowchart LR\n  a --> b\n```\n\nAfter.\n";
    seed::write(&api, "/", text.to_owned()).await?;
    let mut shifts = LayoutShifts::default();
    for seen_before in [false, true] {
        page.client().refresh().await?;
        page.wait_for("page-body").await?;
        page.execute(LOAD_EAGERLY).await?;
        page.wait_until("the pictures to be there", ALL_LOADED)
            .await?;
        page.wait_until("their sizes to be stored", SIZES_STORED)
            .await?;
        if seen_before {
            shifts.watch(&page, "again").await?;
        }
    }
    shifts.check()
}

/// Returns true if the sizes of the drawing, the picture and the diagram are stored.
const SIZES_STORED: &str =
    "return JSON.parse(localStorage.getItem('seen-sizes') ?? '[]').length === 3;";

/// The movements on each screen.
#[derive(Default)]
pub(crate) struct LayoutShifts {
    faults: String,
}

impl LayoutShifts {
    /// Records what has moved in this document since the last call.
    pub(crate) async fn watch(&mut self, page: &Page, screen: &str) -> Result<()> {
        page.execute(WATCH).await?;
        page.wait_until("what moved to be told", IS_SETTLED).await?;
        let moved = page.execute(TAKE_SHIFTS).await?;
        for shift in moved.as_array().context("what moved is a list")? {
            let value = shift["value"].as_f64().unwrap_or_default();
            if value < MIN_SHIFT || MOVING_SCREENS.contains(&screen) {
                continue;
            }
            writeln!(self.faults, "{screen}: {value:.4} of the screen moved")?;
            for part in shift["parts"].as_array().map_or(&[][..], Vec::as_slice) {
                let text = part.as_str().unwrap_or_default();
                writeln!(self.faults, "    {text}")?;
            }
        }
        Ok(())
    }

    pub(crate) fn check(&self) -> Result<()> {
        ensure!(self.faults.is_empty(), "{}", self.faults);
        Ok(())
    }
}

/// Returns the places of the choices in the settings, and of the tabs of the hash records.
const PLACES: &str = "
    const parts = document.querySelectorAll('fieldset label, [aria-current] ~ a, a:has(~ [aria-current]), a[aria-current]');
    return [...parts].map((part) => {
      const { left, width } = part.getBoundingClientRect();
      return `${part.textContent.trim()} ${left} ${width}`;
    });";

pub(crate) async fn choosing_moves_no_neighbours(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    page.click("activity-settings").await?;
    page.wait_for("settings").await?;
    let before = page.execute(PLACES).await?;
    page.click_at("label:has([data-testid=\"theme-dark\"])")
        .await?;
    page.wait_until(
        "the choice to be bold",
        "return getComputedStyle(document.querySelector('[data-testid=\"theme-dark\"] + span')).fontWeight === '600'",
    )
    .await?;
    let after = page.execute(PLACES).await?;
    ensure!(before == after, "{before} became {after}");

    page.click("activity-hashes").await?;
    page.wait_for("hashes-report").await?;
    let before = page.execute(PLACES).await?;
    page.click("hashes-report").await?;
    page.wait_until(
        "the tab to be chosen",
        "return document.querySelector('[data-testid=\"hashes-report\"]').ariaCurrent === 'page'",
    )
    .await?;
    let after = page.execute(PLACES).await?;
    ensure!(before == after, "{before} became {after}");
    Ok(())
}
