//! Expiry of a large cache: the disk and memory that the index uses, how long marking takes and delays other
//! requests, and what the index adds to a cache hit.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::{Entropy, SeededEntropy, random_bytes};
use fumikura_benches::{Figure, median};
use fumikura_fs::Source;
use fumikura_image::Variant;
use fumikura_pictures::{Config, Pictures};
use fumikura_tests::memory::Memory;
use fumikura_thumbs::{BytesResponse, Priority};
use fumikura_ttl::{ArtifactKey, Index, IndexFile, Kind, Policy};
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use rustix::process::getpid;

/// The maximum disk usage of the index, in bytes for each artifact.
const DISK: f64 = 64.0;
/// The maximum memory of the index, in MB for a million artifacts.
const MEMORY: f64 = 40.0;
/// The maximum duration of marking, in seconds.
const MARKING: f64 = 5.0;
/// The maximum delay of a request, in milliseconds.
const DELAY: f64 = 20.0;
/// The maximum duration of a hit, as a multiple of one without the index.
const HIT: f64 = 1.05;
/// The number of hits in each round.
const HITS: usize = 20_000;

#[derive(Parser)]
struct TtlOptions {
    /// Number of artifacts
    #[arg(long, default_value_t = 1_000_000)]
    artifacts: usize,
    /// Number of artifacts that expire
    #[arg(long, default_value_t = 100_000)]
    expired: usize,
    /// Number of measurements
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

fn main() -> Result<()> {
    let options = TtlOptions::parse();
    let now = Timestamp::now();
    let (index, keys) = filled_index(&options, now)?;
    let index = Arc::new(Mutex::new(index));
    mark(&options, &index, &keys, now)?;
    hit(&options, &index)
}

/// Returns an index with all artifacts. Those that should expire were last read a hundred days ago.
fn filled_index(options: &TtlOptions, now: Timestamp) -> Result<(Index, Vec<ArtifactKey>)> {
    let entropy = SeededEntropy::new(1);
    let keys: Vec<_> = (0..options.artifacts).map(|_| key(&entropy)).collect();
    let folder = tempfile::tempdir()?;
    let mut file = IndexFile::new(folder.path().to_owned());
    let mut index = Index::default();
    let long_ago = now - SignedDuration::from_hours(24 * 100);
    for (number, key) in keys.iter().enumerate() {
        let read = if number < options.expired {
            long_ago
        } else {
            now
        };
        index.record(*key, Kind::Blob, "root", 5000, read);
        // The changes are written periodically, as in the server.
        if number % 50_000 == 49_999 {
            let save = file.prepare(&mut index);
            file.write(save)?;
        }
    }
    let save = file.prepare(&mut index);
    file.write(save)?;
    let size = as_float(file.size()?) / as_float(options.artifacts as u64);
    Figure::new("disk for an artifact in the index of expiry", size)
        .unit("bytes")
        .at_most(DISK);
    // Loaded as at a launch. Its memory is the difference after dropping it.
    drop(index);
    let index = file.load()?;
    let with = Memory::of(getpid())?.resident;
    drop(index);
    let without = Memory::of(getpid())?.resident;
    let index = file.load()?;
    let memory = as_float(with.saturating_sub(without)) / 1e6;
    let memory = memory * 1e6 / as_float(options.artifacts as u64);
    Figure::new(
        "memory for a million artifacts in the index of expiry",
        memory,
    )
    .unit("MB")
    .at_most(MEMORY);
    Ok((index, keys))
}

fn key(entropy: &dyn Entropy) -> ArtifactKey {
    ArtifactKey {
        id: random_bytes(entropy),
        variant: Variant::default().number(),
    }
}

/// Marks expired artifacts while another thread reads thumbnails that have not expired.
fn mark(
    options: &TtlOptions,
    index: &Arc<Mutex<Index>>,
    keys: &[ArtifactKey],
    now: Timestamp,
) -> Result<()> {
    let is_over = AtomicBool::new(false);
    let (took, longest) = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut longest = Duration::ZERO;
            for (number, key) in keys[options.expired..].iter().cycle().enumerate() {
                let began = Instant::now();
                let read = now + SignedDuration::from_secs(number as i64 % 60);
                locked(index).touch(*key, read);
                longest = longest.max(began.elapsed());
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                thread::yield_now();
            }
            longest
        });
        let began = Instant::now();
        let policy = Policy::new(true, 90).ok();
        let mut run = locked(index).begin_marking(|_| policy, now);
        while locked(index).mark_some(&mut run) {
            // As the server does.
            thread::sleep(Duration::from_micros(50));
        }
        let took = began.elapsed();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(run.blobs as usize, options.expired);
        reader.join().map(|longest| (took, longest))
    })
    .map_err(|_| anyhow::anyhow!("the reader panicked"))?;
    let took = took.as_secs_f64();
    let work = format!(
        "marking {} of {} artifacts",
        options.expired, options.artifacts
    );
    Figure::new(work, took).unit("s").at_most(MARKING);
    let delay = longest.as_secs_f64() * 1e3;
    Figure::new("the longest wait of a read meanwhile", delay)
        .unit("ms")
        .at_most(DELAY);
    Ok(())
}

/// Measures hits of a thumbnail in memory, without and with recording the read in the index.
fn hit(options: &TtlOptions, index: &Arc<Mutex<Index>>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let pictures = folder.path().join("pictures");
    std::fs::create_dir(&pictures)?;
    let picture = image::RgbImage::from_pixel(640, 480, image::Rgb([1, 2, 3]));
    picture.save(pictures.join("a.png"))?;
    let config = Config::new(
        folder.path().join("thumbs"),
        folder.path().join("folders"),
        folder.path().join("roots.json"),
    );
    let clock = Arc::new(SystemClock::new());
    let thumbs = Pictures::open(config, clock, Arc::new(SeededEntropy::new(1)))?;
    let root = thumbs.roots().add(&pictures)?;
    let source = thumbs.roots().source(root.id(), b"a.png")?;
    let variant = Variant::default();
    let found = source.find()?;
    thumbs
        .thumbs()
        .request_wait(&found, variant, Priority::Visible)
        .wait()?;
    let mut ratios = Vec::new();
    let (mut plain, mut noted) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let without = hits(&thumbs, &source, variant, |_| {})?;
        let with = hits(&thumbs, &source, variant, |key| {
            let now = Timestamp::now();
            let mut index = locked(index);
            if index.touch(key, now).is_none() {
                index.record(key, Kind::Blob, "root", 5000, now);
            }
        })?;
        ratios.push(with / without);
        plain.push(without);
        noted.push(with);
    }
    let ratio = median(ratios);
    println!(
        "a hit: {:.2} µs, noted in the index {:.2} µs",
        median(plain),
        median(noted)
    );
    Figure::new("a hit that is noted in the index of expiry", ratio)
        .to("one that is not")
        .at_most(HIT);
    Ok(())
}

/// Returns the microseconds of a hit: the picture is statted, and its thumbnail is in memory.
fn hits(
    thumbs: &Pictures,
    source: &Source,
    variant: Variant,
    mut note: impl FnMut(ArtifactKey),
) -> Result<f64> {
    let began = Instant::now();
    for _ in 0..HITS {
        let found = source.find()?;
        let requested = thumbs
            .thumbs()
            .request_bytes(&found, variant, Priority::Visible);
        let BytesResponse::Ready(bytes) = requested else {
            anyhow::bail!("the thumbnail is not in the cache");
        };
        std::hint::black_box(bytes);
        note(ArtifactKey {
            id: found.id().to_bytes(),
            variant: variant.number(),
        });
    }
    Ok(began.elapsed().as_secs_f64() * 1e6 / as_float(HITS as u64))
}

fn locked(index: &Mutex<Index>) -> parking_lot::MutexGuard<'_, Index> {
    index.lock()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a measurement need not be exact"
)]
fn as_float(number: u64) -> f64 {
    number as f64
}
