//! The cost of decoding a picture in a separate process, compared with decoding it in this one.
//!
//! The worker is this very program, so that both sides run the same decoder.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs::File;
use std::io::Seek;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use fumikura_benches::Figure;
use fumikura_image::{Decode, InProcess, Limits, Variant};
use fumikura_tests::times::Times;
use fumikura_thumbs::{WorkerConfig, Workers, enter_sandbox, serve};

#[derive(Parser)]
struct WorkerOptions {
    /// Number of decodings of each picture by either
    #[arg(long, default_value_t = 2000)]
    rounds: u32,
    #[command(subcommand)]
    role: Option<Role>,
}

#[derive(Subcommand)]
enum Role {
    /// Decode for the one that measures
    Worker,
    /// Decode a picture again and again in this process, and print the time
    Alone {
        picture: PathBuf,
        /// In the sandbox of workers
        #[arg(long)]
        sandbox: bool,
    },
}

/// The maximum cost of the sandbox, as a multiple of the time of a small thumbnail without it.
const SANDBOX_AIM: f64 = 1.05;
/// The number of processes that decode in the sandbox, and of those outside.
const PROCESSES: u32 = 9;

fn main() -> Result<()> {
    let options = WorkerOptions::parse();
    match &options.role {
        Some(Role::Worker) => return Ok(serve(InProcess::new)?),
        Some(Role::Alone { picture, sandbox }) => return alone(picture, *sandbox, options.rounds),
        None => {}
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
    let small = folder.path().join("256.png");
    write_picture(&small, 256)?;
    measure_sandbox(&small, options.rounds)
}

/// Measures the cost of filtered system calls: one thumbnail after the other, in processes of both kinds in turns.
fn measure_sandbox(picture: &Path, rounds: u32) -> Result<()> {
    let (mut outside, mut inside) = (Times::default(), Times::default());
    for _ in 0..PROCESSES {
        outside.push(measure_process(picture, &[], rounds)?);
        inside.push(measure_process(picture, &["--sandbox"], rounds)?);
    }
    let ratio = inside.median() / outside.median();
    println!(
        "a PNG of 256 × 256: {:.3} ms outside the sandbox, {:.3} ms inside",
        outside.median(),
        inside.median()
    );
    Figure::new("a thumbnail inside the sandbox", ratio)
        .to("outside it")
        .at_most(SANDBOX_AIM);
    Ok(())
}

/// Returns the median time of a process's thumbnails, in milliseconds.
fn measure_process(picture: &Path, further: &[&str], rounds: u32) -> Result<f64> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--rounds", &rounds.to_string(), "alone"])
        .arg(picture)
        .args(further)
        .output()?;
    ensure!(output.status.success(), "{}", output.status);
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

/// Makes thumbnails in this process. The picture and the file for its thumbnail are opened before the sandbox
/// is entered, as for a worker.
fn alone(picture: &Path, sandbox: bool, rounds: u32) -> Result<()> {
    let mut file = File::open(picture)?;
    let thumbnail = tempfile::tempfile()?;
    let length = file.metadata()?.len();
    if sandbox {
        enter_sandbox(64 << 20)?;
    }
    let decoder = InProcess::default();
    let mut times = Times::default();
    for _ in 0..rounds {
        times.measure(|| -> Result<()> {
            file.rewind()?;
            let made = decoder.thumbnail(file.try_clone()?, length, Variant::default())?;
            Ok(thumbnail.write_all_at(&made.bytes, 0)?)
        })?;
    }
    println!("{}", times.median());
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
