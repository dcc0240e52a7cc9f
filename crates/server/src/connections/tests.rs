//! Connections on real sockets, with limits of a tenth of a second.

use std::net::Ipv4Addr;
use std::time::Instant;

use axum::Extension;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::*;

const SHORT: Duration = Duration::from_millis(100);
/// Longer than any limit here, and than the delay of a busy machine.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A server with few connections and short limits.
struct TestServer {
    port: u16,
    stop: Arc<Notify>,
    running: JoinHandle<()>,
}

/// A listener whose clients at one address are another user's.
struct TestListener(TcpListener);

/// The address of the other user.
const STRANGER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

impl Accept for TestListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<Accepted<TcpStream>> {
        let (stream, address) = self.0.accept().await?;
        let peer = Peer::Ip(address.ip());
        let user = match peer == Peer::Ip(STRANGER.into()) {
            true => PeerUser::UNKNOWN,
            false => PeerUser::own(),
        };
        Ok(Accepted { stream, peer, user })
    }
}

impl TestServer {
    async fn new(connections: usize) -> Self {
        Self::with(Limits {
            connections,
            head: SHORT,
            idle: SHORT * 2,
        })
        .await
    }

    /// Starts a server that closes no connection for its time.
    async fn patient(connections: usize) -> Self {
        Self::with(Limits {
            connections,
            head: TIMEOUT,
            idle: TIMEOUT,
        })
        .await
    }

    async fn with(limits: Limits) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let router = Router::new()
            .route(
                "/enter",
                get(
                    |Extension(slot): Extension<Arc<ConnectionSlot>>| async move {
                        slot.let_in();
                        "entered"
                    },
                ),
            )
            .route("/", get(|| async { "here" }))
            .route("/slow", get(slow_body))
            .route(
                "/taken",
                post(|body: axum::body::Bytes| async move { body }),
            );
        let stop = Arc::new(Notify::new());
        let stopping = Arc::clone(&stop);
        let running = tokio::spawn(async move {
            serve(TestListener(listener), router, limits, stopping.notified()).await;
        });
        Self {
            port,
            stop,
            running,
        }
    }

    async fn connect(&self, request: &str) -> TcpStream {
        self.connect_from(Ipv4Addr::LOCALHOST, request).await
    }

    async fn connect_from(&self, address: Ipv4Addr, request: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        let server = (Ipv4Addr::LOCALHOST, self.port).into();
        let mut stream = socket.connect(server).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }
}

/// A body that takes longer than any limit.
async fn slow_body() -> Response {
    let (mut writer, reader): (DuplexStream, _) = tokio::io::duplex(64);
    tokio::spawn(async move {
        for _ in 0..10 {
            writer.write_all(b"tick ").await?;
            tokio::time::sleep(SHORT).await;
        }
        Ok::<_, io::Error>(())
    });
    let stream = tokio_util::io::ReaderStream::new(reader);
    Body::from_stream(stream).into_response()
}

const ASK: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const ASK_SLOWLY: &str = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";

async fn rest_of(stream: &mut TcpStream) -> String {
    let mut rest = Vec::new();
    let reading = stream.read_to_end(&mut rest);
    let read = tokio::time::timeout(TIMEOUT, reading).await;
    // A connection that is dropped with unread bytes is reset.
    let _length_or_reset = read.expect("the connection stays open");
    String::from_utf8(rest).unwrap()
}

async fn begins(stream: &mut TcpStream, expected: &str) {
    let mut begin = vec![0; expected.len()];
    let reading = stream.read_exact(&mut begin);
    let read = tokio::time::timeout(TIMEOUT, reading).await;
    read.expect("nothing came").unwrap();
    assert_eq!(String::from_utf8(begin).unwrap(), expected);
}

#[tokio::test]
async fn connection_with_endless_head_is_closed() {
    let server = TestServer::new(8).await;
    for head in ["", "GET", "GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut stream = server.connect(head).await;
        assert_eq!(rest_of(&mut stream).await, "", "{head}");
    }
    // Single letters do not count as progress.
    let mut stream = server.connect("").await;
    let began = Instant::now();
    for letter in ASK.chars().cycle() {
        let letter = letter.to_string().replace('\n', "x");
        if stream.write_all(letter.as_bytes()).await.is_err() {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "it stays open");
        tokio::time::sleep(SHORT / 5).await;
    }
}

#[tokio::test]
async fn idle_connection_is_closed() {
    let server = TestServer::new(8).await;
    let mut stream = server.connect(ASK).await;
    assert!(rest_of(&mut stream).await.ends_with("here"));
}

#[tokio::test]
async fn active_request_is_never_aborted() {
    let server = TestServer::new(1).await;
    let mut stream = server.connect(ASK_SLOWLY).await;
    begins(&mut stream, "HTTP/1.1 200").await;
    assert!(rest_of(&mut stream).await.ends_with("0\r\n\r\n"));
    let mut upload = server
        .connect("POST /taken HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
        .await;
    for _ in 0..10 {
        tokio::time::sleep(SHORT / 2).await;
        upload.write_all(b"x").await.unwrap();
    }
    assert!(rest_of(&mut upload).await.ends_with("xxxxxxxxxx"));
}

#[tokio::test]
async fn longest_idle_connection_makes_room() {
    let server = TestServer::new(2).await;
    let mut first = server.connect("GET").await;
    let mut active = server.connect(ASK_SLOWLY).await;
    begins(&mut active, "HTTP/1.1 200").await;
    let mut another = server.connect(ASK).await;
    begins(&mut another, "HTTP/1.1 200").await;
    assert_eq!(rest_of(&mut first).await, "");
    assert!(rest_of(&mut active).await.ends_with("0\r\n\r\n"));
}

#[tokio::test]
async fn connection_above_the_maximum_is_refused() {
    let server = TestServer::new(1).await;
    let mut active = server.connect(ASK_SLOWLY).await;
    begins(&mut active, "HTTP/1.1 200").await;
    let refused = rest_of(&mut server.connect(ASK).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(
        refused.contains("\"code\":\"too_many_connections\""),
        "{refused}"
    );
    assert!(
        refused.contains("cross-origin-opener-policy: same-origin"),
        "{refused}"
    );
    let _ended = rest_of(&mut active).await;
    let mut next = server.connect(ASK).await;
    begins(&mut next, "HTTP/1.1 200").await;
}

#[tokio::test]
async fn strangers_replace_only_each_other() {
    let server = TestServer::patient(8).await;
    let mut own = server.connect("GET / HTTP/1.1\r\n").await;
    let mut strangers = Vec::new();
    for _ in 0..20 {
        strangers.push(server.connect_from(STRANGER, ASK).await);
        // The next one comes when this one has been admitted.
        begins(strangers.last_mut().unwrap(), "HTTP/1.1 200").await;
    }
    assert!(rest_of(&mut strangers[0]).await.ends_with("here"));
    own.write_all(b"Host: x\r\n\r\n").await.unwrap();
    begins(&mut own, "HTTP/1.1 200").await;
}

#[tokio::test]
async fn busy_strangers_keep_only_strangers_out() {
    let server = TestServer::patient(8).await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        busy.push(server.connect_from(STRANGER, ASK_SLOWLY).await);
        begins(busy.last_mut().unwrap(), "HTTP/1.1 200").await;
    }
    let refused = rest_of(&mut server.connect_from(STRANGER, ASK).await).await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    let mut own = server.connect(ASK).await;
    begins(&mut own, "HTTP/1.1 200").await;
}

#[tokio::test]
async fn admitted_request_moves_its_connection() {
    const ENTER: &str = "GET /enter HTTP/1.1\r\nHost: x\r\n\r\n";
    let server = TestServer::patient(8).await;
    let mut admitted = Vec::new();
    for _ in 0..4 {
        let mut stream = server.connect_from(STRANGER, ENTER).await;
        begins(&mut stream, "HTTP/1.1 200").await;
        stream.write_all(ASK_SLOWLY.as_bytes()).await.unwrap();
        admitted.push(stream);
    }
    // The strangers' share is free, and its newcomers replace none of those.
    for _ in 0..20 {
        let mut stream = server.connect_from(STRANGER, ASK).await;
        begins(&mut stream, "HTTP/1.1 200").await;
    }
    for mut stream in admitted {
        let answers = until_end_of_chunks(&mut stream).await;
        assert!(answers.contains("tick"), "{answers}");
    }
}

/// Reads up to the end of a body in chunks.
async fn until_end_of_chunks(stream: &mut TcpStream) -> String {
    let mut read = String::new();
    while !read.ends_with("\r\n0\r\n\r\n") {
        let mut part = [0; 1024];
        let reading = tokio::time::timeout(TIMEOUT, stream.read(&mut part)).await;
        let length = reading.expect("nothing came").unwrap();
        assert_ne!(length, 0, "it was closed after {read}");
        read.push_str(std::str::from_utf8(&part[..length]).unwrap());
    }
    read
}

#[tokio::test]
async fn shutdown_waits_for_active_requests() {
    let server = TestServer::new(8).await;
    let mut half = server.connect("GET").await;
    let mut active = server.connect(ASK_SLOWLY).await;
    begins(&mut active, "HTTP/1.1 200").await;
    server.stop.notify_one();
    assert!(rest_of(&mut active).await.ends_with("0\r\n\r\n"));
    assert_eq!(rest_of(&mut half).await, "");
    let ended = tokio::time::timeout(TIMEOUT, server.running).await;
    ended.expect("it goes on").unwrap();
    let refused = TcpStream::connect(("127.0.0.1", server.port)).await;
    assert!(refused.is_err());
}
