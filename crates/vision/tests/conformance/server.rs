//! A service on the loopback that follows a script and records the requests.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use serde_json::Value;

/// The reaction to a request.
pub(crate) enum Reaction {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: Vec<u8>,
    },
    /// Ends the connection without an answer.
    Close,
    /// Declares more than it sends, and closes the connection.
    Cut(Vec<u8>),
    /// Answers with this many bytes.
    Flood { status: u16, bytes: u64 },
    /// Sends no answer, as long as the client keeps the connection.
    Hang,
}

pub(crate) fn answer(status: u16, body: &Value) -> Reaction {
    text(status, &body.to_string())
}

pub(crate) fn text(status: u16, body: &str) -> Reaction {
    Reaction::Answer {
        status,
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRequest {
    pub(crate) method: String,
    pub(crate) target: String,
    /// The headers, with names in lower case.
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl RecordedRequest {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(it, _)| it == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} is sent twice");
        value
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.header("content-type"), Some("application/json"));
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub(crate) struct Server {
    port: u16,
    shared: Arc<Shared>,
    arrivals: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    reactions: Mutex<VecDeque<Reaction>>,
    received: Mutex<Vec<RecordedRequest>>,
    connections: AtomicU64,
    sent: AtomicU64,
    ends: AtomicBool,
}

impl Server {
    /// Starts a service that reacts to each request with the next of `reactions`, and fails the test if more
    /// arrive.
    pub(crate) fn start(reactions: Vec<Reaction>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            reactions: Mutex::new(reactions.into()),
            received: Mutex::default(),
            connections: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            ends: AtomicBool::new(false),
        });
        let (sender, arrivals) = channel();
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || serve(&listener, &shared, &sender)
        });
        Self {
            port,
            shared,
            arrivals,
            thread: Some(thread),
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Waits for a request that gets no answer.
    pub(crate) fn wait_for_request(&self) {
        self.arrivals.recv().unwrap();
    }

    pub(crate) fn received(&self) -> Vec<RecordedRequest> {
        self.shared.received.lock().clone()
    }

    pub(crate) fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Stops the service and returns the number of flood bytes that were sent.
    pub(crate) fn finish(mut self) -> u64 {
        self.end();
        self.shared.sent.load(Ordering::SeqCst)
    }

    fn end(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        self.shared.ends.store(true, Ordering::SeqCst);
        // Wakes the accepting thread.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        let result = thread.join();
        if !thread::panicking() {
            result.unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn serve(listener: &TcpListener, shared: &Shared, arrivals: &Sender<()>) {
    loop {
        let (stream, _) = listener.accept().unwrap();
        if shared.ends.load(Ordering::SeqCst) {
            return;
        }
        shared.connections.fetch_add(1, Ordering::SeqCst);
        let mut reader = BufReader::new(stream);
        let received = read(&mut reader);
        let target = received.target.clone();
        shared.received.lock().push(received);
        let reaction = shared.reactions.lock().pop_front();
        let reaction = reaction.unwrap_or_else(|| panic!("{target} was not expected"));
        perform(reaction, reader.into_inner(), shared, arrivals);
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> RecordedRequest {
    let mut next = || {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    let first = next();
    let mut words = first.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = Vec::new();
    loop {
        let line = next();
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let mut received = RecordedRequest {
        method,
        target,
        headers,
        body: Vec::new(),
    };
    let length = received
        .header("content-length")
        .map(|it| it.parse().unwrap());
    received.body.resize(length.unwrap_or(0), 0);
    reader.read_exact(&mut received.body).unwrap();
    received
}

fn perform(reaction: Reaction, mut stream: TcpStream, shared: &Shared, arrivals: &Sender<()>) {
    match reaction {
        Reaction::Answer {
            status,
            headers,
            body,
        } => {
            let mut head = format!(
                "HTTP/1.1 {status} Said\r\nContent-Length: {}\r\n",
                body.len()
            );
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
            stream.write_all(&body).unwrap();
        }
        Reaction::Close => {}
        Reaction::Cut(body) => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
                body.len() + 1
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(&body).unwrap();
        }
        Reaction::Flood { status, bytes } => {
            let head = format!("HTTP/1.1 {status} Said\r\nContent-Length: {bytes}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let chunk = [b' '; 64 << 10];
            let mut sent = 0;
            while sent < bytes && stream.write_all(&chunk).is_ok() {
                sent += chunk.len() as u64;
            }
            shared.sent.fetch_add(sent, Ordering::SeqCst);
        }
        Reaction::Hang => {
            arrivals.send(()).unwrap();
            // Ends with the client's side; a reset connection has ended, too.
            let _ = stream.read(&mut [0]);
        }
    }
}
