//! Frames that are dropped while scrolling through the folder, compared with a blank page of the same height.

use std::fmt;

use anyhow::{Context, Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::blank_page::BlankPage;
use fumikura_tests::devtools;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Browser, Display, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;
use serde_json::json;

use crate::FolderOptions;
use crate::opening::{folders, reopen_folders};
use crate::trace::{self, Frames, Trace};

/// The maximum number of dropped frames, as a multiple of those of the blank page.
const AIM: f64 = 1.2;

/// The speed of scrolling in pixels a second, and its duration.
const SPEED: u32 = 1_800;
const SECONDS: u32 = 5;

/// Scrolls by script, a little in each frame.
const SCRIPT: &str = "
    const scroller = SCROLLER;
    window.scrolled = null;
    let first = null;
    const step = (now) => {
        first ??= now;
        scroller.scrollTop += SPEED / 60;
        if (now - first < SECONDS * 1000) requestAnimationFrame(step);
        else window.scrolled = scroller.scrollTop;
    };
    requestAnimationFrame(step);";

/// The source of scrolling.
#[derive(Clone, Copy)]
enum ScrollInput {
    /// The mouse wheel: the browser moves what the page has rendered, and the page renders what appears.
    Wheel,
    /// A script of the page, without which there would be no frame.
    Script,
}

const INPUTS: [ScrollInput; 2] = [ScrollInput::Wheel, ScrollInput::Script];

/// The page or element that is scrolled.
struct ScrollTarget {
    name: &'static str,
    /// A script expression for the element.
    element: &'static str,
}

const FOLDER: ScrollTarget = ScrollTarget {
    name: "folder",
    element: "document.querySelector('[data-testid=grid]')",
};
const BLANK: ScrollTarget = ScrollTarget {
    name: "blank page",
    element: "document.scrollingElement",
};

impl ScrollInput {
    fn name(self) -> &'static str {
        match self {
            Self::Wheel => "the wheel",
            Self::Script => "a script",
        }
    }

    async fn scroll(self, page: &Page, element: &str) -> Result<()> {
        match self {
            Self::Wheel => {
                let middle = page
                    .execute("return [innerWidth / 2, innerHeight / 2]")
                    .await?;
                let gesture = json!({
                    "x": middle[0],
                    "y": middle[1],
                    "yDistance": -f64::from(SPEED * SECONDS),
                    "speed": SPEED,
                    "gestureSourceType": "mouse",
                });
                devtools::command(page, "Input.synthesizeScrollGesture", gesture).await?;
                Ok(())
            }
            Self::Script => {
                let script = SCRIPT.replace("SCROLLER", element);
                let script = script.replace("SPEED", &SPEED.to_string());
                page.execute(&script.replace("SECONDS", &SECONDS.to_string()))
                    .await?;
                wait::until("the end of the scrolling", async || {
                    let scrolled = page.execute("return window.scrolled").await?;
                    Ok(scrolled.is_number().then_some(()))
                })
                .await
            }
        }
    }
}

/// Returns the names of the trace's marks at the beginning and the end of scrolling.
fn marks(target: &ScrollTarget, input: ScrollInput) -> [String; 2] {
    ["begins", "ends"].map(|end| format!("{} by {} {end}", target.name, input.name()))
}

pub(crate) async fn measure(
    options: &FolderOptions,
    home: &Home,
    display: &Display,
    server: &Server,
) -> Result<()> {
    let profile = tempfile::tempdir()?;
    let file = profile.path().join("trace.json");
    let switches = trace::switches(&file);
    let browser = Browser::open_with(home, display, profile.path(), &switches).await?;
    let page = browser.page();
    let blank = BlankPage::serve().await?;
    let list = folders(page, server).await?;
    for _ in 0..=options.rounds {
        reopen_folders(page, &list).await?;
        page.execute("document.querySelector('[data-testid=root]').click()")
            .await?;
        page.wait_for("cell").await?;
        let height = page
            .execute("return document.querySelector('[role=grid]').clientHeight")
            .await?;
        let height = height.as_f64().context("the grid has a height")?;
        for input in INPUTS {
            scroll(page, &FOLDER, input).await?;
        }
        page.go(blank.url()).await?;
        page.execute(&format!("document.body.style.height = '{height}px'"))
            .await?;
        for input in INPUTS {
            scroll(page, &BLANK, input).await?;
        }
    }
    browser.close().await?;
    let trace = Trace::read(&file).await?;
    for input in INPUTS {
        let folder = Smoothness::of(&trace, &FOLDER, input)?;
        let blank = Smoothness::of(&trace, &BLANK, input)?;
        println!(
            "frames dropped in a second of scrolling by {}: {folder}; on a blank page {blank}",
            input.name()
        );
        let ratio = folder.dropped.median() / blank.dropped.median();
        Figure::new(
            format!("frames dropped while scrolling by {}", input.name()),
            ratio,
        )
        .to("a blank page")
        .at_most(AIM);
    }
    Ok(())
}

async fn scroll(page: &Page, target: &ScrollTarget, input: ScrollInput) -> Result<()> {
    let ScrollTarget { element, .. } = target;
    let [begins, ends] = marks(target, input);
    let before = page
        .execute(&format!(
            "performance.mark('{begins}'); return {element}.scrollTop"
        ))
        .await?;
    input.scroll(page, element).await?;
    let after = page
        .execute(&format!(
            "performance.mark('{ends}'); return {element}.scrollTop"
        ))
        .await?;
    let far = after.as_f64().zip(before.as_f64());
    let far = far.map(|(after, before)| after - before);
    // A page that does not move drops no frames.
    ensure!(
        far >= Some(f64::from(SPEED * SECONDS) * 0.9),
        "{} by {} has scrolled only from {before} to {after}",
        target.name,
        input.name()
    );
    Ok(())
}

/// The smoothness of scrolling.
struct Smoothness {
    /// The dropped frames per second of each round.
    dropped: Times,
    /// The sum of all rounds.
    sum: Frames,
}

impl Smoothness {
    fn of(trace: &Trace, target: &ScrollTarget, input: ScrollInput) -> Result<Self> {
        let [begins, ends] = marks(target, input);
        let rounds = trace.between(&begins, &ends)?;
        // The first round fills caches for the later ones.
        let (_, rounds) = rounds.split_first().context("there is a first round")?;
        let mut dropped = Times::default();
        let mut sum = Frames::default();
        for round in rounds {
            dropped.push(round.dropped as f64 / round.seconds);
            sum.add(*round);
        }
        Ok(Self { dropped, sum })
    }
}

impl fmt::Display for Smoothness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frames {
            seconds,
            dropped,
            incomplete,
        } = self.sum;
        let median = self.dropped.median();
        write!(
            f,
            "{median:.2} ({dropped} in {seconds:.0} s, and {incomplete} shown in part)"
        )
    }
}
