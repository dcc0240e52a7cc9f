//! The cost of thumbnails, or of exports, of a folder of photos, compared with `vipsthumbnail`: in batches, and a
//! process for each picture.
//!
//! Our side includes everything: requests, queue, workers, and the thumbnails in the cache. Both sides
//! process two pictures at a time, in turns, on files in the page cache.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod engine;
mod meter;
mod similarity;
mod vips;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use fumikura_benches::Figure;
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::times::Times;

use meter::Cost;

/// The maximum wall time of baseline JPEG, as a part of that of `vipsthumbnail` in batches.
const WALL_AIM: f64 = 0.55;
/// The maximum cost of an export.
const EXPORTS_AIM: f64 = 0.8;
/// The minimum throughput, as a multiple of that of `vipsthumbnail` one by one.
const THROUGHPUT_AIM: f64 = 2.5;

#[derive(Parser)]
struct ThumbsOptions {
    /// Folder that keeps the photos from one run to the next
    #[arg(long)]
    photos: Option<PathBuf>,
    /// Number of photos of each coding
    #[arg(long, default_value_t = 60)]
    count: usize,
    /// Number of times that each side makes all thumbnails
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Of every format, instead of JPEG alone
    #[arg(long)]
    formats: bool,
    /// Exports of baseline JPEG at 2048 pixels, instead of thumbnails
    #[arg(long)]
    exports: bool,
    #[command(subcommand)]
    role: Option<Role>,
}

#[derive(Subcommand)]
enum Role {
    /// Make the thumbnails of a folder as the server does, and print the memory used
    Engine(engine::EngineOptions),
    /// Run commands, two at a time, and print their cost
    Meter,
}

/// The result of each photo: a JPEG of quality 85.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Thumbnails,
    /// Files in sRGB without metadata, as large as a screen.
    Exports,
}

impl Work {
    /// Returns the maximum of the longer side, in pixels.
    fn edge(self) -> u32 {
        match self {
            Self::Thumbnails => 256,
            Self::Exports => 2048,
        }
    }
}

/// A way to do the work.
struct Side {
    name: &'static str,
    commands: fn(&Photos, Coding, Work, &Path) -> Result<Vec<meter::Line>>,
    cpu: Times,
    wall: Times,
    peak: Times,
}

impl Side {
    fn all() -> [Self; 3] {
        let side = |name, commands| Self {
            name,
            commands,
            cpu: Times::default(),
            wall: Times::default(),
            peak: Times::default(),
        };
        [
            side("ours", engine::commands),
            side("vipsthumbnail, in batches", vips::batches),
            side("vipsthumbnail, one by one", vips::one_by_one),
        ]
    }

    fn add(&mut self, cost: &Cost) {
        self.cpu.push(cost.cpu_s);
        self.wall.push(cost.wall_s);
        self.peak.push(cost.peak_mib);
    }
}

fn main() -> Result<()> {
    let options = ThumbsOptions::parse();
    match &options.role {
        Some(Role::Engine(engine)) => return engine::run(engine),
        Some(Role::Meter) => return meter::run(),
        None => {}
    }
    let folder = options.photos.clone().context("--photos is missing")?;
    let (work, codings): (Work, &[Coding]) = match (options.exports, options.formats) {
        (true, _) => (Work::Exports, &[Coding::Baseline]),
        (false, true) => (Work::Thumbnails, &Coding::ALL),
        (false, false) => (Work::Thumbnails, &Coding::JPEG),
    };
    let photos = Photos::prepare(&folder, options.count, codings)?;
    println!(
        "{} photos of 12 MP to {1} × {1}, two at a time, {2} rounds; medians",
        photos.count(),
        work.edge(),
        options.rounds
    );
    for &coding in codings {
        measure(&photos, coding, work, options.rounds)?;
    }
    Ok(())
}

fn measure(photos: &Photos, coding: Coding, work: Work, rounds: usize) -> Result<()> {
    let mut sides = Side::all();
    // The first round is not counted: it reads programs and photos from the disk.
    for round in 0..=rounds {
        for side in &mut sides {
            let out = tempfile::tempdir()?;
            let commands = (side.commands)(photos, coding, work, out.path())?;
            let cost = meter::measure(&commands).with_context(|| side.name.to_owned())?;
            if round > 0 {
                side.add(&cost);
            }
        }
    }
    report(coding, work, &sides);
    similarity::report(photos, coding, work)
}

fn report(coding: Coding, work: Work, sides: &[Side; 3]) {
    println!(
        "\n{:<30}{:>10}{:>10}{:>12}",
        coding.name(),
        "CPU, s",
        "wall, s",
        "peak, MiB"
    );
    for side in sides {
        println!(
            "{:<30}{:>10.2}{:>10.2}{:>12.0}",
            side.name,
            side.cpu.median(),
            side.wall.median(),
            side.peak.median()
        );
    }
    let [ours, batches, single] = sides;
    for (name, other) in [("in batches", batches), ("one by one", single)] {
        let part = |of: fn(&Side) -> &Times| of(ours).median() / of(other).median();
        println!(
            "of {name}: CPU {:.2}, wall {:.2}, peak {:.2}",
            part(|side| &side.cpu),
            part(|side| &side.wall),
            part(|side| &side.peak)
        );
    }
    let (cpu_aim, wall_aim) = match work {
        Work::Thumbnails => aims(coding),
        Work::Exports => (EXPORTS_AIM, EXPORTS_AIM),
    };
    let ratio = |of: fn(&Side) -> &Times| of(ours).median() / of(batches).median();
    for (what, ratio, aim) in [
        ("CPU", ratio(|side| &side.cpu), cpu_aim),
        ("wall", ratio(|side| &side.wall), wall_aim),
        ("peak memory", ratio(|side| &side.peak), 1.0),
    ] {
        let work = format!("{} to {} px, {what}", coding.name(), work.edge());
        Figure::new(work, ratio)
            .to("vipsthumbnail in batches")
            .at_most(aim);
    }
    if coding == Coding::Baseline && work == Work::Thumbnails {
        Figure::new(
            "thumbnails of JPEG a second",
            single.wall.median() / ours.wall.median(),
        )
        .to("vipsthumbnail one by one")
        .at_least(THROUGHPUT_AIM);
    }
}

/// Returns the aims for CPU and wall time, as parts of the reference.
fn aims(coding: Coding) -> (f64, f64) {
    match coding {
        Coding::Baseline => (0.35, WALL_AIM),
        Coding::Progressive | Coding::Png => (0.4, 0.4),
        Coding::WebP | Coding::TiffLzw => (0.7, 0.7),
        Coding::Heic => (0.75, 0.75),
        Coding::Tiff | Coding::JpegXl | Coding::Avif => (0.8, 0.8),
    }
}
