//! The maximum request rate of a cached thumbnail, compared with nginx sending the same file, in turns on the
//! same processors.
//!
//! `/thumb` is requested as by the page, with a session cookie and the thumbnail's id; `/get` as by another
//! program. nginx knows no sessions and checks no picture: it shows the speed at which this machine sends
//! anything.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod nginx;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_tests::seed;
use fumikura_tests::stage::{Home, Server};
use fumikura_tests::times::Times;
use fumikura_tests::wrk;
use nginx::Nginx;
use reqwest::{Client, header};

/// The minimum request rate, as a part of nginx's.
const RATE_AIM: f64 = 0.8;
/// The maximum of the 99th percentile of the response times, as a multiple of nginx's.
const P99_AIM: f64 = 1.0;

const VARIANT: &str = "size=256x256&mode=shrink&format=jpg";

#[derive(Parser)]
struct HitsOptions {
    /// The program to compare with
    #[arg(long)]
    nginx: PathBuf,
    /// Duration of the requests for each address in a round, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Number of rounds of each address
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Over how many connections
    #[arg(long, default_value_t = 64)]
    connections: u32,
}

/// Two addresses with the same response.
struct Pair {
    name: &'static str,
    ours: Subject,
    peer: Subject,
}

/// An address, and its results.
struct Subject {
    url: String,
    header: Option<String>,
    rate: Times,
    p99: Times,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = HitsOptions::parse();
    let home = Home::new()?;
    let folder = home.folder("Photographs")?;
    let picture = folder.join("Landscape_1.jpg");
    fs::copy(
        seed::fixture("images/orientation/Landscape_1.jpg"),
        &picture,
    )?;
    let server = Server::start(&home, &[folder]).await?;
    let (nginx, mut pairs) = pairs(&options.nginx, &home, &server, &picture).await?;
    println!(
        "{} connections, {} s each, {} rounds; medians",
        options.connections, options.seconds, options.rounds
    );
    let time = Duration::from_secs(options.seconds);
    // The first round takes a second and is not counted.
    for round in 0..=options.rounds {
        for subject in pairs
            .iter_mut()
            .flat_map(|pair| [&mut pair.ours, &mut pair.peer])
        {
            let time = if round == 0 {
                Duration::from_secs(1)
            } else {
                time
            };
            let header = subject.header.as_deref();
            let run = wrk::run(&home, &subject.url, header, options.connections, time).await?;
            if round > 0 {
                subject.rate.push(run.rate);
                subject.p99.push(run.p99_ms);
            }
        }
    }
    drop(nginx);
    let hits = server.api()?.get("api/cache").await?;
    ensure!(hits["counters"]["generated"] == 1, "one was made: {hits}");
    report(&pairs, options.connections);
    Ok(())
}

/// Warms our addresses up, and makes nginx send the same responses.
async fn pairs(
    program: &Path,
    home: &Home,
    server: &Server,
    picture: &Path,
) -> Result<(Nginx, [Pair; 2])> {
    let (cookie, secret) = server.session().await?;
    let cookie = format!("{cookie}={secret}");
    let source = picture.to_str().context("the picture's path is UTF-8")?;
    let get = format!("{}get?source={source}&{VARIANT}", server.url());
    let client = Client::new();
    let path = client.get(&get).send().await?.error_for_status()?;
    let path = path.text().await?;
    let name = PathBuf::from(&path);
    let name = name.file_name().and_then(|name| name.to_str());
    let id = name.and_then(|name| name.split_once('-'));
    let (id, _) = id.context("a thumbnail's name begins with its id")?;
    let thumb = format!("{}thumb?source={source}&{VARIANT}&v={id}", server.url());
    let answer = client.get(&thumb).header(header::COOKIE, &cookie).send();
    let bytes = answer.await?.error_for_status()?.bytes().await?.to_vec();
    ensure!(bytes == fs::read(&path)?, "the thumbnail is the file");
    println!("/thumb: {} bytes; /get: {}", bytes.len(), path.len());
    let files = [("thumb.jpg", bytes), ("path.txt", path.into_bytes())];
    let nginx = Nginx::serve(program, home, &files).await?;
    let subject = |url, header| Subject {
        url,
        header,
        rate: Times::default(),
        p99: Times::default(),
    };
    let pairs = [
        Pair {
            name: "/thumb",
            ours: subject(thumb, Some(format!("Cookie: {cookie}"))),
            peer: subject(nginx.url("thumb.jpg"), None),
        },
        Pair {
            name: "/get",
            ours: subject(get, None),
            peer: subject(nginx.url("path.txt"), None),
        },
    ];
    Ok((nginx, pairs))
}

fn report(pairs: &[Pair], connections: u32) {
    println!(
        "{:<8}{:>14}{:>14}{:>8}{:>14}{:>14}{:>8}",
        "", "answers/s", "nginx", "ratio", "p99, ms", "nginx", "ratio"
    );
    for Pair { name, ours, peer } in pairs {
        let rate = ours.rate.median() / peer.rate.median();
        let p99 = ours.p99.median() / peer.p99.median();
        println!(
            "{name:<8}{:>14.0}{:>14.0}{rate:>8.2}{:>14.2}{:>14.2}{p99:>8.2}",
            ours.rate.median(),
            peer.rate.median(),
            ours.p99.median(),
            peer.p99.median(),
        );
    }
    for Pair { name, ours, peer } in pairs {
        let work = |what: &str| format!("`{name}` over {connections} connections, {what}");
        let rate = ours.rate.median() / peer.rate.median();
        Figure::new(work("answers"), rate)
            .to("nginx")
            .at_least(RATE_AIM);
        let p99 = ours.p99.median() / peer.p99.median();
        Figure::new(work("p99"), p99).to("nginx").at_most(P99_AIM);
    }
}
