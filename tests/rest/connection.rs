//! A real socket: behaviour that only a connection shows.

use std::time::Duration;

use fumikura_server::{App, Config, Listen, bind, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::pictures::{png, sized_png};
use crate::support::{config, name};

/// The folder that may be read, below the server's own.
const PICTURES: &str = "pictures";

/// A server on a free port.
struct RunningServer {
    port: u16,
    bearer: String,
    folder: tempfile::TempDir,
}

impl RunningServer {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path());
        config.user = name("Aya");
        config.allow.push(folder.path().join(PICTURES));
        std::fs::create_dir(&config.allow[0]).unwrap();
        let bound = bind(&config).unwrap();
        let base = bound.base();
        let port = base.trim_end_matches('/').rsplit(':').next().unwrap();
        let port = port.parse().unwrap();
        let app = App::open(config).unwrap();
        let bearer = app.bearer().to_owned();
        serve(app, bound, std::future::pending()).await.unwrap();
        Self {
            port,
            bearer,
            folder,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    /// Opens a stream of events.
    async fn events(&self) -> TcpStream {
        let mut stream = self.connect().await;
        let request = format!(
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n",
            self.port, self.bearer
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).await.unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
        stream
    }

    /// Sends raw bytes and reads until the server closes.
    async fn raw(&self, request: &str) -> String {
        String::from_utf8(self.raw_bytes(request).await).unwrap()
    }

    async fn raw_bytes(&self, request: &str) -> Vec<u8> {
        let mut stream = self.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let reading = stream.read_to_end(&mut answer);
        tokio::time::timeout(Duration::from_secs(60), reading)
            .await
            .expect("the server did not close")
            .unwrap();
        answer
    }
}

#[track_caller]
fn check_status(answer: &str, status: u16) {
    let line = answer.lines().next().unwrap_or_default();
    assert!(line.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
}

#[tokio::test]
async fn raw_requests_are_checked_by_host() {
    let served = RunningServer::new().await;
    let own = format!("127.0.0.1:{}", served.port);
    let end = "Connection: close\r\n\r\n";
    for (request, status) in [
        (
            format!("GET /healthz HTTP/1.1\r\nHost: {own}\r\n{end}"),
            200,
        ),
        (
            format!("GET /healthz HTTP/1.1\r\nHost:  {own} \r\n{end}"),
            200,
        ),
        (
            format!("GET http://{own}/healthz HTTP/1.1\r\nHost: {own}\r\n{end}"),
            200,
        ),
        (
            format!("GET http://evil.example/healthz HTTP/1.1\r\nHost: {own}\r\n{end}"),
            403,
        ),
        (
            format!("GET http://{own}/healthz HTTP/1.1\r\nHost: evil.example\r\n{end}"),
            403,
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n".to_owned() + end,
            403,
        ),
        ("GET /healthz HTTP/1.1\r\n".to_owned() + end, 403),
        (
            format!("GET /healthz HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n{end}"),
            403,
        ),
        ("GET /healthz HTTP/1.0\r\n\r\n".to_owned(), 403),
        ("nonsense\r\n\r\n".to_owned(), 400),
    ] {
        let answer = served.raw(&request).await.replace("HTTP/1.0 ", "HTTP/1.1 ");
        check_status(&answer, status);
    }
}

#[tokio::test]
async fn host_must_name_the_bound_port() {
    let served = RunningServer::new().await;
    let other = served.port.wrapping_add(1);
    let answer = served
        .raw(&format!(
            "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{other}\r\nConnection: close\r\n\r\n"
        ))
        .await;
    check_status(&answer, 403);
    assert!(answer.contains("host_not_allowed"), "{answer}");
}

#[tokio::test]
async fn cache_changes_are_sent_as_events() {
    let served = RunningServer::new().await;
    let picture = served.folder.path().join(PICTURES).join("a.png");
    std::fs::write(&picture, png([1, 2, 3])).unwrap();
    let mut events = served.events().await;
    // Skips the events of the first count.
    while next_data(&mut events, Duration::from_secs(2))
        .await
        .is_some()
    {}
    let thumb = format!("GET /thumb?source={}", picture.display());
    let answer = served.raw_bytes(&served.request(&thumb, "")).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    let told = next_data(&mut events, Duration::from_secs(60)).await;
    let told = told.expect("nothing was told");
    assert!(told.contains("event: cache.stats\n"), "{told}");
}

#[tokio::test]
async fn abandoned_thumbnail_request_is_not_made() {
    let served = RunningServer::new().await;
    let picture = served.folder.path().join(PICTURES).join("large.png");
    std::fs::write(&picture, sized_png(1500, 1500, [1, 2, 3])).unwrap();
    let source = picture.display();
    // Enough to be busy for a while.
    for size in 20..34 {
        let queue = format!("POST /queue?source={source}&size={size}x{size}");
        check_status(&served.ask(&queue, "").await, 202);
    }
    let last = |size| format!("GET /get?source={source}&size={size}x{size}&priority=background");
    let mut impatient = served.connect().await;
    let request = served.request(&last(50), "");
    impatient.write_all(request.as_bytes()).await.unwrap();
    while served.cache().await["counters"]["misses"] != 15 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    drop(impatient);
    // This one is sent after all others.
    check_status(&served.ask(&last(51), "").await, 200);
    let cache = served.cache().await;
    assert_eq!(cache["counters"]["generated"], 15, "{cache}");
    assert_eq!(cache["queue"]["len"], 0, "{cache}");
}

/// Returns the data that arrives within a time.
async fn next_data(stream: &mut TcpStream, within: Duration) -> Option<String> {
    let mut part = [0; 4096];
    let read = tokio::time::timeout(within, stream.read(&mut part));
    let length = read.await.ok()?.unwrap();
    assert_ne!(length, 0, "the stream ended");
    Some(String::from_utf8(part[..length].to_vec()).unwrap())
}

impl RunningServer {
    /// Sends a request with the Bearer, and returns the response.
    async fn ask(&self, line: &str, body: &str) -> String {
        self.raw(&self.request(line, body)).await
    }

    /// Returns the state of the cache.
    async fn cache(&self) -> serde_json::Value {
        let answer = self.ask("GET /api/cache", "").await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap()
    }

    fn request(&self, line: &str, body: &str) -> String {
        format!(
            "{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            self.bearer,
            body.len()
        )
    }

    /// Sends a request that is far too long. The server refuses it at once, and continues.
    async fn check_refused_quickly(&self, line: &str, body: &str, status: u16, code: &str) {
        let started = std::time::Instant::now();
        let answer = self.ask(line, body).await;
        check_status(&answer, status);
        let (_, told) = answer.split_once("\r\n\r\n").unwrap();
        if code.is_empty() {
            assert_eq!(told, "");
        } else {
            let told: serde_json::Value = serde_json::from_str(told).unwrap();
            assert_eq!(told["code"], code);
        }
        check_status(&self.ask("GET /healthz", "").await, 200);
        // Also on a busy machine.
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}

#[tokio::test]
async fn overlong_addresses_and_paths_are_refused() {
    let served = RunningServer::new().await;
    let long = format!("/{}", "a".repeat(100 * 1024));
    // Longer than an address can be: its contents are not parsed.
    for line in [
        format!("GET /wiki{long}"),
        format!("GET /api/pages/resolve?path={long}"),
        format!("POST /api/pages?path={long}"),
        format!("DELETE /api/pages{long}"),
    ] {
        served.check_refused_quickly(&line, "", 414, "").await;
    }
    // The maximum length of an address.
    let most = format!("/{}", "a".repeat(65_000));
    let levels = "/a".repeat(10_000);
    for path in [&most, &levels] {
        let resolve = format!("GET /api/pages/resolve?path={path}");
        served
            .check_refused_quickly(&resolve, "", 422, "invalid_path")
            .await;
        let draft = format!("POST /api/pages?path={path}");
        served
            .check_refused_quickly(&draft, "", 422, "invalid_path")
            .await;
    }
    let pages = served.ask("GET /api/pages?limit=1", "").await;
    check_status(&pages, 200);
    let (_, root) = pages.split_once("\"page_id\":\"").unwrap();
    for path in [&long, &levels] {
        let text =
            serde_json::json!({"path": path, "base_revision": null, "source": "x", "seq": 1});
        let put = format!("PUT /api/journal/{}?tab=t", &root[..26]);
        served
            .check_refused_quickly(&put, &text.to_string(), 422, "invalid_path")
            .await;
    }
}

#[test]
fn window_keeps_its_port_unless_taken() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        listen: Listen::RememberedPort,
        ..config(folder.path())
    };
    let kept = || std::fs::read_to_string(&config.config_file).unwrap();
    let first = bind(&config).unwrap();
    let address = first.base();
    let port = address.rsplit(':').next().unwrap().trim_end_matches('/');
    assert_eq!(kept().trim(), format!("port = {port}"));
    // The first server still has the port.
    let other = bind(&config).unwrap();
    assert_ne!(other.base(), address);
    assert_eq!(kept().trim(), format!("port = {port}"));
    drop((first, other));
    assert_eq!(bind(&config).unwrap().base(), address);
}
