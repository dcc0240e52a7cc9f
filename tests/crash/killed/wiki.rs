//! A wiki is killed in the middle of its work, at whatever it does, and compared with one that did the
//! same and was not: everything acknowledged is there, nothing else, and nothing half.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use fumikura_tests::work::Work;
use fumikura_wiki::Depth;

use crate::support::Random;

/// How often the kill comes. However long that takes: a slow machine is killed as often as a fast one.
fn kills() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 300,
        None => 60,
    }
}

#[test]
fn a_wiki_that_was_killed_is_as_one_that_was_not() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let (killed, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut twin = Work::open(beside.path(), seed, 0, Default::default()).unwrap();
    // The person and the root page are made before the work begins.
    drop(Work::open(killed.path(), seed, 0, Default::default()).unwrap());
    let kills = kills();
    let start = Instant::now();
    let mut done = 0;
    for _ in 0..kills {
        let worker = worker(killed.path(), seed, done, &twin);
        let acknowledged = acknowledged(worker, &random);
        let before = done;
        while done < acknowledged.unwrap_or(done) {
            twin.step(done).unwrap();
            done += 1;
        }
        if found(killed.path(), &twin) != twin.dump().unwrap() {
            // The step after the last acknowledged one may have been done, too.
            twin.step(done).unwrap();
            done += 1;
            let found = found(killed.path(), &twin);
            assert_same(&found, &twin.dump().unwrap(), before, done);
        }
    }
    let faults = Work::open(killed.path(), seed, 0, Default::default()).unwrap();
    let faults = faults.faults(Depth::Everything).unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
    eprintln!("{kills} kills, {done} steps in {:?}", start.elapsed());
    assert!(done > u64::from(kills) * 5, "only {done} steps");
}

/// What is there after a kill, looked at when the twin's clock shows what it shows.
fn found(folder: &Path, twin: &Work) -> String {
    let found = Work::open(folder, 0, twin.clock(), twin.tokens().clone()).unwrap();
    let faults = found.faults(Depth::Tables).unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
    found.dump().unwrap()
}

#[track_caller]
fn assert_same(found: &str, expected: &str, before: u64, done: u64) {
    if found == expected {
        return;
    }
    let lines = found.lines().zip(expected.lines());
    let differs = lines
        .enumerate()
        .find(|(_, (found, expected))| found != expected);
    panic!("killed in the steps {before} to {done}, it differs at {differs:?}");
}

fn worker(folder: &Path, seed: u64, done: u64, twin: &Work) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wiki_worker"));
    command
        .arg("--folder")
        .arg(folder)
        .args(["--seed", &seed.to_string()])
        .args(["--done", &done.to_string()])
        .args(["--clock", &twin.clock().to_string()])
        .stdout(Stdio::piped());
    for (page, token) in twin.tokens() {
        command.args(["--token", &format!("{page}={token}")]);
    }
    command.spawn().unwrap()
}

/// Lets it work for a while, kills it, and says how many steps it has acknowledged in all. Sometimes
/// the kill comes while it starts.
fn acknowledged(mut worker: Child, random: &Random) -> Option<u64> {
    let out = worker.stdout.take().unwrap();
    let (begun, first) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        // What was cut off was not acknowledged.
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        let numbers = lines.filter_map(|line| line.parse::<u64>().ok());
        numbers.inspect(|number| _ = begun.send(*number)).last()
    });
    if random.one_in(4) {
        std::thread::sleep(Duration::from_millis(random.below(60)));
    } else {
        first.recv_timeout(Duration::from_secs(30)).unwrap();
        std::thread::sleep(Duration::from_micros(random.below(200_000)));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    reader.join().unwrap().map(|last| last + 1)
}
