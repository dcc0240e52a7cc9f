//! The cost of the rate limiter: in memory compared with the `governor` crate, on Redis compared with
//! `redis-benchmark` and the same script.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::io::{BufRead, BufReader};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::entropy::SystemEntropy;
use fumikura_benches::{Figure, median};
use fumikura_limits::{
    Backend, Calendar, ClientKey, Decision, KeyMode, Limits, Memory, Peer, Redis, RedisConfig,
    TimeSource,
};
use fumikura_tests::stage::programs;
use governor::{Quota, RateLimiter};

/// The number of clients in memory.
const CLIENTS: u32 = 10_000;
/// The number of decisions on Redis in each round, which has at most a minute.
const ON_REDIS: usize = 100_000;
/// The default limit.
const PER_MINUTE: u32 = 20;

#[derive(Parser)]
struct LimitsOptions {
    /// Number of measurements
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

fn main() -> Result<()> {
    let rounds = LimitsOptions::parse().rounds;
    in_memory(rounds);
    for connections in [1, 4] {
        on_redis(rounds, connections)?;
    }
    Ok(())
}

/// The seconds of our side and of the reference, round by round.
#[derive(Default)]
struct Sides(Vec<(f64, f64)>);

impl Sides {
    fn report(&self, what: &str, decisions: usize, peer: &str, aim: f64) {
        let rate = |seconds: Vec<f64>| decisions as f64 / median(seconds);
        let ours = rate(self.0.iter().map(|side| side.0).collect());
        let theirs = rate(self.0.iter().map(|side| side.1).collect());
        let ratio = median(self.0.iter().map(|(ours, theirs)| theirs / ours).collect());
        println!(
            "{what}: {:.0} thousand decisions a second, {peer} {:.0}",
            ours / 1e3,
            theirs / 1e3
        );
        Figure::new(format!("decisions {what}"), ratio)
            .to(peer)
            .at_least(aim);
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let began = Instant::now();
    work();
    began.elapsed().as_secs_f64()
}

fn clients() -> Vec<ClientKey> {
    let address =
        |number: u32| Peer::Ip(std::net::Ipv4Addr::from_bits(0x0A00_0000 + number).into());
    let key = |number| ClientKey::new(address(number), b"", KeyMode::Ip);
    (0..CLIENTS).map(key).collect()
}

fn limits() -> Limits {
    Limits {
        per_minute: PER_MINUTE,
        daily: u32::MAX,
        daily_total: None,
    }
}

/// Measures granted requests, until every client has used up its minute, and then as many refused ones.
fn in_memory(rounds: usize) {
    let clients = clients();
    let decisions = clients.len() * PER_MINUTE as usize;
    let (mut granted, mut refused) = (Sides::default(), Sides::default());
    for _ in 0..rounds {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let memory = Memory::new(limits(), Calendar::system(), clock, Arc::new(SystemEntropy));
        let quota = Quota::per_hour(NonZeroU32::MIN).allow_burst(limit());
        let governor = RateLimiter::keyed(quota);
        let ours = |expected: bool| {
            each(&clients, |client| {
                let outcome = memory.reserve(client).map(|outcome| outcome.decision);
                assert_eq!(matches!(outcome, Ok(Decision::Granted(_))), expected);
            })
        };
        let theirs = |expected: bool| {
            each(&clients, |client| {
                assert_eq!(governor.check_key(client).is_ok(), expected);
            })
        };
        granted.0.push((ours(true), theirs(true)));
        refused.0.push((ours(false), theirs(false)));
    }
    granted.report("in memory, granted", decisions, "governor", 0.5);
    refused.report("in memory, refused", decisions, "governor", 0.5);
}

fn limit() -> NonZeroU32 {
    NonZeroU32::new(PER_MINUTE).expect("BUG: the limit is not 0")
}

/// Returns the seconds of as many decisions as every client's minute has; clients take turns.
fn each(clients: &[ClientKey], decide: impl Fn(&ClientKey)) -> f64 {
    seconds(|| {
        for _ in 0..PER_MINUTE {
            clients.iter().for_each(&decide);
        }
    })
}

fn on_redis(rounds: usize, connections: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let server = RedisServer::start(folder.path())?;
    let mut sides = Sides::default();
    for _ in 0..rounds {
        server.command(&["FLUSHALL"])?;
        let ours = server.ours(connections)?;
        // The server has cached the script by its hash now.
        server.command(&["FLUSHALL", "SYNC"])?;
        sides.0.push((ours, server.benchmark(connections)?));
    }
    let what = format!("on Redis, {connections} connection(s)");
    sides.report(&what, ON_REDIS, "redis-benchmark", 0.9);
    Ok(())
}

/// A server on a socket; ended when dropped.
struct RedisServer {
    process: Child,
    socket: PathBuf,
}

impl RedisServer {
    fn start(folder: &Path) -> Result<Self> {
        let socket = folder.join("redis.sock");
        let mut process = Command::new(programs::system("redis-server")?)
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--dir"])
            .arg(folder)
            .arg("--unixsocket")
            .arg(&socket)
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().context("no output")?;
        let server = Self { process, socket };
        for line in BufReader::new(output).lines() {
            if line?.contains("ready to accept") && server.socket.exists() {
                return Ok(server);
            }
        }
        anyhow::bail!("redis-server did not start")
    }

    fn command(&self, words: &[&str]) -> Result<String> {
        let mut command = Command::new(programs::system("redis-cli")?);
        let output = command.arg("-s").arg(&self.socket).args(words).output()?;
        ensure!(output.status.success(), "redis-cli failed");
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Returns the seconds of our decisions, on as many threads as connections, about one client.
    fn ours(&self, connections: usize) -> Result<f64> {
        let config = RedisConfig {
            url: format!("unix://{}", self.socket.display()),
            prefix: "rate".to_owned(),
            is_cluster: false,
            time: TimeSource::Server,
        };
        let limits = Limits {
            per_minute: u32::MAX,
            ..limits()
        };
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
        let redis = Redis::new(
            config,
            limits,
            Calendar::system(),
            clock,
            Arc::new(SystemEntropy),
        )?;
        let client = ClientKey::new(Peer::Unix, b"", KeyMode::Ip);
        // Connects, and loads the script.
        redis.reserve(&client)?;
        let work =
            || (0..ON_REDIS / connections).try_for_each(|_| redis.reserve(&client).map(drop));
        let began = Instant::now();
        thread::scope(|scope| {
            let threads: Vec<_> = (0..connections).map(|_| scope.spawn(work)).collect();
            let ended = threads
                .into_iter()
                .map(|thread| thread.join().expect("BUG: it panicked"));
            ended.collect::<Result<Vec<_>, _>>()
        })?;
        Ok(began.elapsed().as_secs_f64())
    }

    /// Returns the seconds of the same script, called by `redis-benchmark` with ids and a client of its own.
    fn benchmark(&self, connections: usize) -> Result<f64> {
        let script = include_str!("../../crates/limits/src/redis/reserve.lua");
        let hash = self.command(&["SCRIPT", "LOAD", script])?;
        let (count, connections) = (ON_REDIS.to_string(), connections.to_string());
        let keys = ["m", "d0", "d1", "d2", "t0", "t1", "t2"];
        let now = jiff::Timestamp::now().as_second();
        let starts = [-2, -1, 1, 2].map(|days| (now + days * 86_400).to_string());
        let mut command = Command::new(programs::system("redis-benchmark")?);
        command
            .arg("-s")
            .arg(&self.socket)
            .args(["-n", &count, "-c", &connections]);
        command
            .args(["-r", "1000000000", "EVALSHA", &hash, "7"])
            .args(keys);
        // Two numbers: an id that comes again is granted without being counted.
        let id = "__rand_int____rand_int__";
        command
            .args(["", id, "4294967295", "4294967295", "0"])
            .args(starts);
        let began = Instant::now();
        let output = command.output()?;
        let took = began.elapsed().as_secs_f64();
        ensure!(output.status.success(), "redis-benchmark failed");
        let granted = self.command(&["GET", "d1"])?;
        ensure!(granted == count, "{granted} of {count} were granted");
        Ok(took)
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is left to do then.
        let _ended = self.process.kill();
        let _ended = self.process.wait();
    }
}
