//! Imports on a disk that fails at each of its writes in turn: all of the archive is imported, or nothing.

use std::fs::File;
use std::io::{Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;

use crate::UserId;
use crate::archive::{ExportForm, ImportError, ImportRequest, OnConflict};
use crate::assets::{StoredFile, sweep};
use crate::check::Depth;
use crate::fixture::{config, file, page};
use crate::model::user::UserName;
use crate::store::fault_injection::failing_store;
use crate::users::Template;
use crate::wiki::Wiki;

/// A budget of more writes than there will be.
const UNLIMITED: i64 = 1 << 40;

fn wiki(folder: &Path, left: &Arc<AtomicI64>, seed: u64) -> (Wiki, UserId) {
    let config = config(folder);
    let store = failing_store(&config.database, left);
    let clock = ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap());
    let entropy = Arc::new(SeededEntropy::new(seed));
    let wiki = Wiki::with_store(store, &config, Arc::new(clock), entropy);
    let aya = UserName::new("Aya").unwrap();
    let user = wiki.users().register(aya, Template::En).unwrap().user.id;
    (wiki, user)
}

/// Returns an archive of two pages that link to each other, and a file.
fn archive(form: ExportForm) -> File {
    let folder = tempfile::tempdir().unwrap();
    let (wiki, user) = wiki(folder.path(), &Arc::new(AtomicI64::new(UNLIMITED)), 1);
    page(&wiki, user, "/a", "to [[/b]]");
    let b = page(&wiki, user, "/b", "to [[/a]]");
    file(&wiki, b, user, "f");
    let mut out = tempfile::tempfile().unwrap();
    let export = wiki.archives().begin_export(folder.path(), form).unwrap();
    let mut on = |_, _| ControlFlow::Continue(());
    wiki.archives()
        .write_export(export, &mut out, &mut on)
        .unwrap();
    out.rewind().unwrap();
    out.flush().unwrap();
    out
}

fn stored_files(wiki: &Wiki) -> usize {
    let mut found = 0;
    wiki.asset_files
        .walk(|file| match file {
            StoredFile::Whole(..) | StoredFile::Unfinished(_) => found += 1,
        })
        .unwrap();
    found
}

#[test]
fn import_on_failing_disk_is_all_or_nothing() {
    let archive = archive(ExportForm::Archive);
    for budget in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let left = Arc::new(AtomicI64::new(UNLIMITED));
        let (wiki, user) = wiki(folder.path(), &left, 2);
        let before = wiki.store.dump().unwrap();
        let request = ImportRequest {
            user,
            on_conflict: OnConflict::Fail,
            limit: 1 << 20,
        };
        let mut on = |_, _| ControlFlow::Continue(());
        let archive = archive.try_clone().unwrap();
        let plan = wiki
            .archives()
            .plan_import(archive, request, &mut on)
            .unwrap();

        left.store(budget, Ordering::SeqCst);
        let outcome = wiki.archives().apply_import(plan);
        left.store(UNLIMITED, Ordering::SeqCst);
        let nothing = wiki.store.dump().unwrap() == before;
        match &outcome {
            Ok(done) => assert_eq!((done.created.len(), done.added.len()), (2, 1)),
            Err(ImportError::Storage(_)) => {}
            Err(other) => panic!("{other}"),
        }
        assert!(outcome.is_err() || !nothing, "{budget}");
        // Remaining files are removed at the next start at the latest.
        sweep(&wiki.store, &wiki.asset_files).unwrap();
        assert_eq!(stored_files(&wiki), usize::from(!nothing), "{budget}");
        let faults = wiki.check(Depth::Everything).unwrap().faults;
        assert!(faults.is_empty(), "{budget}: {faults:#?}");
        if outcome.is_ok() {
            assert!(budget > 0);
            return;
        }
    }
}

#[test]
fn restore_on_failing_disk_is_all_or_nothing() {
    let archive = archive(ExportForm::Full);
    for budget in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let left = Arc::new(AtomicI64::new(UNLIMITED));
        let (wiki, _) = wiki(folder.path(), &left, 2);
        let before = wiki.store.dump().unwrap();
        let mut on = |_, _| ControlFlow::Continue(());
        let archive = archive.try_clone().unwrap();
        let archives = wiki.archives();
        let plan = archives.plan_restore(archive, 1 << 20, folder.path(), &mut on);
        let plan = plan.unwrap();

        left.store(budget, Ordering::SeqCst);
        let outcome = wiki.archives().apply_restore(plan);
        left.store(UNLIMITED, Ordering::SeqCst);
        let nothing = wiki.store.dump().unwrap() == before;
        match &outcome {
            Ok(done) => assert_eq!((done.pages, done.assets), (3, 1)),
            Err(ImportError::Storage(_)) => {}
            Err(other) => panic!("{other}"),
        }
        assert!(outcome.is_err() || !nothing, "{budget}");
        sweep(&wiki.store, &wiki.asset_files).unwrap();
        assert_eq!(stored_files(&wiki), usize::from(!nothing), "{budget}");
        let faults = wiki.check(Depth::Everything).unwrap().faults;
        assert!(faults.is_empty(), "{budget}: {faults:#?}");
        if outcome.is_ok() {
            assert!(budget > 0);
            return;
        }
    }
}
