//! Records that are unusable, or another program's.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use fumikura_hashes::{
    FilePath, FileState, HashFolder, OpenError, RecordOptions, Scope, VerifyOptions, encode,
    short_name,
};
use jiff::Timestamp;

use crate::fixture::{Fixture, check, findings};

#[test]
fn the_index_is_rebuilt_when_it_is_damaged() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.record();
    fixture.verify();
    let index = fixture.folder.index().unwrap();
    let file = fixture.folder.path().join(".fumikura/index");
    let mut bytes = fs::read(&file).unwrap();
    bytes[20] ^= 1;
    fs::write(&file, bytes).unwrap();
    let rebuilt = fixture.folder.index().unwrap();
    assert_eq!(
        rebuilt.rows.keys().collect::<Vec<_>>(),
        index.rows.keys().collect::<Vec<_>>()
    );
    fs::remove_file(&file).unwrap();
    check(&fixture.verify(), &[]);
}

/// Rewrites a record in place, as another program does.
fn rewrite(fixture: &Fixture, name: &str, of: &str, contents: &str) -> std::path::PathBuf {
    let file = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path(name)));
    let copy = fixture.path("copy");
    fs::write(copy.as_path(), contents).unwrap();
    let digest = fumikura_hashes::read(&copy, &|_| true).unwrap().digest;
    fs::remove_file(copy.as_path()).unwrap();
    let path = fixture.path(of).to_text().into_owned();
    let record = serde_json::json!({"schema_version": 23, "file_path": path, "content_hash": digest.to_string()});
    fs::write(&file, record.to_string()).unwrap();
    file
}

#[test]
fn record_rewritten_in_place_is_read_again() {
    for is_quick in [true, false] {
        let fixture = Fixture::new();
        fixture.write("a", "a");
        fixture.write("b", "b");
        fixture.record();
        fixture.verify();
        rewrite(&fixture, "a", "a", "z");
        let verify = || match is_quick {
            true => fixture.verify_quick(),
            false => fixture.verify(),
        };
        check(&verify(), &[(FileState::Differs, "a")]);
        rewrite(&fixture, "a", "a", "a");
        check(&verify(), &[]);
    }
}

#[test]
fn record_that_names_another_path_is_not_overwritten() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("b", "b");
    fixture.record();
    let version = fixture.folder.index_version().unwrap();
    let file = rewrite(&fixture, "a", "elsewhere", "z");
    let rewritten = fs::read(&file).unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    let expected = [(FileState::Collision, name), (FileState::New, "a")];
    check(&fixture.verify_quick(), &expected);
    let renewed = fixture.folder.index_version().unwrap();
    assert_ne!(renewed, version, "other views read the records again");
    check(&fixture.verify(), &expected);
    let full = RecordOptions {
        full: true,
        force: true,
        ..RecordOptions::default()
    };
    check(&fixture.record_with(&full), &[(FileState::Collision, "a")]);
    assert!(
        fixture
            .folder
            .accept(&fixture.path("a"), Timestamp::now())
            .is_err()
    );
    fs::remove_file(fixture.at("a")).unwrap();
    fixture.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), rewritten);
}

/// An index may be wrong about a record whose times are the same.
#[test]
fn reading_files_reads_their_records() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("b", "b");
    fixture.record();
    let mut index = fixture.folder.index().unwrap();
    let other = index.rows[&fixture.path("b")].digest;
    index.rows.get_mut(&fixture.path("a")).unwrap().digest = other;
    fixture.folder.save_index(&index).unwrap();
    check(&fixture.verify_quick(), &[]);
    check(&fixture.verify(), &[]);
    let renewed = fixture.folder.index().unwrap();
    assert_ne!(renewed.rows[&fixture.path("a")].digest, other);
}

#[test]
fn malformed_records_are_kept_unless_forced() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    let record = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path("a")));
    fs::write(&record, "nonsense").unwrap();
    check(&fixture.record(), &[(FileState::Malformed, "a")]);
    assert_eq!(fs::read(&record).unwrap(), b"nonsense");
    check(
        &fixture.record_with(&RecordOptions {
            force: true,
            ..RecordOptions::default()
        }),
        &[],
    );
    check(&fixture.verify(), &[]);
}

#[test]
fn colliding_or_newer_record_is_never_overwritten() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("b", "b");
    fixture.record();
    let file = |name: &str| {
        fixture
            .folder
            .file(&fumikura_hashes::encode(&fixture.path(name)))
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
    let report = fixture.record_with(&force);
    check(
        &report,
        &[(FileState::Unreadable, "a"), (FileState::Collision, "b")],
    );
    assert_eq!(fs::read_to_string(file("a")).unwrap(), text);
    let reason = report.findings[1].reason.clone().unwrap();
    let [a, b] = ["a", "b"].map(|name| fixture.path(name).to_string());
    assert!(reason.contains(&a) && reason.contains(&b), "{reason}");
}

#[test]
fn folder_writable_by_others_is_refused() {
    let fixture = Fixture::new();
    fs::set_permissions(fixture.folder.path(), Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(
        HashFolder::open(fixture.folder.path()),
        Err(OpenError::Exposed(_))
    ));
    assert!(matches!(
        HashFolder::create(fixture.folder.path()),
        Err(OpenError::Exposed(_))
    ));
}

#[test]
fn another_programs_folder_is_read_and_kept_safe() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("run.sh", "#!/bin/sh\n");
    fixture.write("program", "x");
    fs::set_permissions(fixture.at("program"), Permissions::from_mode(0o755)).unwrap();
    let other = fixture.outer.path().join("other");
    fs::create_dir(&other).unwrap();
    let hash = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    let text = format!("{}\n{hash}", fixture.path("a").to_text());
    let name = String::from_utf8(fumikura_hashes::short_name(&fixture.path("a")))
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
            &Scope::Paths(vec![fixture.path("a")]),
            &VerifyOptions::default(),
            Timestamp::now(),
            &(),
        )
        .unwrap();
    check(&report, &[]);
    let report = foreign
        .record(
            &[fixture.files()],
            &RecordOptions::default(),
            &Timestamp::now,
            &(),
        )
        .unwrap();
    let refused: Vec<_> = findings(&report)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(refused, ["program", "run.sh"]);
    assert!(!other.join(".fumikura").exists());
    fs::write(fixture.at("a"), "b").unwrap();
    let report = foreign
        .verify(
            &Scope::Paths(vec![fixture.path("a")]),
            &VerifyOptions::default(),
            Timestamp::now(),
            &(),
        )
        .unwrap();
    check(&report, &[(FileState::Changed, "a")]);
}

#[test]
fn foreign_records_with_analysis_are_left_unchanged() {
    let fixture = Fixture::new();
    fixture.write("lib.so", "a");
    let other = fixture.outer.path().join("other");
    fs::create_dir(&other).unwrap();
    let hash = "sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    let path = fixture.path("lib.so").to_text().into_owned();
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
            .record(&[fixture.files()], &options, &Timestamp::now, &())
            .unwrap();
        check(&report, &[(FileState::Unreadable, "lib.so")]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text.to_string());
    }
}

/// Replaces a record by unusable contents, and checks the result.
#[track_caller]
fn check_unusable(put: impl FnOnce(&Path), reason: &str) {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    let file = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path("a")));
    put(&file);
    let index = fixture.folder.index().unwrap();
    assert!(index.rows.is_empty());
    let problem = &index.problems[0];
    assert_eq!(problem.state, FileState::Malformed);
    assert!(problem.reason.contains(reason), "{}", problem.reason);
    check(&fixture.record(), &[(FileState::Malformed, "a")]);
}

#[test]
fn unusable_file_is_no_record() {
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
fn existing_record_name_is_not_overwritten() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    let file = fixture.folder.file(b"~taken");
    fs::write(&file, "another path's record").unwrap();
    let path = fixture.path("a");
    let read = fumikura_hashes::read(&path, &|_| true).unwrap();
    let record = fumikura_hashes::Record::new(path, &read, Timestamp::now());
    let mut batch = fumikura_hashes::Batch::new(&fixture.folder);
    batch.put(b"~taken".to_vec(), &record, false);
    batch.put(b"~free".to_vec(), &record, false);
    assert_eq!(batch.commit().unwrap(), [b"~taken".to_vec()]);
    assert_eq!(fs::read(&file).unwrap(), b"another path's record");
    assert!(fumikura_hashes::load(&fixture.folder.file(b"~free")).is_ok());
}

/// Writes a record as the other program does, which replaces bytes that are not UTF-8 in the JSON.
fn write_foreign(folder: &Path, name: &[u8], path: &str) {
    let hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    let record = serde_json::json!({"schema_version": 23, "file_path": path, "content_hash": format!("sha256:{hash}")});
    let file = folder.join(OsStr::from_bytes(name));
    fs::write(file, record.to_string()).unwrap();
}

#[test]
fn lossy_records_find_their_files() {
    let fixture = Fixture::new();
    let outer = fixture.outer.path().canonicalize().unwrap();
    let foreign = outer.join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::set_permissions(&foreign, Permissions::from_mode(0o700)).unwrap();
    // Long paths, whose names are hashes: two files have the same replaced form.
    let long = "a".repeat(120);
    let folder = fixture.at(&format!("{long}/{long}"));
    fs::create_dir_all(&folder).unwrap();
    let files = [&b"\xff"[..], b"\xfe"].map(|name| folder.join(OsStr::from_bytes(name)));
    for file in &files {
        fs::write(file, "foo").unwrap();
        let path = FilePath::try_from(&**file).unwrap();
        let lossy = format!("{}/\u{fffd}", folder.display());
        write_foreign(&foreign, &short_name(&path), &lossy);
    }
    // A name that has the bytes themselves, and a file that no longer exists.
    let exact = FilePath::new(b"/none/\xff".to_vec()).unwrap();
    write_foreign(&foreign, &encode(&exact), "/none/\u{fffd}");
    let gone =
        FilePath::new([b"/", long.as_bytes(), long.as_bytes(), b"\xff.png"].concat()).unwrap();
    write_foreign(
        &foreign,
        &short_name(&gone),
        &format!("/{long}{long}\u{fffd}.png"),
    );
    let opened = HashFolder::open(&foreign).unwrap();
    let index = opened.index().unwrap();
    assert_eq!(index.problems, []);
    assert!(index.rows.contains_key(&exact));
    let scope = Scope::Paths(vec![fixture.files()]);
    let report = opened.verify(&scope, &VerifyOptions::default(), Timestamp::now(), &());
    let report = report.unwrap();
    check(&report, &[]);
    assert_eq!(report.summary.count(FileState::Ok), 2);
    // Recording them gives the records their real paths.
    let recorded = opened.record(
        &[fixture.files()],
        &RecordOptions::default(),
        &Timestamp::now,
        &(),
    );
    assert_eq!(recorded.unwrap().summary.count(FileState::Ok), 2);
    let index = opened.index().unwrap();
    for file in &files {
        let row = &index.rows[&FilePath::try_from(&**file).unwrap()];
        assert!(!row.is_lossy);
    }
}
