//! `server.json` and `fumi login`: finding the running server, and refusing a false one.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Home, Outcome, Server, wait_for_exit};

fn server_file(home: &Home) -> Value {
    let bytes = std::fs::read(home.data().join("server.json")).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn log_in(home: &Home, further: &[&str]) -> Outcome {
    let mut command = home.fumi(&["login", "--data"]);
    command.arg(home.data()).args(further);
    wait_for_exit(&mut command.spawn().unwrap())
}

#[track_caller]
fn check_none_runs(home: &Home) {
    let outcome = log_in(home, &[]);
    let stderr = home.stderr();
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(1), ""),
        "{stderr}"
    );
    assert!(stderr.contains("no server is running"), "{stderr}");
    assert!(
        stderr.contains("fumi serve"),
        "it says what to do: {stderr}"
    );
}

#[test]
fn file_is_private_and_removed_at_shutdown() {
    let home = Home::new();
    let server = Server::start(&home);
    let file = server_file(&home);
    let health = server.client().get("/healthz").unwrap().is(200).json();
    let expected = json!({
        "url": server.url(), "token": server.token(), "instance": health["instance"],
    });
    assert_eq!(file, expected);
    assert_eq!(mode(&home.data().join("server.json")), 0o600);
    assert_eq!(mode(home.data()), 0o700);
    assert_eq!(mode(&home.path().join("cache")), 0o700);
    server.stop(Signal::TERM);
    assert!(!home.data().join("server.json").exists());
}

#[test]
fn printed_login_link_works_once() {
    let home = Home::new();
    let server = Server::start(&home);
    let outcome = log_in(&home, &[]);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    let address = outcome.output.strip_suffix('\n').unwrap();
    let path = address.strip_prefix(server.url().trim_end_matches('/'));
    let path = path.unwrap_or_else(|| panic!("{address}"));
    assert_eq!(mode(&home.data().join("own-host")), 0o600);
    let client = server.client();
    client.get(path).unwrap().is(200);
    client.get(path).unwrap().is(401);
    let outcome = log_in(&home, &["--json"]);
    let printed: Value = serde_json::from_str(&outcome.output).unwrap();
    let other = printed["login"].as_str().unwrap();
    assert!(other.starts_with(server.url()));
    let (_, token) = other.split_once("/login?").unwrap();
    assert!(!address.ends_with(token));
    let for_browsers = printed["browser_login"].as_str().unwrap();
    let at = format!(".localhost:{}/login?{token}", server.port());
    assert!(for_browsers.starts_with("http://fumikura-") && for_browsers.ends_with(&at));
}

#[test]
fn missing_server_is_reported() {
    let home = Home::new();
    check_none_runs(&home);
    let server = Server::start(&home);
    server.stop(Signal::TERM);
    check_none_runs(&home);
}

#[test]
fn stale_file_after_a_kill_is_ignored() {
    let home = Home::new();
    let server = Server::start(&home);
    let old = server_file(&home);
    server.kill();
    assert_eq!(server_file(&home), old, "it is still there");
    check_none_runs(&home);
    let server = Server::start(&home);
    assert_eq!(server_file(&home)["token"], server.token());
    assert_eq!(log_in(&home, &[]).code, Some(0));
}

#[test]
fn file_of_another_server_is_ignored() {
    let (home, other) = (Home::new(), Home::new());
    let server = Server::start(&other);
    let mut file = server_file(&other);
    file["instance"] = json!("0".repeat(32));
    std::fs::create_dir(home.data()).unwrap();
    let path = home.data().join("server.json");
    std::fs::write(&path, file.to_string()).unwrap();
    check_none_runs(&home);
    // A program that is no HTTP server at all, and a file without contents.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    file["url"] = json!(format!("http://127.0.0.1:{port}/"));
    std::fs::write(&path, file.to_string()).unwrap();
    check_none_runs(&home);
    for broken in ["", "{}", "nonsense"] {
        std::fs::write(&path, broken).unwrap();
        check_none_runs(&home);
    }
    drop(server);
}

/// A program that has taken a port, and the requests that it received.
struct Impostor {
    port: u16,
    heard: mpsc::Receiver<String>,
}

impl Impostor {
    /// Answers every request with the result of `answer`.
    fn new(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (hear, heard) = mpsc::channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut head = String::new();
                let mut reader = BufReader::new(&stream);
                while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap() > 0 {}
                let body = answer(&head);
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                // Before it answers, so that all requests are received when the client has ended.
                if hear.send(head).is_err() {
                    return;
                }
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        Self { port, heard }
    }
}

#[test]
fn impostor_gets_no_token() {
    let (home, other) = (Home::new(), Home::new());
    let server = Server::start(&home);
    let file = server_file(&home);
    let (instance, token) = (file["instance"].clone(), server.token().to_owned());
    server.kill();
    let health = {
        let instance = instance.clone();
        move |proof: &str| json!({"status": "ok", "instance": instance, "proof": proof}).to_string()
    };
    let accomplice = Server::start(&other);
    let client = accomplice.client();
    let relayed = health.clone();
    let impostors = [
        // It answers with public information.
        Impostor::new(move |_| json!({"status": "ok", "instance": instance}).to_string()),
        Impostor::new({
            let health = health.clone();
            move |_| health(&"0".repeat(64))
        }),
        Impostor::new(move |_| health("")),
        // It relays the challenge to a genuine server.
        Impostor::new(move |head| {
            let path = head.split(' ').nth(1).unwrap();
            let proved = client.get(path).unwrap().is(200).json();
            relayed(proved["proof"].as_str().unwrap())
        }),
    ];
    for impostor in impostors {
        let mut file = file.clone();
        file["url"] = json!(format!("http://127.0.0.1:{}/", impostor.port));
        std::fs::write(home.data().join("server.json"), file.to_string()).unwrap();
        check_none_runs(&home);
        let heard: Vec<String> = impostor.heard.try_iter().collect();
        assert_eq!(heard.len(), 1, "{heard:?}");
        assert!(!heard[0].contains(&token), "{heard:?}");
    }
}

#[test]
fn late_shutdown_keeps_the_file_of_its_successor() {
    let home = Home::new();
    let server = Server::start(&home);
    let mut file = server_file(&home);
    file["instance"] = json!("another launch");
    let path = home.data().join("server.json");
    std::fs::write(&path, file.to_string()).unwrap();
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    assert_eq!(server_file(&home), file);
}
