//! A kill at any moment while several clients write: everything acknowledged is there, nothing is partial.

mod backups;
mod copies;
mod files;
mod full_archive;
mod mirror;
mod page;
mod thumbnails;
mod vault;
mod wiki;
mod writer;

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_tests::wiki_folder::config;
use fumikura_wiki::Wiki;

use crate::support::{Home, Random, Server};
use writer::Writer;

/// The number of concurrent writers.
const WRITERS: u64 = 4;
/// The maximum time of writing before the kill, in milliseconds.
const MAX_TIME_MS: u64 = 400;

/// Returns the number of rounds of writing until the kill. Each round has another kill at the end, and
/// sometimes one at a start. The number is independent of time: a slow machine is killed at least as often as a fast
/// one.
fn rounds() -> u64 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 150,
        None => 20,
    }
}

#[test]
fn acknowledged_writes_survive_kills() {
    let seed = Random::seed();
    // Shown if the test fails.
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    // Locks are held to the end.
    let home = Home::new().with_config("lock_ttl_seconds = 86400");
    let mut writers: Vec<Writer> = (0..WRITERS)
        .map(|number| Writer::new(number, seed.wrapping_add(number + 1)))
        .collect();
    let rounds = rounds();
    let start = Instant::now();
    let saved = |writers: &[Writer]| writers.iter().map(Writer::acknowledged).sum::<usize>() as u64;
    let mut round = 0;
    // On a busy machine, more rounds are needed for as many writes.
    while round < rounds || saved(&writers) <= rounds * 10 {
        round += 1;
        let writes = saved(&writers);
        assert!(
            round <= rounds * 10,
            "only {writes} writes in {round} rounds"
        );
        write_until_killed(&home, &mut writers, &random);
        if random.one_in(4) {
            kill_while_starting(&home, &random);
        }
        let server = Server::start(&home);
        let client = server.client();
        for writer in &mut writers {
            writer.compare(&client).expect("the server is gone");
        }
        client.check_integrity().expect("the server is gone");
        server.kill();
    }
    let server = Server::start(&home);
    let client = server.client();
    for writer in &writers {
        writer.compare_all(&client).expect("the server is gone");
    }
    let writes = saved(&writers);
    eprintln!("{round} rounds, {writes} writes in {:?}", start.elapsed());
}

/// Lets all writers write until the server is gone.
fn write_until_killed(home: &Home, writers: &mut [Writer], random: &Random) {
    let server = Server::start(home);
    std::thread::scope(|scope| {
        for writer in writers {
            let client = server.client();
            scope.spawn(move || writer.write(&client));
        }
        std::thread::sleep(Duration::from_millis(random.below(MAX_TIME_MS)));
        server.kill();
    });
}

/// Kills a server in the middle of its start.
fn kill_while_starting(home: &Home, random: &Random) {
    let mut child = home.serve(&[]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(random.below(80)));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Opens the wiki in a folder.
fn open(folder: &Path) -> Wiki {
    let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    Wiki::open(&config(folder), clock, entropy).unwrap()
}

/// Kills a command at a random moment of the time that it takes.
fn kill_within(mut child: Child, time: Duration, random: &Random) {
    let micros = u64::try_from(time.as_micros()).unwrap();
    std::thread::sleep(Duration::from_micros(random.below(micros)));
    child.kill().unwrap();
    child.wait().unwrap();
}
