//! Full archives: an empty wiki becomes the same one, and every other archive is refused.

use std::io::{Cursor, Read, Write};

use fumikura_wiki::*;
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::archive_support::{file, full, id_at, ignore_progress, stored_files};
use crate::assets::place;
use crate::support::TestWiki;

const MANIFEST: &str = "fumikura-full.json";

fn export(test: &TestWiki) -> (ExportReport, Vec<u8>) {
    let (aside, mut out) = (tempfile::tempdir().unwrap(), Vec::new());
    let archives = test.wiki.archives();
    let export = archives.begin_export(aside.path(), ExportForm::Full);
    let report = archives.write_export(export.unwrap(), &mut out, &mut ignore_progress);
    (report.unwrap(), out)
}

fn restore(test: &TestWiki, archive: &[u8]) -> Result<RestoreReport, ImportError> {
    restore_within(test, archive, 64 << 20)
}

fn restore_within(
    test: &TestWiki,
    archive: &[u8],
    limit: u64,
) -> Result<RestoreReport, ImportError> {
    let (aside, archives) = (tempfile::tempdir().unwrap(), test.wiki.archives());
    let archive = file(archive);
    let plan = archives.plan_restore(archive, limit, aside.path(), &mut ignore_progress)?;
    archives.apply_restore(plan)
}

/// Advances the clock of one wiki to the time of another.
fn meet(later: &TestWiki, at: &TestWiki) {
    let by = at.clock_now().duration_since(later.clock_now());
    later.clock.advance(by.try_into().unwrap());
}

/// A wiki that uses everything that an archive has.
fn everything() -> TestWiki {
    let test = full();
    let kyoto = id_at(&test, "/旅/京都");
    test.advance(60);
    test.rewrite(kyoto, "# 京都、二\n\n[旅](/旅) [[/waits]]");
    test.amend(kyoto, "# 京都、三\n\n[旅](/旅) [[/waits]]");
    test.rename(kyoto, "/moved/京都", false).unwrap();
    let erased = test.page("/erased", "text");
    test.upload(erased, "orphan.txt", b"orphan").unwrap();
    test.delete(erased, false).unwrap();
    test.erase(erased, false).unwrap();
    test.upload(kyoto, "twin.txt", b"text").unwrap();
    let tree = test.wiki.tree();
    tree.pin(test.aya, kyoto).unwrap();
    test.wiki.visits().visit_page(test.ben, kyoto).unwrap();
    let japanese = |settings: &mut Settings| {
        settings.language = Language::Ja;
        Ok::<_, StorageError>(())
    };
    test.wiki.change_settings(japanese).unwrap();
    test.wiki
        .autosave()
        .put(UnsavedText {
            page_id: kyoto,
            user: test.ben,
            tab: "tab".to_owned(),
            path: PagePath::root(),
            base_revision: Some(2),
            seq: 3,
            source: "まだ保存していない".to_owned(),
        })
        .unwrap();
    let (draft, _lock) = test
        .wiki
        .pages()
        .create_draft(&PagePath::new("/draft").unwrap(), test.aya)
        .unwrap();
    test.upload(draft, "of a draft.txt", b"draft").unwrap();
    test.wiki
        .locks()
        .acquire(id_at(&test, "/a b"), test.aya)
        .unwrap();
    test
}

#[test]
fn empty_wiki_becomes_the_exported_one() {
    let (from, to) = (everything(), TestWiki::other());
    let (report, archive) = export(&from);
    assert_eq!(report.missing, []);
    let restored = restore(&to, &archive).unwrap();
    assert_eq!((restored.users, restored.assets), (2, report.assets));
    assert_eq!(restored.missing, []);

    let kyoto = id_at(&to, "/moved/京都");
    assert_eq!(kyoto, id_at(&from, "/moved/京都"));
    let history = |test: &TestWiki| test.wiki.revisions().list(kyoto, None, 100).unwrap();
    assert_eq!(history(&to), history(&from));
    assert_eq!(
        to.wiki.users().all().unwrap(),
        from.wiki.users().all().unwrap()
    );
    assert_eq!(to.wiki.settings().unwrap(), from.wiki.settings().unwrap());
    let trash = |test: &TestWiki| test.wiki.tree().trash(None, 10).unwrap();
    assert_eq!(trash(&to), trash(&from));
    let pins = |test: &TestWiki| test.wiki.tree().pinned_pages(from.aya).unwrap();
    assert_eq!(pins(&to), pins(&from));
    let unsaved = |test: &TestWiki| test.wiki.autosave().entries(from.ben, None).unwrap();
    assert_eq!(unsaved(&to), unsaved(&from));
    let files = |test: &TestWiki| test.wiki.assets().of_page(kyoto, true).unwrap();
    assert_eq!(files(&to), files(&from));
    // The draft was not saved, but its file is not lost, and neither is that of the erased page.
    assert_eq!(to.wiki.assets().orphaned().unwrap().len(), 2);
    assert!(to.wiki.locks().all().unwrap().is_empty());
    let found = to.wiki.search().find("京都、三", 5).unwrap();
    assert_eq!(found.len(), 1);
    let report = to.wiki.check(Depth::Everything).unwrap();
    assert_eq!(report.faults, []);
}

#[test]
fn imported_archive_is_exported_with_the_same_bytes() {
    let (from, to) = (everything(), TestWiki::other());
    let (_, archive) = export(&from);
    restore(&to, &archive).unwrap();
    meet(&to, &from);
    let (_, again) = export(&to);
    assert!(archive == again, "the archives differ");
    assert_eq!(to.wiki.take_changes().last(), Some(&Change::Unknown));
}

#[test]
fn later_archive_differs_in_its_time_alone() {
    let test = full();
    let earlier = entries(&export(&test).1);
    test.advance(3600);
    let later = entries(&export(&test).1);
    let names = |entries: &[(String, Vec<u8>)]| -> Vec<String> {
        entries.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&earlier), names(&later));
    for ((name, earlier), (_, later)) in earlier.iter().zip(&later) {
        if name != MANIFEST {
            assert_eq!(earlier, later, "{name}");
            continue;
        }
        let [mut earlier, mut later]: [Value; 2] =
            [earlier, later].map(|json| serde_json::from_slice(json).unwrap());
        let times = [earlier["exported_at"].take(), later["exported_at"].take()];
        let [before, after] =
            times.map(|time| time.as_str().unwrap().parse::<Timestamp>().unwrap());
        assert_eq!(after.duration_since(before).as_secs(), 3600);
        assert_eq!(earlier, later);
    }
}

#[test]
fn wiki_that_has_something_refuses_full_archive() {
    let (_, archive) = export(&full());
    let check = |change: &dyn Fn(&TestWiki), words: &str| {
        let test = TestWiki::new();
        change(&test);
        let (before, files) = (export(&test).1, stored_files(&test));
        let error = restore(&test, &archive).unwrap_err();
        assert!(matches!(error, ImportError::NotEmpty(_)), "{error}");
        let message = error.to_string();
        assert!(
            message.contains(words) && message.contains("--data"),
            "{message}"
        );
        assert!(before == export(&test).1, "{words}");
        assert_eq!(stored_files(&test), files);
    };
    let filled = |test: &TestWiki| {
        test.page("/a", "");
    };
    check(&filled, "has pages.");
    let edited = |test: &TestWiki| {
        test.rewrite(id_at(test, "/"), "edited");
    };
    check(&edited, "has pages.");
    check(
        &|test| drop(test.upload(id_at(test, "/"), "a.txt", b"").unwrap()),
        "has files.",
    );
    check(
        &|test| {
            let lock = test.wiki.locks().acquire(id_at(test, "/"), test.aya);
            lock.unwrap();
        },
        "being edited",
    );
    let erased = |test: &TestWiki| {
        let page = test.page("/a", "");
        test.delete(page, false).unwrap();
        test.erase(page, false).unwrap();
    };
    check(&erased, "were deleted");
}

#[test]
fn lost_contents_stay_lost_and_the_rest_is_restored() {
    let (from, to) = (full(), TestWiki::other());
    let root = id_at(&from, "/");
    let lost = from.upload(root, "lost.txt", b"lost").unwrap().id;
    let damaged = from.upload(root, "damaged.txt", b"whole").unwrap().id;
    std::fs::remove_file(place(&from, lost)).unwrap();
    std::fs::write(place(&from, damaged), b"other").unwrap();
    for test in [&from, &to] {
        test.wiki.expect_fault("are missing");
    }
    from.wiki.expect_fault("have changed");
    let (report, archive) = export(&from);
    let mut missing = report.missing;
    missing.sort();
    assert_eq!(missing, [lost, damaged]);
    let mut restored = restore(&to, &archive).unwrap().missing;
    restored.sort();
    assert_eq!(restored, [lost, damaged]);
    meet(&to, &from);
    assert!(archive == export(&to).1);
}

#[test]
fn leftovers_of_an_interrupted_import_are_used() {
    let (from, to) = (full(), TestWiki::other());
    let (_, archive) = export(&from);
    let root = id_at(&from, "/");
    let kept = from.wiki.assets().of_page(root, false).unwrap()[0].id;
    let place = place(&to, kept);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    // Other contents may belong to a wiki whose database is to be put back.
    std::fs::write(&place, b"of another wiki").unwrap();
    let refused = restore(&to, &archive).unwrap_err().to_string();
    assert!(refused.contains("other contents"), "{refused}");
    assert_eq!(std::fs::read(&place).unwrap(), b"of another wiki");
    assert_eq!(stored_files(&to), 1);
    std::fs::write(&place, b"").unwrap();
    restore(&to, &archive).unwrap();
}

fn entries(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = zip.len();
    let read = |index| {
        let mut entry = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

fn zipped(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Changes an entry.
fn changed(archive: &[u8], of: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut entries = entries(archive);
    let entry = entries.iter_mut().find(|(name, _)| name == of).unwrap();
    entry.1 = change(&String::from_utf8_lossy(&entry.1)).into_bytes();
    zipped(&entries)
}

/// Changes an entry with rows, whose hash the manifest then has.
fn with_rows(archive: &[u8], of: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let archive = changed(archive, of, change);
    let entries = entries(&archive);
    let (_, rows) = entries.iter().find(|(name, _)| name == of).unwrap();
    with_manifest(&archive, |manifest| {
        let tables = manifest["tables"].as_array_mut().unwrap();
        let table = tables.iter_mut().find(|table| table["entry"] == of);
        let table = table.unwrap();
        table["bytes"] = rows.len().into();
        table["rows"] = rows.iter().filter(|byte| **byte == b'\n').count().into();
        table["sha256"] = hex::encode(Sha256::digest(rows)).into();
    })
}

fn with_manifest(archive: &[u8], change: impl Fn(&mut Value)) -> Vec<u8> {
    changed(archive, MANIFEST, |json| {
        let mut manifest = serde_json::from_str(json).unwrap();
        change(&mut manifest);
        manifest.to_string()
    })
}

#[track_caller]
fn check_refused(archive: &[u8], words: &str) {
    let test = TestWiki::new();
    let before = export(&test).1;
    let error = restore(&test, archive).unwrap_err().to_string();
    assert!(error.contains(words), "{error}");
    assert!(before == export(&test).1);
    assert_eq!(stored_files(&test), 0);
}

#[test]
fn damaged_archives_are_refused() {
    let (_, archive) = export(&full());
    for length in (1..archive.len()).step_by(211) {
        check_refused(&archive[..length], "readable zip");
    }
    let all = entries(&archive);
    let contents = all.iter().find(|(name, _)| name.starts_with("files/"));
    let contents = contents.unwrap().0.clone();
    check_refused(
        &changed(&archive, "revisions.jsonl", |rows| {
            rows.replacen("京都", "東京", 1)
        }),
        "revisions.jsonl: the file's contents do not match",
    );
    check_refused(
        &changed(&archive, &contents, |_| "!".repeat(9)),
        "the file does not have",
    );
    let without = |left_out: &str| -> Vec<_> {
        all.iter()
            .filter(|(name, _)| name != left_out)
            .cloned()
            .collect()
    };
    check_refused(&zipped(&without(&contents)), "has no such entry");
    check_refused(&zipped(&without("pages.jsonl")), "has no such entry");
    for name in [
        "../evil",
        "/etc/passwd",
        "files/../../evil",
        "files/0",
        "more.txt",
    ] {
        let mut more = all.clone();
        more.push((name.to_owned(), b"x".to_vec()));
        check_refused(&zipped(&more), "does not list this entry");
    }
    let newer = with_manifest(&archive, |manifest| manifest["version"] = 2.into());
    check_refused(&newer, "of version 2, this program reads version 1");
    let unknown = with_manifest(&archive, |manifest| manifest["more"] = json!(1));
    check_refused(&unknown, "fumikura-full.json can't be read");
    let fewer = with_manifest(&archive, |manifest| {
        manifest["tables"].as_array_mut().unwrap().pop();
    });
    check_refused(&fewer, "does not list the tables");
}

#[test]
fn contradictory_rows_are_refused() {
    let (_, archive) = export(&full());
    let check = |of: &str, change: &dyn Fn(&str) -> String, words: &str| {
        check_refused(&with_rows(&archive, of, change), words);
    };
    let first = |rows: &str| rows.lines().next().unwrap().to_owned() + "\n";
    let twice = |rows: &str| first(rows) + rows;
    let without_first = |rows: &str| rows.split_once('\n').unwrap().1.to_owned();
    for table in [
        "users.jsonl",
        "pages.jsonl",
        "revisions.jsonl",
        "files.jsonl",
    ] {
        check(table, &twice, "line 2: the row does not follow");
        check(table, &|rows| format!("{rows}{{}}\n"), "missing field");
        check(table, &|rows| format!("{rows}x"), "");
    }
    check("users.jsonl", &without_first, "the unknown user");
    check("pages.jsonl", &first, "contradict each other");
    check("revisions.jsonl", &without_first, "contradict each other");
    check(
        "users.jsonl",
        &|rows| rows.replace("\"Ben\"", "\"Aya\""),
        "another user has the name Aya",
    );
    check(
        "pages.jsonl",
        &|rows| rows.replace("/旅/京都", "/../京都"),
        "above the root page",
    );
    check(
        "files.jsonl",
        &|rows| rows.replace("図.png", "../図.png"),
        "files.jsonl: line",
    );
    check(
        "revisions.jsonl",
        &|rows| rows.replacen("\"amends\"", "\"other\"", 1),
        "unknown field",
    );
}

#[test]
fn archive_may_not_unpack_to_any_size() {
    let (_, archive) = export(&full());
    let bomb = with_rows(&archive, "pages.jsonl", |rows| {
        rows.to_owned() + &" ".repeat(20 << 20) + "\n"
    });
    check_refused(&bomb, "larger than the");
    // The same contents many times: each file is one of its own.
    let large = TestWiki::new();
    for number in 0..4 {
        let name = format!("{number}.bin");
        large
            .upload(id_at(&large, "/"), &name, &[7; 100_000])
            .unwrap();
    }
    let (_, archive) = export(&large);
    let test = TestWiki::new();
    let refused = restore_within(&test, &archive, 300_000).unwrap_err();
    assert!(
        matches!(refused, ImportError::TooMuch(300_000)),
        "{refused}"
    );
    assert_eq!(stored_files(&test), 0);
    restore_within(&test, &archive, 500_000).unwrap();
}
