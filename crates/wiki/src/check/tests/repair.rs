//! Repairs what the check reports: what is derived becomes what it was, and nothing else changes.

use std::fs;

use super::*;
use crate::backup::{BackupCause, BackupRequest};
use crate::repair::RepairReport;

impl SampleWiki {
    fn breaking(break_it: Breakage) -> Self {
        let sample = Self::new();
        let broken = sample.wiki.store.write(|txn| {
            break_it(&sample, txn);
            Ok::<_, StorageError>(())
        });
        broken.unwrap();
        sample
    }

    fn backups(&self) -> std::path::PathBuf {
        self.folder.path().join("backups")
    }

    fn repair(&self) -> RepairReport {
        let mut watch = |_, _| ControlFlow::Continue(());
        let repaired = self.wiki.backups().repair(&self.backups(), &mut watch);
        repaired.unwrap()
    }

    fn back_up(&self) {
        let request = BackupRequest {
            backups: &self.backups(),
            cause: BackupCause::Request,
            add: &|_| Ok(()),
            zone: jiff::tz::TimeZone::UTC,
        };
        let mut watch = |_, _| ControlFlow::Continue(());
        self.wiki.backups().make(&request, &mut watch).unwrap();
    }

    /// The path of the contents of its file.
    fn contents(&self) -> std::path::PathBuf {
        let (folder, relative) = self.wiki.asset_files.place(AssetId::from_bytes(self.asset));
        folder.join(relative)
    }
}

/// Breaks the rows of an intact wiki, which then are as they were before.
#[track_caller]
fn check_same(cases: &[Breakage]) {
    let intact = SampleWiki::new().wiki.store.dump().unwrap();
    for (number, break_it) in cases.iter().enumerate() {
        let sample = SampleWiki::breaking(*break_it);
        let broken = sample.wiki.store.dump().unwrap();
        assert!(broken != intact, "case {number}");
        let report = sample.repair();
        assert_eq!(report.after.faults, [], "case {number}");
        assert!(!report.repaired.is_empty(), "case {number}");
        assert!(sample.wiki.store.dump().unwrap() == intact, "case {number}");
        // The state before the repair is kept.
        let kept = try_open(&report.copy.unwrap(), &sample.clock).unwrap();
        assert!(kept.store.dump().unwrap() == broken, "case {number}");
    }
}

fn corrupt<'k, K: Key, V>(
    txn: &WriteTxn,
    table: Table<K, V>,
    key: impl std::borrow::Borrow<K::SelfType<'k>>,
) {
    put(txn, table.read_as::<()>(), key, &());
}

#[test]
fn rows_derived_from_pages_are_rebuilt() {
    check_same(&[
        |_, txn| txn.clear(PAGE_PATH).unwrap(),
        |_, txn| corrupt(txn, PAGE_PATH, "/page"),
        |sample, txn| put(txn, PAGE_PATH, "/x", &sample.page),
        |sample, txn| put(txn, PAGE_PATH, "/page", &sample.root),
        |_, txn| txn.clear_sets(DELETED_PAGE_PATH).unwrap(),
        |_, txn| txn.insert_id(LEFT_PATH, "/x", &UNKNOWN).unwrap(),
        |_, txn| txn.clear_sets(BACKLINK).unwrap(),
        |_, txn| txn.clear_sets(WAITING_LINK).unwrap(),
        |_, txn| txn.clear(PAGE_TITLE).unwrap(),
        |sample, txn| corrupt(txn, PAGE_TITLE, &sample.page),
        |_, txn| put(txn, PAGE_TITLE, &UNKNOWN, &"Stray".to_owned()),
        |sample, txn| corrupt(txn, PAGE_LINKS, &sample.page),
        |sample, txn| sample.put_info(txn, |info| info.rename_revisions.clear()),
    ]);
}

#[test]
fn other_derived_rows_are_rebuilt() {
    check_same(&[
        |_, txn| txn.clear(USER_NAME).unwrap(),
        |sample, txn| put(txn, USER_NAME, "Stranger", &sample.user),
        |_, txn| txn.clear(ASSET_NAME).unwrap(),
        |_, txn| txn.clear(ASSET_PAGE).unwrap(),
        |_, txn| txn.clear_sets(PAGE_ASSETS).unwrap(),
        |sample, txn| corrupt(txn, ASSET_PAGE, &sample.asset),
        |_, txn| txn.clear(AUTOSAVE_KEY).unwrap(),
        |sample, txn| corrupt(txn, AUTOSAVE_TOMBSTONE, (&sample.page, &sample.user, TAB)),
        |_, txn| corrupt(txn, SESSION, &[1; 32]),
        |sample, txn| {
            let mut stray = txn.get(LOCK, &sample.token).unwrap().unwrap();
            stray.token = LockToken::from_bytes(UNKNOWN);
            put(txn, LOCK, &UNKNOWN, &stray);
        },
    ]);
}

#[test]
fn page_without_its_lock_is_unlocked() {
    for break_it in [
        (|sample, txn| txn.remove(LOCK, &sample.token).unwrap()) as Breakage,
        |sample, txn| corrupt(txn, LOCK, &sample.token),
    ] {
        let sample = SampleWiki::breaking(break_it);
        assert_eq!(sample.repair().after.faults, []);
        let page = PageId::from_bytes(sample.page);
        let user = UserId::from_bytes(sample.user);
        sample.wiki.locks().acquire(page, user).unwrap();
    }
}

#[test]
fn draft_without_its_lock_expires() {
    let sample = SampleWiki::breaking(|_, txn| txn.clear(LOCK).unwrap());
    assert_eq!(sample.repair().after.faults, []);
    let draft = path("/draft");
    let user = UserId::from_bytes(sample.user);
    let taken = sample.wiki.pages().create_draft(&draft, user);
    assert!(taken.is_err());
    sample.clock.advance(crate::WikiConfig::LOCK_TTL);
    sample.wiki.pages().create_draft(&draft, user).unwrap();
}

#[test]
fn what_is_in_no_other_place_stays_as_it_is() {
    for break_it in [
        (|sample, txn| txn.remove(PAGE_SOURCE, (&sample.page, 1)).unwrap()) as Breakage,
        |sample, txn| corrupt(txn, PAGE_SOURCE, (&sample.page, 2)),
        |sample, txn| corrupt(txn, ASSET, &sample.asset),
        |sample, txn| corrupt(txn, USER, &sample.user),
        |_, txn| corrupt(txn, SETTINGS, "settings"),
        |sample, txn| txn.remove(DELETION, &sample.deleted).unwrap(),
    ] {
        let sample = SampleWiki::breaking(break_it);
        let (before, faults) = (sample.wiki.store.dump().unwrap(), sample.faults());
        let report = sample.repair();
        assert!(!report.after.faults.is_empty());
        let lost = |fault: &&Fault| fault.remedy == Remedy::None;
        let lost: Vec<&Fault> = faults.iter().filter(lost).collect();
        assert!(!lost.is_empty(), "{faults:#?}");
        for fault in lost {
            assert!(report.after.faults.contains(fault), "{fault}");
        }
        if report.copy.is_none() {
            assert!(sample.wiki.store.dump().unwrap() == before);
        }
    }
}

#[test]
fn unreadable_page_keeps_its_indexes() {
    let sample = SampleWiki::breaking(|sample, txn| {
        corrupt(txn, PAGE_INDEX, &sample.page);
        txn.clear(USER_NAME).unwrap();
    });
    let before = sample.wiki.store.dump().unwrap();
    let report = sample.repair();
    assert!(!report.after.faults.is_empty());
    let after = sample.wiki.store.dump().unwrap();
    for table in ["page_path", "backlink", "page_links", "page_title", "lock"] {
        assert!(before[table] == after[table], "{table}");
    }
    assert!(before["user_name"].is_empty() && !after["user_name"].is_empty());
}

#[test]
fn intact_wiki_is_left_alone() {
    let sample = SampleWiki::new();
    let before = sample.wiki.store.dump().unwrap();
    let report = sample.repair();
    assert_eq!((report.copy, report.repaired), (None, Vec::new()));
    assert!(sample.wiki.store.dump().unwrap() == before && !sample.backups().exists());
}

#[test]
fn damaged_file_comes_back_from_a_backup() {
    let sample = SampleWiki::new();
    sample.back_up();
    let whole = fs::read(sample.contents()).unwrap();
    fs::write(sample.contents(), b"CONTENTS").unwrap();
    let faults = sample.faults();
    assert_eq!(faults.len(), 1);
    let backups = sample.wiki.backups();
    assert!(backups.can_repair(&sample.backups(), &faults[0]).unwrap());
    let report = sample.repair();
    assert_eq!(
        (&report.repaired, report.after.faults),
        (&faults, Vec::new())
    );
    assert_eq!(fs::read(sample.contents()).unwrap(), whole);
    // The damaged contents are in the copy.
    let kept = crate::assets::AssetFiles::new(report.copy.unwrap().join("asset"));
    let mut damaged = String::new();
    let mut file = kept.open(AssetId::from_bytes(sample.asset)).unwrap();
    std::io::Read::read_to_string(&mut file, &mut damaged).unwrap();
    assert_eq!(damaged, "CONTENTS");
    // A lost one comes back, too.
    fs::remove_file(sample.contents()).unwrap();
    assert_eq!(sample.repair().after.faults, []);
    assert_eq!(fs::read(sample.contents()).unwrap(), whole);
}

#[test]
fn file_that_no_backup_has_stays_lost() {
    let sample = SampleWiki::new();
    sample.back_up();
    // The backup is damaged as well.
    for entry in fs::read_dir(sample.backups()).unwrap() {
        let folder = entry.unwrap().path().join("asset");
        let files = crate::assets::AssetFiles::new(folder);
        let (folder, relative) = files.place(AssetId::from_bytes(sample.asset));
        fs::write(folder.join(relative), b"CONTENTS").unwrap();
    }
    fs::remove_file(sample.contents()).unwrap();
    let faults = sample.faults();
    let backups = sample.wiki.backups();
    assert!(!backups.can_repair(&sample.backups(), &faults[0]).unwrap());
    let report = sample.repair();
    assert_eq!((report.copy, report.after.faults), (None, faults));
    assert!(!sample.contents().exists());
}
