//! The shares of the server: no session, and no stranger, keeps others out.

use std::collections::VecDeque;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use fumikura_server::{RateLimits, VisionDialect};
use futures_util::FutureExt;
use http_body_util::BodyExt;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::support::pictures::png;
use crate::support::{Answer, TestApp};

/// The number of requests in flight that a client may have, with the usual number of connections.
const IN_FLIGHT: usize = 256;
/// The same for all strangers together.
const STRANGERS: usize = 128;
/// The number of event streams of a client.
const STREAMS: usize = 16;

/// Waits for a condition that must become true.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..12_000 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never: {what}");
}

async fn open_stream(app: &TestApp, cookie: &str) -> Body {
    let call = app.with_session(cookie, "GET", "/api/events");
    call.stream().await
}

/// Returns true if a stream is open. Its heartbeats come later.
fn is_open(stream: &mut Body) -> bool {
    match stream.frame().now_or_never() {
        None => true,
        Some(Some(frame)) => panic!("an event: {frame:?}"),
        Some(None) => false,
    }
}

#[tokio::test]
async fn newest_streams_of_a_session_stay_open() {
    let app = TestApp::new();
    let (greedy, other) = (app.log_in().await, app.log_in().await);
    let mut of_other = open_stream(&app, &other).await;
    let mut streams = VecDeque::new();
    for _ in 0..1100 {
        streams.push_back(open_stream(&app, &greedy).await);
        if streams.len() > STREAMS {
            let mut oldest = streams.pop_front().unwrap();
            assert!(!is_open(&mut oldest));
        }
    }
    for stream in streams.iter_mut().chain([&mut of_other]) {
        assert!(is_open(stream));
    }
}

#[tokio::test]
async fn unread_answers_of_a_session_keep_nobody_out() {
    let app = TestApp::new();
    let (greedy, other) = (app.log_in().await, app.log_in().await);
    let mut unread = Vec::new();
    for _ in 0..IN_FLIGHT {
        let call = app.with_session(&greedy, "GET", "/api/settings");
        unread.push(call.stream().await);
    }
    let refused = app.with_session(&greedy, "GET", "/api/settings");
    let refused = refused.send().await;
    refused
        .has("retry-after", "1")
        .refused(429, "too_much_work");
    for call in [
        app.with_session(&other, "GET", "/api/settings"),
        app.get("/api/settings"),
        app.stranger("GET", "/healthz"),
    ] {
        call.send().await.is(200);
    }
    unread.pop();
    let again = app.with_session(&greedy, "GET", "/api/settings");
    again.send().await.is(200);
}

#[tokio::test]
async fn strangers_keep_nobody_else_out() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    let mut unread = Vec::new();
    for _ in 0..STRANGERS {
        unread.push(app.stranger("GET", "/healthz").stream().await);
    }
    let refused = app.stranger("GET", "/healthz").send().await;
    refused.has("retry-after", "1").refused(503, "server_busy");
    let wrong = app.stranger("GET", "/login?token=wrong").send().await;
    wrong.refused(503, "server_busy");
    for call in [
        app.unauthenticated("GET", "/healthz"),
        app.get("/api/settings"),
        app.with_session(&cookie, "GET", "/api/settings"),
    ] {
        call.send().await.is(200);
    }
    let browser = app.with_session(&cookie, "GET", "/api/settings");
    browser
        .by(crate::support::other_user())
        .send()
        .await
        .is(200);
}

/// A service that accepts every connection and never answers, until it is stopped and closes them all.
struct SilentService {
    port: u16,
    /// `None` after the end.
    connections: Arc<Mutex<Option<Vec<TcpStream>>>>,
}

impl SilentService {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = Arc::new(Mutex::new(Some(Vec::new())));
        let service = Self {
            port,
            connections: Arc::clone(&connections),
        };
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let connections = Arc::clone(&connections);
                // Another program's connection that sends nothing must not hold up the questions.
                std::thread::spawn(move || {
                    let mut begin = [0; 4];
                    if stream.read_exact(&mut begin).is_ok()
                        && begin == *b"POST"
                        && let Some(connections) = &mut *connections.lock()
                    {
                        connections.push(stream);
                    }
                });
            }
        });
        service
    }

    fn questions(&self) -> usize {
        self.connections.lock().as_ref().map_or(0, Vec::len)
    }

    fn stop(&self) {
        *self.connections.lock() = None;
    }
}

async fn ask(app: &TestApp, cookie: &str, root: &str, number: usize) -> Answer {
    let request = json!({"root": root, "path": format!("{number}.png"), "mode": "describe"});
    let call = app.with_session(cookie, "POST", "/api/vision/scan");
    call.json(request).send().await
}

#[tokio::test]
async fn questions_without_an_answer_hold_few_threads() {
    let service = SilentService::start();
    let app = Arc::new(TestApp::with_allowed_pictures(|config| {
        config.vision.dialect = Some(VisionDialect::OpenAi);
        let url = format!("http://127.0.0.1:{}/v1", service.port);
        config.vision.url = Some(url.parse().unwrap());
        config.vision.model = Some("eye".to_owned());
        config.limiter.limits = RateLimits {
            per_minute: 10_000,
            daily: 10_000,
            daily_total: None,
        };
    }));
    for number in 0..=80 {
        // Distinct also as thumbnails: the same question about the same picture is asked once.
        app.file(format!("{number}.png"), &png([3 * number; 3]));
    }
    let root = app.root();
    let (greedy, other) = (app.log_in().await, app.log_in().await);
    let answers = Arc::new(Mutex::new(Vec::new()));
    let begin = |cookie: &str, number: usize| {
        let (app, answers) = (Arc::clone(&app), Arc::clone(&answers));
        let (cookie, root) = (cookie.to_owned(), root.clone());
        tokio::spawn(async move {
            let answer = ask(&app, &cookie, &root, number).await;
            answers.lock().push(answer);
        })
    };
    let mut asking: Vec<_> = (0..80).map(|number| begin(&greedy, number)).collect();
    // Four are being asked and 64 wait.
    until("the queue is full", || answers.lock().len() == 80 - 68).await;
    until("four questions", || service.questions() == 4).await;
    for answer in answers.lock().iter() {
        answer.refused(429, "too_much_work");
    }
    // Others are answered, and may ask as well; the session itself can do anything else.
    for cookie in [&greedy, &other] {
        let call = app.with_session(cookie, "GET", "/api/users");
        call.send().await.is(200);
    }
    asking.push(begin(&other, 80));
    until("a question of another", || service.questions() == 5).await;
    for task in &asking {
        task.abort();
    }
    until("the waiting ones have gone", || {
        asking.iter().all(tokio::task::JoinHandle::is_finished)
    })
    .await;
    service.stop();
}

async fn verify(app: &TestApp, cookie: &str, root: &str, path: &str) -> Answer {
    let request = json!({"root": root, "path": path});
    let call = app.with_session(cookie, "POST", "/api/hashes/verify");
    call.json(request).send().await
}

fn id(answer: &Answer) -> String {
    answer.is(202).json()["id"].as_str().unwrap().to_owned()
}

async fn states(app: &TestApp) -> Vec<Value> {
    let jobs = app.get("/api/jobs").send().await.is(200).json();
    jobs.as_array()
        .unwrap()
        .iter()
        .map(|job| job["state"].clone())
        .collect()
}

#[tokio::test]
async fn verifications_of_huge_files_queue_by_session() {
    let app = TestApp::with_allowed_pictures(|_| ());
    // Reading it would take minutes.
    let huge = std::fs::File::create(app.pictures().join("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    app.file("small", b"small");
    let root = app.root();
    let list = format!("{}  huge\n", "0".repeat(64));
    let import = app.post(&format!("/api/hashes/import?root={root}&path="));
    let import = import.body("application/octet-stream", list).send().await;
    assert_eq!(import.is(200).json()["imported"], 1);
    let (greedy, other) = (app.log_in().await, app.log_in().await);
    let mut jobs = Vec::new();
    for number in 0..24 {
        let answer = verify(&app, &greedy, &root, "huge").await;
        if number < 18 {
            jobs.push(id(&answer));
        } else {
            answer.refused(429, "too_much_work");
        }
    }
    let mut counts = (0, 0);
    while counts != (2, 16) {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let states = states(&app).await;
        let count = |state: &str| states.iter().filter(|other| **other == state).count();
        counts = (count("running"), count("queued"));
    }
    let own = id(&verify(&app, &other, &root, "small").await);
    assert_eq!(app.job_end(&own).await["state"], "done");
    for job in jobs.iter().rev() {
        app.delete(&format!("/api/jobs/{job}")).send().await;
        assert_eq!(app.job_end(job).await["state"], "cancelled");
    }
}
