//! A server under continuous use: its memory, handles, threads, disk and latency, minute by minute.
//!
//! Clients save, read, list and search pages, browse a folder with pictures of all formats, verify hashes, expire
//! thumbnails, back up, and open folders that come and go. Meanwhile workers are killed, the server is suspended, and its
//! clock jumps by hours. The measure is what grows once the caches are full.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod counters;
mod disturbance;
mod pictures;
mod watch;
mod wiki;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_benches::{Figure, median};
use fumikura_tests::generator::Generator;
use fumikura_tests::memory::{Sample, growth};
use fumikura_tests::stage::{Home, Server};
use fumikura_tests::writer::Writer;
use tokio::task::JoinSet;

use counters::{Counters, Requests};
use disturbance::{Clock, Disturbance};
use pictures::{Browsing, Places, Upkeep};
use watch::{Minute, Watched, watch};
use wiki::WikiClient;

/// The maximum growth of memory, in percent an hour.
const GROWTH: f64 = 2.0;
/// The maximum of handles, threads and latency in the last quarter of the time, as a multiple of the first quarter's.
const DRIFT: f64 = 1.1;
const LATENCY_DRIFT: f64 = 1.3;
/// The number of disturbances while memory is measured, at most one in ten seconds.
const DISTURBANCES: u32 = 60;
const MIN_INTERVAL: Duration = Duration::from_secs(10);

#[derive(Parser)]
struct SoakOptions {
    /// Duration of the clients' work, in minutes
    #[arg(long)]
    minutes: u32,
    /// Warm-up that does not count, in minutes
    #[arg(long)]
    warm_up: u32,
    /// Number of clients of the wiki
    #[arg(long, default_value_t = 4)]
    clients: u32,
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 1000)]
    pages: usize,
    /// The library libfaketime, which makes the server's clock jump; without it, it does not
    #[arg(long)]
    faketime: Option<PathBuf>,
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
    let places = Places::fill(&home)?;
    let library = options.faketime.as_ref();
    let clock = library
        .map(|library| Clock::new(library, home.path()))
        .transpose()?;
    let variables = clock.as_ref().map(Clock::variables).unwrap_or_default();
    let folders = [places.folder().to_owned()];
    let server = Server::start_with(&home, &folders, &variables).await?;
    println!(
        "{} clients on {} pages, two on {} pictures, for {} minutes",
        options.clients,
        options.pages,
        places.names().len(),
        options.minutes
    );
    let counters = Arc::new(Counters::default());
    let mut clients = start_clients(&options, &server, &places, &counters).await?;
    clients.spawn(
        Disturbance {
            server: server.pid(),
            clock,
            interval: (Duration::from_secs(60) * options.minutes / DISTURBANCES).max(MIN_INTERVAL),
            counters: Arc::clone(&counters),
        }
        .run(),
    );
    let watched = watch(options.minutes, options.warm_up, &server, &home, &counters);
    let watched = watched.await?;
    counters.end();
    clients.join_all().await;
    server.api()?.check_integrity().await?;
    println!("the integrity check found no faults");
    verdict(&watched, &counters)
}

async fn start_clients(
    options: &SoakOptions,
    server: &Server,
    places: &Places,
    counters: &Arc<Counters>,
) -> Result<JoinSet<()>> {
    let requests = || {
        anyhow::Ok(Requests {
            api: server.api()?,
            counters: Arc::clone(counters),
        })
    };
    let mut clients = JoinSet::new();
    let ids = Arc::new(wiki::page_ids(&server.api()?, options.pages).await?);
    for number in 0..options.clients {
        let client = WikiClient {
            requests: requests()?,
            generator: Generator::new(u64::from(number)),
            ids: Arc::clone(&ids),
        };
        clients.spawn(client.run());
    }
    let library = places.folder().join("Library");
    let root = pictures::open(&requests()?, &library).await?;
    let browsing = Browsing {
        requests: requests()?,
        generator: Generator::new(u64::from(options.clients)),
        root: root.clone(),
        names: places.names().to_vec(),
    };
    clients.spawn(browsing.run());
    let upkeep = Upkeep {
        requests: requests()?,
        root,
        names: places.names().to_vec(),
        visiting: places.folder().join("Visiting"),
    };
    clients.spawn(upkeep.run());
    Ok(clients)
}

fn verdict(watched: &Watched, counters: &Counters) -> Result<()> {
    println!();
    for (count, first) in counters.kinds() {
        println!("{count} errors such as: {first}");
    }
    let percent = |samples: &[Sample]| growth(samples).context("there are too few measurements");
    Figure::new(
        "growth of resident memory an hour",
        percent(&watched.resident)?,
    )
    .unit("%")
    .at_most(GROWTH);
    Figure::new("of it not backed by files", percent(&watched.anonymous)?)
        .unit("%")
        .at_most(GROWTH);
    for (work, of, aim) in [
        (
            "file handles",
            (|it| it.handles) as fn(&Minute) -> f64,
            DRIFT,
        ),
        ("threads", |it| it.threads, DRIFT),
        ("p95 of response times", |it| it.latency, LATENCY_DRIFT),
    ] {
        Figure::new(format!("{work}, last quarter"), drift(&watched.minutes, of))
            .to("the first quarter")
            .at_most(aim);
    }
    let errors = counters.errors.load(Ordering::Relaxed);
    Figure::new("errors", errors as f64).at_most(0.0);
    Ok(())
}

/// Returns the median of the last quarter of the minutes, as a multiple of the first quarter's.
fn drift(minutes: &[Minute], of: fn(&Minute) -> f64) -> f64 {
    let quarter = minutes.len().div_ceil(4);
    let median_of = |minutes: &[Minute]| median(minutes.iter().map(of).collect());
    median_of(&minutes[minutes.len() - quarter..]) / median_of(&minutes[..quarter])
}
