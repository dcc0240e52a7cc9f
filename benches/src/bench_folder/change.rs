//! The time from the replacement of a picture by another program, with a photo of 12 MP, to its new thumbnail
//! on the screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use fumikura_benches::Figure;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Browser, Display, Home};
use fumikura_tests::times::Times;
use fumikura_tests::wait;

use crate::opening::folders;
use crate::{FolderOptions, forget, serve};

/// The maximum of the 95th percentile in a small folder, in milliseconds.
const SMALL_AIM: f64 = 80.0;
/// The maximum of the 95th percentile in the large one.
const LARGE_AIM: f64 = 120.0;
/// The number of other pictures in the folder.
const NEIGHBOURS: u32 = 50;
/// The name of the picture that changes. It is the first.
const NAME: &str = "IMG_0.jpg";
/// The pause between two changes, like that between saves of an edited picture; continuous changes are shown
/// less often.
const CHANGE_INTERVAL: Duration = Duration::from_secs(2);

/// Waits for another picture in the cell. The message arrives once the frame with it has been painted.
const WATCH: &str = "
    window.changed = null;
    const image = document.querySelector('[data-name=\"IMG_0.jpg\"] img');
    const before = image.src;
    const look = () => {
        const now = document.querySelector('[data-name=\"IMG_0.jpg\"] img');
        if (!now || now.src === before || !now.complete || now.naturalWidth === 0) return requestAnimationFrame(look);
        const afterwards = new MessageChannel();
        afterwards.port1.onmessage = () => (window.changed = performance.timeOrigin + performance.now());
        afterwards.port2.postMessage(null);
    };
    requestAnimationFrame(look);";

pub(crate) async fn measure(
    options: &FolderOptions,
    home: &Home,
    display: &Display,
    large: &Path,
    photos: &[PathBuf],
) -> Result<()> {
    println!(
        "from a changed photo of 12 MP to its new thumbnail, ms, p50 (p95) of {}",
        options.changes
    );
    let small = home.folder("A few")?;
    crate::fill(&small, NEIGHBOURS)?;
    for (name, folder, aim) in [
        (format!("{NEIGHBOURS}"), &*small, SMALL_AIM),
        (format!("{}", options.pictures), large, LARGE_AIM),
    ] {
        let times = in_folder(options, home, display, folder, photos).await?;
        let p95 = times.percentile(95);
        println!("among {name}: {:.0} ({p95:.0})", times.median());
        let work = format!("a photo that changes on disk → on the screen, among {name}, p95");
        Figure::new(work, p95).unit("ms").at_most(aim);
    }
    Ok(())
}

async fn in_folder(
    options: &FolderOptions,
    home: &Home,
    display: &Display,
    folder: &Path,
    photos: &[PathBuf],
) -> Result<Times> {
    forget(home)?;
    let picture = folder.join(NAME);
    let aside = folder.with_extension("aside.jpg");
    let mut states = photos.iter().cycle();
    let mut replace = || -> Result<f64> {
        fs::copy(states.next().context("there are photos")?, &aside)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        fs::rename(&aside, &picture)?;
        Ok(now.as_secs_f64() * 1000.0)
    };
    replace()?;
    let server = serve(home, folder).await?;
    let profile = tempfile::tempdir()?;
    let browser = Browser::open(home, display, profile.path()).await?;
    let page = browser.page();
    folders(page, &server).await?;
    page.execute("document.querySelector('[data-testid=root]').click()")
        .await?;
    page.wait_for_selector(&format!("[data-name=\"{NAME}\"] img"))
        .await?;
    let mut times = Times::default();
    // The first round is not counted.
    for round in 0..=options.changes {
        tokio::time::sleep(CHANGE_INTERVAL).await;
        page.execute(WATCH).await?;
        let from = replace()?;
        let to = time_shown(page).await?;
        if round > 0 {
            times.push(to - from);
        }
    }
    Ok(times)
}

async fn time_shown(page: &Page) -> Result<f64> {
    wait::until("the new thumbnail to be painted", async || {
        Ok(page.execute("return window.changed").await?.as_f64())
    })
    .await
}
