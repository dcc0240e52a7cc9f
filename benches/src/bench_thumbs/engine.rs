//! Our side: the server's engine with its workers.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_image::Variant;
use fumikura_pictures::{Config, Pictures};
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::stage::programs;
use fumikura_thumbs::{Priority, Thumbnail, WorkerConfig};

use crate::meter::{CONCURRENCY, Line};

#[derive(clap::Args)]
pub(crate) struct EngineOptions {
    /// Folder of roots and thumbnails
    out: PathBuf,
    /// The photos, all of one folder
    photos: Vec<PathBuf>,
}

/// Returns the one command of this side.
pub(crate) fn commands(photos: &Photos, coding: Coding, out: &Path) -> Result<Vec<Line>> {
    let own = std::env::current_exe()?;
    let mut line = [own.as_path(), Path::new("engine"), out]
        .map(|part| part.display().to_string())
        .to_vec();
    let paths = photos.paths(coding);
    line.extend(paths.iter().map(|photo| photo.display().to_string()));
    Ok(vec![line])
}

/// Makes the thumbnails of the photos, and prints the memory that it took.
pub(crate) fn run(options: &EngineOptions) -> Result<()> {
    // The workers live as long as the engine.
    let (_engine, _made) = make(&options.photos, &options.out)?;
    let mine = std::process::id();
    let peak_kib: u64 = processes()?
        .filter(|process| process.id == mine || process.parent == mine)
        .map(|process| process.peak_kib)
        .sum();
    println!("{:.1}", peak_kib as f64 / 1024.0);
    Ok(())
}

/// The thumbnails of photos, by file name.
pub(crate) type Thumbnails = Vec<(OsString, Arc<Thumbnail>)>;

/// Makes the thumbnails of photos of one folder.
pub(crate) fn make(photos: &[PathBuf], out: &Path) -> Result<(Pictures, Thumbnails)> {
    let folder = photos.first().and_then(|photo| photo.parent());
    let folder = folder.context("no photos")?;
    let mut config = Config::new(
        out.join("thumbs"),
        out.join("folders"),
        out.join("roots.toml"),
    );
    config.workers = CONCURRENCY;
    config.worker = Some(WorkerConfig::new(programs::headless()?));
    let thumbs = Pictures::open(
        config,
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    )?;
    let root = thumbs.roots().add(folder)?;
    let variant = Variant::parse(Some("256x256"), Some("shrink"), Some("jpg"))?;
    let mut tickets = Vec::new();
    for photo in photos {
        let name = photo.file_name().context("a photo has a name")?.to_owned();
        let source = thumbs.roots().source(root.id(), name.as_encoded_bytes())?;
        let ticket = thumbs
            .thumbs()
            .request_wait(&source.find()?, variant, Priority::Next);
        tickets.push((name, ticket));
    }
    let mut thumbnails = Thumbnails::new();
    for (name, ticket) in tickets {
        thumbnails.push((name, ticket.wait()?));
    }
    Ok((thumbs, thumbnails))
}

struct Process {
    id: u32,
    parent: u32,
    peak_kib: u64,
}

/// Returns all processes that can be inspected.
fn processes() -> Result<impl Iterator<Item = Process>> {
    let processes = fs::read_dir("/proc").context("/proc")?;
    Ok(processes.filter_map(|entry| {
        let status = fs::read_to_string(entry.ok()?.path().join("status")).ok()?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        Some(Process {
            id: u32::try_from(number("Pid:")?).ok()?,
            parent: u32::try_from(number("PPid:")?).ok()?,
            peak_kib: number("VmHWM:")?,
        })
    }))
}
