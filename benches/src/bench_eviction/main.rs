//! The quality of the thumbnail cache's evictions: its hit ratio on three traces, compared with exact LRU.
//!
//! A simulation with a seed: thumbnails of one size, one request after the other, and eviction between the
//! same watermarks by either. "By the day" is the cache as it runs, where a use is recorded only if the last
//! recorded one is a day ago.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod exact_lru;
mod sampled_lru;
mod traces;

use anyhow::Result;
use clap::Parser;
use exact_lru::ExactLru;
use fumikura_benches::Figure;
use sampled_lru::SampledLru;
use traces::{OBJECTS, Trace};

/// The number of thumbnails that the cache may hold.
const LIMIT: usize = 70_000;
/// The number of requests that fill the cache and are not counted.
const WARM_UP: usize = 500_000;
/// The hit ratio may be lower than that of exact LRU by this many percentage points.
const AIM: f64 = 0.5;

#[derive(Parser)]
struct EvictionOptions {
    /// Number of counted requests
    #[arg(long, default_value_t = 3_000_000)]
    requests: usize,
    /// Seed of the traces and the choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A cache that receives one request after the other, and makes room by itself.
trait Cache {
    /// Returns true if the object was in the cache; it is afterwards.
    fn request(&mut self, object: u32, tick: u64) -> bool;
}

fn main() -> Result<()> {
    let options = EvictionOptions::parse();
    println!(
        "{OBJECTS} thumbnails, room for {LIMIT}, {} requests; hits of a hundred",
        options.requests
    );
    println!(
        "{:<44}{:>12}{:>10}{:>10}{:>12}",
        "", "exact LRU", "ours", "less", "by the day"
    );
    let mut largest = f64::NEG_INFINITY;
    for trace in Trace::ALL {
        let run = |cache: &mut dyn Cache| ratio(trace, &options, cache);
        let exact = run(&mut ExactLru::new(LIMIT));
        let ours = run(&mut SampledLru::new(LIMIT, options.seed, 0));
        let by_day = run(&mut SampledLru::new(LIMIT, options.seed, REQUESTS_A_DAY));
        largest = largest.max(exact - ours);
        println!(
            "{:<44}{exact:>12.2}{ours:>10.2}{:>10.2}{by_day:>12.2}",
            trace.name(),
            exact - ours
        );
    }
    Figure::new("hits of a hundred requests, fewer than exact LRU", largest).at_most(AIM);
    Ok(())
}

/// The interval between two records of a use, in requests: as many as a day has seconds.
const REQUESTS_A_DAY: u64 = 86_400;

/// Returns the percentage of requests that hit.
fn ratio(trace: Trace, options: &EvictionOptions, cache: &mut dyn Cache) -> f64 {
    let mut hits = 0_u32;
    let total = WARM_UP + options.requests;
    for (tick, object) in trace.requests(options.seed, total).enumerate() {
        let hit = cache.request(object, tick as u64);
        hits += u32::from(hit && tick >= WARM_UP);
    }
    #[expect(
        clippy::cast_precision_loss,
        reason = "millions of requests are exact in f64"
    )]
    let requests = options.requests as f64;
    f64::from(hits) * 100.0 / requests
}
