//! The server: building the index, queries over HTTP, and the start.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::memory::Memory;
use fumikura_tests::stage::{Api, Home, Server, process_tree};
use fumikura_tests::times::Times;
use fumikura_tests::wait;
use reqwest::Url;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::megabytes;

/// The time limit of building the index.
const BUILD_TIME_LIMIT: Duration = Duration::from_secs(1800);
/// The interval of checking the server that builds it.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The number of queries over HTTP.
const QUERIES: usize = 2000;
/// The number of starts.
const STARTS: usize = 5;

/// Searches through the API.
pub(crate) async fn search(api: &Api, typed: &str) -> Result<Value> {
    let url = Url::parse_with_params("http://localhost/api/search", &[("q", typed)])?;
    api.get(&format!("api/search?{}", url.query().unwrap_or_default()))
        .await
}

/// Waits until the index has all pages.
pub(crate) async fn until_indexed(api: &Api) -> Result<()> {
    wait::within(BUILD_TIME_LIMIT, "the index", async || {
        let answer = search(api, "one two").await?;
        Ok(answer["partial"].is_null().then_some(()))
    })
    .await
}

/// Terminates a server, and waits until it has ended.
pub(crate) async fn end(server: Server) -> Result<()> {
    let pid = server.pid();
    kill_process(pid, Signal::TERM)?;
    wait::until("the server to end", async || {
        Ok(process_tree::has_ended(pid).then_some(()))
    })
    .await
}

/// Measures the first start, which builds the index. Its memory is compared with that of a server without an index.
pub(crate) async fn indexing(home: &Home, unindexed: &Home, text: usize) -> Result<()> {
    let without = Server::start(unindexed, &[]).await?;
    search(&without.api()?, "one two").await?;
    let base = Memory::of(without.pid())?;
    end(without).await?;
    let server = Server::start(home, &[]).await?;
    let began = Instant::now();
    let mut anonymous = 0;
    let api = server.api()?;
    let mut used = 0.0;
    loop {
        tokio::time::sleep(CHECK_INTERVAL).await;
        ensure!(began.elapsed() < BUILD_TIME_LIMIT, "the index is not ready");
        anonymous = anonymous.max(Memory::of(server.pid())?.anonymous);
        let before = std::mem::replace(&mut used, processor_seconds(server.pid())?);
        // While pages are not indexed, a search reads their texts itself.
        let is_quiet = used - before < CHECK_INTERVAL.as_secs_f64() / 20.0;
        let is_begun = home.data().join("search/meta.json").exists();
        if is_quiet && is_begun && search(&api, "one two").await?["partial"].is_null() {
            break;
        }
    }
    let took = began.elapsed().as_secs_f64();
    let memory = Memory::of(server.pid())?;
    println!("the server indexes all pages:");
    println!(
        "  processor time since the start: {:.1} s",
        processor_seconds(server.pid())?
    );
    Figure::new("search index built", took)
        .unit("s")
        .at_most(60.0);
    println!(
        "  peak memory: {:.0} MB, {:.0} MB of it not of files; without an index {:.0} and {:.0} MB",
        megabytes(memory.peak),
        megabytes(anonymous),
        megabytes(base.peak),
        megabytes(base.anonymous)
    );
    let beyond = megabytes(anonymous) - megabytes(base.anonymous);
    Figure::new("memory to build it, more than without an index", beyond)
        .unit("MB")
        .at_most(150.0);
    end(server).await?;
    let mut size = 0;
    for file in fs::read_dir(home.data().join("search"))? {
        size += file?.metadata()?.len();
    }
    println!("  the index: {:.0} MB", megabytes(size));
    Figure::new("search index on disk", size as f64 / text as f64)
        .to("the texts")
        .at_most(1.5);
    Ok(())
}

/// Returns the processor time that a process has used, which depends less on other load than wall time.
fn processor_seconds(process: Pid) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()))?;
    let (_, fields) = stat
        .rsplit_once(") ")
        .context("the statistics have an unexpected format")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    // User and system time.
    let ticks = fields
        .get(11..13)
        .context("the statistics have an unexpected format")?;
    let ticks: u64 = ticks
        .iter()
        .map(|ticks| ticks.parse::<u64>())
        .sum::<Result<_, _>>()?;
    Ok(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// Measures queries over HTTP, one after the other.
pub(crate) async fn queries(home: &Home, queries: &[String]) -> Result<()> {
    let server = Server::start(home, &[]).await?;
    let api = server.api()?;
    until_indexed(&api).await?;
    let mut times = Times::default();
    for typed in queries.iter().take(QUERIES) {
        let began = Instant::now();
        let answer = search(&api, typed).await?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        ensure!(answer["partial"].is_null(), "{typed:?} is answered in part");
    }
    println!(
        "{} queries over HTTP: median {:.2} ms",
        times.count(),
        times.median()
    );
    Figure::new("full-text search over HTTP, p95", times.percentile(95))
        .unit("ms")
        .at_most(15.0);
    end(server).await
}

/// Measures starts with an index: the time to the first answer, and the memory then.
pub(crate) async fn starts(home: &Home) -> Result<()> {
    let (mut ready, mut first) = (Times::default(), Times::default());
    let mut memory = Vec::new();
    for _ in 0..STARTS {
        let began = Instant::now();
        let server = Server::start(home, &[]).await?;
        ready.push(began.elapsed().as_secs_f64() * 1e3);
        let api = server.api()?;
        let started = Instant::now();
        let answer = search(&api, "one two").await?;
        first.push(started.elapsed().as_secs_f64() * 1e3);
        ensure!(answer["partial"].is_null(), "the first answer is partial");
        memory.push(Memory::of(server.pid())?);
        end(server).await?;
    }
    memory.sort_by_key(|memory| memory.resident);
    let memory = memory[STARTS / 2];
    println!("{STARTS} starts, medians:");
    println!("  until the server is ready: {:.0} ms", ready.median());
    Figure::new("start of a server → first search", first.median())
        .unit("ms")
        .at_most(100.0);
    println!(
        "  memory then: {:.0} MB, {:.0} MB of it not of files; at most {:.0} MB",
        megabytes(memory.resident),
        megabytes(memory.anonymous),
        megabytes(memory.peak)
    );
    Ok(())
}
