//! A wiki that is killed in the middle of any work, compared with one that did the same and was not killed:
//! everything acknowledged is there, nothing else, and nothing is partial.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use fumikura_tests::workload::Workload;
use fumikura_wiki::Depth;

use crate::support::Random;

/// Returns the number of kills. It is independent of time: a slow machine is killed at least as often as a fast one.
fn kills() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 300,
        None => 60,
    }
}

/// The moment of the kill.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Any,
    /// While an archive is imported.
    Import,
}

#[test]
fn killed_wiki_equals_an_undisturbed_one() {
    kill_and_compare(Moment::Any, kills(), u64::from(kills()) * 5);
}

#[test]
fn killed_import_applies_everything_or_nothing() {
    kill_and_compare(Moment::Import, kills() / 3, 0);
}

/// Kills at least so often, until more steps than `least` are done, and compares.
fn kill_and_compare(moment: Moment, least_kills: u32, least: u64) {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let (killed, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut twin = Workload::open(beside.path(), seed, 0, Default::default()).unwrap();
    if moment == Moment::Import {
        twin = twin.with_imports(|| Ok(()));
    }
    // The user and the root page are created before the work begins.
    drop(Workload::open(killed.path(), seed, 0, Default::default()).unwrap());
    let start = Instant::now();
    let (mut done, mut unheard, mut kills) = (0, 0, 0);
    // On a busy machine, more kills are needed for as many steps.
    while kills < least_kills || done <= least {
        kills += 1;
        assert!(kills <= least_kills * 10, "only {done} steps");
        let worker = worker(killed.path(), seed, done, &twin, moment);
        let acknowledged = last_acknowledged_step(worker, &random, moment);
        let before = done;
        while done < acknowledged.unwrap_or(done) {
            twin.step(done).unwrap();
            done += 1;
        }
        if reopen_and_dump(killed.path(), &twin) != twin.dump().unwrap() {
            // The step after the last acknowledged one may have been done, too.
            twin.step(done).unwrap();
            (done, unheard) = (done + 1, unheard + 1);
            let state = reopen_and_dump(killed.path(), &twin);
            assert_same(&state, &twin.dump().unwrap(), before, done);
        }
    }
    let faults = Workload::open(killed.path(), seed, 0, Default::default()).unwrap();
    let faults = faults.faults(Depth::Everything).unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
    let time = start.elapsed();
    eprintln!("{kills} kills, {done} steps, {unheard} of them unheard, in {time:?}");
}

/// Returns the state after a kill, read with the twin's clock.
fn reopen_and_dump(folder: &Path, twin: &Workload) -> String {
    let workload = Workload::open(folder, 0, twin.clock(), twin.tokens().clone()).unwrap();
    let faults = workload.faults(Depth::Tables).unwrap();
    assert!(faults.is_empty(), "{faults:#?}");
    workload.dump().unwrap()
}

#[track_caller]
fn assert_same(actual: &str, expected: &str, before: u64, done: u64) {
    if actual == expected {
        return;
    }
    let lines = actual.lines().zip(expected.lines());
    let differs = lines
        .enumerate()
        .find(|(_, (actual, expected))| actual != expected);
    panic!("killed in the steps {before} to {done}, it differs at {differs:?}");
}

fn worker(folder: &Path, seed: u64, done: u64, twin: &Workload, moment: Moment) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wiki_worker"));
    command
        .arg("--folder")
        .arg(folder)
        .args(["--seed", &seed.to_string()])
        .args(["--done", &done.to_string()])
        .args(["--clock", &twin.clock().to_string()])
        .stdout(Stdio::piped());
    if moment == Moment::Import {
        command.arg("--importing");
    }
    for (page, token) in twin.tokens() {
        command.args(["--token", &format!("{page}={token}")]);
    }
    command.spawn().unwrap()
}

/// Lets the worker work for a while, and kills it. Returns the number of steps that it has acknowledged in
/// all. With [`Moment::Any`] the kill sometimes comes while it starts.
fn last_acknowledged_step(mut worker: Child, random: &Random, moment: Moment) -> Option<u64> {
    let out = worker.stdout.take().unwrap();
    let (told, heard) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        // A truncated line was not acknowledged.
        let lines = BufReader::new(out).lines().map_while(Result::ok);
        let steps = lines.filter_map(|line| {
            let step = line.parse::<u64>().ok();
            _ = told.send(step);
            step
        });
        steps.last()
    });
    let wait_for = |import: bool| {
        let patience = Duration::from_secs(30);
        while heard.recv_timeout(patience).unwrap().is_none() != import {}
    };
    match moment {
        Moment::Import => {
            wait_for(true);
            // However slow the machine is, some imports are completed.
            if random.one_in(4) {
                wait_for(false);
            }
            std::thread::sleep(Duration::from_micros(random.below(30_000)));
        }
        Moment::Any if random.one_in(4) => {
            std::thread::sleep(Duration::from_millis(random.below(60)));
        }
        Moment::Any => {
            wait_for(false);
            std::thread::sleep(Duration::from_micros(random.below(200_000)));
        }
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    reader.join().unwrap().map(|last| last + 1)
}
