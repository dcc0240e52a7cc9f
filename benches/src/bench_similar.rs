//! A search for similar pictures among photos without thumbnails, compared with making their thumbnails, and the search
//! after it, which finds all hashes in the folder index.
//!
//! Both sides start with an empty cache, in turns, on files in the page cache.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_benches::Figure;
use fumikura_fs::{RelPath, Root, Source};
use fumikura_image::Variant;
use fumikura_library::Likeness;
use fumikura_pictures::{Config, Pictures};
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::stage::programs;
use fumikura_tests::times::Times;
use fumikura_thumbs::{Priority, WorkerConfig};

/// The maximum time, as a part of that of the thumbnails.
const AIM: f64 = 1.2;
/// The number of different photos.
const PHOTOS: usize = 60;
/// The number of decoding processes.
const WORKERS: usize = 2;

#[derive(Parser)]
struct SimilarOptions {
    /// Folder that keeps the photos from one run to the next
    #[arg(long)]
    photos: PathBuf,
    /// Number of pictures: names of the photos
    #[arg(long, default_value_t = 10_000)]
    pictures: usize,
    /// Number of measurements of each
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

fn main() -> Result<()> {
    let options = SimilarOptions::parse();
    let photos = Photos::prepare(&options.photos, PHOTOS, &[Coding::Baseline])?;
    // Beside the photos, since each name is a hard link.
    let folder = tempfile::tempdir_in(&options.photos)?;
    let originals = photos.paths(Coding::Baseline);
    for (number, original) in (0..options.pictures).zip(originals.iter().cycle()) {
        fs::hard_link(original, folder.path().join(format!("{number:06}.jpg")))?;
    }
    let [mut thumbnails, mut search, mut again] = [(); 3].map(|()| Times::default());
    // The first round is not counted: it reads programs and photos from the disk.
    for round in 0..=options.rounds {
        let made = time_thumbnails(folder.path(), options.pictures)?;
        let (found, found_again) = time_searches(folder.path(), options.pictures)?;
        if round > 0 {
            thumbnails.push(made.as_secs_f64());
            search.push(found.as_secs_f64());
            again.push(found_again.as_secs_f64());
        }
    }
    println!(
        "{} pictures of 12 MP, {WORKERS} at a time, {} rounds; medians",
        options.pictures, options.rounds
    );
    println!(
        "thumbnails                   {:>9.2} s",
        thumbnails.median()
    );
    println!("search for similar pictures  {:>9.2} s", search.median());
    println!("the same again               {:>9.2} s", again.median());
    let part = search.median() / thumbnails.median();
    Figure::new("a search for similar pictures", part)
        .to("making their thumbnails")
        .at_most(AIM);
    Ok(())
}

/// Opens the pictures with an empty cache.
fn open(folder: &Path, cache: &Path) -> Result<(Pictures, Arc<Root>)> {
    let roots = cache.join("roots.toml");
    let mut config = Config::new(cache.join("thumbs"), cache.join("folders"), roots);
    config.workers = WORKERS;
    config.worker = Some(WorkerConfig::new(programs::headless()?));
    let clock = Arc::new(SystemClock::new());
    let pictures = Pictures::open(config, clock, Arc::new(SystemEntropy))?;
    let root = pictures.roots().add(folder)?;
    Ok((pictures, root))
}

fn time_thumbnails(folder: &Path, count: usize) -> Result<Duration> {
    let cache = tempfile::tempdir()?;
    let (pictures, root) = open(folder, cache.path())?;
    let variant = Variant::parse(Some("192x192"), Some("shrink"), Some("jpg"))?;
    let start = Instant::now();
    let request = |number: usize| {
        let name = format!("{number:06}.jpg");
        let source = pictures.roots().source(root.id(), name.as_bytes())?;
        let thumbs = pictures.thumbs();
        anyhow::Ok(thumbs.request_wait(&source.find()?, variant, Priority::Next))
    };
    let tickets = (0..count).map(request).collect::<Result<Vec<_>>>()?;
    for ticket in tickets {
        ticket.wait()?;
    }
    Ok(start.elapsed())
}

/// Returns the time of a search without thumbnails, and of the one after it.
fn time_searches(folder: &Path, count: usize) -> Result<(Duration, Duration)> {
    let cache = tempfile::tempdir()?;
    let (pictures, root) = open(folder, cache.path())?;
    let folders = [Source::new(root, RelPath::default())];
    let search = || {
        let start = Instant::now();
        let found = pictures.find_similar(&folders, Likeness::Similar, &|_, _| true);
        let found = found.ok().context("the search was cancelled")?;
        ensure!(found.pictures == count && found.unreadable == 0);
        anyhow::Ok(start.elapsed())
    };
    Ok((search()?, search()?))
}
