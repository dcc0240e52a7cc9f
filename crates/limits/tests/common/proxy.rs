//! A TCP proxy before Redis that delays answers, or loses one.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The proxy. Its threads end with the process.
pub(crate) struct Proxy {
    port: u16,
    loses_answer: Arc<AtomicBool>,
}

impl Proxy {
    /// Starts a proxy before a Redis on a socket. Every answer arrives `delay` late.
    pub(crate) fn start(redis: PathBuf, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let loses_answer = Arc::new(AtomicBool::new(false));
        let loses = Arc::clone(&loses_answer);
        thread::spawn(move || {
            for client in listener.incoming() {
                let server = UnixStream::connect(&redis).unwrap();
                serve(client.unwrap(), server, delay, Arc::clone(&loses));
            }
        });
        Self { port, loses_answer }
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}/", self.port)
    }

    /// Closes the connection of the next answer instead of passing it on.
    pub(crate) fn lose_next_answer(&self) {
        self.loses_answer.store(true, Ordering::SeqCst);
    }

    pub(crate) fn has_lost_the_answer(&self) -> bool {
        !self.loses_answer.load(Ordering::SeqCst)
    }
}

/// Passes bytes on until one side closes its connection.
fn serve(client: TcpStream, server: UnixStream, delay: Duration, loses_answer: Arc<AtomicBool>) {
    client.set_nodelay(true).unwrap();
    let (mut questions, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    thread::spawn(move || {
        // A closed connection ends both directions.
        let _closed = io::copy(&mut questions, &mut to_server);
        let _closed = to_server.shutdown(Shutdown::Both);
    });
    let (send, due) = mpsc::channel::<(Instant, Vec<u8>)>();
    let mut answers = server;
    let lost = client.try_clone().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while let Ok(length @ 1..) = answers.read(&mut buffer) {
            if loses_answer.swap(false, Ordering::SeqCst) {
                let _closed = lost.shutdown(Shutdown::Both);
                return;
            }
            send.send((Instant::now() + delay, buffer[..length].to_vec()))
                .unwrap();
        }
    });
    let mut client = client;
    thread::spawn(move || {
        for (at, answer) in due {
            thread::sleep(at.saturating_duration_since(Instant::now()));
            if client.write_all(&answer).is_err() {
                break;
            }
        }
        let _closed = client.shutdown(Shutdown::Both);
    });
}
