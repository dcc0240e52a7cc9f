//! A server under continuous use by several clients: its memory and file handles, minute by minute.
//!
//! The clients save, read, list and search through the loopback interface, without a pause. The measure is
//! the trend of the resident memory once the caches are full.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_tests::generator::Generator;
use fumikura_tests::memory::{Memory, Sample, growth};
use fumikura_tests::stage::{Api, Home, Server};
use fumikura_tests::writer::Writer;
use parking_lot::Mutex;
use reqwest::{Method, Url};
use rustix::process::Pid;
use tokio::time::{Instant, sleep_until};

/// The maximum growth of the resident memory, in percent an hour.
const GROWTH: f64 = 5.0;
/// The interval of memory samples.
const SAMPLE: Duration = Duration::from_secs(1);
/// The words of the searches.
const SEARCHED: [&str; 6] = ["winter", "京都", "letter 1", "写真", "garden", "旅行 2"];

#[derive(Parser)]
struct SoakOptions {
    /// Duration of the clients' work, in minutes
    #[arg(long, default_value_t = 30)]
    minutes: u32,
    /// Warm-up that does not count, in minutes
    #[arg(long, default_value_t = 5)]
    warm_up: u32,
    /// Number of clients
    #[arg(long, default_value_t = 4)]
    clients: u32,
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 1000)]
    pages: usize,
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = SoakOptions::parse();
    ensure!(
        options.minutes > options.warm_up,
        "--minutes must be greater than --warm-up"
    );
    let home = Home::new()?;
    let writer = Writer::open(&home.data())?;
    writer.grow(0..options.pages)?;
    drop(writer);
    let server = Server::start(&home, &[]).await?;
    println!(
        "{} clients on {} pages for {} minutes",
        options.clients, options.pages, options.minutes
    );

    let counters = Arc::new(Counters::default());
    let ids = Arc::new(page_ids(&server.api()?, options.pages).await?);
    let mut clients = Vec::new();
    for number in 0..options.clients {
        let client = SoakClient {
            api: server.api()?,
            generator: Generator::new(u64::from(number)),
            ids: Arc::clone(&ids),
            counters: Arc::clone(&counters),
        };
        clients.push(tokio::spawn(client.run()));
    }
    let samples = watch(&options, &server, &home, &counters).await?;
    counters.ended.store(true, Ordering::Relaxed);
    for client in clients {
        client.await?;
    }

    if let Some(first) = counters.first_error() {
        println!("\nthe first error: {first}");
    }
    let growth = growth(&samples).context("there are too few measurements")?;
    let met = if growth < GROWTH { "met" } else { "not met" };
    println!("\nmemory, growth in percent an hour: {growth:.1}, aim {GROWTH}: {met}");
    let errors = counters.errors.load(Ordering::Relaxed);
    let met = if errors == 0 { "met" } else { "not met" };
    println!("errors: {errors}, aim 0: {met}");
    Ok(())
}

/// Returns the ids of the generator's pages.
async fn page_ids(api: &Api, pages: usize) -> Result<Vec<String>> {
    let mut ids = Vec::with_capacity(pages);
    for number in 0..pages {
        let address = address("api/pages/resolve", &[("path", &Generator::path(number))])?;
        let found = api.get(&address).await?;
        let id = found["id"].as_str().context("a page has no id")?;
        ids.push(id.to_owned());
    }
    Ok(ids)
}

/// Returns a relative address with an encoded query.
fn address(path: &str, query: &[(&str, &str)]) -> Result<String> {
    let url = Url::parse_with_params(&format!("http://localhost/{path}"), query)?;
    Ok(format!("{path}?{}", url.query().unwrap_or_default()))
}

/// The counts of the clients' work.
#[derive(Default)]
struct Counters {
    ended: AtomicBool,
    saves: AtomicU64,
    /// The bytes of the saved texts.
    saved: AtomicU64,
    requests: AtomicU64,
    errors: AtomicU64,
    first_error: Mutex<Option<String>>,
}

impl Counters {
    fn note_error(&self, error: &anyhow::Error) {
        self.errors.fetch_add(1, Ordering::Relaxed);
        let mut first = self.lock_first_error();
        first.get_or_insert_with(|| format!("{error:#}"));
    }

    fn first_error(&self) -> Option<String> {
        self.lock_first_error().clone()
    }

    fn lock_first_error(&self) -> parking_lot::MutexGuard<'_, Option<String>> {
        self.first_error.lock()
    }
}

/// A client with a connection of its own.
struct SoakClient {
    api: Api,
    generator: Generator,
    ids: Arc<Vec<String>>,
    counters: Arc<Counters>,
}

impl SoakClient {
    async fn run(self) {
        let mut round = 0;
        while !self.counters.ended.load(Ordering::Relaxed) {
            if let Err(error) = self.request(round).await {
                self.counters.note_error(&error);
            }
            self.counters.requests.fetch_add(1, Ordering::Relaxed);
            round += 1;
        }
    }

    /// Sends the four kinds of requests in turns.
    async fn request(&self, round: usize) -> Result<()> {
        let number = self.generator.below(self.ids.len());
        let id = &self.ids[number];
        match round % 4 {
            0 => self.save(number).await,
            1 => self.get(&format!("api/pages/{id}/source")).await,
            2 => {
                let from = Generator::path(number);
                let query = [("forward", from.as_str()), ("limit", "50")];
                self.get(&address("api/pages", &query)?).await
            }
            _ => {
                let words = SEARCHED[number % SEARCHED.len()];
                self.get(&address("api/pages/search", &[("q", words)])?)
                    .await
            }
        }
    }

    async fn save(&self, number: usize) -> Result<()> {
        let text = self.generator.text(number);
        let length = text.len() as u64;
        let address = format!("api/pages/{}/source", self.ids[number]);
        let headers = [("if-match", "*"), ("content-type", "text/markdown")];
        self.read_answer(Method::PUT, &address, &headers, text)
            .await?;
        self.counters.saves.fetch_add(1, Ordering::Relaxed);
        self.counters.saved.fetch_add(length, Ordering::Relaxed);
        Ok(())
    }

    async fn get(&self, address: &str) -> Result<()> {
        self.read_answer(Method::GET, address, &[], String::new())
            .await
    }

    /// Sends a request and reads the response to the end.
    async fn read_answer(
        &self,
        method: Method,
        address: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<()> {
        let answer = self.api.send(method, address, headers, body).await?;
        let status = answer.status();
        let body = answer.text().await?;
        ensure!(status.is_success(), "{address}: {status} {body}");
        Ok(())
    }
}

/// Samples the memory until the time is over, and prints a line a minute. Returns the samples that count.
async fn watch(
    options: &SoakOptions,
    server: &Server,
    home: &Home,
    counters: &Counters,
) -> Result<Vec<Sample>> {
    println!("minute  resident MiB  handles  requests     saves  text MiB  disk MiB  errors");
    let begin = Instant::now();
    let seconds = u64::from(options.minutes) * 60;
    let mut samples = Vec::new();
    for second in 0..=seconds {
        sleep_until(begin + SAMPLE * u32::try_from(second)?).await;
        let resident = Memory::of(server.pid())?.resident;
        if second >= u64::from(options.warm_up) * 60 {
            samples.push(Sample {
                hours: begin.elapsed().as_secs_f64() / 3600.0,
                bytes: resident as f64,
            });
        }
        if second.is_multiple_of(60) {
            println!(
                "{:>6}  {:>12}  {:>7}  {:>8}  {:>8}  {:>8}  {:>8}  {:>6}",
                second / 60,
                resident >> 20,
                handles(server.pid())?,
                counters.requests.load(Ordering::Relaxed),
                counters.saves.load(Ordering::Relaxed),
                counters.saved.load(Ordering::Relaxed) >> 20,
                on_disk(&Writer::database(&home.data()))? >> 20,
                counters.errors.load(Ordering::Relaxed),
            );
        }
    }
    Ok(samples)
}

/// Returns the number of files and sockets that a process has open.
fn handles(process: Pid) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{}/fd", process.as_raw_nonzero()))?.count())
}

/// Returns the disk usage of a file, without its holes.
fn on_disk(file: &Path) -> Result<u64> {
    Ok(fs::metadata(file)?.blocks() * 512)
}
