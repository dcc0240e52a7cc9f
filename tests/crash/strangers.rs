//! Another user of the machine who tries to keep everybody out: without a token, and with the cookie of a session.
//!
//! The tests need the administrator's rights, because their clients are threads of another user.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::thread::{Uid, set_thread_res_uid};

use crate::support::{Home, Server, with_a_picture};

/// The other user.
const STRANGER: u32 = 54_321;
/// The number of connections by which the server could once be kept from others: more than it has.
const CONNECTIONS: usize = 1100;
/// The number of event streams of a session.
const STREAMS: usize = 16;
/// The number of the user's requests during each attack.
const REQUESTS: usize = 100;

/// Runs work in a thread of the other user. The sockets that it opens are that user's.
pub(crate) fn as_stranger<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let joined = stranger(work).join();
    joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn stranger<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    std::thread::spawn(move || {
        let uid = Uid::from_raw(STRANGER);
        let changed = set_thread_res_uid(uid, uid, uid);
        changed.expect("run this test as the administrator, who can act as another user");
        work()
    })
}

/// A server's port, for any client.
#[derive(Clone, Copy)]
struct Port(u16);

impl Port {
    fn connect(self, sent: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.0)).unwrap();
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).unwrap();
        // The server may have closed it for another one.
        let _closed = stream.write_all(sent.as_bytes());
        stream
    }

    fn request(self, method: &str, path: &str, header: &str) -> String {
        let Self(port) = self;
        format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{header}\r\n")
    }

    /// Sends a request without a body. Returns the answer; empty if the connection was closed for another one.
    fn ask(self, path: &str, header: &str) -> String {
        let header = format!("Connection: close\r\n{header}");
        let mut stream = self.connect(&self.request("GET", path, &header));
        let mut answer = Vec::new();
        let _closed = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Opens connections that stay: without a head, with half of one, and with a body that never comes.
    fn occupy(self) -> Vec<TcpStream> {
        let upload = self.request("POST", "/get", "Content-Length: 1000\r\n");
        let begun = ["", "GET /get HTTP/1.1\r\nHost", &upload];
        let begun = begun.into_iter().cycle().take(CONNECTIONS);
        begun.map(|sent| self.connect(sent)).collect()
    }
}

fn port(server: &Server) -> Port {
    Port(server.port())
}

#[track_caller]
fn check_status(answer: &str, status: u16) {
    let expected = format!("HTTP/1.1 {status} ");
    assert!(answer.starts_with(&expected), "no {status}: {answer}");
}

/// Checks that the user is answered.
#[track_caller]
fn check_user(server: &Server, thumb: &str) {
    for _ in 0..REQUESTS {
        let client = server.client();
        client.get("/api/settings").unwrap().is(200);
        assert_eq!(client.get_bytes(thumb), Ok(200));
    }
}

/// Logs a browser of the other user in, with an address that the user gave it. Returns its cookie.
fn log_in_stranger(server: &Server) -> String {
    let link = server.client().post("/api/login-links").unwrap().is(201);
    let link = link.json()["login"].as_str().unwrap().to_owned();
    let (_, token) = link.split_once("/login").unwrap();
    let (port, path) = (port(server), format!("/login{token}"));
    let answer = as_stranger(move || port.ask(&path, ""));
    check_status(&answer, 200);
    let (_, cookie) = answer.split_once("set-cookie: ").unwrap();
    format!("Cookie: {}\r\n", cookie.split(';').next().unwrap())
}

#[test]
fn floods_of_a_stranger_keep_nobody_out() {
    let home = Home::new();
    let (server, query) = with_a_picture(&home);
    let (port, thumb) = (port(&server), format!("/thumb?{query}"));
    let cookie = log_in_stranger(&server);
    let folder = home.path().join("pictures");
    let is_over = Arc::new(AtomicBool::new(false));
    let floods = ["a.jpg", "none.jpg", "a.jpg", "none.jpg"].map(|name| {
        let (path, is_over) = (
            format!("/get?source={}/{name}", folder.display()),
            Arc::clone(&is_over),
        );
        stranger(move || {
            let mut answers = BTreeSet::new();
            while !is_over.load(Ordering::Relaxed) {
                let answer = port.ask(&path, "");
                let body = answer.split("\r\n\r\n").nth(1).map(str::to_owned);
                answers.extend(body);
            }
            answers
        })
    });
    let occupied = as_stranger(move || port.occupy());
    check_user(&server, &thumb);
    // Another user who was let in needs no place among the strangers.
    let settings = move || port.ask("/api/settings", &cookie);
    for answer in as_stranger(move || (0..REQUESTS).map(|_| settings()).collect::<Vec<_>>()) {
        check_status(&answer, 200);
    }
    is_over.store(true, Ordering::Relaxed);
    drop(occupied);
    for flood in floods {
        let answers = flood.join().unwrap();
        assert!(!answers.is_empty());
        for answer in answers {
            // The answer says nothing about the file.
            let is_refusal = ["other_user", "server_busy", "too_many_connections"]
                .iter()
                .any(|code| answer.contains(&format!("\"code\":\"{code}\"")));
            assert!(is_refusal, "{answer}");
        }
    }
    // A program of the user needs no token.
    let own = port.ask(&format!("/get?source={}/a.jpg", folder.display()), "");
    check_status(&own, 200);
}

#[test]
fn guesses_of_a_stranger_delay_only_themselves() {
    let home = Home::new();
    let server = Server::start(&home);
    let port = port(&server);
    let guess = move || port.ask("/login?token=wrong", "");
    let guesses = as_stranger(move || (0..30).map(|_| guess()).collect::<Vec<_>>());
    for (number, answer) in guesses.iter().enumerate() {
        check_status(answer, if number < 20 { 401 } else { 429 });
    }
    check_status(&guess(), 401);
    let login = server.ready["login"].as_str().unwrap();
    let (_, token) = login.split_once("/login").unwrap();
    check_status(&port.ask(&format!("/login{token}"), ""), 200);
    let _right_token_of_the_guesser = log_in_stranger(&server);
}

#[test]
fn streams_of_one_session_keep_nobody_out() {
    let home = Home::new();
    let (server, query) = with_a_picture(&home);
    let (port, thumb) = (port(&server), format!("/thumb?{query}"));
    let cookie = log_in_stranger(&server);
    let request = port.request("GET", "/api/events", &cookie);
    let mut streams = as_stranger(move || {
        let open = |_| {
            let mut stream = port.connect(&request);
            let mut begin = [0; 13];
            stream.read_exact(&mut begin).unwrap();
            assert_eq!(&begin, b"HTTP/1.1 200 ");
            stream
        };
        (0..CONNECTIONS).map(open).collect::<Vec<_>>()
    });
    check_user(&server, &thumb);
    server.client().post("/api/pages?path=/a").unwrap().is(201);
    let kept = streams.split_off(CONNECTIONS - STREAMS);
    for mut closed in streams {
        let mut rest = String::new();
        closed.read_to_string(&mut rest).unwrap();
        assert!(!rest.contains("event: page."), "it stayed: {rest}");
    }
    for mut stream in kept {
        let mut read = String::new();
        while !read.contains("event: page.") {
            let mut part = [0; 4096];
            let length = stream.read(&mut part).unwrap();
            assert_ne!(length, 0, "it was closed after {read}");
            read.push_str(std::str::from_utf8(&part[..length]).unwrap());
        }
    }
}
