//! A real Redis server for tests.

#![allow(dead_code, reason = "each test target uses its own part")]

pub(crate) mod fake;
pub(crate) mod proxy;

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fumikura_base::clock::{Clock, ManualClock, SystemClock};
use fumikura_base::entropy::SystemEntropy;
use fumikura_limits::{
    Calendar, ClientKey, KeyMode, Limits, Memory, Peer, Redis, RedisConfig, TimeSource,
};
use jiff::tz::TimeZone;
use tempfile::TempDir;

/// A server on a Unix socket, without a data file. Dropping it kills it.
pub(crate) struct RedisServer {
    folder: TempDir,
    options: Vec<String>,
    process: Child,
    port: Option<u16>,
}

impl RedisServer {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// Starts a server with further options, such as `--requirepass secret`.
    pub(crate) fn with(options: &[&str]) -> Self {
        Self::at(None, &[options, &["--port", "0"]].concat())
    }

    /// Starts a server on a port of the loopback.
    pub(crate) fn on_a_port(options: &[&str]) -> Self {
        let port = free_port();
        let mut options = options.to_vec();
        let text = port.to_string();
        options.extend(["--port", &text]);
        Self::at(Some(port), &options)
    }

    /// Starts a server on a port that accepts only TLS.
    pub(crate) fn with_tls(certificate: &str, key: &str) -> Self {
        let port = free_port();
        let options = ["--port", "0", "--tls-port", &port.to_string()];
        let files = ["--tls-cert-file", certificate, "--tls-key-file", key];
        let clients = [
            "--tls-ca-cert-file",
            certificate,
            "--tls-auth-clients",
            "no",
        ];
        Self::at(Some(port), &[options, files, clients].concat())
    }

    fn at(port: Option<u16>, options: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("redis").tempdir().unwrap();
        let mut options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        options.extend(["--bind".to_owned(), "127.0.0.1".to_owned()]);
        let process = spawn(&folder, &options);
        Self {
            folder,
            options,
            process,
            port,
        }
    }

    pub(crate) fn url(&self) -> String {
        match self.port {
            Some(port) => format!("redis://127.0.0.1:{port}/"),
            None => format!("unix://{}", socket(&self.folder).display()),
        }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        socket(&self.folder)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap()
    }

    /// Kills the server at once, like a power failure.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn restart(&mut self) {
        self.process = spawn(&self.folder, &self.options);
    }

    pub(crate) fn stop(&self, signal: &str) {
        let sent = Command::new("kill")
            .args([signal, &self.process.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    pub(crate) fn connection(&self) -> redis::Connection {
        redis::Client::open(self.url())
            .unwrap()
            .get_connection()
            .unwrap()
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _already_killed = self.process.kill();
        let _already_killed = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn socket(folder: &TempDir) -> PathBuf {
    folder.path().join("redis.sock")
}

/// Starts a server and returns when it accepts connections.
fn spawn(folder: &TempDir, options: &[String]) -> Child {
    let mut process = Command::new("redis-server")
        .args(["--save", "", "--appendonly", "no", "--dir"])
        .arg(folder.path())
        .arg("--unixsocket")
        .arg(socket(folder))
        .args(options)
        .stdout(Stdio::piped())
        .spawn()
        .expect("redis-server must be installed");
    let output = BufReader::new(process.stdout.take().unwrap());
    let mut has_socket = false;
    for line in output.lines() {
        let line = line.unwrap();
        has_socket |= line.contains(".sock");
        if has_socket && line.contains("ready to accept connections") {
            return process;
        }
    }
    process.wait().unwrap();
    panic!("redis-server did not start");
}

/// Waits for a condition.
#[track_caller]
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "waited 30 s for {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn client(number: u8) -> ClientKey {
    ClientKey::new(Peer::Ip([10, 0, 0, number].into()), b"", KeyMode::Ip)
}

pub(crate) fn memory(limits: Limits, zone: &str, clock: &Arc<ManualClock>) -> Memory {
    let calendar = Calendar::new(TimeZone::get(zone).unwrap());
    Memory::new(
        limits,
        calendar,
        Arc::clone(clock) as Arc<dyn Clock>,
        Arc::new(SystemEntropy),
    )
}

/// Returns a backend on the clock of the test.
pub(crate) fn redis_at(url: &str, limits: Limits, zone: &str, clock: &Arc<ManualClock>) -> Redis {
    let clock: Arc<dyn Clock> = Arc::clone(clock) as Arc<dyn Clock>;
    let config = RedisConfig {
        url: url.to_owned(),
        prefix: "rate".to_owned(),
        is_cluster: false,
        time: TimeSource::Clock(Arc::clone(&clock)),
    };
    let calendar = Calendar::new(TimeZone::get(zone).unwrap());
    Redis::new(config, limits, calendar, clock, Arc::new(SystemEntropy)).unwrap()
}

/// Returns a backend on the server's own clock.
pub(crate) fn redis(url: &str, limits: Limits) -> Redis {
    redis_or_cluster(url, limits, false)
}

/// Returns a backend on the clock of a server that may be a node of a cluster.
pub(crate) fn redis_or_cluster(url: &str, limits: Limits, is_cluster: bool) -> Redis {
    let config = RedisConfig {
        url: url.to_owned(),
        prefix: "rate".to_owned(),
        is_cluster,
        time: TimeSource::Server,
    };
    let clock = Arc::new(SystemClock::new());
    Redis::new(
        config,
        limits,
        Calendar::system(),
        clock,
        Arc::new(SystemEntropy),
    )
    .unwrap()
}
