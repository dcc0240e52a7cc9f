//! The processor time of reducing photos in sequential JPEG by 8, without anything else, compared with
//! libjpeg-turbo's `djpeg`, which reduces by as much.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_jpeg_reduce::{Divisor, reduce};
use fumikura_tests::photos::{Coding, Photos};
use fumikura_tests::times::Times;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// The maximum part of the time of `djpeg`.
const AIM: f64 = 0.6;

#[derive(Parser)]
struct JpegOptions {
    /// The folder that keeps the photos from one run to the next
    #[arg(long)]
    photos: PathBuf,
    /// The number of photos
    #[arg(long, default_value_t = 12)]
    count: usize,
    /// The number of times that each side reduces all photos
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

fn main() -> Result<()> {
    let options = JpegOptions::parse();
    let photos = Photos::prepare(&options.photos, options.count, &[Coding::Baseline])?;
    let photos = photos.paths(Coding::Baseline);
    let (mut ours, mut theirs, mut ratios) = (Times::default(), Times::default(), Times::default());
    // The first round is not counted: it reads program and photos from the disk.
    for round in 0..=options.rounds {
        let mine = measure(UsageWho::RUSAGE_SELF, || {
            photos.iter().try_for_each(|photo| decode(photo))
        })?;
        let other = measure(UsageWho::RUSAGE_CHILDREN, || {
            photos.iter().try_for_each(|photo| run_djpeg(photo))
        })?;
        if round > 0 {
            ours.push(mine);
            theirs.push(other);
            ratios.push(mine / other);
        }
    }
    let per_photo = |times: &Times| times.median() / photos.len() as f64;
    println!(
        "{} photos of 12 MP, reduced by 8, {} rounds; medians of processor time",
        photos.len(),
        options.rounds
    );
    println!("ours  {:.1} ms a photo", per_photo(&ours));
    println!(
        "djpeg {:.1} ms a photo, with the start of its process",
        per_photo(&theirs)
    );
    let ratio = ratios.median();
    Figure::new("JPEG reduced by 8, CPU", ratio)
        .to("djpeg")
        .at_most(AIM);
    Ok(())
}

fn decode(photo: &Path) -> Result<()> {
    let bytes = fs::read(photo)?;
    let planes = reduce(&bytes, Divisor::Eight);
    let planes = planes.with_context(|| format!("{} is not reduced", photo.display()))?;
    ensure!(planes.len() == 3, "{} is not in colour", photo.display());
    Ok(())
}

fn run_djpeg(photo: &Path) -> Result<()> {
    let mut djpeg = Command::new("djpeg");
    djpeg
        .args(["-scale", "1/8", "-outfile", "/dev/null"])
        .arg(photo);
    let status = djpeg.stdin(Stdio::null()).status().context("djpeg")?;
    ensure!(status.success(), "djpeg {}: {status}", photo.display());
    Ok(())
}

/// Returns the processor time of `work`, in milliseconds.
fn measure(who: UsageWho, work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let before = getrusage(who)?;
    work()?;
    Ok(milliseconds(getrusage(who)?) - milliseconds(before))
}

fn milliseconds(usage: Usage) -> f64 {
    let of = |time: TimeVal| time.tv_sec() as f64 * 1000.0 + time.tv_usec() as f64 / 1000.0;
    of(usage.user_time()) + of(usage.system_time())
}
