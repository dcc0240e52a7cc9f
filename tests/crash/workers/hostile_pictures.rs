//! Pictures that kill, hang, starve or fool their worker: each fails with its own error, and affects no other.

use std::io::Read;
use std::time::{Duration, Instant};

use fumikura_image::DecodeError;
use rustix::process::Signal;

use super::{Drill, exists, good, send};
use crate::support::until;

/// Checks that the picture permanently has no thumbnail, that its worker is gone unless `goes_on`, and that
/// the next picture has one.
#[track_caller]
fn check(drill: &Drill, picture: &str, goes_on: bool, is_expected: impl Fn(&DecodeError) -> bool) {
    let error = drill.ask(picture.as_bytes()).unwrap_err();
    assert!(is_expected(&error), "{error:?}");
    assert!(error.is_lasting(), "{error:?}");
    let process = drill.last();
    assert_eq!(exists(process), goes_on, "{error:?}");
    drill.ask(&good()).unwrap();
    assert_eq!(drill.last() == process, goes_on);
}

fn is_crash(error: &DecodeError, how: &str) -> bool {
    matches!(error, DecodeError::Crashed(status) if status.contains(how))
}

#[test]
fn abort_of_the_decoder_is_reported() {
    let is_expected = |error: &DecodeError| is_crash(error, "SIGABRT");
    check(&Drill::new(), "abort", false, is_expected);
}

#[test]
fn exit_of_the_decoder_is_reported() {
    let is_expected = |error: &DecodeError| is_crash(error, "exit status: 3");
    check(&Drill::new(), "exit", false, is_expected);
}

#[test]
fn stack_overflow_is_reported() {
    let is_expected = |error: &DecodeError| is_crash(error, "SIG");
    check(&Drill::new(), "recurse", false, is_expected);
}

/// A worker is reused after a picture that was refused by its header, and after no other failure.
#[test]
fn worker_is_reused_after_clean_jobs_only() {
    let is_panic = |error: &DecodeError| matches!(error, DecodeError::Panicked);
    check(&Drill::new(), "panic", false, is_panic);
    let is_unknown = |error: &DecodeError| matches!(error, DecodeError::NotAPicture);
    check(&Drill::new(), "no picture", true, is_unknown);
    let drill = Drill::new();
    let cut = &good()[..50];
    assert!(matches!(drill.ask(cut), Err(DecodeError::Damaged(_))));
    drill.ask(&good()).unwrap();
    assert_eq!(drill.processes().len(), 2);
}

#[test]
fn endless_allocation_is_stopped() {
    // By the limit of memory, not by that of time.
    let is_expected = |error: &DecodeError| is_crash(error, "SIGABRT");
    check(&Drill::new(), "allocate", false, is_expected);
}

#[test]
fn hanging_decoder_is_stopped() {
    // Long enough for the picture after it on a busy machine.
    let wall = Duration::from_secs(10);
    let drill = Drill::with(|config| config.limits.wall = wall);
    let start = Instant::now();
    check(
        &drill,
        "hang",
        false,
        |error| matches!(error, DecodeError::Unanswered(limit) if *limit == wall),
    );
    assert!(start.elapsed() >= wall);
}

#[test]
fn endless_computation_is_stopped() {
    let cpu = Duration::from_secs(1);
    let drill = Drill::with(|config| config.limits.cpu = cpu);
    check(
        &drill,
        "spin",
        false,
        |error| matches!(error, DecodeError::TimedOut(limit) if *limit == cpu),
    );
}

#[test]
fn killed_worker_fails_its_picture() {
    // The parent of the tests may ignore other signals, which all child processes inherit.
    for signal in [Signal::KILL, Signal::TERM] {
        let drill = Drill::new();
        std::thread::scope(|scope| {
            let request = scope.spawn(|| drill.ask(b"hang").unwrap_err());
            until("it hangs", || !drill.notes().is_empty());
            send(drill.last(), signal);
            let error = request.join().unwrap();
            assert!(matches!(error, DecodeError::Killed), "{error:?}");
            assert!(error.is_lasting());
        });
        assert!(!exists(drill.last()));
        drill.ask(&good()).unwrap();
    }
}

#[test]
fn thumbnail_of_wrong_format_is_refused() {
    let is_expected = |error: &DecodeError| matches!(error, DecodeError::Unintelligible(_));
    check(&Drill::new(), "wrong-kind", false, is_expected);
}

#[test]
fn too_large_thumbnail_is_refused() {
    let drill = Drill::with(|config| config.limits.output = 1 << 20);
    check(
        &drill,
        "huge",
        false,
        |error| matches!(error, DecodeError::TooLarge(words) if words.contains("67108864")),
    );
}

#[test]
fn decoder_error_is_passed_on_unchanged() {
    let is_expected = |error: &DecodeError| matches!(error, DecodeError::NotAPicture);
    check(&Drill::new(), "just a text", true, is_expected);
}

/// A small file of 9,000 × 9,000 pixels takes 243 MB, in addition to a worker's own memory.
#[test]
fn memory_limit_refuses_large_picture() {
    let drill = Drill::with(|config| config.limits.memory = 200 << 20);
    drill.ask(&good()).unwrap();
    let error = drill.ask(&large()).unwrap_err();
    assert!(
        is_crash(&error, "SIGABRT") || matches!(error, DecodeError::TooLarge(_)),
        "{error:?}"
    );
    let drill = Drill::new();
    drill.ask(&large()).unwrap();
}

/// Returns a small file with many pixels.
fn large() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 9000, 9000);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let mut pixels = writer.stream_writer().unwrap();
    let mut grey = std::io::repeat(7).take(9000 * 9000 * 3);
    std::io::copy(&mut grey, &mut pixels).unwrap();
    pixels.finish().unwrap();
    drop(writer);
    bytes
}
