//! Lists of other programs: imported as records, and compared with files.

use std::os::unix::fs::symlink;
use std::path::Path;

use fumikura_hashes::{FileState, ImportOutcome, WalkOptions, check_list, lists};
use jiff::Timestamp;

use crate::fixture::{Fixture, check};

/// The lists in tests/fixtures/lists are about these files.
fn files() -> Fixture {
    let fixture = Fixture::new();
    fixture.write("sub/a.txt", "alpha\n");
    fixture.write("b.txt", "beta\n");
    fixture.write("café が.txt", "alpha\n");
    fixture
}

fn list(name: &str) -> lists::List {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lists");
    lists::parse(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

fn import(fixture: &Fixture, name: &str) -> ImportOutcome {
    let base = fixture.files();
    let now = Timestamp::now();
    fixture
        .folder
        .import(&list(name), &base, false, now)
        .unwrap()
}

#[track_caller]
fn check_import(name: &str, imported: u64) {
    let fixture = files();
    let outcome = import(&fixture, name);
    assert_eq!((outcome.imported, outcome.skipped.count()), (imported, 0));
    assert_eq!(fixture.verify().summary.count(FileState::Ok), imported);
}

#[test]
fn lists_of_windows_are_imported() {
    check_import("windows_backslash.txt", 2);
    check_import("windows_backslash_escaped.txt", 2);
    check_import("hashdeep_windows.txt", 1);
    check_import("utf16le.txt", 2);
    check_import("utf16be.txt", 2);
}

#[test]
fn decomposed_name_is_matched_and_reported() {
    let fixture = files();
    let outcome = import(&fixture, "nfd_name.txt");
    assert_eq!(outcome.imported, 1);
    let forms: Vec<_> = outcome.other_forms.iter().cloned().collect();
    assert_eq!(forms, [(1, fixture.path("café が.txt"))]);
    assert_eq!(fixture.verify().summary.count(FileState::Ok), 1);
}

#[test]
fn list_without_sha256_gives_its_reasons() {
    let fixture = files();
    for (name, reason) in [
        ("md5_only.txt", "the hash is MD5; only SHA-256 is recorded"),
        ("crc.sfv", "the hash is CRC32; only SHA-256 is recorded"),
        ("hash_alone.txt", "the line names no file"),
    ] {
        let outcome = import(&fixture, name);
        let reasons = outcome.reasons_for_nothing().unwrap();
        let texts: Vec<_> = reasons.iter().map(|reason| &***reason).collect();
        assert_eq!(texts, [reason]);
    }
    assert_eq!(import(&fixture, "utf16le.txt").reasons_for_nothing(), None);
    assert_eq!(import(&fixture, "utf16le.txt").reasons_for_nothing(), None);
}

#[test]
fn base_that_is_a_link_is_resolved() {
    let fixture = files();
    symlink(fixture.at("."), fixture.at("link")).unwrap();
    let outcome = fixture.folder.import(
        &list("utf16le.txt"),
        &fixture.path("link"),
        true,
        Timestamp::now(),
    );
    assert_eq!(outcome.unwrap().imported, 2);
    let report = fixture.verify();
    assert_eq!(report.summary.count(FileState::Ok), 2);
    check(&report, &[(FileState::New, "café が.txt")]);
}

#[track_caller]
fn check_against(fixture: &Fixture, list: &str, expected: &[(FileState, &str)], ok: u64) {
    let list = lists::parse(list.as_bytes()).unwrap();
    let report = check_list(&list, &fixture.files(), false, &()).unwrap();
    check(&report, expected);
    assert_eq!(report.summary.count(FileState::Ok), ok);
}

#[test]
fn files_are_compared_with_each_algorithm() {
    let fixture = Fixture::new();
    fixture.write("a", "abc");
    let hashes = [
        "352441c2",
        "900150983cd24fb0d6963f7d28e17f72",
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    ];
    for hash in hashes {
        check_against(&fixture, &format!("a {hash}\n"), &[], 1);
        let other = hash.replacen(&hash[..1], "0", 1);
        check_against(
            &fixture,
            &format!("a {other}\n"),
            &[(FileState::Differs, "a")],
            0,
        );
    }
}

#[test]
fn files_of_a_list_are_found_and_reported() {
    let fixture = files();
    std::fs::create_dir(fixture.at("folder")).unwrap();
    let report = |name: &str| check_list(&list(name), &fixture.files(), false, &()).unwrap();
    let other_form = report("nfd_name.txt");
    check(&other_form, &[(FileState::Ok, "café が.txt")]);
    assert_eq!(other_form.summary.count(FileState::Ok), 1);
    assert_eq!(
        report("windows_backslash.txt").summary.count(FileState::Ok),
        2
    );
    assert_eq!(report("hash_alone.txt").skipped.lines.count(), 1);
    check(&report("crc.sfv"), &[(FileState::Differs, "b.txt")]);
    let abc = "900150983cd24fb0d6963f7d28e17f72";
    let expected = [
        (FileState::Missing, "none"),
        (FileState::Unreadable, "folder"),
    ];
    let text = format!("{abc}  none\n{abc}  folder\n");
    check_against(&fixture, &text, &expected, 0);
}

#[test]
fn copy_is_compared_with_the_records_of_its_original() {
    let fixture = Fixture::new();
    for name in ["a", "sub/b", "c"] {
        fixture.write(&format!("original/{name}"), name);
        fixture.write(&format!("copy/{name}"), name);
    }
    fixture.record();
    let verify = |original: &str, copy: &str| {
        let options = WalkOptions::default();
        let (original, copy) = (fixture.path(original), fixture.path(copy));
        fixture
            .folder
            .verify_copy(&original, &copy, &options, &())
            .unwrap()
    };
    let report = verify("original", "copy");
    check(&report, &[]);
    assert_eq!(
        (report.summary.count(FileState::Ok), report.files_read),
        (3, 3)
    );
    fixture.write("copy/a", "damaged");
    fixture.write("copy/new", "new");
    std::fs::remove_file(fixture.at("copy/c")).unwrap();
    let expected = [
        (FileState::Differs, "a"),
        (FileState::Missing, "c"),
        (FileState::New, "new"),
    ];
    check(&verify("original", "copy"), &expected);
    check(
        &verify("original/a", "copy/sub/b"),
        &[(FileState::Differs, "b")],
    );
    check(
        &verify("original", "none"),
        &[(FileState::RootAway, "none")],
    );
    check(
        &verify("original/a", "none"),
        &[(FileState::Missing, "none")],
    );
    check(
        &verify("unrecorded", "copy"),
        &[(FileState::Missing, "copy")],
    );
}
