//! The time from a press on the folder's name to a screen full of its names, or of its thumbnails.

use std::path::Path;

use anyhow::{Context, Result};
use fumikura_benches::Figure;
use fumikura_tests::memory::Memory;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Browser, Display, Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wait;
use reqwest::Url;

use crate::{FolderOptions, forget, serve};

/// The maximum time until the names are shown, for the first time, in milliseconds.
const NAMES_AIM: f64 = 400.0;
/// The maximum time until the thumbnails are shown, when the folder is opened again.
const THUMBS_AIM: f64 = 300.0;

/// Checks in each frame whether everything visible is there. The message arrives once that frame has been painted.
const OPEN: &str = "
    const link = document.querySelector('[data-testid=root]');
    const painted = (then) => {
        const afterwards = new MessageChannel();
        afterwards.port1.onmessage = () => then(performance.now());
        afterwards.port2.postMessage(null);
    };
    window.opened = { names: null, thumbs: null };
    link.addEventListener('click', ({ timeStamp: from }) => {
        const look = () => {
            const grid = document.querySelector('[data-testid=grid]')?.getBoundingClientRect();
            const isSeen = (cell) => {
                const { top, bottom } = cell.getBoundingClientRect();
                return bottom > grid.top && top < grid.bottom;
            };
            const seen = grid ? [...document.querySelectorAll('[role=gridcell]')].filter(isSeen) : [];
            const are = (isThere) => seen.length > 0 && seen.every(isThere);
            const { opened } = window;
            const note = (what) => painted((now) => (opened[what] ??= now - from));
            if (opened.names === null && are((cell) => cell.dataset.name !== undefined)) note('names');
            const isShown = (cell) => {
                const image = cell.querySelector('img');
                return image !== null && image.complete && image.naturalWidth > 0;
            };
            if (opened.thumbs === null && are(isShown)) note('thumbs');
            if (opened.names === null || opened.thumbs === null) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    }, true);
    link.click();";

/// Measures, and returns the peak memory of the servers.
pub(crate) async fn measure(
    options: &FolderOptions,
    home: &Home,
    display: &Display,
    folder: &Path,
) -> Result<u64> {
    let (mut names, mut thumbs) = (Times::default(), Times::default());
    let (mut again_names, mut again_thumbs) = (Times::default(), Times::default());
    let mut peak = 0;
    // The first round is not counted: it brings the programs into the system's memory.
    for round in 0..=options.rounds {
        forget(home)?;
        let server = serve(home, folder).await?;
        let first = open(home, display, &server).await?;
        wait_until_read(&server).await?;
        peak = peak.max(Memory::of(server.pid())?.peak);
        drop(server);
        let server = serve(home, folder).await?;
        let again = open(home, display, &server).await?;
        if round > 0 {
            names.push(first.0);
            thumbs.push(first.1);
            again_names.push(again.0);
            again_thumbs.push(again.1);
        }
        peak = peak.max(Memory::of(server.pid())?.peak);
    }
    println!(
        "opening it in a browser, ms, p50 (p95) of {}",
        options.rounds
    );
    println!("{:<28}{:>14}{:>14}", "", "names", "thumbnails");
    let show = |times: &Times| format!("{:.0} ({:.0})", times.median(), times.percentile(95));
    for (name, names, thumbs) in [
        ("for the first time", &names, &thumbs),
        ("in the next launch", &again_names, &again_thumbs),
    ] {
        println!("{name:<28}{:>14}{:>14}", show(names), show(thumbs));
    }
    for (work, times, aim) in [
        ("opening it, names on the screen", &names, NAMES_AIM),
        ("opening it again, thumbnails", &again_thumbs, THUMBS_AIM),
    ] {
        Figure::new(work, times.median()).unit("ms").at_most(aim);
    }
    Ok(peak)
}

/// Returns the times until the names and the thumbnails are shown.
async fn open(home: &Home, display: &Display, server: &Server) -> Result<(f64, f64)> {
    let profile = tempfile::tempdir()?;
    let browser = Browser::open(home, display, profile.path()).await?;
    let page = browser.page();
    folders(page, server).await?;
    page.execute(OPEN).await?;
    wait::until("the folder to be full", async || {
        let opened = page.execute("return window.opened").await?;
        Ok(opened["names"].as_f64().zip(opened["thumbs"].as_f64()))
    })
    .await
}

/// Opens the list of folders by a login address, which is valid for one browser. Returns the list's address,
/// which is at the server's own host.
pub(crate) async fn folders(page: &Page, server: &Server) -> Result<Url> {
    page.go(server.login()).await?;
    page.wait_for_address_below("/wiki").await?;
    let list = page.client().current_url().await?.join("/pictures/")?;
    reopen_folders(page, &list).await?;
    Ok(list)
}

/// Opens the list of folders again.
pub(crate) async fn reopen_folders(page: &Page, list: &Url) -> Result<()> {
    page.go(list.as_str()).await?;
    page.wait_for("root").await?;
    Ok(())
}

/// Waits until the headers of all pictures have been read and cached.
async fn wait_until_read(server: &Server) -> Result<()> {
    let api = server.api()?;
    let roots = api.get("api/roots").await?;
    let root = roots[0]["id"].as_str().context("there is a root")?;
    let mut of = String::new();
    wait::within(
        std::time::Duration::from_secs(600),
        "all headers to be read",
        async || {
            let path = format!("api/folders?root={root}&limit=1{of}");
            let part = api.get(&path).await?;
            of = format!(
                "&listing={}",
                part["listing"].as_str().context("it has no id")?
            );
            Ok((part["unread"] == 0).then_some(()))
        },
    )
    .await
}
