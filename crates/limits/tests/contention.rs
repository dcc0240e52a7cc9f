//! 1,000 threads in 8 processes on one Redis server are granted exactly the limit.

#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]

mod common;

use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use common::{RedisServer, client, redis};
use fumikura_limits::{Backend, BackendError, Decision, Limits};

const PROCESSES: usize = 8;
const THREADS: usize = 125;
const LIMIT: u32 = 3000;
/// The address of Redis, set for a process that this test starts.
const WORKER: &str = "FUMIKURA_CONTENTION_REDIS";

fn main() {
    match env::var(WORKER) {
        Ok(url) => work(&url),
        Err(_) => contend(),
    }
}

fn contend() {
    let server = RedisServer::start();
    let program = env::current_exe().unwrap();
    let start = |_| {
        let mut command = Command::new(&program);
        command
            .env(WORKER, server.url())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let workers: Vec<_> = (0..PROCESSES).map(start).collect();
    let granted = workers.into_iter().map(|worker| {
        let output = worker.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout)
            .unwrap()
            .trim()
            .parse::<u32>()
            .unwrap()
    });
    let granted: Vec<_> = granted.collect();
    assert_eq!(granted.iter().sum::<u32>(), LIMIT, "{granted:?}");
    assert!(
        granted.iter().filter(|&&granted| granted > 0).count() > 1,
        "no contention"
    );
}

/// Reserves in many threads until each is refused, and prints the number of granted requests.
fn work(url: &str) {
    let limits = Limits {
        per_minute: LIMIT,
        daily: 10 * LIMIT,
        daily_total: None,
    };
    let backend = Arc::new(redis(url, limits));
    let start = |_| {
        let backend = Arc::clone(&backend);
        thread::spawn(move || {
            let mut granted = 0;
            loop {
                match backend.reserve(&client(1)).map(|outcome| outcome.decision) {
                    Ok(Decision::Granted(_)) => granted += 1,
                    Ok(Decision::MinuteLimit { .. }) => return granted,
                    // 125 threads share four connections.
                    Err(BackendError::Busy) => {}
                    other => panic!("{other:?}"),
                }
            }
        })
    };
    let threads: Vec<_> = (0..THREADS).map(start).collect();
    let granted: u32 = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .sum();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{granted}").unwrap();
}
