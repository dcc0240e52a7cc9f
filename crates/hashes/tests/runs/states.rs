//! The states of files, one by one.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use fumikura_hashes::State;

use crate::place::{Place, check, mtime, set_time};

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
fn record_is_private_and_named_by_path() {
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
fn each_kind_of_change_has_its_state() {
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
        (State::Touched, "touched"),
        (State::New, "new"),
    ];
    check(&report, &expected);
    assert_eq!(report.summary.count(State::Ok), 1);
    let index = place.folder.index().unwrap();
    let state = |name: &str| index.rows[&place.path(name)].state;
    assert_eq!(state("missing"), Some(State::Missing));
    assert_eq!(state("same"), Some(State::Ok));
    let moved = &report.findings[3];
    assert_eq!(moved.to, Some(place.path("folder/renamed")));
    let altered = &report.findings[0];
    assert!(
        altered.expected.is_some()
            && altered.actual.is_some()
            && altered.expected != altered.actual
    );
}

#[test]
fn long_path_gets_a_fallback_name() {
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
fn an_unreadable_file_is_reported_with_its_reason() {
    let place = Place::new();
    place.write("a", "a");
    place.record();
    fs::remove_file(place.at("a")).unwrap();
    symlink("/nowhere", place.at("a")).unwrap();
    check(&place.verify_full(), &[(State::Missing, "a")]);
}

#[test]
fn file_with_tmp_extension_is_recorded() {
    let place = Place::new();
    place.write("a.tmp", "a");
    place.record();
    assert_eq!(place.folder.rebuilt_index().unwrap().rows.len(), 1);
    check(&place.verify_full(), &[]);
}
