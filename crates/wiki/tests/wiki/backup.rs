//! Makes backups during writes.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_wiki::*;

use crate::support::{TestWiki, config, file_name, path};

/// The faults of a copy, in words.
fn faults(copy: &Path, clock: &Arc<ManualClock>) -> Vec<String> {
    let clock: Arc<ManualClock> = Arc::clone(clock);
    let entropy = Arc::new(SeededEntropy::new(9));
    let wiki = Wiki::open(&config(copy), clock, entropy).unwrap();
    let faults = wiki.check(Depth::Everything).unwrap().faults;
    faults.iter().map(ToString::to_string).collect()
}

/// Writes, uploads and purges until `end` is set.
fn write(wiki: &Wiki, user: UserId, number: usize, end: &AtomicBool, written: &AtomicUsize) {
    let (page_id, _) = wiki
        .pages()
        .create_draft(&path(&format!("/{number}")), user)
        .unwrap();
    for round in 0.. {
        if end.load(Ordering::SeqCst) {
            break;
        }
        let lock = wiki.locks().acquire(page_id, user);
        let lock = match lock {
            Ok(lock) => lock,
            Err(_held) => wiki.locks().take_over(page_id, user).unwrap(),
        };
        let request = SaveRequest {
            page_id,
            user,
            source: format!("# {round}\n[other](/{}) [nowhere](/{round}/x)", 1 - number),
            token: Some(lock.token),
            if_match: None,
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        };
        wiki.pages().save(request).unwrap();
        let name = file_name(&format!("{round}.txt"));
        let mut writer = wiki.assets().begin(page_id, name, None).unwrap();
        writer.write(&[b'x'; 5000]).unwrap();
        let asset = wiki.assets().finish(writer, user).unwrap();
        if round % 2 == 0 {
            wiki.assets().purge(asset.id).unwrap();
        }
        written.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn backup_during_writes_is_consistent() {
    let test = TestWiki::new();
    let (end, written) = (AtomicBool::new(false), AtomicUsize::new(0));
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..2 {
            let (wiki, end, written, user) = (&*test.wiki, &end, &written, test.aya);
            scope.spawn(move || write(wiki, user, number, end, written));
        }
        for round in 0..8 {
            let copy = folder.path().join(round.to_string());
            std::fs::create_dir(&copy).unwrap();
            let before = written.load(Ordering::SeqCst);
            let mut asked = 0;
            let made = test.wiki.back_up(&copy, &mut |_, _| {
                asked += 1;
                // The writers continue in the middle of it.
                while asked == 1 && written.load(Ordering::SeqCst) < before + 6 {
                    std::thread::yield_now();
                }
                ControlFlow::Continue(())
            });
            let missing = made.unwrap().missing;
            let expected = missing
                .iter()
                .map(|id| format!("asset/: the contents of {id} are missing"));
            assert_eq!(faults(&copy, &test.clock), expected.collect::<Vec<_>>());
        }
        end.store(true, Ordering::SeqCst);
    });
}

fn make(test: &TestWiki, backups: &Path, cause: BackupCause) -> MadeBackup {
    let request = BackupRequest {
        backups,
        cause,
        add: &|folder| std::fs::write(folder.join("roots.json"), "[]"),
        zone: jiff::tz::TimeZone::UTC,
    };
    let mut watch = |_, _| ControlFlow::Continue(());
    test.wiki.backups().make(&request, &mut watch).unwrap()
}

/// The number of names that the file has, and the file.
fn links(backup: &MadeBackup, test: &TestWiki, id: AssetId) -> (u64, std::path::PathBuf) {
    use std::os::unix::fs::MetadataExt;
    let (_, relative) = test.wiki.assets().place(id);
    let file = backup.path.join("asset").join(relative);
    (std::fs::metadata(&file).unwrap().nlink(), file)
}

#[test]
fn backup_is_proved_and_shares_files() {
    let test = TestWiki::new();
    let backups = tempfile::tempdir().unwrap();
    let page = test.page("/a", "# A");
    let file = test.upload(page, "a.txt", b"contents").unwrap().id;
    let first = make(&test, backups.path(), BackupCause::Request);
    assert!(first.record.proved_at.is_some(), "{:?}", first.record);
    assert_eq!((first.record.assets, first.record.faults.len()), (1, 0));
    assert_eq!(faults(&first.path, &test.clock), <[String; 0]>::default());

    test.advance(60);
    test.page("/b", "# B");
    let second = make(&test, backups.path(), BackupCause::Request);
    assert!(second.record.pages > first.record.pages);
    assert_ne!(second.record.rows_sha256, first.record.rows_sha256);
    let (count, stored) = links(&second, &test, file);
    assert_eq!(count, 2);
    assert_eq!(std::fs::read(stored).unwrap(), b"contents");
    assert!(second.path.join("roots.json").is_file());
    let listed = list_backups(backups.path()).unwrap();
    let names: Vec<&str> = listed.iter().map(|backup| backup.name.as_str()).collect();
    assert_eq!(
        names,
        ["fumikura-2026-11-18T120100Z", "fumikura-2026-11-18T120000Z"]
    );
    // Nothing of the proofs is left.
    assert_eq!(std::fs::read_dir(backups.path()).unwrap().count(), 2);
}

#[test]
fn damaged_file_is_a_fault_of_its_backup() {
    let test = TestWiki::new();
    let backups = tempfile::tempdir().unwrap();
    let page = test.page("/a", "# A");
    let file = test.upload(page, "a.txt", b"contents").unwrap().id;
    let proved = make(&test, backups.path(), BackupCause::Schedule);
    let (folder, relative) = test.wiki.assets().place(file);
    std::fs::write(folder.join(&relative), b"CONTENTS").unwrap();
    let lost = test.upload(page, "b.txt", b"lost").unwrap().id;
    std::fs::remove_file(folder.join(test.wiki.assets().place(lost).1)).unwrap();
    test.advance(60);
    // The file of the proved backup is used, so the damage does not spread; a lost file is named.
    let repaired = make(&test, backups.path(), BackupCause::Schedule);
    assert_eq!(repaired.record.faults, <[String; 0]>::default());
    assert_eq!(repaired.missing, [lost]);

    let alone = tempfile::tempdir().unwrap();
    let faulty = make(&test, alone.path(), BackupCause::Schedule);
    assert_eq!(faulty.record.proved_at, None);
    assert!(
        faulty.record.faults[0].contains("have changed"),
        "{:?}",
        faulty.record
    );
    assert!(proved.record.proved_at.is_some());
    test.wiki.expect_fault("have changed");
    test.wiki.expect_fault("are missing");
}

#[test]
fn damaged_file_of_an_earlier_backup_is_copied_again() {
    let test = TestWiki::new();
    let backups = tempfile::tempdir().unwrap();
    let page = test.page("/a", "# A");
    let file = test.upload(page, "a.txt", b"contents").unwrap().id;
    let first = make(&test, backups.path(), BackupCause::Schedule);
    let (_, stored) = links(&first, &test, file);
    std::fs::write(&stored, b"CONTENTS").unwrap();
    test.advance(60);
    let second = make(&test, backups.path(), BackupCause::Schedule);
    assert_eq!(second.record.faults, <[String; 0]>::default());
    let (_, stored) = links(&second, &test, file);
    assert_eq!(std::fs::read(stored).unwrap(), b"contents");
}

#[test]
fn superfluous_backups_of_the_schedule_are_removed() {
    let test = TestWiki::new();
    let backups = tempfile::tempdir().unwrap();
    let requested = make(&test, backups.path(), BackupCause::Request);
    let mut removed = 0;
    for _ in 0..10 {
        test.advance(12 * 60 * 60);
        removed += make(&test, backups.path(), BackupCause::Schedule)
            .removed
            .len();
    }
    let listed = list_backups(backups.path()).unwrap();
    assert_eq!(listed.len() + removed, 11);
    assert!(removed >= 4, "{removed}");
    assert!(requested.path.is_dir());
    assert_eq!(
        std::fs::read_dir(backups.path()).unwrap().count(),
        listed.len()
    );
}

#[test]
fn much_smaller_wiki_is_reported() {
    let test = TestWiki::new();
    let backups = tempfile::tempdir().unwrap();
    let pages: Vec<PageId> = (0..20)
        .map(|number| test.page(&format!("/p{number}"), "x"))
        .collect();
    make(&test, backups.path(), BackupCause::Request);
    for page in &pages[..10] {
        let request = DeleteRequest {
            page_id: *page,
            user: test.aya,
            recursive: false,
            token: None,
        };
        test.wiki.tree().erase(&request).unwrap();
    }
    test.advance(60);
    let second = make(&test, backups.path(), BackupCause::Request);
    let found = &second.record.decreases[0];
    assert_eq!(
        (found.what.as_str(), found.before - found.now),
        ("pages", 10)
    );
}
