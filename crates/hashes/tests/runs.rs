//! Recording and verifying real files.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fumikura_hashes::{
    FilePath, Finding, HashFolder, OpenError, RecordOptions, Report, Schedule, Scope, State,
    VerifyOptions, WalkOptions, Watch,
};
use jiff::Timestamp;

/// A folder of files, and one for their records.
struct Place {
    outer: tempfile::TempDir,
    folder: HashFolder,
}

impl Place {
    fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir(outer.path().join("files")).unwrap();
        let folder = HashFolder::create(&outer.path().join("hashes")).unwrap();
        Self { outer, folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.outer
            .path()
            .canonicalize()
            .unwrap()
            .join("files")
            .join(name)
    }

    fn path(&self, name: &str) -> FilePath {
        FilePath::try_from(&*self.at(name)).unwrap()
    }

    fn files(&self) -> FilePath {
        FilePath::try_from(self.at("").parent().unwrap().join("files").as_path()).unwrap()
    }

    /// Writes a file that was changed last a minute ago.
    fn write(&self, name: &str, contents: &str) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        set_time(&path, SystemTime::now() - Duration::from_secs(60));
    }

    fn record(&self) -> Report {
        self.record_with(&RecordOptions::default())
    }

    fn record_with(&self, options: &RecordOptions) -> Report {
        self.folder
            .record(&[self.files()], options, &Timestamp::now, &())
            .unwrap()
    }

    fn verify(&self) -> Report {
        self.verify_with(&VerifyOptions::default())
    }

    fn verify_full(&self) -> Report {
        self.verify_with(&VerifyOptions {
            full: true,
            ..VerifyOptions::default()
        })
    }

    fn verify_with(&self, options: &VerifyOptions) -> Report {
        let scope = Scope::Paths(vec![self.files()]);
        self.folder
            .verify(&scope, options, Timestamp::now(), &())
            .unwrap()
    }
}

fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_times(FileTimes::new().set_modified(time)).unwrap();
}

fn mtime(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

/// The states and names of all findings.
fn said(report: &Report) -> Vec<(State, String)> {
    let name = |finding: &Finding| String::from_utf8_lossy(finding.path.file_name()).into_owned();
    report
        .findings
        .iter()
        .map(|finding| (finding.state, name(finding)))
        .collect()
}

#[track_caller]
fn check(report: &Report, expected: &[(State, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(state, name)| (*state, (*name).to_owned()))
        .collect();
    assert_eq!(said(report), expected, "{report:#?}");
}

#[test]
fn recorded_files_are_ok() {
    let place = Place::new();
    place.write("a.txt", "a");
    place.write("写真/b.jpg", "b");
    let recorded = place.record();
    check(&recorded, &[]);
    assert_eq!((recorded.written, recorded.files_read), (2, 2));
    let verified = place.verify();
    check(&verified, &[]);
    assert_eq!(
        (verified.summary.count(State::Ok), verified.files_read),
        (2, 0)
    );
    assert_eq!(place.verify_full().files_read, 2);
    let index = place.folder.index().unwrap();
    assert!(index.rows.values().all(|row| row.state == Some(State::Ok)));
    // Nothing changed, so nothing is read or written.
    let again = place.record();
    assert_eq!((again.written, again.files_read), (0, 0));
}

#[test]
fn a_record_is_private_and_named_after_its_path() {
    let place = Place::new();
    place.write("a.txt", "a");
    place.record();
    let name = String::from_utf8(fumikura_hashes::encode(&place.path("a.txt"))).unwrap();
    let file = place.folder.path().join(name);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        fs::metadata(place.folder.path())
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o700
    );
    let record = fumikura_hashes::load(&file).unwrap();
    assert_eq!(record.path, place.path("a.txt"));
    assert_eq!(
        record.digest.to_hex(),
        "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    );
}

#[test]
fn each_kind_of_change_is_a_state_of_its_own() {
    let place = Place::new();
    for name in ["changed", "altered", "touched", "missing", "same", "moved"] {
        place.write(name, name);
    }
    place.record();
    fs::write(place.at("changed"), "more").unwrap();
    let before = mtime(&place.at("altered"));
    fs::write(place.at("altered"), "Altered").unwrap();
    set_time(&place.at("altered"), before);
    set_time(
        &place.at("touched"),
        SystemTime::now() - Duration::from_secs(30),
    );
    fs::remove_file(place.at("missing")).unwrap();
    fs::create_dir(place.at("folder")).unwrap();
    fs::rename(place.at("moved"), place.at("folder/renamed")).unwrap();
    place.write("new", "new!");
    let report = place.verify();
    let expected = [
        (State::Altered, "altered"),
        (State::Changed, "changed"),
        (State::Missing, "missing"),
        (State::Moved, "moved"),
        (State::New, "new"),
        (State::Touched, "touched"),
    ];
    check(&report, &expected);
    assert_eq!(report.summary.count(State::Ok), 1);
    let moved = &report.findings[3];
    assert_eq!(moved.to, Some(place.path("folder/renamed")));
    let altered = &report.findings[0];
    assert!(
        altered.expected.is_some()
            && altered.actual.is_some()
            && altered.expected != altered.actual
    );
}

/// Makes records say what they would after damage below the file system: everything but the contents is as recorded.
fn damage(place: &Place, name: &str) {
    let path = place.at(name);
    fs::write(
        &path,
        "#".repeat(fs::metadata(&path).unwrap().len() as usize),
    )
    .unwrap();
    let stat = fumikura_hashes::FileStat::from(&fs::metadata(&path).unwrap());
    let record = place
        .folder
        .file(&fumikura_hashes::encode(&place.path(name)));
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    let notes = &mut json["fumikura"];
    notes["mtime_ns"] = i64::try_from(stat.mtime_ns).unwrap().into();
    notes["ctime_ns"] = i64::try_from(stat.ctime_ns).unwrap().into();
    // Long after the last change.
    let later = Timestamp::now() + Duration::from_secs(3600);
    notes["recorded_at"] = later.to_string().into();
    notes["verified_at"] = later.to_string().into();
    let aside = record.with_extension("aside");
    fs::write(&aside, serde_json::to_vec(&json).unwrap()).unwrap();
    fs::rename(&aside, &record).unwrap();
}

#[test]
fn damage_is_found_by_a_full_verification() {
    let place = Place::new();
    place.write("a", "abc");
    place.write("b", "abc");
    place.record();
    damage(&place, "a");
    check(&place.verify(), &[]);
    check(&place.verify_full(), &[(State::Corrupt, "a")]);
    assert_eq!(
        place.folder.index().unwrap().rows[&place.path("a")].state,
        Some(State::Corrupt)
    );
}

#[test]
fn a_damaged_files_record_is_never_overwritten() {
    let place = Place::new();
    place.write("a", "abc");
    place.record();
    damage(&place, "a");
    let full = RecordOptions {
        full: true,
        force: true,
        ..RecordOptions::default()
    };
    check(&place.record_with(&full), &[(State::Corrupt, "a")]);
    check(&place.verify_full(), &[(State::Corrupt, "a")]);
}

#[test]
fn accepted_contents_leave_the_old_hash_behind() {
    let place = Place::new();
    place.write("a", "abc");
    place.record();
    damage(&place, "a");
    place
        .folder
        .accept(&place.path("a"), Timestamp::now())
        .unwrap();
    check(&place.verify_full(), &[]);
    let record = fumikura_hashes::load(
        &place
            .folder
            .file(&fumikura_hashes::encode(&place.path("a"))),
    )
    .unwrap();
    assert_eq!(record.notes.history.len(), 1);
    assert_eq!(record.notes.history[0].state, Some(State::Corrupt));
    assert!(
        record.notes.history[0]
            .content_hash
            .starts_with("sha256:ba7816bf")
    );
}

#[test]
fn a_damaged_file_is_restored_from_a_good_copy() {
    let place = Place::new();
    place.write("a", "abc");
    place.write("wrong", "abd");
    place.write("copy", "abc");
    place.record();
    damage(&place, "a");
    let none = place.folder.restore(
        &place.path("a"),
        [place.at("wrong"), place.at("a")],
        Timestamp::now(),
    );
    assert!(none.is_err());
    let restored = place
        .folder
        .restore(
            &place.path("a"),
            [place.at("wrong"), place.at("copy")],
            Timestamp::now(),
        )
        .unwrap();
    assert_eq!(restored.from, place.at("copy"));
    assert_eq!(fs::read(place.at("a")).unwrap(), b"abc");
    assert_eq!(
        fs::read(restored.kept_as.unwrap().as_path()).unwrap(),
        b"###"
    );
    let again = place
        .folder
        .restore(&place.path("a"), [place.at("copy")], Timestamp::now());
    assert!(again.is_err(), "an intact file is left alone");
    let states: Vec<_> = place
        .verify_full()
        .findings
        .into_iter()
        .map(|finding| finding.state)
        .collect();
    assert_eq!(
        states,
        [State::New],
        "the damaged file lies beside the good one"
    );
}

#[test]
fn a_missing_file_is_restored() {
    let place = Place::new();
    place.write("a", "abc");
    place.write("copy", "abc");
    place.record();
    let before = mtime(&place.at("a"));
    fs::remove_file(place.at("a")).unwrap();
    let restored = place
        .folder
        .restore(&place.path("a"), [place.at("copy")], Timestamp::now())
        .unwrap();
    assert_eq!(restored.kept_as, None);
    assert_eq!(mtime(&place.at("a")), before);
    check(&place.verify_full(), &[]);
}

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
fn a_folder_that_is_away_is_one_finding() {
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
    // As an unmounted disk's mount point.
    fs::create_dir(place.at("disk")).unwrap();
    check(&verify(&Scope::Everything), &[(State::RootAway, "disk")]);
    let tidied = place.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(tidied.written, 0);
    fs::remove_dir(place.at("disk")).unwrap();
    fs::rename(place.outer.path().join("elsewhere"), place.at("disk")).unwrap();
    check(&verify(&Scope::Everything), &[]);
}

#[test]
fn links_pipes_and_ignored_files_are_passed_by() {
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

#[test]
fn names_too_long_for_a_file_get_a_short_one() {
    let place = Place::new();
    let long = format!("{}/{}", "a".repeat(120), "写真".repeat(30));
    place.write(&long, "a");
    place.record();
    check(&place.verify(), &[]);
    let index = place.folder.index().unwrap();
    let row = &index.rows[&place.path(&long)];
    assert_eq!(row.kind, fumikura_hashes::RecordKind::Fallback);
    assert_eq!(row.name.len(), 17);
    let rebuilt = place.folder.rebuilt_index().unwrap();
    assert_eq!(
        rebuilt.rows[&place.path(&long)].kind,
        fumikura_hashes::RecordKind::Fallback
    );
}

#[test]
fn the_index_is_rebuilt_when_it_is_damaged() {
    let place = Place::new();
    place.write("a", "a");
    place.record();
    place.verify_full();
    let index = place.folder.index().unwrap();
    let file = place.folder.path().join(".fumikura/index");
    let mut bytes = fs::read(&file).unwrap();
    bytes[20] ^= 1;
    fs::write(&file, bytes).unwrap();
    let rebuilt = place.folder.index().unwrap();
    assert_eq!(
        rebuilt.rows.keys().collect::<Vec<_>>(),
        index.rows.keys().collect::<Vec<_>>()
    );
    fs::remove_file(&file).unwrap();
    check(&place.verify(), &[]);
}

#[test]
fn records_that_make_no_sense_are_kept_unless_forced() {
    let place = Place::new();
    place.write("a", "a");
    let record = place
        .folder
        .file(&fumikura_hashes::encode(&place.path("a")));
    fs::write(&record, "nonsense").unwrap();
    check(&place.record(), &[(State::Malformed, "a")]);
    assert_eq!(fs::read(&record).unwrap(), b"nonsense");
    check(
        &place.record_with(&RecordOptions {
            force: true,
            ..RecordOptions::default()
        }),
        &[],
    );
    check(&place.verify(), &[]);
}

#[test]
fn a_record_of_another_path_or_from_the_future_is_kept() {
    let place = Place::new();
    place.write("a", "a");
    place.write("b", "b");
    place.record();
    let file = |name: &str| {
        place
            .folder
            .file(&fumikura_hashes::encode(&place.path(name)))
    };
    fs::remove_file(file("b")).unwrap();
    fs::copy(file("a"), file("b")).unwrap();
    let text = fs::read_to_string(file("a"))
        .unwrap()
        .replace("\"schema_version\": 23", "\"schema_version\": 24");
    fs::remove_file(file("a")).unwrap();
    fs::write(file("a"), &text).unwrap();
    let force = RecordOptions {
        full: true,
        force: true,
        ..RecordOptions::default()
    };
    let report = place.record_with(&force);
    check(
        &report,
        &[(State::Unreadable, "a"), (State::Collision, "b")],
    );
    assert_eq!(fs::read_to_string(file("a")).unwrap(), text);
    let reason = report.findings[1].reason.clone().unwrap();
    let [a, b] = ["a", "b"].map(|name| place.path(name).to_string());
    assert!(reason.contains(&a) && reason.contains(&b), "{reason}");
}

#[test]
fn older_names_are_migrated_after_a_preview() {
    let place = Place::new();
    place.write("a", "a");
    place.record();
    let encoded = place
        .folder
        .file(&fumikura_hashes::encode(&place.path("a")));
    let legacy = place
        .folder
        .file(&fumikura_hashes::short_name(&place.path("a")));
    fs::rename(&encoded, &legacy).unwrap();
    check(&place.verify(), &[]);
    check(
        &place.folder.migrate(true).unwrap(),
        &[(State::Legacy, "a")],
    );
    assert!(legacy.exists() && !encoded.exists());
    assert_eq!(place.folder.migrate(false).unwrap().written, 1);
    assert!(!legacy.exists() && encoded.exists());
    check(&place.folder.migrate(false).unwrap(), &[]);
    // Both present: reported, and nothing is deleted.
    fs::copy(&encoded, &legacy).unwrap();
    let report = place
        .folder
        .verify(
            &Scope::Everything,
            &VerifyOptions::default(),
            Timestamp::now(),
            &(),
        )
        .unwrap();
    assert_eq!(report.summary.count(State::Collision), 1, "{report:#?}");
    assert!(legacy.exists() && encoded.exists());
}

#[test]
fn records_of_files_that_are_gone_are_put_aside() {
    let place = Place::new();
    place.write("a", "a");
    place.write("b", "b");
    place.record();
    fs::remove_file(place.at("a")).unwrap();
    check(
        &place.folder.tidy(true, Timestamp::now(), &()).unwrap(),
        &[(State::Orphan, "a")],
    );
    check(&place.verify(), &[(State::Missing, "a")]);
    assert_eq!(
        place
            .folder
            .tidy(false, Timestamp::now(), &())
            .unwrap()
            .written,
        1
    );
    check(&place.verify(), &[]);
    assert_eq!(
        fs::read_dir(place.folder.path().join(".fumikura/removed"))
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn a_folder_that_others_may_write_is_refused() {
    let place = Place::new();
    fs::set_permissions(place.folder.path(), Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(
        HashFolder::open(place.folder.path()),
        Err(OpenError::Exposed(_))
    ));
    assert!(matches!(
        HashFolder::create(place.folder.path()),
        Err(OpenError::Exposed(_))
    ));
}

#[test]
fn another_programs_folder_is_read_and_kept_safe() {
    let place = Place::new();
    place.write("a", "a");
    place.write("run.sh", "#!/bin/sh\n");
    place.write("program", "x");
    fs::set_permissions(place.at("program"), Permissions::from_mode(0o755)).unwrap();
    let other = place.outer.path().join("other");
    fs::create_dir(&other).unwrap();
    let hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    let text = format!("{}\n{hash}", place.path("a").to_text());
    let name = String::from_utf8(fumikura_hashes::short_name(&place.path("a")))
        .unwrap()
        .replace(".json", ".sha256");
    fs::write(other.join(name), text).unwrap();
    assert!(matches!(
        HashFolder::create(&other),
        Err(OpenError::Foreign(_))
    ));
    let foreign = HashFolder::open(&other).unwrap();
    assert!(!foreign.is_own());
    let report = foreign
        .verify(
            &Scope::Paths(vec![place.path("a")]),
            &VerifyOptions::default(),
            Timestamp::now(),
            &(),
        )
        .unwrap();
    check(&report, &[]);
    let report = foreign
        .record(
            &[place.files()],
            &RecordOptions::default(),
            &Timestamp::now,
            &(),
        )
        .unwrap();
    let refused: Vec<_> = said(&report).into_iter().map(|(_, name)| name).collect();
    assert_eq!(refused, ["program", "run.sh"]);
    assert!(!other.join(".fumikura").exists());
    fs::write(place.at("a"), "b").unwrap();
    let report = foreign
        .verify(
            &Scope::Paths(vec![place.path("a")]),
            &VerifyOptions {
                full: true,
                ..VerifyOptions::default()
            },
            Timestamp::now(),
            &(),
        )
        .unwrap();
    check(&report, &[(State::Changed, "a")]);
}

struct StopAfter(u64);

impl Watch for StopAfter {
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
fn a_run_that_was_ended_goes_on_where_it_stopped() {
    let place = Place::new();
    for number in 0..50 {
        place.write(&format!("{number}"), "0123456789");
    }
    place.record();
    let scope = Scope::Paths(vec![place.files()]);
    let verify = |resume: bool, watch: &dyn Watch| {
        let options = VerifyOptions {
            full: true,
            resume,
            ..VerifyOptions::default()
        };
        let report = place
            .folder
            .verify(&scope, &options, Timestamp::now(), watch);
        report.unwrap()
    };
    let halted = verify(false, &StopAfter(200));
    assert!(halted.is_cancelled && halted.files_read > 0);
    let rest = verify(true, &());
    assert_eq!(rest.files_read, 50 - halted.files_read);
    assert_eq!(rest.summary.count(State::Ok), 50);
    // The run has come to its end: the next one begins anew.
    assert_eq!(verify(true, &()).files_read, 50);
}

#[test]
fn an_unreadable_file_is_reported_with_its_reason() {
    let place = Place::new();
    place.write("a", "a");
    place.record();
    fs::remove_file(place.at("a")).unwrap();
    symlink("/nowhere", place.at("a")).unwrap();
    check(&place.verify_full(), &[(State::Missing, "a")]);
}

#[test]
fn a_schedule_verifies_a_part_a_day() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.write(name, name);
    }
    place.record();
    let today = jiff::civil::date(2026, 1, 1);
    let later = Timestamp::now() + Duration::from_secs(40 * 86_400);
    let next = |bytes| {
        place
            .folder
            .verify_next(bytes, today, later, &())
            .unwrap()
            .map(|report| report.files_read)
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
fn a_file_named_like_a_temporary_one_is_recorded() {
    let place = Place::new();
    place.write("a.tmp", "a");
    place.record();
    assert_eq!(place.folder.rebuilt_index().unwrap().rows.len(), 1);
    check(&place.verify_full(), &[]);
}

#[test]
fn programs_with_an_analysis_are_left_to_their_own_program() {
    let place = Place::new();
    place.write("lib.so", "a");
    let other = place.outer.path().join("other");
    fs::create_dir(&other).unwrap();
    let hash = "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    let path = place.path("lib.so").to_text().into_owned();
    for (version, field) in [(12, "dyn_lib_deps"), (22, "symbol_analysis"), (23, "deps")] {
        let text = serde_json::json!({"schema_version": version, "file_path": path, "content_hash": hash, field: []});
        let file = other.join(path.replace('/', "~"));
        fs::write(&file, text.to_string()).unwrap();
        let foreign = HashFolder::open(&other).unwrap();
        let options = RecordOptions {
            full: true,
            ..RecordOptions::default()
        };
        let report = foreign
            .record(&[place.files()], &options, &Timestamp::now, &())
            .unwrap();
        check(&report, &[(State::Unreadable, "lib.so")]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text.to_string());
    }
}

/// Puts something in the place of a record, and checks what becomes of it.
#[track_caller]
fn check_unusable(put: impl FnOnce(&Path), reason: &str) {
    let place = Place::new();
    place.write("a", "a");
    let file = place
        .folder
        .file(&fumikura_hashes::encode(&place.path("a")));
    put(&file);
    let index = place.folder.index().unwrap();
    assert!(index.rows.is_empty());
    let problem = &index.problems[0];
    assert_eq!(problem.state, State::Malformed);
    assert!(problem.reason.contains(reason), "{}", problem.reason);
    check(&place.record(), &[(State::Malformed, "a")]);
}

#[test]
fn what_is_no_regular_file_is_no_record() {
    check_unusable(|file| symlink("/etc/hostname", file).unwrap(), "regular");
    let fifo = |file: &Path| {
        rustix::fs::mkfifoat(rustix::fs::CWD, file, rustix::fs::Mode::RUSR).unwrap();
    };
    check_unusable(fifo, "regular");
    check_unusable(|file| fs::create_dir(file).unwrap(), "regular");
    let huge = |file: &Path| File::create(file).unwrap().set_len(1 << 30).unwrap();
    check_unusable(huge, "128 MiB");
    check_unusable(|file| fs::write(file, "").unwrap(), "empty");
}

#[test]
fn a_name_that_is_taken_is_not_overwritten() {
    let place = Place::new();
    place.write("a", "a");
    let file = place.folder.file(b"~taken");
    fs::write(&file, "another path's record").unwrap();
    let record = fumikura_hashes::Record::new(
        place.path("a"),
        fumikura_hashes::Digest([0; 32]),
        fumikura_hashes::FileStat::from(&fs::metadata(place.at("a")).unwrap()),
        Timestamp::now(),
    );
    let mut batch = fumikura_hashes::Batch::new(&place.folder);
    batch.put(b"~taken".to_vec(), &record, false);
    batch.put(b"~free".to_vec(), &record, false);
    assert_eq!(batch.commit().unwrap(), [b"~taken".to_vec()]);
    assert_eq!(fs::read(&file).unwrap(), b"another path's record");
    assert!(fumikura_hashes::load(&place.folder.file(b"~free")).is_ok());
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
