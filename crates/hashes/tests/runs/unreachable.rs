//! Files and folders that a run cannot reach: they are not missing, and their records stay.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use fumikura_hashes::{
    FileState, ReasonCode, RecordOptions, Report, Scope, VerifyOptions, WalkOptions,
};
use jiff::Timestamp;
use rustix::fs::Uid;

use crate::fixture::{Fixture, check};

/// An ordinary user, for whom permissions count.
const NOBODY: u32 = 65_534;

/// Runs a test as a user for whom permissions count: if the tests run as root, in a thread of another user.
fn without_privileges(test: impl FnOnce(&Fixture) + Send + 'static) {
    let fixture = Fixture::new();
    if !rustix::process::geteuid().is_root() {
        return test(&fixture);
    }
    give(fixture.outer.path(), NOBODY);
    // The threads that are shared by all tests start as root, and stay so.
    fixture.folder.rebuilt_index().unwrap();
    let run = move || {
        let user = Uid::from_raw(NOBODY);
        rustix::thread::set_thread_res_uid(user, user, user).unwrap();
        test(&fixture);
        open_all(fixture.outer.path());
    };
    std::thread::spawn(run).join().unwrap();
}

fn give(path: &Path, user: u32) {
    chown(path, Some(user), None).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path(), user);
        }
    }
}

/// Makes every folder accessible again, so that it can be removed.
fn open_all(folder: &Path) {
    set_mode(folder, 0o700);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            open_all(&path);
        }
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn verify_everything(fixture: &Fixture) -> Report {
    let verified = fixture.folder.verify(
        &Scope::Everything,
        &VerifyOptions::default(),
        Timestamp::now(),
        &(),
    );
    verified.unwrap()
}

fn tidy(fixture: &Fixture) -> Report {
    fixture.folder.tidy(false, Timestamp::now(), &()).unwrap()
}

#[track_caller]
fn check_denied(report: &Report, path: PathBuf, files: Option<u64>) {
    let [finding] = &report.findings[..] else {
        panic!("{report:#?}");
    };
    assert_eq!(
        (finding.state, finding.path.as_path(), finding.files),
        (FileState::Unreadable, &*path, files)
    );
    let reason = finding.reason.as_deref().unwrap();
    assert!(reason.contains("Permission denied"), "{reason}");
}

#[test]
fn files_in_closed_folders_are_not_missing() {
    without_privileges(|fixture| {
        for name in ["a", "closed/b", "closed/c/d"] {
            fixture.write(name, name);
        }
        fixture.record();
        let closed = fixture.at("closed");
        // Without the right to enter it; to list it; and both.
        for (mode, files) in [(0o400, Some(2)), (0o300, None), (0o000, Some(2))] {
            set_mode(&closed, mode);
            for report in [fixture.verify(), verify_everything(fixture)] {
                check_denied(&report, closed.clone(), files);
                let ok = 3 - files.unwrap_or(0);
                assert_eq!(report.summary.count(FileState::Ok), ok, "{report:#?}");
            }
            let tidied = tidy(fixture);
            assert_eq!(tidied.written, 0);
            check_denied(&tidied, closed.clone(), files);
        }
        let index = fixture.folder.index().unwrap();
        let row = &index.rows[&fixture.path("closed/b")];
        assert_eq!(row.state, Some(FileState::Unreadable));
        set_mode(&closed, 0o700);
        check(&fixture.verify(), &[]);
    });
}

/// A file that is missing there may as well be hidden by an error.
#[test]
fn tidy_leaves_unlisted_folders_alone() {
    without_privileges(|fixture| {
        fixture.write("closed/a", "a");
        fixture.write("closed/b", "b");
        fixture.record();
        fs::remove_file(fixture.at("closed/a")).unwrap();
        set_mode(&fixture.at("closed"), 0o300);
        let report = fixture.verify();
        check(
            &report,
            &[(FileState::Missing, "a"), (FileState::Unreadable, "closed")],
        );
        assert_eq!(tidy(fixture).written, 0);
        set_mode(&fixture.at("closed"), 0o700);
        assert_eq!(tidy(fixture).written, 1);
    });
}

#[test]
fn closed_root_hides_its_files() {
    without_privileges(|fixture| {
        fixture.write("a", "a");
        fixture.write("b", "b");
        fixture.record();
        let root = fixture.at("").parent().unwrap().join("files");
        set_mode(&root, 0o000);
        check_denied(&verify_everything(fixture), root.clone(), Some(2));
        assert_eq!(tidy(fixture).written, 0);
        set_mode(&root, 0o700);
        check(&verify_everything(fixture), &[]);
    });
}

#[test]
fn recording_reports_files_it_cannot_reach() {
    without_privileges(|fixture| {
        for name in ["a", "unlisted/b", "unentered/c", "unentered/d"] {
            fixture.write(name, name);
        }
        let (unlisted, unentered) = (fixture.at("unlisted"), fixture.at("unentered"));
        set_mode(&unlisted, 0o300);
        set_mode(&unentered, 0o400);
        let report = fixture.record();
        assert_eq!(report.written, 1);
        check(
            &report,
            &[
                (FileState::Unreadable, "unentered"),
                (FileState::Unreadable, "unlisted"),
            ],
        );
        assert_eq!(report.findings[0].files, Some(2));
        assert_eq!(report.summary.count(FileState::Unreadable), 3);
    });
}

/// Any failure but a missing entry hides a file, for root as well.
#[test]
fn looping_links_hide_files() {
    let fixture = Fixture::new();
    fixture.write("a/b", "b");
    fixture.write("c", "c");
    fixture.record();
    fs::rename(fixture.at("a"), fixture.outer.path().join("aside")).unwrap();
    symlink(fixture.at("a"), fixture.at("a")).unwrap();
    check(&fixture.verify(), &[(FileState::Unreadable, "b")]);
    assert_eq!(tidy(&fixture).written, 0);
    fs::remove_file(fixture.at("a")).unwrap();
    check(&fixture.verify(), &[(FileState::Missing, "b")]);
}

#[test]
fn folder_behind_a_link_is_not_read() {
    let fixture = Fixture::new();
    fixture.write("a/b", "b");
    fixture.write("a/c", "c");
    fixture.record();
    fs::rename(fixture.at("a"), fixture.at("elsewhere")).unwrap();
    symlink("elsewhere", fixture.at("a")).unwrap();
    let report = verify_everything(&fixture);
    let states: Vec<_> = report.findings.iter().map(|one| one.state).collect();
    assert_eq!(
        states,
        [FileState::Unreadable, FileState::New, FileState::New]
    );
    let hidden = &report.findings[0];
    assert_eq!((&hidden.path, hidden.files), (&fixture.path("a"), Some(2)));
    let code = hidden.reason.as_ref().map(|reason| reason.code);
    assert_eq!(code, Some(ReasonCode::ThroughLink));
    assert_eq!(tidy(&fixture).written, 0);
    let (from, to) = (fixture.path("a"), fixture.path("elsewhere"));
    let moved = fixture.folder.accept_move(&from, &to, Timestamp::now());
    assert_eq!(moved.unwrap(), 2);
    check(&fixture.verify(), &[]);
}

#[test]
fn left_out_files_are_counted() {
    let fixture = Fixture::new();
    for name in ["a", "b.tmp", "cache/c", "cache/d/e"] {
        fixture.write(name, name);
    }
    fixture.record();
    let options = VerifyOptions {
        walk: WalkOptions {
            ignore: vec!["*.tmp".into(), "cache/".into()],
            ..WalkOptions::default()
        },
        ..VerifyOptions::default()
    };
    for scope in [Scope::Everything, Scope::Paths(vec![fixture.files()])] {
        let report = fixture
            .folder
            .verify(&scope, &options, Timestamp::now(), &())
            .unwrap();
        check(&report, &[]);
        assert_eq!(report.skipped.left_out, 3);
        assert_eq!(report.summary.count(FileState::Ok), 1);
    }
    let index = fixture.folder.index().unwrap();
    assert!(
        index
            .rows
            .values()
            .all(|row| row.state == Some(FileState::Ok))
    );
}

/// The mount point of a disk that was recorded within a recorded folder, after it was unmounted.
#[test]
fn emptied_inner_recorded_folder_is_away() {
    let fixture = Fixture::new();
    for name in ["a", "disk/b", "disk/c/d"] {
        fixture.write(name, name);
    }
    fixture.record();
    let disk = fixture.path("disk");
    let record = || {
        let options = RecordOptions::default();
        let paths = std::slice::from_ref(&disk);
        let recorded = fixture.folder.record(paths, &options, &Timestamp::now, &());
        recorded.unwrap()
    };
    record();
    let elsewhere = fixture.outer.path().join("elsewhere");
    fs::rename(fixture.at("disk"), &elsewhere).unwrap();
    fs::create_dir(fixture.at("disk")).unwrap();
    let named = Scope::Paths(vec![fixture.path("disk/b")]);
    let options = VerifyOptions::default();
    let one = fixture
        .folder
        .verify(&named, &options, Timestamp::now(), &())
        .unwrap();
    check(&one, &[(FileState::RootAway, "disk")]);
    for report in [fixture.verify(), verify_everything(&fixture)] {
        check(&report, &[(FileState::RootAway, "disk")]);
        assert_eq!(report.findings[0].files, Some(2));
    }
    assert_eq!(tidy(&fixture).written, 0);
    // Without a mount point, the folder was deleted.
    fs::remove_dir(fixture.at("disk")).unwrap();
    assert_eq!(fixture.verify().summary.count(FileState::Missing), 2);
}
