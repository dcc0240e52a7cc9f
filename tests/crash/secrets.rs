//! Secrets that grant access never appear in a log, at any log level.

use std::io::{Read, Write};
use std::net::TcpStream;

use rustix::process::Signal;

use crate::support::{Home, Server};

const KEY: &str = "open-sesame-3f9a";
/// A wrong key, as it is and percent-encoded.
const WRONG: [&str; 2] = ["wrong key/77", "wrong%20key%2F77"];

#[test]
fn no_secret_is_logged() {
    let home = Home::new();
    let mut command = home.serve(&[]);
    command
        .env("FUMIKURA_LOG", "trace")
        .env("ESTELLE_SECRET", KEY);
    let server = Server::start_with(&home, &mut command);
    let client = server.client();
    let login = server.ready["login"].as_str().unwrap().to_owned();
    let login_secret = login.rsplit('=').next().unwrap();
    let session = enter(&server, login_secret);
    client
        .get(&format!("/get?key={KEY}&source=/none"))
        .unwrap()
        .is(403);
    client
        .get(&format!("/get?key={}&source=/none", WRONG[1]))
        .unwrap()
        .is(403);
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let path = format!("/api/pages/{id}/source");
    client.save(&path, &draft.lock(), "text").unwrap().is(200);
    let bearer = server.token().to_owned();
    server.stop(Signal::TERM);
    let stderr = home.stderr();
    for (what, secret) in [
        ("the Bearer", bearer.as_str()),
        ("the login token", login_secret),
        ("the session", &session),
        ("the key", KEY),
        ("a wrong key", WRONG[0]),
        ("a wrong key as it was sent", WRONG[1]),
        ("the lock's token", &draft.lock()),
    ] {
        let line = stderr.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{what} is logged");
    }
    let is_told = |line: &str| {
        ["access", "/get", "403"]
            .iter()
            .all(|word| line.contains(word))
    };
    assert!(
        stderr.lines().any(is_told),
        "no request is logged: {stderr}"
    );
}

/// Logs in as a browser does. Returns the session's secret.
fn enter(server: &Server, token: &str) -> String {
    let port = server.port();
    let ask = |path: &str, cookie: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = ask(&format!("/login?token={token}"), "");
    let cookie = answer.split("set-cookie: ").nth(1).unwrap();
    let cookie = cookie.split(';').next().unwrap();
    let users = ask("/api/users", cookie);
    assert!(users.starts_with("HTTP/1.1 200"), "{users}");
    cookie.split('=').nth(1).unwrap().to_owned()
}
