//! Damage and its repair; maintenance of the folder.

use std::fs;
use std::time::Duration;

use fumikura_hashes::{RecordOptions, Scope, State, VerifyOptions};
use jiff::Timestamp;

use crate::place::{Place, check, mtime, set_time};

/// Changes records to their contents after damage below the file system: everything but the contents matches.
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
    // A time long after the last change.
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
    // The file is read every time from now on.
    check(&place.verify(), &[(State::Corrupt, "a")]);
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
fn unexplained_contents_wait_for_a_decision() {
    let place = Place::new();
    place.write("a", "abc");
    place.record();
    let before = mtime(&place.at("a"));
    fs::write(place.at("a"), "abd").unwrap();
    set_time(&place.at("a"), before);
    let full = RecordOptions {
        full: true,
        ..RecordOptions::default()
    };
    for options in [RecordOptions::default(), full] {
        let report = place.record_with(&options);
        check(&report, &[(State::Altered, "a")]);
        assert_eq!((report.written, report.replaced), (0, 0));
    }
    let index = place.folder.index().unwrap();
    assert_eq!(index.rows[&place.path("a")].state, Some(State::Altered));
    check(&place.verify_full(), &[(State::Altered, "a")]);
    place
        .folder
        .accept(&place.path("a"), Timestamp::now())
        .unwrap();
    check(&place.record(), &[]);
}

#[test]
fn edited_files_are_recorded_again_and_counted() {
    let place = Place::new();
    place.write("a", "abc");
    place.write("b", "same");
    place.record();
    fs::write(place.at("a"), "another").unwrap();
    let report = place.record();
    check(&report, &[(State::Changed, "a")]);
    assert_eq!((report.written, report.replaced), (1, 1));
    assert!(report.summary.is_clean(), "{report:#?}");
    assert_eq!(report.summary.count(State::Ok), 2);
    let finding = &report.findings[0];
    assert!(finding.expected.is_some() && finding.expected != finding.actual);
    let record = place
        .folder
        .file(&fumikura_hashes::encode(&place.path("a")));
    let history = fumikura_hashes::load(&record).unwrap().notes.history;
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].state, Some(State::Changed));
    check(&place.record(), &[]);
}

#[test]
fn moved_file_serves_as_a_copy() {
    let place = Place::new();
    place.write("old/a", "abc");
    place.write("old/b", "def");
    place.write("twin", "abc");
    place.record();
    fs::rename(place.at("old"), place.at("new")).unwrap();
    fs::remove_file(place.at("twin")).unwrap();
    let report = place.verify();
    check(&report, &[(State::Missing, "twin"), (State::Moved, "old")]);
    let index = place.folder.index().unwrap();
    let twin = place.path("twin");
    let copies = report.copies_of(&index, index.rows[&twin].digest);
    assert_eq!(copies, [place.at("new/a")]);
    let restored = place.folder.restore(&twin, copies, Timestamp::now());
    assert_eq!(restored.unwrap().from, place.at("new/a"));
    assert_eq!(fs::read(place.at("twin")).unwrap(), b"abc");
}

#[test]
fn accepting_contents_keeps_the_old_hash() {
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
fn damaged_file_is_restored_from_an_intact_copy() {
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
    // Both records exist: they are reported, and nothing is deleted.
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
fn tidy_sets_aside_records_of_missing_files() {
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
fn tidy_sets_aside_records_of_recorded_moves() {
    let place = Place::new();
    for name in ["old/a", "old/b/c"] {
        place.write(name, name);
    }
    place.record();
    fs::rename(place.at("old"), place.at("new")).unwrap();
    check(&place.verify(), &[(State::Moved, "old")]);
    check(
        &place.folder.tidy(true, Timestamp::now(), &()).unwrap(),
        &[],
    );
    place.record();
    let preview = place.folder.tidy(true, Timestamp::now(), &()).unwrap();
    check(&preview, &[(State::Orphan, "old")]);
    assert_eq!(
        (preview.findings[0].files, &preview.findings[0].to),
        (Some(2), &Some(place.path("new")))
    );
    let tidied = place.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(tidied.written, 2);
    check(&place.verify_full(), &[]);
    assert_eq!(place.folder.index().unwrap().rows.len(), 2);
}
