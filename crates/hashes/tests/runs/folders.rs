//! Runs over whole folders: skipped entries, ends, and waiting runs.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use fumikura_hashes::{
    Part, RecordOptions, RunObserver, Schedule, Scope, State, StoredFiles, VerifyOptions,
    WalkOptions,
};
use jiff::Timestamp;

use crate::place::{Place, check};

#[test]
fn a_moved_folder_is_one_finding() {
    let place = Place::new();
    for number in 0..1000 {
        place.write(
            &format!("old/{}/{number}", number % 10),
            &format!("contents {number}"),
        );
    }
    place.record();
    fs::rename(place.at("old"), place.at("new")).unwrap();
    let report = place.verify();
    check(&report, &[(State::Moved, "old")]);
    assert_eq!(report.findings[0].files, Some(1000));
    assert_eq!(report.findings[0].to, Some(place.path("new")));
    assert_eq!(report.summary.count(State::Moved), 1000);
}

#[test]
fn folder_stays_moved_after_recording_the_new_path() {
    let place = Place::new();
    for name in ["old/a", "old/b/c", "old/b/d"] {
        place.write(name, name);
    }
    place.record();
    fs::rename(place.at("old"), place.at("new")).unwrap();
    place.record();
    for report in [place.verify(), place.verify_full()] {
        check(&report, &[(State::Moved, "old")]);
        assert_eq!(report.findings[0].files, Some(3));
        assert_eq!(report.findings[0].to, Some(place.path("new")));
    }
}

#[test]
fn old_or_damaged_copy_is_no_move_target() {
    let place = Place::new();
    for name in ["a", "b"] {
        place.write(name, "same");
    }
    place.record();
    place.verify_full();
    fs::remove_file(place.at("a")).unwrap();
    check(&place.verify(), &[(State::Missing, "a")]);

    let place = Place::new();
    place.write("a", "same");
    place.record();
    fs::rename(place.at("a"), place.at("b")).unwrap();
    place.record();
    place.write("b", "else");
    check(
        &place.verify(),
        &[(State::Changed, "b"), (State::Missing, "a")],
    );
}

#[test]
fn disconnected_folder_is_one_finding() {
    let place = Place::new();
    place.write("disk/a", "a");
    place.write("disk/b", "b");
    let disk = place.path("disk");
    place
        .folder
        .record(
            std::slice::from_ref(&disk),
            &RecordOptions::default(),
            &Timestamp::now,
            &(),
        )
        .unwrap();
    fs::rename(place.at("disk"), place.outer.path().join("elsewhere")).unwrap();
    let verify = |scope: &Scope| {
        place
            .folder
            .verify(scope, &VerifyOptions::default(), Timestamp::now(), &())
            .unwrap()
    };
    for scope in [Scope::Everything, Scope::Paths(vec![disk])] {
        let report = verify(&scope);
        check(&report, &[(State::RootAway, "disk")]);
        assert_eq!(report.findings[0].files, Some(2));
    }
    // The state of an unmounted disk's mount point.
    fs::create_dir(place.at("disk")).unwrap();
    check(&verify(&Scope::Everything), &[(State::RootAway, "disk")]);
    let tidied = place.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(tidied.written, 0);
    fs::remove_dir(place.at("disk")).unwrap();
    fs::rename(place.outer.path().join("elsewhere"), place.at("disk")).unwrap();
    check(&verify(&Scope::Everything), &[]);
}

#[test]
fn links_pipes_and_ignored_files_are_skipped() {
    let place = Place::new();
    place.write("a", "a");
    place.write("a.tmp", "a");
    place.write("cache/b", "b");
    symlink(place.at("a"), place.at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, place.at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let walk = WalkOptions {
        ignore: vec!["*.tmp".into(), "cache/".into()],
        ..WalkOptions::default()
    };
    let report = place.record_with(&RecordOptions {
        walk: walk.clone(),
        ..RecordOptions::default()
    });
    assert_eq!(
        (report.written, report.skipped.links, report.skipped.special),
        (1, 1, 1)
    );
    check(
        &place.verify_with(&VerifyOptions {
            walk,
            ..VerifyOptions::default()
        }),
        &[],
    );
    check(&place.verify(), &[(State::New, "a.tmp"), (State::New, "b")]);
}

/// Nothing was verified then, and the report must not suggest that it was.
#[test]
fn explicitly_named_links_and_pipes_are_refused() {
    let place = Place::new();
    place.write("a", "a");
    place.record();
    symlink(place.at("a"), place.at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, place.at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let named = ["link", "pipe"].map(|name| place.path(name));
    let expected = [(State::Unreadable, "link"), (State::Unreadable, "pipe")];
    let scope = Scope::Paths(named.to_vec());
    let options = VerifyOptions::default();
    let verified = place
        .folder
        .verify(&scope, &options, Timestamp::now(), &())
        .unwrap();
    check(&verified, &expected);
    let reason = verified.findings[0].reason.as_deref().unwrap();
    assert!(
        reason.contains("name the file that it leads to"),
        "{reason}"
    );
    let options = RecordOptions::default();
    let recorded = place
        .folder
        .record(&named, &options, &Timestamp::now, &())
        .unwrap();
    check(&recorded, &expected);
}

struct StopAfter(u64);

impl RunObserver for StopAfter {
    fn advance(&self, done: u64, _total: u64) -> bool {
        done < self.0
    }
}

#[test]
fn a_cancelled_run_keeps_what_it_wrote() {
    let place = Place::new();
    for number in 0..50 {
        place.write(&format!("{number}"), "0123456789");
    }
    let report = place
        .folder
        .record(
            &[place.files()],
            &RecordOptions::default(),
            &Timestamp::now,
            &StopAfter(200),
        )
        .unwrap();
    assert!(report.is_cancelled);
    assert!(
        report.written > 0 && report.written < 50,
        "{}",
        report.written
    );
    let rest = place.record();
    assert_eq!(rest.written, 50 - report.written);
    let halted = place
        .folder
        .verify(
            &Scope::Paths(vec![place.files()]),
            &VerifyOptions {
                full: true,
                ..VerifyOptions::default()
            },
            Timestamp::now(),
            &StopAfter(200),
        )
        .unwrap();
    assert!(halted.is_cancelled && halted.files_read < 50);
}

#[test]
fn cancelled_run_resumes_where_it_stopped() {
    let place = Place::new();
    for number in 0..50 {
        place.write(&format!("{number}"), "0123456789");
    }
    place.record();
    let scope = Scope::Paths(vec![place.files()]);
    let verify = |resume: bool, observer: &dyn RunObserver| {
        let options = VerifyOptions {
            full: true,
            resume,
            ..VerifyOptions::default()
        };
        let report = place
            .folder
            .verify(&scope, &options, Timestamp::now(), observer);
        report.unwrap()
    };
    let halted = verify(false, &StopAfter(200));
    assert!(halted.is_cancelled && halted.files_read > 0);
    let rest = verify(true, &());
    assert_eq!(rest.files_read, 50 - halted.files_read);
    assert_eq!(rest.summary.count(State::Ok), 50);
    // The run is complete: the next one begins from the start.
    assert_eq!(verify(true, &()).files_read, 50);
}

/// Returns a time at which every file is due.
fn in_forty_days() -> Timestamp {
    Timestamp::now() + Duration::from_secs(40 * 86_400)
}

#[test]
fn interrupted_run_outlives_a_scheduled_part() {
    let place = Place::new();
    for number in 0..50 {
        place.write(&format!("{number}"), "0123456789");
    }
    place.record();
    let scope = Scope::Paths(vec![place.files()]);
    let options = VerifyOptions {
        full: true,
        resume: true,
        ..VerifyOptions::default()
    };
    let verify = |observer: &dyn RunObserver| {
        let report = place
            .folder
            .verify(&scope, &options, Timestamp::now(), observer);
        report.unwrap().files_read
    };
    let halted = verify(&StopAfter(200));
    let on = Schedule {
        enabled: true,
        ..Schedule::default()
    };
    place.folder.set_schedule(on).unwrap();
    let part = Part {
        bytes: 10,
        today: jiff::civil::date(2026, 1, 1),
        now: in_forty_days(),
    };
    let read = place.folder.verify_next(part, &StoredFiles::NONE, &());
    assert_eq!(read.unwrap().unwrap().files_read, 1);
    assert_eq!(verify(&()), 49 - halted);
}

#[test]
fn a_schedule_verifies_a_part_a_day() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.write(name, name);
    }
    place.record();
    let today = jiff::civil::date(2026, 1, 1);
    let later = in_forty_days();
    let next = |bytes| {
        let part = Part {
            bytes,
            today,
            now: later,
        };
        let report = place.folder.verify_next(part, &StoredFiles::NONE, &());
        report.unwrap().map(|report| report.files_read)
    };
    assert_eq!(next(100), None, "off until it is turned on");
    let on = Schedule {
        enabled: true,
        ..Schedule::default()
    };
    place.folder.set_schedule(on).unwrap();
    assert_eq!(place.folder.schedule().unwrap(), on);
    assert_eq!((next(2), next(2), next(2)), (Some(2), Some(1), None));
    let index = place.folder.index().unwrap();
    assert!(
        index
            .rows
            .values()
            .all(|row| row.verified_at == Some(later))
    );
}

#[test]
fn two_writers_wait_for_each_other() {
    let place = Place::new();
    place.write("a", "a");
    let lock = place.folder.lock().unwrap();
    let folder = place.folder.clone();
    let files = place.files();
    let recording = std::thread::spawn(move || {
        folder.record(&[files], &RecordOptions::default(), &Timestamp::now, &())
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(place.folder.index().unwrap().rows.is_empty());
    drop(lock);
    assert_eq!(recording.join().unwrap().unwrap().written, 1);
}
