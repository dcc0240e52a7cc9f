//! Frames that are missed while one scrolls through the folder, beside a blank page of the same height.

use anyhow::{Context, Result};
use fumikura_tests::blank::Blank;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Browser, Display, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;

use crate::opening::{folders, folders_again};
use crate::{Options, met};

/// How many times as many frames may be missed as on the blank page.
const AIM: f64 = 1.2;

/// Scrolls a little in each frame for five seconds, and counts how many frames of a sixtieth of a second there were not.
const SCROLL: &str = "
    const scroller = SCROLLER;
    window.scrolled = null;
    const [TIME, STEP, FRAME] = [5000, 30, 1000 / 60];
    let [first, frames] = [null, 0];
    const step = (now) => {
        first ??= now;
        scroller.scrollTop += STEP;
        if (now - first < TIME) {
            frames += 1;
            requestAnimationFrame(step);
        } else {
            window.scrolled = { missed: (now - first) / FRAME - frames, all: (now - first) / FRAME, to: scroller.scrollTop };
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
    let browser = Browser::open(home, display, profile.path()).await?;
    let page = browser.page();
    let blank = Blank::serve().await?;
    folders(page, server).await?;
    let (mut ours, mut peer) = (Times::default(), Times::default());
    for round in 0..=options.rounds {
        folders_again(page, server).await?;
        page.ask("document.querySelector('[data-testid=root]').click()")
            .await?;
        page.see("cell").await?;
        let height = page
            .ask("return document.querySelector('[role=grid]').clientHeight")
            .await?;
        let height = height.as_f64().context("the grid has a height")?;
        let folder = scroll(page, "document.querySelector('[data-testid=grid]')").await?;
        page.go(blank.url()).await?;
        page.ask(&format!("document.body.style.height = '{height}px'"))
            .await?;
        let nothing = scroll(page, "document.scrollingElement").await?;
        if round > 0 {
            ours.push(folder);
            peer.push(nothing);
        }
    }
    let (ours, peer) = (ours.median(), peer.median());
    println!(
        "frames of a hundred that are missed while scrolling: {ours:.1}; on a blank page {peer:.1}; \
         aim {AIM} times as many: {}",
        met(ours <= AIM * peer.max(0.0))
    );
    Ok(())
}

/// How many of a hundred frames were missed.
async fn scroll(page: &Page, scroller: &str) -> Result<f64> {
    page.ask(&SCROLL.replace("SCROLLER", scroller)).await?;
    let scrolled = wait::until("five seconds of scrolling", async || {
        let scrolled = page.ask("return window.scrolled").await?;
        Ok(scrolled.is_object().then_some(scrolled))
    })
    .await?;
    let number = |name: &str| scrolled[name].as_f64().context("a number of frames");
    Ok(100.0 * number("missed")?.max(0.0) / number("all")?)
}
