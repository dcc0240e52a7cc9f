//! A folder of very many pictures: the time to list it, compared with `find`; to open it, for the first time
//! and again; to scroll through it, compared with a blank page; and from a changed photo to its new thumbnail
//! on the screen.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod change;
mod listing;
mod opening;
mod scrolling;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_tests::memory::Memory;
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::seed;
use fumikura_tests::stage::{Display, Home, Server};
use fumikura_tests::writer::Writer;

/// The maximum memory of the server, in MB.
const MEMORY_AIM_MB: f64 = 200.0;

#[derive(Parser)]
pub(crate) struct FolderOptions {
    /// Folder that keeps the photos from one run to the next
    #[arg(long)]
    photos: PathBuf,
    /// Number of pictures in the folder
    #[arg(long, default_value_t = 100_000)]
    pictures: u32,
    /// Number of times that the folder is listed, opened and scrolled through
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Number of changes of a photo
    #[arg(long, default_value_t = 20)]
    changes: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = FolderOptions::parse();
    let photos = Photos::prepare(&options.photos, 2, &[Coding::Baseline])?.paths(Coding::Baseline);
    let home = Home::new()?;
    // Registers a user.
    drop(Writer::open(&home.data())?);
    let folder = home.folder("Everything")?;
    let start = Instant::now();
    fill(&folder, options.pictures)?;
    println!(
        "{} pictures, linked in {:.0} s",
        options.pictures,
        start.elapsed().as_secs_f64()
    );
    listing::measure(&options, &home, &folder).await?;
    let display = Display::open(&home).await?;
    let opening = opening::measure(&options, &home, &display, &folder).await?;
    let server = serve(&home, &folder).await?;
    scrolling::measure(&options, &home, &display, &server).await?;
    let peak = opening.max(Memory::of(server.pid())?.peak);
    drop(server);
    Figure::new(
        "peak memory of a server with that folder",
        peak as f64 / 1e6,
    )
    .unit("MB")
    .at_most(MEMORY_AIM_MB);
    change::measure(&options, &home, &display, &folder, &photos).await
}

/// Fills the folder with hard links to a few pictures; file systems limit the number of links to a file.
fn fill(folder: &Path, pictures: u32) -> Result<()> {
    let originals = folder.with_extension("originals");
    fs::create_dir_all(&originals)?;
    let kinds = ["Landscape", "Portrait"];
    let names = (0..=8).flat_map(|number| kinds.map(|kind| format!("{kind}_{number}.jpg")));
    let mut copies = Vec::new();
    for name in names {
        let copy = originals.join(&name);
        fs::copy(seed::fixture(&format!("images/orientation/{name}")), &copy)?;
        copies.push(copy);
    }
    for (number, original) in (1..=pictures).zip(copies.iter().cycle()) {
        fs::hard_link(original, folder.join(format!("IMG_{number}.jpg")))?;
    }
    Ok(())
}

/// Removes the server's cache of folders and thumbnails.
pub(crate) fn forget(home: &Home) -> Result<()> {
    for name in ["folders", "thumbs"] {
        let path = home.cache().join(name);
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
    }
    Ok(())
}

/// Starts a server that may read the folder.
pub(crate) async fn serve(home: &Home, folder: &Path) -> Result<Server> {
    Server::start(home, &[folder.to_owned()]).await
}
