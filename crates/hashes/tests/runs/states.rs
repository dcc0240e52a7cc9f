//! The states of files, one by one.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use fumikura_hashes::{FileState, Report};

use crate::fixture::{Fixture, check, mtime, set_time};

#[test]
fn recorded_files_are_ok() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "a");
    fixture.write("写真/b.jpg", "b");
    let recorded = fixture.record();
    check(&recorded, &[]);
    assert_eq!((recorded.written, recorded.files_read), (2, 2));
    let counts = |report: &Report| {
        check(report, &[]);
        let ok = report.summary.count(FileState::Ok);
        (ok, report.files_read, report.files_unread)
    };
    assert_eq!(counts(&fixture.verify()), (2, 2, 0));
    assert_eq!(counts(&fixture.verify_quick()), (0, 0, 2));
    let index = fixture.folder.index().unwrap();
    assert!(
        index
            .rows
            .values()
            .all(|row| row.state == Some(FileState::Ok))
    );
    fixture.write("c", "c");
    fixture.record();
    fs::write(fixture.at("c"), "d").unwrap();
    let quick = fixture.verify_quick();
    assert_eq!((quick.files_read, quick.files_unread), (1, 2));
    fixture.write("c", "c");
    // Nothing changed, so nothing is read or written.
    fixture.record();
    assert_eq!(counts(&fixture.record()), (0, 0, 3));
}

#[test]
fn record_is_private_and_named_by_path() {
    let fixture = Fixture::new();
    fixture.write("a.txt", "a");
    fixture.record();
    let name = String::from_utf8(fumikura_hashes::encode(&fixture.path("a.txt"))).unwrap();
    let file = fixture.folder.path().join(name);
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        fs::metadata(fixture.folder.path())
            .unwrap()
            .permissions()
            .mode()
            & 0o777,
        0o700
    );
    let record = fumikura_hashes::load(&file).unwrap();
    assert_eq!(record.path, fixture.path("a.txt"));
    assert_eq!(
        record.digest.to_hex(),
        "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    );
}

#[test]
fn each_kind_of_change_has_its_state() {
    let fixture = Fixture::new();
    for name in ["changed", "altered", "touched", "missing", "same", "moved"] {
        fixture.write(name, name);
    }
    fixture.record();
    fs::write(fixture.at("changed"), "more").unwrap();
    let before = mtime(&fixture.at("altered"));
    fs::write(fixture.at("altered"), "Altered").unwrap();
    set_time(&fixture.at("altered"), before);
    set_time(
        &fixture.at("touched"),
        SystemTime::now() - Duration::from_secs(30),
    );
    fs::remove_file(fixture.at("missing")).unwrap();
    fs::create_dir(fixture.at("folder")).unwrap();
    fs::rename(fixture.at("moved"), fixture.at("folder/renamed")).unwrap();
    fixture.write("new", "new!");
    let report = fixture.verify();
    let expected = [
        (FileState::Altered, "altered"),
        (FileState::Changed, "changed"),
        (FileState::Missing, "missing"),
        (FileState::Moved, "moved"),
        (FileState::Touched, "touched"),
        (FileState::New, "new"),
    ];
    check(&report, &expected);
    assert_eq!(report.summary.count(FileState::Ok), 1);
    let index = fixture.folder.index().unwrap();
    let state = |name: &str| index.rows[&fixture.path(name)].state;
    assert_eq!(state("missing"), Some(FileState::Missing));
    assert_eq!(state("same"), Some(FileState::Ok));
    let moved = &report.findings[3];
    assert_eq!(moved.to, Some(fixture.path("folder/renamed")));
    let altered = &report.findings[0];
    assert!(
        altered.expected.is_some()
            && altered.actual.is_some()
            && altered.expected != altered.actual
    );
}

#[test]
fn long_path_gets_a_fallback_name() {
    let fixture = Fixture::new();
    let long = format!("{}/{}", "a".repeat(120), "写真".repeat(30));
    fixture.write(&long, "a");
    fixture.record();
    check(&fixture.verify(), &[]);
    let index = fixture.folder.index().unwrap();
    let row = &index.rows[&fixture.path(&long)];
    assert_eq!(row.kind, fumikura_hashes::RecordKind::Fallback);
    assert_eq!(row.name.len(), 17);
    let rebuilt = fixture.folder.rebuilt_index().unwrap();
    assert_eq!(
        rebuilt.rows[&fixture.path(&long)].kind,
        fumikura_hashes::RecordKind::Fallback
    );
}

#[test]
fn an_unreadable_file_is_reported_with_its_reason() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.record();
    fs::remove_file(fixture.at("a")).unwrap();
    symlink("/nowhere", fixture.at("a")).unwrap();
    check(&fixture.verify(), &[(FileState::Missing, "a")]);
}

#[test]
fn file_with_tmp_extension_is_recorded() {
    let fixture = Fixture::new();
    fixture.write("a.tmp", "a");
    fixture.record();
    assert_eq!(fixture.folder.rebuilt_index().unwrap().rows.len(), 1);
    check(&fixture.verify(), &[]);
}
