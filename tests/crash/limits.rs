//! The rate limiter of a real server: `fumi limits`, and Redis that comes and goes.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Ended, Place, Server, end_of, until};

/// A Redis server on a socket in a folder.
struct Redis(Child);

impl Redis {
    fn start(folder: &Path) -> Self {
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

fn limits(place: &Place, arguments: &[&str]) -> Ended {
    let mut command = place.fumi(&["limits"]);
    command.args(arguments).arg("--data").arg(place.data());
    end_of(&mut command.spawn().unwrap())
}

fn status(place: &Place) -> Value {
    let ended = limits(place, &["status", "--json"]);
    assert_eq!(ended.code, Some(0), "{}", place.said());
    serde_json::from_str(&ended.output).unwrap()
}

#[test]
fn limiter_follows_redis_as_it_comes_and_goes() {
    let place = Place::new();
    let redis = Redis::start(place.path());
    let url = format!("unix://{}", place.path().join("redis.sock").display());
    let mut serve = place.serve(&[]);
    serve.env("REDIS_URL", &url).env("RATE_LIMIT_DAILY", "7");
    let server = Server::started(&place, &mut serve);
    let usage = status(&place);
    assert_eq!(
        (&usage["backend"], &usage["ok"]),
        (&"redis".into(), &true.into())
    );
    assert_eq!(usage["daily_limit"], 7);
    server.client().get("/login?token=wrong").unwrap().is(401);

    drop(redis);
    let usage = status(&place);
    assert_eq!(
        (&usage["backend"], &usage["ok"]),
        (&"in_memory".into(), &false.into())
    );
    let told = limits(&place, &["status"]);
    assert!(
        told.output.contains("Redis can't be used"),
        "{}",
        told.output
    );
    assert!(told.output.contains("0 of 7"), "{}", told.output);
    server.client().get("/login?token=wrong").unwrap().is(503);
    assert_eq!(limits(&place, &["reset"]).code, Some(1));
    assert!(place.said().contains("Redis"), "{}", place.said());

    let _redis = Redis::start(place.path());
    until("Redis is used again", || {
        status(&place)["backend"] == "redis"
    });
    until("logins are counted again", || {
        server.client().get("/login?token=wrong").unwrap().status == 401
    });
    assert_eq!(limits(&place, &["reset"]).code, Some(0));
}

#[test]
fn bad_redis_address_stops_the_start() {
    let place = Place::new();
    let mut serve = place.serve(&[]);
    serve.env("REDIS_URL", "http://:secret@host/");
    let ended = end_of(&mut serve.spawn().unwrap());
    let said = place.said();
    assert_eq!(ended.code, Some(1), "{said}");
    assert!(
        said.contains("REDIS_URL") && said.contains("redis://"),
        "{said}"
    );
    assert!(!said.contains("secret"), "{said}");
}
