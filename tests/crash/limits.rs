//! The rate limiter of a real server: `fumi limits`, and Redis that comes and goes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Home, Outcome, Server, until, wait_for_exit};

/// A Redis server on a socket in a folder.
pub(crate) struct Redis(Child);

impl Redis {
    pub(crate) fn start(folder: &Path) -> Self {
        let socket = folder.join("redis.sock");
        let mut process = Command::new("redis-server")
            .args(["--port", "0", "--save", "", "--appendonly", "no", "--dir"])
            .arg(folder)
            .arg("--unixsocket")
            .arg(&socket)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let ready = output.lines().map(Result::unwrap);
        let is_ready = |line: String| line.contains("ready to accept") && socket.exists();
        assert!(
            ready.into_iter().any(is_ready),
            "redis-server did not start"
        );
        Self(process)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn limits(home: &Home, arguments: &[&str]) -> Outcome {
    let mut command = home.fumi(&["limits"]);
    command.args(arguments).arg("--data").arg(home.data());
    wait_for_exit(&mut command.spawn().unwrap())
}

fn status(home: &Home) -> Value {
    let outcome = limits(home, &["status", "--json"]);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    serde_json::from_str(&outcome.output).unwrap()
}

#[test]
fn limiter_follows_redis_as_it_comes_and_goes() {
    let home = Home::new();
    let redis = Redis::start(home.path());
    let url = format!("unix://{}", home.path().join("redis.sock").display());
    let mut serve = home.serve(&[]);
    serve.env("REDIS_URL", &url).env("RATE_LIMIT_DAILY", "7");
    let server = Server::start_with(&home, &mut serve);
    let usage = status(&home);
    assert_eq!(
        (&usage["backend"], &usage["ok"]),
        (&"redis".into(), &true.into())
    );
    assert_eq!(usage["daily_limit"], 7);
    server.client().get("/login?token=wrong").unwrap().is(401);

    drop(redis);
    let usage = status(&home);
    assert_eq!(
        (&usage["backend"], &usage["ok"]),
        (&"in_memory".into(), &false.into())
    );
    let outcome = limits(&home, &["status"]);
    assert!(
        outcome.output.contains("Redis can't be used"),
        "{}",
        outcome.output
    );
    assert!(outcome.output.contains("0 of 7"), "{}", outcome.output);
    server.client().get("/login?token=wrong").unwrap().is(503);
    // Both warnings have the default level.
    for effect in ["counted in memory", "refused"] {
        let warning = format!("requests are {effect}: Redis can't be reached");
        let lines = home.stderr();
        let mut lines = lines.lines();
        assert!(
            lines.any(|line| line.contains("WARN") && line.contains(&warning)),
            "{}",
            home.stderr()
        );
    }
    assert_eq!(limits(&home, &["reset"]).code, Some(1));
    assert!(home.stderr().contains("Redis"), "{}", home.stderr());

    let _redis = Redis::start(home.path());
    until("Redis is used again", || {
        status(&home)["backend"] == "redis"
    });
    until("logins are counted again", || {
        server.client().get("/login?token=wrong").unwrap().status == 401
    });
    assert_eq!(limits(&home, &["reset"]).code, Some(0));
}

#[test]
fn bad_redis_address_stops_the_start() {
    let home = Home::new();
    let mut serve = home.serve(&[]);
    serve.env("REDIS_URL", "http://:secret@host/");
    let outcome = wait_for_exit(&mut serve.spawn().unwrap());
    let stderr = home.stderr();
    assert_eq!(outcome.code, Some(1), "{stderr}");
    assert!(
        stderr.contains("REDIS_URL") && stderr.contains("redis://"),
        "{stderr}"
    );
    assert!(!stderr.contains("secret"), "{stderr}");
}
