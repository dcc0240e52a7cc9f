//! Files whose hashes another store keeps.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fumikura_hashes::{
    FilePath, FileState, PartBounds, Report, Schedule, StoredFile, StoredFiles, Verification, read,
};
use jiff::Timestamp;

use crate::fixture::{Fixture, check};

const NOON: &str = "2026-01-01T12:00:00Z";
const DAY: Duration = Duration::from_secs(86_400);

fn turned_on() -> Fixture {
    let fixture = Fixture::new();
    let on = Schedule {
        enabled: true,
        days: 2,
        ..Schedule::default()
    };
    fixture.folder.set_schedule(on).unwrap();
    fixture
}

fn at(fixture: &Fixture, name: &str) -> PathBuf {
    let outer = fixture.outer.path().canonicalize().unwrap();
    outer.join("store").join(name)
}

/// Writes a file of another store.
fn stored(fixture: &Fixture, name: &str) -> StoredFile {
    let path = at(fixture, name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, name).unwrap();
    let path = FilePath::try_from(&*path).unwrap();
    StoredFile {
        id: name.to_owned(),
        size: name.len() as u64,
        digest: read(&path, &|_| true).unwrap().digest,
        path,
    }
}

fn part(bytes: u64, now: Timestamp) -> PartBounds {
    PartBounds {
        bytes,
        today: jiff::civil::date(2026, 1, 1),
        now,
    }
}

fn verify(fixture: &Fixture, files: &[StoredFile], bytes: u64, now: Timestamp) -> Option<Report> {
    let stored = StoredFiles {
        files,
        is_stored: &|_| true,
    };
    let report = fixture.folder.verify_next(part(bytes, now), &stored, &());
    report.unwrap()
}

#[test]
fn stored_files_are_verified_with_recorded_ones() {
    let fixture = turned_on();
    let files = ["a", "b", "c"].map(|name| stored(&fixture, name));
    fixture.write("recorded", "d");
    fixture.record();
    fs::write(at(&fixture, "b"), "x").unwrap();
    fs::remove_file(at(&fixture, "c")).unwrap();
    let now = NOON.parse().unwrap();
    let report = verify(&fixture, &files, 100, now).unwrap();
    check(
        &report,
        &[(FileState::Differs, "b"), (FileState::Missing, "c")],
    );
    assert_eq!(report.summary.count(FileState::Ok), 1);
    assert_eq!((report.files_read, report.bytes_read), (2, 2));
    assert_eq!(report.findings[0].expected, Some(files[1].digest.into()));
    let verification = |state, verified_at| Verification {
        state,
        read_at: now,
        verified_at,
    };
    let expected = [
        ("a".to_owned(), verification(FileState::Ok, Some(now))),
        ("b".to_owned(), verification(FileState::Differs, None)),
        ("c".to_owned(), verification(FileState::Missing, None)),
    ];
    assert_eq!(fixture.folder.verifications(), expected.into());
    // Nothing is due again before half of the period. Then everything is, damaged or not.
    assert_eq!(verify(&fixture, &files, 100, now), None);
    let report = verify(&fixture, &files, 100, now + DAY).unwrap();
    assert_eq!(report.summary.count(FileState::Ok), 1);
    check(
        &report,
        &[(FileState::Differs, "b"), (FileState::Missing, "c")],
    );
}

#[test]
fn stored_and_recorded_files_share_a_part() {
    let fixture = turned_on();
    let files = ["a", "b"].map(|name| stored(&fixture, name));
    fixture.write("recorded", "d");
    fixture.record();
    let later = Timestamp::now() + DAY * 40;
    let read = |bytes| verify(&fixture, &files, bytes, later).map(|report| report.files_read);
    assert_eq!((read(1), read(2), read(2)), (Some(1), Some(2), None));
}

#[test]
fn files_removed_from_the_store_are_forgotten() {
    let fixture = turned_on();
    let files = ["a", "b", "c"].map(|name| stored(&fixture, name));
    let now = NOON.parse().unwrap();
    fs::remove_file(at(&fixture, "b")).unwrap();
    let asked = AtomicBool::new(false);
    let is_stored = |file: &StoredFile| {
        asked.store(true, Ordering::Relaxed);
        file.id != "b"
    };
    let gone = StoredFiles {
        files: &files,
        is_stored: &is_stored,
    };
    let report = fixture.folder.verify_next(part(100, now), &gone, &());
    check(&report.unwrap().unwrap(), &[]);
    assert!(asked.load(Ordering::Relaxed));
    let known = || {
        fixture
            .folder
            .verifications()
            .into_keys()
            .collect::<Vec<_>>()
    };
    assert_eq!(known(), ["a", "c"]);
    verify(&fixture, &files[..1], 100, now + DAY).unwrap();
    assert_eq!(known(), ["a"]);
}

#[test]
fn cancelled_part_records_no_unread_files() {
    struct Halt;
    impl fumikura_hashes::RunObserver for Halt {
        fn advance(&self, _done: u64, _total: u64) -> bool {
            false
        }
    }
    let fixture = turned_on();
    let files = ["a"].map(|name| stored(&fixture, name));
    let stored = StoredFiles {
        files: &files,
        is_stored: &|_| true,
    };
    let now = NOON.parse().unwrap();
    let report = fixture.folder.verify_next(part(100, now), &stored, &Halt);
    assert!(report.unwrap().unwrap().is_cancelled);
    assert!(fixture.folder.verifications().is_empty());
}
