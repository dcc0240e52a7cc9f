//! Pictures that exhausted their decoder, from one launch to the next.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fumikura_image::{Decode, DecodeError, EncodedThumbnail, InProcess, Limits, Variant};
use fumikura_pictures::Config;
use fumikura_thumbs::{Priority, ThumbError};

use crate::house::{House, open, png, variant};

/// A decoder that always fails in the same way, and counts its calls.
struct Failing {
    error: DecodeError,
    asked: AtomicUsize,
}

impl Failing {
    fn with(error: DecodeError) -> Arc<Self> {
        Arc::new(Self {
            error,
            asked: AtomicUsize::new(0),
        })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Decode for Failing {
    fn thumbnail(&self, _: File, _: u64, _: Variant) -> Result<EncodedThumbnail, DecodeError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Err(self.error.clone())
    }
}

fn crashed() -> DecodeError {
    DecodeError::Crashed("signal 9".to_owned())
}

fn house() -> House {
    let house = House::with(Arc::new(InProcess::default()), |_| {});
    house.put("a.png", &png([1, 2, 3]));
    house
}

fn marks(house: &House) -> PathBuf {
    house.cache().join("failures.txt")
}

/// Requests the picture in a separate launch. Returns the error.
fn failure(house: &House, decoder: &Arc<Failing>, change: impl FnOnce(&mut Config)) -> DecodeError {
    let decoder: Arc<dyn Decode> = Arc::<Failing>::clone(decoder);
    let pictures = open(house.outside(), decoder, change);
    let found = pictures
        .roots()
        .source(house.root, b"a.png")
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
fn they_are_not_tried_again_in_the_next_launch_until_they_change() {
    for error in [
        crashed(),
        DecodeError::TimedOut(Duration::from_millis(1500)),
        DecodeError::Unintelligible("too long"),
        DecodeError::Panicked,
    ] {
        let house = house();
        let decoder = Failing::with(error.clone());
        for _ in 0..3 {
            let told = failure(&house, &decoder, |_| {}).to_string();
            assert!(told.contains(&error.to_string()), "{told}");
            assert_eq!(decoder.asked(), 1);
        }
        house.put("a.png", b"of another length");
        failure(&house, &decoder, |_| {});
        assert_eq!(decoder.asked(), 2);
    }
}

#[test]
fn what_costs_little_or_was_perhaps_not_to_blame_is_tried_again_in_the_next_launch() {
    for error in [
        DecodeError::Damaged("cut off".to_owned()),
        DecodeError::Killed,
        DecodeError::Unanswered(Duration::from_secs(60)),
    ] {
        let house = house();
        let decoder = Failing::with(error);
        for asked in 1..3 {
            failure(&house, &decoder, |_| {});
            assert_eq!(decoder.asked(), asked);
        }
        assert!(!marks(&house).exists());
    }
}

#[test]
fn with_other_limits_they_are_tried_again() {
    let house = house();
    let decoder = Failing::with(crashed());
    failure(&house, &decoder, |_| {});
    let more = |config: &mut Config| config.limits.pixels = Limits::default().pixels + 1;
    for _ in 0..2 {
        failure(&house, &decoder, more);
        assert_eq!(decoder.asked(), 2);
    }
}

#[test]
fn what_the_file_holds_besides_is_passed_over() {
    let house = house();
    let decoder = Failing::with(crashed());
    failure(&house, &decoder, |_| {});
    let mut file = File::options().append(true).open(marks(&house)).unwrap();
    file.write_all(b"\xff\xfe\x00 rubbish\n0123 ended\n\n")
        .unwrap();
    failure(&house, &decoder, |_| {});
    assert_eq!(decoder.asked(), 1);
    fs::write(marks(&house), b"\xff").unwrap();
    for _ in 0..2 {
        failure(&house, &decoder, |_| {});
        assert_eq!(decoder.asked(), 2);
    }
}

#[test]
fn ten_thousand_are_kept_and_the_oldest_go() {
    let house = house();
    let decoder = Failing::with(crashed());
    failure(&house, &decoder, |_| {});
    let text = fs::read_to_string(marks(&house)).unwrap();
    let (heading, ours) = text.split_once('\n').unwrap();
    let others: String = (0..10_000)
        .map(|number| format!("{number:040x}-{:016x} ended of old\n", 0))
        .collect();
    fs::write(marks(&house), format!("{heading}\n{others}{ours}")).unwrap();
    failure(&house, &decoder, |_| {});
    assert_eq!(decoder.asked(), 1);
    let text = fs::read_to_string(marks(&house)).unwrap();
    assert_eq!(text.lines().count(), 1 + 10_000);
    assert!(text.ends_with(ours));
    assert!(!text.contains(&format!("\n{:040x}-", 0)));
}

#[test]
fn nothing_is_written_into_a_folder_that_is_not_ours_any_more() {
    let house = House::with(Failing::with(crashed()), |_| {});
    house.put("a.png", &png([1, 2, 3]));
    fs::remove_file(house.cache().join("CACHEDIR.TAG")).unwrap();
    let outcome = house.thumbnail("a.png", variant("9x9-crop.png"));
    let failed = matches!(outcome, Err(ThumbError::Decode(DecodeError::Crashed(_))));
    assert!(failed, "{outcome:?}");
    assert!(!marks(&house).exists());
}
