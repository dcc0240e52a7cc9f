//! What it costs to decode a picture in a process of its own, beside decoding it in this one.
//!
//! The worker is this very program, so that both sides run the same decoder.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Parser, Subcommand};
use fumikura_tests::times::Times;
use fumikura_thumbs::{Decode, InProcess, Limits, Variant, WorkerConfig, Workers, serve};

#[derive(Parser)]
struct Options {
    /// How often each picture is decoded by either
    #[arg(long, default_value_t = 2000)]
    rounds: u32,
    #[command(subcommand)]
    role: Option<Role>,
}

#[derive(Subcommand)]
enum Role {
    /// Decode for the one that measures
    Worker,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(Role::Worker) = options.role {
        return Ok(serve(InProcess::new)?);
    }
    let folder = tempfile::tempdir()?;
    println!(
        "{:<28}{:>14}{:>14}{:>14}{:>18}",
        "medians, ms", "in process", "by a worker", "more", "by a new worker"
    );
    for (name, side) in [("a PNG of 8 × 8", 8), ("a PNG of 1000 × 1000", 1000)] {
        let path = folder.path().join(format!("{side}.png"));
        write_picture(&path, side)?;
        measure(name, &path, options.rounds)?;
    }
    Ok(())
}

fn measure(name: &str, picture: &Path, rounds: u32) -> Result<()> {
    let ours = InProcess::default();
    let workers = workers()?;
    decode(&workers, picture)?;
    let (mut own, mut theirs, mut fresh) = (Times::default(), Times::default(), Times::default());
    for round in 0..rounds {
        own.measure(|| decode(&ours, picture))?;
        theirs.measure(|| decode(&workers, picture))?;
        if round % 20 == 0 {
            let workers = self::workers()?;
            fresh.measure(|| decode(&workers, picture))?;
        }
    }
    println!(
        "{name:<28}{:>14.3}{:>14.3}{:>14.3}{:>18.3}",
        own.median(),
        theirs.median(),
        theirs.median() - own.median(),
        fresh.median()
    );
    Ok(())
}

fn workers() -> Result<Workers> {
    let config = WorkerConfig {
        arguments: vec!["worker".into()],
        ..WorkerConfig::new(std::env::current_exe()?)
    };
    Ok(Workers::start(config, Limits::default())?)
}

fn decode(decoder: &dyn Decode, picture: &Path) -> Result<Vec<u8>> {
    let file = File::open(picture)?;
    let length = file.metadata()?.len();
    Ok(decoder.thumbnail(file, length, Variant::default())?.bytes)
}

fn write_picture(path: &PathBuf, side: u32) -> Result<()> {
    let mut encoder = png::Encoder::new(File::create(path)?, side, side);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = (0..side * side * 3).map(|at| (at % 251) as u8).collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
