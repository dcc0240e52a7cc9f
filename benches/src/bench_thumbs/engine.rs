//! Our side: the server's engine with its workers.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_fs::Source;
use fumikura_image::{KeptMetadata, Rendition, RenditionFormat, Turn, Variant};
use fumikura_pictures::{Config, Pictures};
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::stage::programs;
use fumikura_thumbs::{Priority, WorkerConfig};

use crate::Work;
use crate::meter::{CONCURRENCY, Line};

#[derive(clap::Args)]
pub(crate) struct EngineOptions {
    /// Export the photos, instead of making thumbnails
    #[arg(long)]
    exports: bool,
    /// Folder of roots, thumbnails and exports
    out: PathBuf,
    /// The photos, all of one folder
    photos: Vec<PathBuf>,
}

/// Returns the one command of this side.
pub(crate) fn commands(
    photos: &Photos,
    coding: Coding,
    work: Work,
    out: &Path,
) -> Result<Vec<Line>> {
    let own = std::env::current_exe()?;
    let mut line = [own.as_path(), Path::new("engine"), out]
        .map(|part| part.display().to_string())
        .to_vec();
    if work == Work::Exports {
        line.push("--exports".to_owned());
    }
    let paths = photos.paths(coding);
    line.extend(paths.iter().map(|photo| photo.display().to_string()));
    Ok(vec![line])
}

/// Does the work, and prints the memory that it took.
pub(crate) fn run(options: &EngineOptions) -> Result<()> {
    // The workers live as long as the engine.
    let work = match options.exports {
        true => Work::Exports,
        false => Work::Thumbnails,
    };
    let (_engine, _made) = make(&options.photos, work, &options.out)?;
    let mine = std::process::id();
    let peak_kib: u64 = processes()?
        .filter(|process| process.id == mine || process.parent == mine)
        .map(|process| process.peak_kib)
        .sum();
    println!("{:.1}", peak_kib as f64 / 1024.0);
    Ok(())
}

/// The files that were made of photos, by the names of the photos.
pub(crate) type Made = Vec<(OsString, PathBuf)>;

/// Does the work for photos of one folder.
pub(crate) fn make(photos: &[PathBuf], work: Work, out: &Path) -> Result<(Pictures, Made)> {
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
    let mut sources = Vec::new();
    for photo in photos {
        let name = photo.file_name().context("a photo has a name")?.to_owned();
        let source = thumbs.roots().source(root.id(), name.as_encoded_bytes())?;
        sources.push((name, source));
    }
    let made = match work {
        Work::Thumbnails => thumbnails(&thumbs, &sources, work)?,
        Work::Exports => exports(&thumbs, &sources, work, &out.join("exports"))?,
    };
    Ok((thumbs, made))
}

fn thumbnails(thumbs: &Pictures, photos: &[(OsString, Source)], work: Work) -> Result<Made> {
    let size = format!("{0}x{0}", work.edge());
    let variant = Variant::parse(Some(&size), Some("shrink"), Some("jpg"))?;
    let mut tickets = Vec::new();
    for (name, source) in photos {
        let ticket = thumbs
            .thumbs()
            .request_wait(&source.find()?, variant, Priority::Next);
        tickets.push((name, ticket));
    }
    let mut made = Made::new();
    for (name, ticket) in tickets {
        made.push((name.clone(), ticket.wait()?.path.clone()));
    }
    Ok(made)
}

/// Exports the photos in two threads, as the server does.
fn exports(
    pictures: &Pictures,
    photos: &[(OsString, Source)],
    work: Work,
    to: &Path,
) -> Result<Made> {
    fs::create_dir(to)?;
    let root = pictures.roots().add(to)?;
    let folder = pictures.roots().source(root.id(), b"")?;
    let target = pictures.files().new_files(&folder)?;
    let rendition = Rendition {
        crop: None,
        turn: Turn::NONE,
        edge: Some(work.edge()),
        format: RenditionFormat::Jpeg,
        quality: 85,
        sharpens: false,
        metadata: KeptMetadata::None,
        taken: None,
    };
    let export = |(name, photo): &(OsString, Source)| {
        let new = Path::new(name).with_extension("jpg");
        let new_name = new.to_str().context("a name is UTF-8")?;
        pictures.export(photo, rendition, &target, (new_name, false))?;
        anyhow::Ok((name.clone(), to.join(new)))
    };
    let made = thread::scope(|scope| {
        let parts = photos.chunks(photos.len().div_ceil(CONCURRENCY));
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().map(export).collect::<Result<Made>>()))
            .collect();
        let parts = threads.into_iter().map(|thread| thread.join());
        parts.collect::<Result<Vec<_>, _>>()
    });
    let made = made.expect("an export panicked");
    Ok(made.into_iter().collect::<Result<Vec<Made>>>()?.concat())
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
