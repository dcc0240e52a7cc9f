//! Attacks by symbolic links, planted in a folder or swapped for one: nothing outside is read or written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use fumikura_hashes::{
    FileState, HashFolder, MissingFile, OpenError, ReasonCode, RepairError, RunObserver, Scope,
    VerifyOptions, check_list, lists,
};
use jiff::Timestamp;

use crate::fixture::{Fixture, check};

const SECRET: &str = "a secret of another length";
/// The hash of `abc`.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// A recorded file in a folder, and a folder outside with a file of the same name.
fn attacked() -> (Fixture, PathBuf) {
    let fixture = Fixture::new();
    fixture.write("sub/a", "abc");
    fixture.write("copy", "abc");
    fixture.record();
    let outside = fixture.at("../outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a"), SECRET).unwrap();
    (fixture, outside.canonicalize().unwrap())
}

/// Replaces the folder by a link.
fn swap(fixture: &Fixture) {
    fs::rename(fixture.at("sub"), fixture.at("away")).unwrap();
    symlink("../outside", fixture.at("sub")).unwrap();
}

#[track_caller]
fn check_untouched(outside: &std::path::Path) {
    assert_eq!(fs::read_to_string(outside.join("a")).unwrap(), SECRET);
    assert_eq!(fs::read_dir(outside).unwrap().count(), 1);
}

#[test]
fn link_in_place_of_a_folder_reveals_nothing() {
    let (fixture, outside) = attacked();
    swap(&fixture);
    fs::remove_dir_all(fixture.at("away")).unwrap();
    for report in [fixture.verify(), fixture.verify_quick()] {
        check(&report, &[(FileState::Unreadable, "a")]);
        let finding = &report.findings[0];
        assert_eq!(
            (finding.actual, finding.size, finding.mtime),
            (None, None, None)
        );
    }
    let path = fixture.path("sub/a");
    let now = Timestamp::now();
    let accepted = fixture.folder.accept(&path, now);
    assert!(matches!(accepted, Err(RepairError::Read { .. })));
    let copies = [fixture.path("copy")];
    let restored = fixture
        .folder
        .restore(&path, copies, MissingFile::Create, now);
    assert!(matches!(restored, Err(RepairError::Link(of)) if of == path));
    fs::rename(fixture.at("copy"), outside.join("a")).unwrap();
    let moved = fixture
        .folder
        .accept_move(&fixture.path("copy"), &path, now);
    assert!(matches!(moved, Err(RepairError::Read { .. })));
    fs::write(outside.join("a"), SECRET).unwrap();
    let options = fumikura_hashes::RecordOptions::default();
    let report = fixture.folder.record(&[path], &options, &|| now, &());
    assert_eq!(report.unwrap().written, 0);
    check_untouched(&outside);
}

#[test]
fn folder_swapped_during_a_restore_is_kept() {
    let (fixture, outside) = attacked();
    fs::write(fixture.at("sub/a"), "damaged").unwrap();
    // The copies are sought when the file's folder is open.
    let copies = std::iter::once_with(|| {
        swap(&fixture);
        fixture.path("copy")
    });
    let path = fixture.path("sub/a");
    fixture
        .folder
        .restore(&path, copies, MissingFile::Create, Timestamp::now())
        .unwrap();
    check_untouched(&outside);
    assert_eq!(fs::read(fixture.at("away/a")).unwrap(), b"abc");
}

#[test]
fn copy_behind_a_link_is_not_used() {
    let (fixture, outside) = attacked();
    fs::write(outside.join("good"), "abc").unwrap();
    symlink("../outside", fixture.at("link")).unwrap();
    symlink("../outside/good", fixture.at("good")).unwrap();
    fs::remove_file(fixture.at("sub/a")).unwrap();
    let copies = ["link/good", "good"].map(|name| fixture.path(name));
    let path = fixture.path("sub/a");
    let restored = fixture
        .folder
        .restore(&path, copies, MissingFile::Create, Timestamp::now());
    assert!(matches!(restored, Err(RepairError::NoGoodCopy)));
}

/// Swaps the folder when a run begins to read.
struct Swap<'a> {
    fixture: &'a Fixture,
    is_done: AtomicBool,
}

impl RunObserver for Swap<'_> {
    fn advance(&self, _done: u64, _total: u64) -> bool {
        if !self.is_done.swap(true, Ordering::SeqCst) {
            swap(self.fixture);
        }
        true
    }
}

#[test]
fn folder_swapped_during_a_verification_reveals_nothing() {
    let (fixture, _outside) = attacked();
    let observer = Swap {
        fixture: &fixture,
        is_done: AtomicBool::new(false),
    };
    let scope = Scope::Paths(vec![fixture.path("sub")]);
    let options = VerifyOptions::default();
    let report = fixture
        .folder
        .verify(&scope, &options, Timestamp::now(), &observer)
        .unwrap();
    check(&report, &[(FileState::Unreadable, "a")]);
    assert_eq!(report.findings[0].actual, None);
    assert_eq!(report.bytes_read, 0);
}

#[test]
fn confined_list_names_nothing_outside() {
    let (fixture, outside) = attacked();
    let outer = outside.parent().unwrap();
    symlink("/", fixture.at("slash")).unwrap();
    symlink("../outside/a", fixture.at("linked")).unwrap();
    let secret = format!("slash{}/a", outside.display());
    let absolute = outside.join("a");
    let names = [
        &*secret,
        absolute.to_str().unwrap(),
        "../outside/a",
        "linked",
    ];
    let lines = names.map(|name| format!("{ABC}  {name}\n"));
    let list = lists::parse(lines.concat().as_bytes()).unwrap();
    let imported = fixture
        .folder
        .import(&list, &fixture.files(), true, Timestamp::now())
        .unwrap();
    let report = check_list(&list, &fixture.files(), true, &()).unwrap();
    assert_eq!((imported.imported, report.files_read), (0, 0));
    for skipped in [imported.skipped, report.skipped.lines] {
        let codes: Vec<_> = skipped.iter().map(|(_, reason)| reason.code).collect();
        let (link, out) = (ReasonCode::ThroughLink, ReasonCode::OutsideFolder);
        assert_eq!(codes, [link, out, out, link]);
        let shown = format!("{skipped:?}");
        assert!(!shown.contains(outer.to_str().unwrap()), "{shown}");
    }
}

#[test]
fn link_planted_after_an_import_reveals_nothing() {
    let (fixture, outside) = attacked();
    let list = format!("{ABC}  slash/etc/passwd\n");
    let list = lists::parse(list.as_bytes()).unwrap();
    let base = fixture.files();
    let imported = fixture.folder.import(&list, &base, true, Timestamp::now());
    assert_eq!(imported.unwrap().imported, 1);
    symlink("/", fixture.at("slash")).unwrap();
    let report = fixture.verify();
    check(&report, &[(FileState::Unreadable, "passwd")]);
    assert_eq!(report.findings[0].size, None);
    check_untouched(&outside);
}

#[test]
fn links_at_names_of_temporary_files_stay() {
    let (fixture, outside) = attacked();
    let own = fixture.outer.path().join("hashes/.fumikura");
    let planted = |number: usize| own.join(format!(".{}-{number}.tmp", std::process::id()));
    for number in 0..8 {
        symlink(outside.join("a"), planted(number)).unwrap();
    }
    fixture.write("new", "new");
    assert_eq!(fixture.record().written, 1);
    check_untouched(&outside);
}

#[test]
fn hash_folder_with_a_linked_own_folder_is_foreign() {
    let (fixture, outside) = attacked();
    let folder = fixture.outer.path().join("unpacked");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    symlink(&outside, folder.join(".fumikura")).unwrap();
    let created = HashFolder::create(&folder);
    assert!(matches!(created, Err(OpenError::Foreign(_))), "{created:?}");
    let opened = HashFolder::open(&folder).unwrap();
    assert!(!opened.is_own());
    let report = opened.record(
        &[fixture.files()],
        &fumikura_hashes::RecordOptions::default(),
        &Timestamp::now,
        &(),
    );
    assert_eq!(report.unwrap().written, 2);
    check_untouched(&outside);
}
