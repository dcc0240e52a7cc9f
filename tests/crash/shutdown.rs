//! A clean end: within five seconds, regardless of what the server is doing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::support::{Home, Outcome, Server};

/// The five seconds, and what a busy machine adds to them.
const LIMIT: Duration = Duration::from_secs(15);

/// Opens a connection and sends `request`.
fn connection(server: &Server, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

/// Returns the head of a request that passes the guard.
fn head(server: &Server, line: &str) -> String {
    let (port, token) = (server.port(), server.token());
    format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n")
}

/// Sends a request whose body is still to come, and waits until the server reads it.
fn begin_request(server: &Server, head: &str) -> TcpStream {
    let mut stream = connection(server, &format!("{head}Expect: 100-continue\r\n\r\n"));
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

/// Waits until the server refuses new connections.
fn wait_until_closed(server: &Server) {
    let end = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(("127.0.0.1", server.port())).is_ok() {
        assert!(Instant::now() < end, "the port stays open");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the stream of events has begun.
fn event_stream(server: &Server) -> TcpStream {
    let mut stream = connection(server, &(head(server, "GET /api/events") + "\r\n"));
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200");
    stream
}

#[track_caller]
fn check_clean(home: &Home, outcome: &Outcome) {
    let stderr = home.stderr();
    assert_eq!(outcome.code, Some(0), "{outcome:?}: {stderr}");
    assert!(outcome.took < LIMIT, "{outcome:?}: {stderr}");
    assert_eq!(outcome.output, "", "nothing but the ready line");
    assert!(!home.data().join("server.json").exists());
}

#[test]
fn both_signals_stop_an_idle_server() {
    for signal in [Signal::TERM, Signal::INT] {
        let home = Home::new();
        let server = Server::start(&home);
        let client = server.client();
        client.get("/api/users").unwrap().is(200);
        // The client's connection stays open.
        let outcome = server.stop(signal);
        check_clean(&home, &outcome);
        // It would report that it had waited for something in vain.
        assert_eq!(home.warnings(), "", "nothing to complain about");
    }
}

#[test]
fn event_streams_end_with_the_server() {
    let home = Home::new();
    let server = Server::start(&home);
    let mut streams: Vec<_> = (0..8).map(|_| event_stream(&server)).collect();
    let outcome = server.stop(Signal::TERM);
    check_clean(&home, &outcome);
    // It would report that it had waited for something in vain.
    assert_eq!(home.warnings(), "");
    for stream in &mut streams {
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert!(rest.ends_with("0\r\n\r\n"), "{rest}");
    }
}

#[test]
fn slow_requests_delay_shutdown_only_briefly() {
    let home = Home::new();
    let server = Server::start(&home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let stream = event_stream(&server);
    let request = head(&server, &format!("PUT /api/pages/{id}/source"))
        + "Content-Type: text/markdown\r\nContent-Length: 1000\r\n"
        + &format!("X-Lock-Authentication: token={}\r\n", draft.lock());
    let mut half = begin_request(&server, &request);
    half.write_all(b"half of a te").unwrap();
    let unsaid = connection(&server, "GET /wiki/ HT");
    let outcome = server.stop(Signal::TERM);
    check_clean(&home, &outcome);
    drop((stream, half, unsaid));
    let server = Server::start(&home);
    let client = server.client();
    client
        .get(&format!("/api/pages/{id}/source"))
        .unwrap()
        .refused(404, "draft");
}

#[test]
fn running_request_is_finished() {
    let home = Home::new();
    let server = Server::start(&home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let text = "whole";
    let request = head(&server, &format!("PUT /api/pages/{id}/source"))
        + &format!(
            "Content-Type: text/markdown\r\nContent-Length: {}\r\n",
            text.len()
        )
        + &format!("X-Lock-Authentication: token={}\r\n", draft.lock());
    let mut slow = begin_request(&server, &request);
    slow.write_all(b"who").unwrap();
    server.signal(Signal::TERM);
    wait_until_closed(&server);
    slow.write_all(b"le").unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    check_clean(&home, &server.wait());
    let server = Server::start(&home);
    let path = format!("/api/pages/{id}/source");
    let reply = server.client().get(&path).unwrap().is(200);
    assert_eq!(reply.body, text);
}

#[test]
fn shutdown_refuses_new_connections() {
    let home = Home::new();
    let mut server = Server::start(&home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let request = head(&server, &format!("PUT /api/pages/{id}/source"))
        + "Content-Type: text/markdown\r\nContent-Length: 1000\r\n"
        + &format!("X-Lock-Authentication: token={}\r\n", draft.lock());
    let _slow = begin_request(&server, &request);
    server.signal(Signal::TERM);
    wait_until_closed(&server);
    assert!(server.is_running(), "it waits for the request in hand");
    check_clean(&home, &server.wait());
}

#[test]
fn repeated_signals_have_no_further_effect() {
    let home = Home::new();
    let server = Server::start(&home);
    let _stream = event_stream(&server);
    server.signal(Signal::TERM);
    server.signal(Signal::TERM);
    server.signal(Signal::INT);
    let outcome = server.wait();
    check_clean(&home, &outcome);
}
