//! Pictures that exhausted their decoder, from one launch to the next.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fumikura_image::{
    Decode, DecodeError, EncodedThumbnail, InProcess, Limits, Rendition, Variant,
};
use fumikura_pictures::Config;
use fumikura_thumbs::{Priority, ThumbError};

use crate::test_app::{TestApp, open, png, variant};

/// A decoder that always fails in the same way, and counts its calls.
struct FailingDecoder {
    error: DecodeError,
    calls: AtomicUsize,
}

impl FailingDecoder {
    fn returning(error: DecodeError) -> Arc<Self> {
        Arc::new(Self {
            error,
            calls: AtomicUsize::new(0),
        })
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

impl Decode for FailingDecoder {
    fn thumbnail(&self, _: File, _: u64, _: Variant) -> Result<EncodedThumbnail, DecodeError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Err(self.error.clone())
    }

    fn render(&self, _: File, _: u64, _: Rendition) -> Result<Vec<u8>, DecodeError> {
        unreachable!("BUG: nothing is exported")
    }
}

fn crashed() -> DecodeError {
    DecodeError::Crashed("signal 9".to_owned())
}

fn app_with_picture() -> TestApp {
    let app = TestApp::with_config(Arc::new(InProcess::default()), |_| {});
    app.write("a.png", &png([1, 2, 3]));
    app
}

fn log_path(app: &TestApp) -> PathBuf {
    app.cache_dir().join("failures.txt")
}

/// Requests the picture in a separate launch. Returns the error.
fn failure(
    app: &TestApp,
    decoder: &Arc<FailingDecoder>,
    change: impl FnOnce(&mut Config),
) -> DecodeError {
    let decoder: Arc<dyn Decode> = Arc::<FailingDecoder>::clone(decoder);
    let pictures = open(app.base_dir(), decoder, change);
    let found = pictures
        .roots()
        .source(app.root, b"a.png")
        .unwrap()
        .find()
        .unwrap();
    let ticket = pictures
        .thumbs()
        .request_wait(&found, variant("9x9-crop.png"), Priority::Next);
    match ticket.wait() {
        Err(ThumbError::Decode(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn decoder_crashes_are_remembered_across_launches() {
    for error in [
        crashed(),
        DecodeError::TimedOut(Duration::from_millis(1500)),
        DecodeError::Unintelligible("too long"),
        DecodeError::Panicked,
    ] {
        let app = app_with_picture();
        let decoder = FailingDecoder::returning(error.clone());
        for _ in 0..3 {
            let message = failure(&app, &decoder, |_| {}).to_string();
            assert!(message.contains(&error.to_string()), "{message}");
            assert_eq!(decoder.calls(), 1);
        }
        app.write("a.png", b"of another length");
        failure(&app, &decoder, |_| {});
        assert_eq!(decoder.calls(), 2);
    }
}

#[test]
fn cheap_or_external_failures_are_not_logged() {
    for error in [
        DecodeError::Damaged("cut off".to_owned()),
        DecodeError::Killed,
        DecodeError::Unanswered(Duration::from_secs(60)),
    ] {
        let app = app_with_picture();
        let decoder = FailingDecoder::returning(error);
        for calls in 1..3 {
            failure(&app, &decoder, |_| {});
            assert_eq!(decoder.calls(), calls);
        }
        assert!(!log_path(&app).exists());
    }
}

#[test]
fn changed_limits_retry_failed_pictures() {
    let app = app_with_picture();
    let decoder = FailingDecoder::returning(crashed());
    failure(&app, &decoder, |_| {});
    let more = |config: &mut Config| config.limits.pixels = Limits::default().pixels + 1;
    for _ in 0..2 {
        failure(&app, &decoder, more);
        assert_eq!(decoder.calls(), 2);
    }
}

#[test]
fn unreadable_lines_of_the_log_are_ignored() {
    let app = app_with_picture();
    let decoder = FailingDecoder::returning(crashed());
    failure(&app, &decoder, |_| {});
    let mut file = File::options().append(true).open(log_path(&app)).unwrap();
    file.write_all(b"\xff\xfe\x00 rubbish\n0123 ended\n\n")
        .unwrap();
    failure(&app, &decoder, |_| {});
    assert_eq!(decoder.calls(), 1);
    fs::write(log_path(&app), b"\xff").unwrap();
    for _ in 0..2 {
        failure(&app, &decoder, |_| {});
        assert_eq!(decoder.calls(), 2);
    }
}

#[test]
fn log_keeps_ten_thousand_newest_failures() {
    let app = app_with_picture();
    let decoder = FailingDecoder::returning(crashed());
    failure(&app, &decoder, |_| {});
    let text = fs::read_to_string(log_path(&app)).unwrap();
    let (heading, ours) = text.split_once('\n').unwrap();
    let others: String = (0..10_000)
        .map(|number| format!("{number:040x}-{:016x} ended of old\n", 0))
        .collect();
    fs::write(log_path(&app), format!("{heading}\n{others}{ours}")).unwrap();
    failure(&app, &decoder, |_| {});
    assert_eq!(decoder.calls(), 1);
    let text = fs::read_to_string(log_path(&app)).unwrap();
    assert_eq!(text.lines().count(), 1 + 10_000);
    assert!(text.ends_with(ours));
    assert!(!text.contains(&format!("\n{:040x}-", 0)));
}

#[test]
fn nothing_is_logged_in_an_unmarked_folder() {
    let app = TestApp::with_config(FailingDecoder::returning(crashed()), |_| {});
    app.write("a.png", &png([1, 2, 3]));
    fs::remove_file(app.cache_dir().join("CACHEDIR.TAG")).unwrap();
    let outcome = app.thumbnail("a.png", variant("9x9-crop.png"));
    let failed = matches!(outcome, Err(ThumbError::Decode(DecodeError::Crashed(_))));
    assert!(failed, "{outcome:?}");
    assert!(!log_path(&app).exists());
}
