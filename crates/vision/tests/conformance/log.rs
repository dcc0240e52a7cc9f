//! The key is in no log and in no debug output.

use fumikura_vision::{Call, Mode};
use log::{LevelFilter, Log, Metadata, Record};
use parking_lot::Mutex;

use crate::dialects::{Dialect, KEY, TestTimer, picture, question};
use crate::server::{Reaction, Server, answer};

/// Captures every log record, at every level.
struct LogCapture(Mutex<String>);

static CAPTURE: LogCapture = LogCapture(Mutex::new(String::new()));

impl Log for LogCapture {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let mut kept = self.0.lock();
        kept.push_str(&format!("{} {}\n", record.target(), record.args()));
    }

    fn flush(&self) {}
}

#[test]
fn key_is_never_logged_or_debug_printed() {
    log::set_logger(&CAPTURE).unwrap();
    log::set_max_level(LevelFilter::Trace);
    for dialect in Dialect::ALL {
        let redirect = Reaction::Answer {
            status: 307,
            headers: vec![("Location", format!("http://localhost:1/?key={dialect:?}"))],
            body: Vec::new(),
        };
        let server = Server::start(vec![
            answer(200, &dialect.written(r#"{"description":"a"}"#)),
            dialect.failure(400, &format!("The key {KEY} is fine.")),
            redirect,
        ]);
        let service = dialect.service(&server.url(), TestTimer::new());
        for _ in 0..3 {
            let result = service.scan(&picture(), &question(Mode::Describe), &Call::default());
            let shown = format!(
                "{service:?} {result:?} {}",
                result
                    .as_ref()
                    .map_or_else(ToString::to_string, |_| String::new())
            );
            assert!(!shown.contains(KEY), "{shown}");
        }
        assert_eq!(server.received().len(), 3);
    }
    let kept = CAPTURE.0.lock();
    assert!(kept.contains("ureq"), "the client logs nothing");
    assert!(!kept.contains(KEY), "the key was logged");
}
