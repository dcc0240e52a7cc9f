//! Killed at any moment while several people write: everything acknowledged is there, nothing is
//! half.

mod files;
mod page;
mod thumbnails;
mod wiki;
mod writer;

use std::time::{Duration, Instant};

use crate::support::{Place, Random, Server};
use writer::Writer;

/// How many write at once.
const WRITERS: u64 = 4;
/// How long they may write before the kill comes, in milliseconds.
const LONGEST: u64 = 400;

/// How often the kill comes, and how long all of it may take at most.
fn extent() -> (u64, Duration) {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => (400, Duration::from_secs(20 * 60)),
        None => (20, Duration::from_secs(100)),
    }
}

#[test]
fn what_was_acknowledged_outlives_a_kill_at_any_moment() {
    let seed = Random::seed();
    // Shown when the test fails.
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    // What is locked stays locked to the end.
    let place = Place::new().configured("lock_ttl_seconds = 86400");
    let mut writers: Vec<Writer> = (0..WRITERS)
        .map(|number| Writer::new(number, seed.wrapping_add(number + 1)))
        .collect();
    let (rounds, limit) = extent();
    let start = Instant::now();
    let mut done = 0;
    while done < rounds && start.elapsed() < limit {
        write_until_killed(&place, &mut writers, &random);
        if random.one_in(4) {
            kill_while_starting(&place, &random);
        }
        let server = Server::start(&place);
        let client = server.client();
        for writer in &mut writers {
            writer.compare(&client).expect("the server is gone");
        }
        server.kill();
        done += 1;
    }
    let server = Server::start(&place);
    let client = server.client();
    for writer in &writers {
        writer.compare_all(&client).expect("the server is gone");
    }
    let saved: usize = writers.iter().map(Writer::acknowledged).sum();
    eprintln!("{done} kills, {saved} writes in {:?}", start.elapsed());
    assert!(done >= 5, "only {done} kills in {limit:?}");
    assert!(
        saved as u64 > done * 10,
        "only {saved} writes in {done} rounds"
    );
}

/// Everyone writes until the server is gone.
fn write_until_killed(place: &Place, writers: &mut [Writer], random: &Random) {
    let server = Server::start(place);
    std::thread::scope(|scope| {
        for writer in writers {
            let client = server.client();
            scope.spawn(move || writer.write(&client));
        }
        std::thread::sleep(Duration::from_millis(random.below(LONGEST)));
        server.kill();
    });
}

/// A kill in the middle of what a start does.
fn kill_while_starting(place: &Place, random: &Random) {
    let mut child = place.serve(&[]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(random.below(80)));
    child.kill().unwrap();
    child.wait().unwrap();
}
