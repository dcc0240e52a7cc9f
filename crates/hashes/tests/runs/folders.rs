//! Runs over whole folders: skipped entries, ends, and waiting runs.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use fumikura_hashes::{
    FileState, PartBounds, RecordOptions, RunObserver, Schedule, Scope, StoredFiles, VerifyOptions,
    WalkOptions,
};
use jiff::Timestamp;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::fixture::{Fixture, check};

#[test]
fn a_moved_folder_is_one_finding() {
    let fixture = Fixture::new();
    for number in 0..1000 {
        fixture.write(
            &format!("old/{}/{number}", number % 10),
            &format!("contents {number}"),
        );
    }
    fixture.record();
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    let report = fixture.verify();
    check(&report, &[(FileState::Moved, "old")]);
    assert_eq!(report.findings[0].files, Some(1000));
    assert_eq!(report.findings[0].to, Some(fixture.path("new")));
    assert_eq!(report.summary.count(FileState::Moved), 1000);
}

#[test]
fn folder_stays_moved_after_recording_the_new_path() {
    let fixture = Fixture::new();
    for name in ["old/a", "old/b/c", "old/b/d"] {
        fixture.write(name, name);
    }
    fixture.record();
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    fixture.record();
    for report in [fixture.verify_quick(), fixture.verify()] {
        check(&report, &[(FileState::Moved, "old")]);
        assert_eq!(report.findings[0].files, Some(3));
        assert_eq!(report.findings[0].to, Some(fixture.path("new")));
    }
}

#[test]
fn old_or_damaged_copy_is_no_move_target() {
    let fixture = Fixture::new();
    for name in ["a", "b"] {
        fixture.write(name, "same");
    }
    fixture.record();
    fixture.verify();
    fs::remove_file(fixture.at("a")).unwrap();
    check(&fixture.verify(), &[(FileState::Missing, "a")]);

    let fixture = Fixture::new();
    fixture.write("a", "same");
    fixture.record();
    fs::rename(fixture.at("a"), fixture.at("b")).unwrap();
    fixture.record();
    fixture.write("b", "else");
    check(
        &fixture.verify(),
        &[(FileState::Changed, "b"), (FileState::Missing, "a")],
    );
}

#[test]
fn disconnected_folder_is_one_finding() {
    let fixture = Fixture::new();
    fixture.write("disk/a", "a");
    fixture.write("disk/b", "b");
    let disk = fixture.path("disk");
    fixture
        .folder
        .record(
            std::slice::from_ref(&disk),
            &RecordOptions::default(),
            &Timestamp::now,
            &(),
        )
        .unwrap();
    fs::rename(fixture.at("disk"), fixture.outer.path().join("elsewhere")).unwrap();
    let verify = |scope: &Scope| {
        fixture
            .folder
            .verify(scope, &VerifyOptions::default(), Timestamp::now(), &())
            .unwrap()
    };
    for scope in [Scope::Everything, Scope::Paths(vec![disk])] {
        let report = verify(&scope);
        check(&report, &[(FileState::RootAway, "disk")]);
        assert_eq!(report.findings[0].files, Some(2));
    }
    // The state of an unmounted disk's mount point.
    fs::create_dir(fixture.at("disk")).unwrap();
    check(
        &verify(&Scope::Everything),
        &[(FileState::RootAway, "disk")],
    );
    let tidied = fixture.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(tidied.written, 0);
    fs::remove_dir(fixture.at("disk")).unwrap();
    fs::rename(fixture.outer.path().join("elsewhere"), fixture.at("disk")).unwrap();
    check(&verify(&Scope::Everything), &[]);
}

#[test]
fn links_pipes_and_ignored_files_are_skipped() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("a.tmp", "a");
    fixture.write("cache/b", "b");
    symlink(fixture.at("a"), fixture.at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, fixture.at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let walk = WalkOptions {
        ignore: vec!["*.tmp".into(), "cache/".into()],
        ..WalkOptions::default()
    };
    let report = fixture.record_with(&RecordOptions {
        walk: walk.clone(),
        ..RecordOptions::default()
    });
    assert_eq!(
        (report.written, report.skipped.links, report.skipped.special),
        (1, 1, 1)
    );
    check(
        &fixture.verify_with(&VerifyOptions {
            walk,
            ..VerifyOptions::default()
        }),
        &[],
    );
    check(
        &fixture.verify(),
        &[(FileState::New, "a.tmp"), (FileState::New, "b")],
    );
}

/// Nothing was verified then, and the report must not suggest that it was.
#[test]
fn explicitly_named_links_and_pipes_are_refused() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.record();
    symlink(fixture.at("a"), fixture.at("link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, fixture.at("pipe"), rustix::fs::Mode::RUSR).unwrap();
    let named = ["link", "pipe"].map(|name| fixture.path(name));
    let expected = [
        (FileState::Unreadable, "link"),
        (FileState::Unreadable, "pipe"),
    ];
    let scope = Scope::Paths(named.to_vec());
    let options = VerifyOptions::default();
    let verified = fixture
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
    let recorded = fixture
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
    let fixture = Fixture::new();
    for number in 0..50 {
        fixture.write(&format!("{number}"), "0123456789");
    }
    let report = fixture
        .folder
        .record(
            &[fixture.files()],
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
    let rest = fixture.record();
    assert_eq!(rest.written, 50 - report.written);
    let halted = fixture
        .folder
        .verify(
            &Scope::Paths(vec![fixture.files()]),
            &VerifyOptions::default(),
            Timestamp::now(),
            &StopAfter(200),
        )
        .unwrap();
    assert!(halted.is_cancelled && halted.files_read < 50);
}

#[test]
fn cancelled_run_resumes_where_it_stopped() {
    let fixture = Fixture::new();
    for number in 0..50 {
        fixture.write(&format!("{number}"), "0123456789");
    }
    fixture.record();
    let scope = Scope::Paths(vec![fixture.files()]);
    let verify = |resume: bool, observer: &dyn RunObserver| {
        let options = VerifyOptions {
            resume,
            ..VerifyOptions::default()
        };
        let report = fixture
            .folder
            .verify(&scope, &options, Timestamp::now(), observer);
        report.unwrap()
    };
    let halted = verify(false, &StopAfter(200));
    assert!(halted.is_cancelled && halted.files_read > 0);
    let rest = verify(true, &());
    assert_eq!(rest.files_read, 50 - halted.files_read);
    assert_eq!(rest.summary.count(FileState::Ok), 50);
    // The run is complete: the next one begins from the start.
    assert_eq!(verify(true, &()).files_read, 50);
}

/// Returns a time at which every file is due.
fn in_forty_days() -> Timestamp {
    Timestamp::now() + Duration::from_secs(40 * 86_400)
}

#[test]
fn interrupted_run_outlives_a_scheduled_part() {
    let fixture = Fixture::new();
    for number in 0..50 {
        fixture.write(&format!("{number}"), "0123456789");
    }
    fixture.record();
    let scope = Scope::Paths(vec![fixture.files()]);
    let options = VerifyOptions {
        resume: true,
        ..VerifyOptions::default()
    };
    let verify = |observer: &dyn RunObserver| {
        let report = fixture
            .folder
            .verify(&scope, &options, Timestamp::now(), observer);
        report.unwrap().files_read
    };
    let halted = verify(&StopAfter(200));
    let on = Schedule {
        enabled: true,
        ..Schedule::default()
    };
    fixture.folder.set_schedule(on).unwrap();
    let part = PartBounds {
        bytes: 10,
        today: jiff::civil::date(2026, 1, 1),
        now: in_forty_days(),
    };
    let read = fixture.folder.verify_next(part, &StoredFiles::NONE, &());
    assert_eq!(read.unwrap().unwrap().files_read, 1);
    assert_eq!(verify(&()), 49 - halted);
}

#[test]
fn a_schedule_verifies_a_part_a_day() {
    let fixture = Fixture::new();
    for name in ["a", "b", "c"] {
        fixture.write(name, name);
    }
    fixture.record();
    let today = jiff::civil::date(2026, 1, 1);
    let later = in_forty_days();
    let next = |bytes| {
        let part = PartBounds {
            bytes,
            today,
            now: later,
        };
        let report = fixture.folder.verify_next(part, &StoredFiles::NONE, &());
        report.unwrap().map(|report| report.files_read)
    };
    assert_eq!(next(100), None, "off until it is turned on");
    let on = Schedule {
        enabled: true,
        ..Schedule::default()
    };
    fixture.folder.set_schedule(on).unwrap();
    assert_eq!(fixture.folder.schedule().unwrap(), on);
    assert_eq!((next(2), next(2), next(2)), (Some(2), Some(1), None));
    let index = fixture.folder.index().unwrap();
    assert!(
        index
            .rows
            .values()
            .all(|row| row.verified_at == Some(later))
    );
}

#[test]
fn two_writers_wait_for_each_other() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    let lock = fixture.folder.lock().unwrap();
    let folder = fixture.folder.clone();
    let files = fixture.files();
    let recording = std::thread::spawn(move || {
        folder.record(&[files], &RecordOptions::default(), &Timestamp::now, &())
    });
    std::thread::sleep(Duration::from_millis(100));
    assert!(fixture.folder.index().unwrap().rows.is_empty());
    drop(lock);
    assert_eq!(recording.join().unwrap().unwrap().written, 1);
}

/// Puts a pipe or a link to an endless device in the place of a file.
fn plant(path: &Path, is_pipe: bool) {
    if let Err(error) = fs::remove_file(path) {
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
    if is_pipe {
        mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    } else {
        symlink("/dev/zero", path).unwrap();
    }
}

#[test]
fn special_own_files_are_replaced_or_reported() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.record();
    let own = |name: &str| fixture.folder.path().join(".fumikura").join(name);
    for is_pipe in [true, false] {
        for derived in ["index", "unfinished.json", "stored"] {
            plant(&own(derived), is_pipe);
        }
        check(&fixture.verify(), &[]);
        assert!(fs::symlink_metadata(own("index")).unwrap().is_file());
        assert!(fixture.folder.verifications().is_empty());
        for kept in ["folders.json", "schedule.json", "lock"] {
            let before = fs::read(own(kept)).ok();
            plant(&own(kept), is_pipe);
            let error = match kept {
                "folders.json" => fixture.folder.roots().map(drop),
                "schedule.json" => fixture.folder.schedule().map(drop),
                _ => fixture.folder.lock().map(drop),
            };
            let error = error.unwrap_err().to_string();
            assert!(
                error.ends_with(&format!("{kept} is not a regular file")),
                "{error}"
            );
            fs::remove_file(own(kept)).unwrap();
            if let Some(before) = before {
                fs::write(own(kept), before).unwrap();
            }
        }
    }
}
