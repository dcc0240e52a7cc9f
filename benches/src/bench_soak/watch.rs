//! The state of the server, minute by minute.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use fumikura_tests::memory::{Memory, Sample};
use fumikura_tests::stage::process_tree::descendants;
use fumikura_tests::stage::{Home, Server};
use rustix::process::Pid;
use tokio::time::{Instant, sleep_until};

use crate::counters::Counters;

/// The interval of memory samples, in seconds.
const SAMPLE: u64 = 1;

/// A minute of the server.
pub(crate) struct Minute {
    pub(crate) handles: f64,
    pub(crate) threads: f64,
    /// The 95th percentile of the response times, in milliseconds.
    pub(crate) latency: f64,
}

/// What was watched once the warm-up was over.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) resident: Vec<Sample>,
    /// The memory without the parts that are backed by files.
    pub(crate) anonymous: Vec<Sample>,
    pub(crate) minutes: Vec<Minute>,
}

/// Watches the server for as long as the work lasts, and prints a line a minute.
pub(crate) async fn watch(
    minutes: u32,
    warm_up: u32,
    server: &Server,
    home: &Home,
    counters: &Counters,
) -> Result<Watched> {
    println!(
        "minute  resident MiB  anonymous  workers  handles  threads  data MiB  cache MiB  requests     saves  thumbnails   jobs  disturbed  p95 ms  errors"
    );
    let begin = Instant::now();
    let mut watched = Watched::default();
    for second in (0..=u64::from(minutes) * 60).step_by(SAMPLE as usize) {
        sleep_until(begin + Duration::from_secs(second)).await;
        let memory = Memory::of(server.pid())?;
        let is_warm = second >= u64::from(warm_up) * 60;
        if is_warm {
            let hours = begin.elapsed().as_secs_f64() / 3600.0;
            let sample = |bytes: u64| Sample {
                hours,
                bytes: bytes as f64,
            };
            watched.resident.push(sample(memory.resident));
            watched.anonymous.push(sample(memory.anonymous));
        }
        if second.is_multiple_of(60) {
            let minute = print(second / 60, memory, server, home, counters)?;
            if is_warm && second > 0 {
                watched.minutes.push(minute);
            }
        }
    }
    Ok(watched)
}

fn print(
    minute: u64,
    memory: Memory,
    server: &Server,
    home: &Home,
    counters: &Counters,
) -> Result<Minute> {
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let workers = descendants(server.pid());
    let workers = workers.into_iter().filter_map(|pid| Memory::of(pid).ok());
    let workers: u64 = workers.map(|memory| memory.resident).sum();
    let (handles, threads) = (entries(server.pid(), "fd")?, entries(server.pid(), "task")?);
    let latency = counters.take_times().percentile(95);
    println!(
        "{minute:>6}  {:>12}  {:>9}  {:>7}  {handles:>7}  {threads:>7}  {:>8}  {:>9}  {:>8}  {:>8}  {:>10}  {:>5}  {:>9}  {latency:>6.1}  {:>6}",
        memory.resident >> 20,
        memory.anonymous >> 20,
        workers >> 20,
        on_disk(&home.data())? >> 20,
        on_disk(&home.cache())? >> 20,
        count(&counters.requests),
        count(&counters.saves),
        count(&counters.thumbnails),
        count(&counters.jobs),
        count(&counters.disturbances),
        count(&counters.errors),
    );
    Ok(Minute {
        handles: handles as f64,
        threads: threads as f64,
        latency,
    })
}

/// Returns the number of a process's files and sockets (`fd`) or threads (`task`).
fn entries(process: Pid, of: &str) -> Result<usize> {
    let path = format!("/proc/{}/{of}", process.as_raw_nonzero());
    Ok(fs::read_dir(path)?.count())
}

/// Returns the disk usage of a folder, without the holes in files. What disappears meanwhile does not count.
fn on_disk(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)?.flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        bytes += match metadata.is_dir() {
            true => on_disk(&entry.path()).unwrap_or(0),
            false => metadata.blocks() * 512,
        };
    }
    Ok(bytes)
}
