//! A cache of very many thumbnails: the time to count it compared with `du`, the memory of its statistics,
//! and the speed of sending thumbnails while room is made.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_tests::large_cache;
use fumikura_tests::memory::Memory;
use fumikura_tests::seed;
use fumikura_tests::stage::{Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::{wait, wrk};
use serde_json::{Value, json};

/// The maximum memory for a thumbnail, in bytes.
const MEMORY_AIM: f64 = 64.0;
/// While room is made, the 99th percentile of the response times may be at most this many times as long.
const P99_AIM: f64 = 2.0;
/// The time limit of any operation.
const TIME_LIMIT: Duration = Duration::from_secs(1800);

#[derive(Parser)]
struct CacheOptions {
    /// Number of thumbnails
    #[arg(long, default_value_t = 1_000_000)]
    files: u32,
    /// Duration of the requests for thumbnails at a time, in seconds
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Number of counts of the cache
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Over how many connections
    #[arg(long, default_value_t = 64)]
    connections: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = CacheOptions::parse();
    let home = Home::new()?;
    let folder = home.folder("Photographs")?;
    let picture = folder.join("Landscape_1.jpg");
    fs::copy(
        seed::fixture("images/orientation/Landscape_1.jpg"),
        &picture,
    )?;
    let folders = [folder];
    // The first server marks the folder as its own, and shows the memory of a server with an empty cache.
    let empty = Server::start(&home, &folders).await?;
    counted_cache(&empty).await?;
    let without = Memory::of(empty.pid())?;
    drop(empty);

    let thumbs = home.cache().join("thumbs");
    let start = Instant::now();
    let bytes = large_cache::fill(&thumbs, options.files)?;
    println!(
        "{} thumbnails, {bytes} bytes, written in {:.0} s",
        options.files,
        start.elapsed().as_secs_f64()
    );
    let limit = large_cache::limit_for(bytes);
    home.configure(&format!("[thumbnails]\ncache_limit = \"{limit}\"\n"))?;

    let server = count(&options, &home, &folders, &thumbs, without).await?;
    make_room(&options, &home, &server, &picture).await
}

/// Starts servers on the cache, and returns the last.
async fn count(
    options: &CacheOptions,
    home: &Home,
    folders: &[PathBuf],
    thumbs: &Path,
    without: Memory,
) -> Result<Server> {
    let (mut ours, mut peer) = (Times::default(), Times::default());
    let mut last = None;
    // The first round is not counted: it brings all data into the system's memory.
    for round in 0..=options.rounds {
        drop(last.take());
        let start = Instant::now();
        let status = Command::new("du")
            .args(["--summarize", "--apparent-size"])
            .arg(thumbs)
            .output()?
            .status;
        ensure!(status.success(), "du failed");
        let du = start.elapsed();
        let start = Instant::now();
        let server = Server::start(home, folders).await?;
        let cache = counted_cache(&server).await?;
        let counting = start.elapsed();
        ensure!(cache["files"] == options.files, "all are counted: {cache}");
        if round > 0 {
            peer.push(du.as_secs_f64() * 1000.0);
            ours.push(counting.as_secs_f64() * 1000.0);
        }
        last = Some(server);
    }
    let server = last.context("there was a round")?;
    println!(
        "from the start until all is counted: {:.0} ms; du: {:.0} ms; ratio {:.2} (medians of {})",
        ours.median(),
        peer.median(),
        ours.median() / peer.median(),
        options.rounds
    );
    let with = Memory::of(server.pid())?;
    let [resident, peak] = [(with.resident, without.resident), (with.peak, without.peak)]
        .map(|(with, without)| signed(with, without) / f64::from(options.files));
    println!("memory of a thumbnail: {resident:.1} bytes");
    Figure::new("memory of a cached thumbnail, peak", peak)
        .unit("bytes")
        .at_most(MEMORY_AIM);
    Ok(server)
}

/// Requests a thumbnail repeatedly, before, while and after room is made.
async fn make_room(
    options: &CacheOptions,
    home: &Home,
    server: &Server,
    picture: &Path,
) -> Result<()> {
    let (cookie, secret) = server.session().await?;
    let cookie = format!("Cookie: {cookie}={secret}");
    let source = picture.to_str().context("the picture's path is UTF-8")?;
    let url = format!(
        "{}thumb?source={source}&size=256x256&mode=shrink",
        server.url()
    );
    let time = Duration::from_secs(options.seconds);
    let ask = || wrk::run(home, &url, Some(&cookie), options.connections, time);
    ask().await?;
    let (mut calm, mut busy) = (Times::default(), Times::default());
    for _ in 0..3 {
        calm.push(ask().await?.p99_ms);
    }
    let api = server.api()?;
    let start = Instant::now();
    let job = api.post("api/cache/gc", &json!({})).await?;
    let path = format!(
        "api/jobs/{}",
        job["id"].as_str().context("a job has an id")?
    );
    let ended = loop {
        let run = ask().await?;
        let job = api.get(&path).await?;
        if !job["ended_at"].is_null() {
            break job;
        }
        // Only runs that end before the job does.
        busy.push(run.p99_ms);
    };
    ensure!(ended["state"] == "done", "room is made: {ended}");
    for _ in 0..3 {
        calm.push(ask().await?.p99_ms);
    }
    let ratio = busy.median() / calm.median();
    println!(
        "{} thumbnails deleted within {:.0} s; p99 of those sent meanwhile {:.2} ms ({} times {} s), else {:.2} ms; ratio {ratio:.2}",
        ended["result"]["files"],
        start.elapsed().as_secs_f64(),
        busy.median(),
        busy.count(),
        options.seconds,
        calm.median(),
    );
    ensure!(
        busy.count() > 0,
        "room was made before anything could be measured: fewer --seconds"
    );
    Figure::new("p99 of a thumbnail while others are deleted", ratio)
        .to("otherwise")
        .at_most(P99_AIM);
    Ok(())
}

/// Returns the increase, negative for a decrease.
#[expect(
    clippy::cast_precision_loss,
    reason = "these are bytes of memory, not of a disk farm"
)]
fn signed(after: u64, before: u64) -> f64 {
    after as f64 - before as f64
}

/// Returns the state of the cache once all of it is counted.
async fn counted_cache(server: &Server) -> Result<Value> {
    let api = server.api()?;
    wait::within(TIME_LIMIT, "the cache to be counted", async || {
        let cache = api.get("api/cache").await?;
        Ok((cache["scanning"] == false).then_some(cache))
    })
    .await
}
