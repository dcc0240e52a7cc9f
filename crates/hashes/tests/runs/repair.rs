//! Damage and its repair; maintenance of the folder.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use fumikura_hashes::{
    FileState, MissingFile, RecordOptions, RepairError, Scope, VerifyOptions, lists, load,
};
use jiff::Timestamp;

use crate::fixture::{Fixture, check, mtime, set_time};

/// Changes records to their contents after damage below the file system: everything but the contents matches.
fn damage(fixture: &Fixture, name: &str) {
    let path = fixture.at(name);
    fs::write(
        &path,
        "#".repeat(fs::metadata(&path).unwrap().len() as usize),
    )
    .unwrap();
    let stat = fumikura_hashes::FileStat::from(&fs::metadata(&path).unwrap());
    let record = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path(name)));
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
fn damage_is_found_by_reading() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.write("b", "abc");
    fixture.record();
    damage(&fixture, "a");
    check(&fixture.verify_quick(), &[]);
    check(&fixture.verify(), &[(FileState::Corrupt, "a")]);
    // The file is read every time from now on.
    check(&fixture.verify_quick(), &[(FileState::Corrupt, "a")]);
    assert_eq!(
        fixture.folder.index().unwrap().rows[&fixture.path("a")].state,
        Some(FileState::Corrupt)
    );
}

#[test]
fn a_damaged_files_record_is_never_overwritten() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.record();
    damage(&fixture, "a");
    let full = RecordOptions {
        full: true,
        force: true,
        ..RecordOptions::default()
    };
    check(&fixture.record_with(&full), &[(FileState::Corrupt, "a")]);
    check(&fixture.verify(), &[(FileState::Corrupt, "a")]);
}

#[test]
fn unexplained_contents_wait_for_a_decision() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.record();
    let before = mtime(&fixture.at("a"));
    fs::write(fixture.at("a"), "abd").unwrap();
    set_time(&fixture.at("a"), before);
    let full = RecordOptions {
        full: true,
        ..RecordOptions::default()
    };
    for options in [RecordOptions::default(), full] {
        let report = fixture.record_with(&options);
        check(&report, &[(FileState::Altered, "a")]);
        assert_eq!((report.written, report.replaced), (0, 0));
    }
    let index = fixture.folder.index().unwrap();
    assert_eq!(
        index.rows[&fixture.path("a")].state,
        Some(FileState::Altered)
    );
    check(&fixture.verify(), &[(FileState::Altered, "a")]);
    fixture
        .folder
        .accept(&fixture.path("a"), Timestamp::now())
        .unwrap();
    check(&fixture.record(), &[]);
}

#[test]
fn edited_files_are_recorded_again_and_counted() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.write("b", "same");
    fixture.record();
    fs::write(fixture.at("a"), "another").unwrap();
    let report = fixture.record();
    check(&report, &[(FileState::Changed, "a")]);
    assert_eq!((report.written, report.replaced), (1, 1));
    assert!(report.summary.is_clean(), "{report:#?}");
    assert_eq!(
        (report.summary.count(FileState::Ok), report.files_unread),
        (1, 1)
    );
    let finding = &report.findings[0];
    assert!(finding.expected.is_some() && finding.expected != finding.actual);
    let record = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path("a")));
    let history = fumikura_hashes::load(&record).unwrap().notes.history;
    assert_eq!(history.len(), 1);
    assert_eq!(history[0].state, Some(FileState::Changed));
    check(&fixture.record(), &[]);
}

#[test]
fn moved_file_serves_as_a_copy() {
    let fixture = Fixture::new();
    fixture.write("old/a", "abc");
    fixture.write("old/b", "def");
    fixture.write("twin", "abc");
    fixture.record();
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    fs::remove_file(fixture.at("twin")).unwrap();
    let report = fixture.verify();
    check(
        &report,
        &[(FileState::Missing, "twin"), (FileState::Moved, "old")],
    );
    let index = fixture.folder.index().unwrap();
    let twin = fixture.path("twin");
    let copies = report.copies_of(&index, index.rows[&twin].digest);
    assert_eq!(copies, [fixture.path("new/a")]);
    let restored = fixture
        .folder
        .restore(&twin, copies, MissingFile::Create, Timestamp::now());
    assert_eq!(restored.unwrap().from, fixture.path("new/a"));
    assert_eq!(fs::read(fixture.at("twin")).unwrap(), b"abc");
}

#[test]
fn accepting_contents_keeps_the_old_hash() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.record();
    damage(&fixture, "a");
    fixture
        .folder
        .accept(&fixture.path("a"), Timestamp::now())
        .unwrap();
    check(&fixture.verify(), &[]);
    let record = fumikura_hashes::load(
        &fixture
            .folder
            .file(&fumikura_hashes::encode(&fixture.path("a"))),
    )
    .unwrap();
    assert_eq!(record.notes.history.len(), 1);
    assert_eq!(record.notes.history[0].state, Some(FileState::Corrupt));
    assert!(
        record.notes.history[0]
            .content_hash
            .starts_with("sha256:ba7816bf")
    );
}

#[test]
fn damaged_file_is_restored_from_an_intact_copy() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.write("wrong", "abd");
    fixture.write("copy", "abc");
    fixture.record();
    damage(&fixture, "a");
    let none = fixture.folder.restore(
        &fixture.path("a"),
        [fixture.path("wrong"), fixture.path("a")],
        MissingFile::Refuse,
        Timestamp::now(),
    );
    assert!(none.is_err());
    let restored = fixture
        .folder
        .restore(
            &fixture.path("a"),
            [fixture.path("wrong"), fixture.path("copy")],
            MissingFile::Refuse,
            Timestamp::now(),
        )
        .unwrap();
    assert_eq!(restored.from, fixture.path("copy"));
    assert_eq!(fs::read(fixture.at("a")).unwrap(), b"abc");
    assert_eq!(
        fs::read(restored.kept_as.unwrap().as_path()).unwrap(),
        b"###"
    );
    let again = fixture.folder.restore(
        &fixture.path("a"),
        [fixture.path("copy")],
        MissingFile::Refuse,
        Timestamp::now(),
    );
    assert!(again.is_err(), "an intact file is left alone");
    let states: Vec<_> = fixture
        .verify()
        .findings
        .into_iter()
        .map(|finding| finding.state)
        .collect();
    assert_eq!(
        states,
        [FileState::New],
        "the damaged file lies beside the good one"
    );
}

#[test]
fn a_missing_file_is_restored() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.write("copy", "abc");
    fixture.record();
    let before = mtime(&fixture.at("a"));
    fs::remove_file(fixture.at("a")).unwrap();
    let path = fixture.path("a");
    let restore = |missing| {
        let copies = [fixture.path("copy")];
        fixture
            .folder
            .restore(&path, copies, missing, Timestamp::now())
    };
    let refused = restore(MissingFile::Refuse);
    assert!(matches!(refused, Err(RepairError::WouldCreate(of)) if of == path));
    assert!(!path.as_path().exists());
    let restored = restore(MissingFile::Create).unwrap();
    assert_eq!(restored.kept_as, None);
    assert_eq!(mtime(&fixture.at("a")), before);
    check(&fixture.verify(), &[]);
}

#[test]
fn older_names_are_migrated_after_a_preview() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.record();
    let encoded = fixture
        .folder
        .file(&fumikura_hashes::encode(&fixture.path("a")));
    let legacy = fixture
        .folder
        .file(&fumikura_hashes::short_name(&fixture.path("a")));
    fs::rename(&encoded, &legacy).unwrap();
    check(&fixture.verify(), &[]);
    check(
        &fixture.folder.migrate(true).unwrap(),
        &[(FileState::Legacy, "a")],
    );
    assert!(legacy.exists() && !encoded.exists());
    assert_eq!(fixture.folder.migrate(false).unwrap().written, 1);
    assert!(!legacy.exists() && encoded.exists());
    check(&fixture.folder.migrate(false).unwrap(), &[]);
    // Both records exist: they are reported, and nothing is deleted.
    fs::copy(&encoded, &legacy).unwrap();
    let report = fixture
        .folder
        .verify(
            &Scope::Everything,
            &VerifyOptions::default(),
            Timestamp::now(),
            &(),
        )
        .unwrap();
    assert_eq!(report.summary.count(FileState::Collision), 1, "{report:#?}");
    assert!(legacy.exists() && encoded.exists());
}

#[test]
fn tidy_sets_aside_records_of_missing_files() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("b", "b");
    fixture.record();
    fs::remove_file(fixture.at("a")).unwrap();
    check(
        &fixture.folder.tidy(true, Timestamp::now(), &()).unwrap(),
        &[(FileState::Orphan, "a")],
    );
    check(&fixture.verify(), &[(FileState::Missing, "a")]);
    assert_eq!(
        fixture
            .folder
            .tidy(false, Timestamp::now(), &())
            .unwrap()
            .written,
        1
    );
    check(&fixture.verify(), &[]);
    let removed = fixture.folder.removed_records().unwrap().records;
    let [record] = &removed[..] else {
        panic!("{removed:?}");
    };
    assert_eq!((&record.path, record.size), (&fixture.path("a"), Some(1)));
    assert!(record.removed_at > record.recorded_at);
}

#[test]
fn removed_records_are_brought_back() {
    let fixture = Fixture::new();
    for name in ["a", "b", "c"] {
        fixture.write(name, name);
    }
    fixture.record();
    let paths = ["a", "b"].map(|name| fixture.path(name));
    let tidy = || {
        for path in &paths {
            fs::remove_file(path.as_path()).unwrap();
        }
        let tidied = fixture.folder.tidy(false, Timestamp::now(), &()).unwrap();
        assert_eq!(tidied.written, 2);
    };
    let removed = || {
        let records = fixture.folder.removed_records().unwrap().records;
        records
            .into_iter()
            .map(|record| record.path)
            .collect::<Vec<_>>()
    };
    tidy();
    assert_eq!(removed(), paths);
    // One file is back and is recorded again. The other's record returns.
    fixture.write("a", "new");
    fixture.record();
    let outcome = fixture.folder.reinstate(|_| true).unwrap();
    assert_eq!(outcome.reinstated, paths[1..]);
    assert_eq!(outcome.refused[0].0, paths[0]);
    check(&fixture.verify(), &[(FileState::Missing, "b")]);
    assert_eq!(removed(), paths[..1]);
    let rebuilt = fixture.folder.rebuilt_index().unwrap();
    assert_eq!(rebuilt.rows.len(), 3);
    // Of several records of a path, the last one returns.
    fixture.write("b", "b");
    tidy();
    assert_eq!(
        removed(),
        [&paths[0], &paths[0], &paths[1]].map(Clone::clone)
    );
    let outcome = fixture.folder.reinstate(|path| *path == paths[0]).unwrap();
    assert_eq!(outcome.reinstated, paths[..1]);
    fixture.write("a", "new");
    let report = fixture.verify();
    check(&report, &[(FileState::Touched, "a")]);
    assert_eq!(removed(), paths);
}

#[test]
fn damaged_removed_record_is_named() {
    let fixture = Fixture::new();
    fixture.write("a", "a");
    fixture.write("b", "b");
    fixture.record();
    fs::remove_file(fixture.at("a")).unwrap();
    fixture.folder.tidy(false, Timestamp::now(), &()).unwrap();
    let folder = fixture.folder.path().join(".fumikura/removed");
    let run = fs::read_dir(folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let file = fs::read_dir(run).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, "nonsense").unwrap();
    let removed = fixture.folder.removed_records().unwrap();
    assert_eq!((removed.records.len(), &removed.unusable[0].0), (0, &file));
    assert_eq!(
        fixture.folder.reinstate(|_| true).unwrap(),
        Default::default()
    );
}

#[test]
fn tidy_sets_aside_records_of_recorded_moves() {
    let fixture = Fixture::new();
    for name in ["old/a", "old/b/c"] {
        fixture.write(name, name);
    }
    fixture.record();
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    check(&fixture.verify(), &[(FileState::Moved, "old")]);
    check(
        &fixture.folder.tidy(true, Timestamp::now(), &()).unwrap(),
        &[],
    );
    fixture.record();
    let preview = fixture.folder.tidy(true, Timestamp::now(), &()).unwrap();
    check(&preview, &[(FileState::Orphan, "old")]);
    assert_eq!(
        (preview.findings[0].files, &preview.findings[0].to),
        (Some(2), &Some(fixture.path("new")))
    );
    let tidied = fixture.folder.tidy(false, Timestamp::now(), &()).unwrap();
    assert_eq!(tidied.written, 2);
    check(&fixture.verify(), &[]);
    assert_eq!(fixture.folder.index().unwrap().rows.len(), 2);
}

#[test]
fn accepted_move_keeps_the_history() {
    let fixture = Fixture::new();
    fixture.write("old/a", "one");
    fixture.write("old/b", "b");
    fixture.record();
    fixture.write("old/a", "three");
    fixture.record();
    let accept = |from: &str, to: &str| {
        let (from, to) = (fixture.path(from), fixture.path(to));
        fixture.folder.accept_move(&from, &to, Timestamp::now())
    };
    assert!(matches!(
        accept("old", "new"),
        Err(RepairError::StillThere(_))
    ));
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    assert_eq!(accept("old", "new").unwrap(), 2);
    let report = fixture.verify();
    check(&report, &[]);
    assert_eq!(report.summary.count(FileState::Ok), 2);
    let index = fixture.folder.index().unwrap();
    assert_eq!(index.rows.len(), 2);
    let name = &index.rows[&fixture.path("new/a")].name;
    let record = load(&fixture.folder.file(name)).unwrap();
    assert_eq!(record.notes.history.len(), 1);
    assert!(matches!(
        accept("old", "new"),
        Err(RepairError::NoRecord(_))
    ));
}

#[test]
fn move_is_refused_unless_all_contents_match() {
    let fixture = Fixture::new();
    fixture.write("old/a", "a");
    fixture.write("old/b", "b");
    fixture.record();
    fs::rename(fixture.at("old"), fixture.at("new")).unwrap();
    fixture.write("new/b", "other");
    let (from, to) = (fixture.path("old"), fixture.path("new"));
    let refused = fixture.folder.accept_move(&from, &to, Timestamp::now());
    assert!(matches!(refused, Err(RepairError::OtherContents(_))));
    let index = fixture.folder.index().unwrap();
    assert!(index.rows.contains_key(&fixture.path("old/a")));
    // A place that is recorded already keeps its record.
    let (from, to) = (fixture.path("old/a"), fixture.path("new/a"));
    fixture.record();
    let moved = fixture.folder.accept_move(&from, &to, Timestamp::now());
    assert_eq!(moved.unwrap(), 1);
    let index = fixture.folder.index().unwrap();
    assert!(!index.rows.contains_key(&from) && index.rows.contains_key(&to));
}

fn set_mode(path: &std::path::Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Checks the mode that a file recorded with 0640 has after it was restored from a copy that gives all rights to all.
#[track_caller]
fn check_restored_mode(damage: impl Fn(&Fixture), expected: u32) {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    fixture.write("copy", "abc");
    set_mode(&fixture.at("a"), 0o640);
    fixture.record();
    set_mode(&fixture.at("copy"), 0o6777);
    damage(&fixture);
    let copies = [fixture.path("copy")];
    let (path, missing) = (fixture.path("a"), MissingFile::Create);
    let restored = fixture
        .folder
        .restore(&path, copies, missing, Timestamp::now());
    restored.unwrap();
    let mode = fs::metadata(fixture.at("a")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, expected);
}

#[test]
fn restored_file_gets_plain_rights_only() {
    let damage = |mode| {
        move |fixture: &Fixture| {
            fs::write(fixture.at("a"), "damaged").unwrap();
            set_mode(&fixture.at("a"), mode);
        }
    };
    check_restored_mode(damage(0o600), 0o600);
    check_restored_mode(damage(0o7755), 0o755);
    let remove = |fixture: &Fixture| fs::remove_file(fixture.at("a")).unwrap();
    check_restored_mode(remove, 0o640);
}

#[test]
fn older_record_gives_no_rights_to_others() {
    check_restored_mode(
        |fixture| {
            let record = fixture
                .folder
                .file(&fumikura_hashes::encode(&fixture.path("a")));
            let text = fs::read_to_string(&record).unwrap();
            fs::write(&record, text.replace("    \"mode\": 416,\n", "")).unwrap();
            fs::remove_file(fixture.at("a")).unwrap();
        },
        0o744,
    );
}

/// A page with a session can write a file, record it, and import a list that gives another name the same hash.
#[test]
fn list_alone_restores_nothing() {
    let fixture = Fixture::new();
    fixture.write("caption.xmp", "abc");
    fixture.record();
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let list = lists::parse(format!("{hash}  .ssh/authorized_keys\n").as_bytes()).unwrap();
    let now = Timestamp::now();
    let (base, folder) = (fixture.files(), &fixture.folder);
    assert_eq!(folder.import(&list, &base, true, now).unwrap().imported, 1);
    fs::create_dir(fixture.at(".ssh")).unwrap();
    let target = fixture.path(".ssh/authorized_keys");
    let restore = || {
        let copies = [fixture.path("caption.xmp")];
        folder.restore(&target, copies, MissingFile::Create, Timestamp::now())
    };
    assert!(matches!(restore(), Err(RepairError::Imported(of)) if of == target));
    // A verification that reads other contents there does not change that.
    fs::write(target.as_path(), "mine").unwrap();
    fixture.verify();
    assert!(matches!(restore(), Err(RepairError::Imported(_))));
    assert_eq!(fs::read(target.as_path()).unwrap(), b"mine");
    // One that was recorded from its contents is restored.
    folder.accept(&target, now).unwrap();
    fs::write(target.as_path(), "damaged").unwrap();
    fs::write(fixture.at("copy"), "mine").unwrap();
    let copies = [fixture.path("copy")];
    let restored = folder.restore(&target, copies, MissingFile::Refuse, Timestamp::now());
    assert!(restored.is_ok(), "{restored:?}");
}
