//! Several processes on one Redis server are granted exactly the limit: at once, with late answers, and with TLS.

#![allow(clippy::unwrap_used, reason = "a failed step ends the test")]
#![allow(clippy::print_stdout, reason = "a process prints its result")]

mod common;

use std::env;
use std::fs;
use std::iter::Sum;
use std::ops::Add;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use common::proxy::Proxy;
use common::{RedisServer, client, redis};
use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::entropy::SystemEntropy;
use fumikura_limits::{
    BackendError, BackendKind, Calendar, FailurePolicy, Limiter, Limits, Memory, ReserveOutcome,
    Unavailable,
};
use rcgen::{CertifiedKey, generate_simple_self_signed};

/// The address of Redis, set for a process that this test starts.
const REDIS: &str = "FUMIKURA_TEST_REDIS";
/// Its limit of requests per minute.
const LIMIT: &str = "FUMIKURA_TEST_LIMIT";
/// Its number of threads.
const THREADS: &str = "FUMIKURA_TEST_THREADS";

fn main() {
    match env::var(REDIS) {
        Ok(url) => work(&url),
        Err(_) => {
            at_once();
            with_late_answers();
            with_tls();
        }
    }
}

/// The number of requests of a process by their result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Tally {
    granted: u32,
    refused: u32,
    /// Requests that found no connection, and were repeated.
    busy: u32,
    /// Requests that were counted in the memory of the process.
    in_memory: u32,
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            granted: self.granted + other.granted,
            refused: self.refused + other.refused,
            busy: self.busy + other.busy,
            in_memory: self.in_memory + other.in_memory,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Add::add)
    }
}

/// A number of processes that share a Redis server.
struct Processes<'a> {
    count: usize,
    threads: u32,
    limit: u32,
    url: &'a str,
}

impl Processes<'_> {
    /// Returns the results of all processes.
    fn run(&self, environment: &[(&str, &str)]) -> Vec<Tally> {
        let start = |_| self.start(environment);
        let processes: Vec<_> = (0..self.count).map(start).collect();
        let tally = |process: Child| {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success());
            let text = String::from_utf8(output.stdout).unwrap();
            let mut numbers = text
                .split_whitespace()
                .map(|number| number.parse().unwrap());
            let mut next = || numbers.next().unwrap();
            Tally {
                granted: next(),
                refused: next(),
                busy: next(),
                in_memory: next(),
            }
        };
        processes.into_iter().map(tally).collect()
    }

    fn start(&self, environment: &[(&str, &str)]) -> Child {
        let mut command = Command::new(env::current_exe().unwrap());
        command
            .env(REDIS, self.url)
            .env(LIMIT, self.limit.to_string())
            .env(THREADS, self.threads.to_string())
            .envs(environment.iter().copied());
        command.stdout(Stdio::piped()).spawn().unwrap()
    }
}

/// Reserves in many threads until each is refused, and prints the tally.
fn work(url: &str) {
    let number = |name: &str| -> u32 { env::var(name).unwrap().parse().unwrap() };
    let limits = Limits {
        per_minute: number(LIMIT),
        daily: u32::MAX,
        daily_total: None,
    };
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let entropy = Arc::new(SystemEntropy);
    let memory = Memory::new(limits, Calendar::system(), Arc::clone(&clock), entropy);
    let redis = redis(url, limits);
    let limiter = Limiter::on_redis(redis, memory, FailurePolicy::FallBack, clock);
    let tally: Tally = thread::scope(|scope| {
        let start = |_| scope.spawn(|| until_refused(&limiter));
        let threads: Vec<_> = (0..number(THREADS)).map(start).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    let Tally {
        granted,
        refused,
        busy,
        in_memory,
    } = tally;
    println!("{granted} {refused} {busy} {in_memory}");
}

fn until_refused(limiter: &Limiter) -> Tally {
    let mut tally = Tally::default();
    while tally.refused == 0 {
        match limiter.reserve(&client(1)) {
            Ok(ReserveOutcome::Granted(reservation, _)) => {
                tally.granted += 1;
                tally.in_memory += u32::from(reservation.backend == BackendKind::Memory);
            }
            Ok(ReserveOutcome::Refused(..)) => tally.refused += 1,
            Err(Unavailable(BackendError::Busy)) => tally.busy += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    tally
}

/// 1,000 threads in 8 processes.
fn at_once() {
    let server = RedisServer::start();
    let processes = Processes {
        count: 8,
        threads: 125,
        limit: 3000,
        url: &server.url(),
    };
    let tallies = processes.run(&[]);
    let total: Tally = tallies.iter().copied().sum();
    assert_eq!((total.granted, total.in_memory), (3000, 0), "{tallies:?}");
    let served = tallies.iter().filter(|tally| tally.granted > 0).count();
    assert!(served > 1, "no contention");
}

/// Two processes, each with more requests than its connections serve in time.
fn with_late_answers() {
    const LATENCY: Duration = Duration::from_millis(200);
    let server = RedisServer::start();
    let proxy = Proxy::start(server.socket(), LATENCY);
    let processes = Processes {
        count: 2,
        threads: 50,
        limit: 60,
        url: &proxy.url(),
    };
    let began = Instant::now();
    let tallies = processes.run(&[]);
    let total: Tally = tallies.iter().copied().sum();
    println!(
        "2 processes, answers after {} ms, limit 60: {total:?} in {:.1} s",
        LATENCY.as_millis(),
        began.elapsed().as_secs_f64()
    );
    assert_eq!((total.granted, total.in_memory), (60, 0), "{tallies:?}");
    assert!(total.busy > 0, "the connections were never all in use");
}

/// Two processes that trust the server's certificate by `SSL_CERT_FILE`.
fn with_tls() {
    let folder = tempfile::tempdir().unwrap();
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let write = |name: &str, kind: &str, der: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, pem(kind, der)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let certificate = write("server.crt", "CERTIFICATE", cert.der());
    let key = write("server.key", "PRIVATE KEY", &signing_key.serialize_der());
    let server = RedisServer::with_tls(&certificate, &key);
    let url = format!("rediss://localhost:{}/", server.port());
    let processes = Processes {
        count: 2,
        threads: 2,
        limit: 10,
        url: &url,
    };
    let total: Tally = processes
        .run(&[("SSL_CERT_FILE", &certificate)])
        .into_iter()
        .sum();
    assert_eq!((total.granted, total.in_memory), (10, 0));
    // The certificate is verified: without it, each process counts in memory.
    let total: Tally = processes.run(&[]).into_iter().sum();
    assert_eq!((total.granted, total.in_memory), (20, 20));
}

fn pem(kind: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text
        .as_bytes()
        .chunks(64)
        .map(String::from_utf8_lossy)
        .collect();
    format!(
        "-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n",
        lines.join("\n")
    )
}
