//! Frames that are dropped while one scrolls through the folder, beside a blank page of the same height.

use anyhow::{Context, Result};
use fumikura_tests::blank::Blank;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Browser, Display, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;

use crate::opening::{folders, folders_again};
use crate::{Options, met, trace};

/// How many times as many frames may be dropped as on the blank page.
const AIM: f64 = 1.2;

/// What Chromium's trace has where a scrolling begins and ends, of the folder and of the blank page.
const MARKS: [[&str; 2]; 2] = [
    ["fumikura folder begins", "fumikura folder ends"],
    ["fumikura blank begins", "fumikura blank ends"],
];

/// Scrolls a little in each frame for five seconds.
const SCROLL: &str = "
    const scroller = SCROLLER;
    window.scrolled = null;
    const [TIME, STEP] = [5000, 30];
    let first = null;
    const step = (now) => {
        if (first === null) performance.mark('BEGINS');
        first ??= now;
        scroller.scrollTop += STEP;
        if (now - first < TIME) {
            requestAnimationFrame(step);
        } else {
            performance.mark('ENDS');
            window.scrolled = scroller.scrollTop;
        }
    };
    requestAnimationFrame(step);";

pub(crate) async fn measure(
    options: &Options,
    home: &Home,
    display: &Display,
    server: &Server,
) -> Result<()> {
    let profile = tempfile::tempdir()?;
    let file = profile.path().join("trace.json");
    let switches = trace::switches(&file);
    let browser = Browser::open_with(home, display, profile.path(), &switches).await?;
    let page = browser.page();
    let blank = Blank::serve().await?;
    folders(page, server).await?;
    for _ in 0..=options.rounds {
        folders_again(page, server).await?;
        page.ask("document.querySelector('[data-testid=root]').click()")
            .await?;
        page.see("cell").await?;
        let height = page
            .ask("return document.querySelector('[role=grid]').clientHeight")
            .await?;
        let height = height.as_f64().context("the grid has a height")?;
        let grid = "document.querySelector('[data-testid=grid]')";
        scroll(page, grid, MARKS[0]).await?;
        page.go(blank.url()).await?;
        page.ask(&format!("document.body.style.height = '{height}px'"))
            .await?;
        scroll(page, "document.scrollingElement", MARKS[1]).await?;
    }
    browser.close().await?;
    let mut medians = Vec::new();
    for [begins, ends] in MARKS {
        let mut times = Times::default();
        // The first round fills what later ones have.
        for dropped in trace::dropped(&file, begins, ends).await?.split_off(1) {
            times.push(dropped);
        }
        medians.push(times.median());
    }
    println!(
        "frames that Chromium dropped in a second of scrolling: {:.2}; on a blank page {:.2}; \
         aim {AIM} times as many: {}",
        medians[0],
        medians[1],
        met(medians[0] <= AIM * medians[1])
    );
    Ok(())
}

async fn scroll(page: &Page, scroller: &str, [begins, ends]: [&str; 2]) -> Result<()> {
    let script = SCROLL.replace("SCROLLER", scroller);
    page.ask(&script.replace("BEGINS", begins).replace("ENDS", ends))
        .await?;
    wait::until("five seconds of scrolling", async || {
        let scrolled = page.ask("return window.scrolled").await?;
        Ok(scrolled.is_number().then_some(()))
    })
    .await
}
