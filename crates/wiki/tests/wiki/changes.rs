//! The changes that the wiki reports: all that other users may see, in the order in which they
//! happened.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_wiki::*;
use parking_lot::Mutex;

use crate::support::{TestWiki, config, file_name, name, path};

fn page(page_id: PageId, at: &str, revision: u64, kind: PageChange) -> Change {
    Change::Page {
        page_id,
        path: path(at),
        revision,
        kind,
    }
}

fn asset(page_id: impl Into<Option<PageId>>, asset_id: AssetId, kind: AssetChange) -> Change {
    Change::Asset {
        page_id: page_id.into(),
        asset_id,
        kind,
    }
}

fn unlocked(page_id: PageId) -> Change {
    Change::Unlocked { page_id }
}

impl TestWiki {
    fn locked(&self, page_id: PageId) -> Change {
        Change::Locked {
            page_id,
            user_name: "Aya".to_owned(),
            expire: self.clock_now() + WikiConfig::LOCK_TTL,
        }
    }

    /// A draft of Ben's, with a file, whose lock has expired and was not swept.
    fn expired_draft(&self, at: &str) -> (PageId, AssetId) {
        let (draft, _) = self.wiki.pages().create_draft(&path(at), self.ben).unwrap();
        let file = self.upload(draft, "a.txt", b"a").unwrap().id;
        self.advance(301);
        self.wiki.take_changes();
        (draft, file)
    }

    #[track_caller]
    fn assert_changes(&self, expected: &[Change]) {
        assert_eq!(self.wiki.take_changes(), expected);
    }
}

#[test]
fn locks_are_reported_with_their_holders() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    test.wiki.take_changes();
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.assert_changes(&[test.locked(id)]);
    test.advance(10);
    let lock = test.wiki.locks().renew(id, lock.token).unwrap();
    test.assert_changes(&[test.locked(id)]);
    test.advance(10);
    test.wiki.locks().take_over(id, test.aya).unwrap();
    test.assert_changes(&[test.locked(id)]);
    test.wiki.locks().release(id, lock.token).unwrap_err();
    test.wiki.locks().acquire(id, test.ben).unwrap_err();
    test.assert_changes(&[]);
    test.wiki.locks().break_lock(id).unwrap();
    test.assert_changes(&[unlocked(id)]);
    test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(301);
    test.wiki.take_changes();
    test.wiki.locks().sweep().unwrap();
    test.assert_changes(&[unlocked(id)]);
    // Expired, and not swept before the next lock.
    test.wiki.locks().acquire(id, test.ben).unwrap();
    test.advance(301);
    test.wiki.take_changes();
    test.wiki.locks().acquire(id, test.aya).unwrap();
    test.assert_changes(&[test.locked(id)]);
}

#[test]
fn only_saves_with_changes_are_reported() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.wiki.take_changes();
    let save = |request| test.wiki.pages().save(request).unwrap();
    save(test.by_token(id, lock.token, "one"));
    test.assert_changes(&[page(id, "/a", 1, PageChange::Created), unlocked(id)]);
    save(test.by_version(id, 1, 0, "two"));
    test.assert_changes(&[page(id, "/a", 2, PageChange::Saved)]);
    save(test.by_version(id, 2, 0, "two"));
    test.assert_changes(&[]);
    test.wiki
        .revisions()
        .rollback(id, 1, test.aya, None)
        .unwrap();
    test.assert_changes(&[page(id, "/a", 3, PageChange::Saved)]);
    test.wiki
        .revisions()
        .rollback(id, 3, test.aya, None)
        .unwrap();
    test.assert_changes(&[]);
    test.wiki.revisions().compact(id, 2, None).unwrap();
    test.assert_changes(&[page(id, "/a", 3, PageChange::Compacted)]);
    test.wiki.revisions().compact(id, 2, None).unwrap();
    test.assert_changes(&[]);
    test.wiki
        .change_settings(|_| Ok::<_, StorageError>(()))
        .unwrap();
    test.assert_changes(&[Change::Settings]);
}

#[test]
fn files_and_lock_are_reported_with_their_page() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let file = test.upload(id, "a.txt", b"a").unwrap().id;
    let deleted_file = test.upload(id, "b.txt", b"b").unwrap().id;
    test.wiki.assets().delete(deleted_file).unwrap();
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.wiki.take_changes();
    let request = DeleteRequest {
        token: Some(lock.token),
        ..test.deleting(id, false)
    };
    test.wiki.tree().delete(&request).unwrap();
    test.assert_changes(&[
        page(id, "/a", 1, PageChange::Deleted),
        asset(id, file, AssetChange::Deleted),
        unlocked(id),
    ]);
    test.restore(id, "/b", false).unwrap();
    test.assert_changes(&[
        page(id, "/b", 1, PageChange::Restored),
        asset(id, file, AssetChange::Restored),
    ]);
    test.erase(id, false).unwrap();
    test.assert_changes(&[
        page(id, "/b", 1, PageChange::Deleted),
        asset(None, file, AssetChange::Deleted),
        asset(None, deleted_file, AssetChange::Deleted),
    ]);
    let other = test.page("/c", "text");
    test.wiki.take_changes();
    test.wiki.assets().set_owner(file, other).unwrap();
    test.assert_changes(&[asset(other, file, AssetChange::Moved)]);
    test.wiki.assets().set_owner(file, other).unwrap();
    test.assert_changes(&[]);
    test.wiki.assets().purge(deleted_file).unwrap();
    test.assert_changes(&[asset(None, deleted_file, AssetChange::Purged)]);
}

#[test]
fn ended_draft_is_reported_with_its_files() {
    let test = TestWiki::new();
    let upload = |id| test.upload(id, "a.txt", b"a").unwrap().id;
    let end: [fn(&TestWiki, PageId, LockToken); 3] = [
        |test, id, token| test.wiki.locks().release(id, token).unwrap(),
        |test, id, _| assert!(test.wiki.locks().break_lock(id).unwrap().draft),
        |test, _, _| {
            test.advance(301);
            test.wiki.locks().sweep().unwrap();
        },
    ];
    for end in end {
        let (id, lock) = test
            .wiki
            .pages()
            .create_draft(&path("/a"), test.aya)
            .unwrap();
        let file = upload(id);
        test.wiki.take_changes();
        end(&test, id, lock.token);
        test.assert_changes(&[asset(id, file, AssetChange::Purged), unlocked(id)]);
    }
}

#[test]
fn displaced_expired_draft_is_reported() {
    let test = TestWiki::new();
    let (draft, file) = test.expired_draft("/a");
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.assert_changes(&[
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
        test.locked(id),
    ]);
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "text"))
        .unwrap();

    let (draft, file) = test.expired_draft("/b");
    test.rename(id, "/b", false).unwrap();
    test.assert_changes(&[
        page(id, "/b", 2, PageChange::Renamed),
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
    ]);

    test.delete(id, false).unwrap();
    let (draft, file) = test.expired_draft("/c");
    test.restore(id, "/c", false).unwrap();
    test.assert_changes(&[
        page(id, "/c", 2, PageChange::Restored),
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
    ]);
}

#[test]
fn moved_draft_is_reported_with_revision_zero() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a/x"), test.aya)
        .unwrap();
    test.wiki.take_changes();
    let request = RenameRequest {
        token: Some(lock.token),
        ..test.renaming(id, "/b", true)
    };
    test.wiki.tree().rename(&request).unwrap();
    test.assert_changes(&[
        page(draft, "/b/x", 0, PageChange::Renamed),
        page(id, "/b", 2, PageChange::Renamed),
    ]);
}

#[test]
fn refused_changes_are_not_reported() {
    let test = TestWiki::new();
    let (id, other) = (test.page("/a", "text"), test.page("/b", "text"));
    let file = test.upload(id, "a.txt", b"a").unwrap().id;
    test.upload(other, "a.txt", b"a").unwrap();
    let _lock = test.wiki.locks().acquire(id, test.ben).unwrap();
    test.wiki.take_changes();
    test.rename(id, "/c", false).unwrap_err();
    test.delete(id, false).unwrap_err();
    test.wiki
        .pages()
        .save(test.save_request(id, "new"))
        .unwrap_err();
    test.wiki.revisions().compact(id, 2, None).unwrap_err();
    test.wiki.assets().set_owner(file, other).unwrap_err();
    test.wiki
        .assets()
        .rename(file, file_name("b.txt"))
        .map(|_| test.assert_changes(&[asset(id, file, AssetChange::Renamed)]))
        .unwrap();
    test.assert_changes(&[]);
}

/// The last reported state is the latest one, even if reporting a change takes long.
#[test]
fn changes_are_reported_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let changes = Arc::<Mutex<Vec<bool>>>::default();
    let observed = Arc::clone(&changes);
    let wiki = Wiki::open(
        &config(folder.path()),
        Arc::new(SystemClock::new()),
        Arc::new(SystemEntropy),
    );
    let wiki = wiki.unwrap().on_change(move |changes| {
        for change in changes {
            let locked = match change {
                Change::Locked { .. } => true,
                Change::Unlocked { .. } => false,
                Change::Page { .. } | Change::Asset { .. } | Change::Settings | Change::Unknown => {
                    continue;
                }
            };
            if locked {
                std::thread::sleep(Duration::from_millis(2));
            }
            observed.lock().push(locked);
        }
    });
    let aya = wiki.users().register(name("Aya"), Template::En).unwrap();
    let (user, id) = (aya.user.id, aya.root_page.unwrap());
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                for _ in 0..40 {
                    let _lock = wiki.locks().acquire(id, user);
                }
            });
            threads.spawn(|| {
                for _ in 0..120 {
                    let _released = wiki.locks().break_lock(id);
                }
            });
        }
    });
    let changes = changes.lock();
    assert!(changes.len() > 2, "{changes:?}");
    for (at, locked) in changes.iter().enumerate() {
        assert_eq!(*locked, at % 2 == 0, "{changes:?}");
    }
    let is_locked = wiki.locks().status(id).unwrap().is_some();
    assert_eq!(changes.last(), Some(&is_locked));
}
