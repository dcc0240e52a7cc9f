//! The changes that the wiki reports: all that other users may see, in the order in which they
//! happened.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_wiki::*;
use parking_lot::Mutex;

use crate::support::{Bench, file_name, name, path};

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

impl Bench {
    fn locked(&self, page_id: PageId) -> Change {
        Change::Locked {
            page_id,
            user_name: "Aya".to_owned(),
            expire: self.clock_now() + WikiConfig::LOCK_TTL,
        }
    }

    /// A draft of Ben's, with a file, whose lock has expired and was not swept.
    fn dead_draft(&self, at: &str) -> (PageId, AssetId) {
        let (draft, _) = self.wiki.create_draft(&path(at), self.ben).unwrap();
        let file = self.bring(draft, "a.txt", b"a").unwrap().id;
        self.advance(301);
        self.wiki.told();
        (draft, file)
    }

    #[track_caller]
    fn tells(&self, expected: &[Change]) {
        assert_eq!(self.wiki.told(), expected);
    }
}

#[test]
fn locks_are_reported_with_their_holders() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    bench.wiki.told();
    let held = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.tells(&[bench.locked(id)]);
    bench.advance(10);
    let held = bench.wiki.renew_lock(id, held.token).unwrap();
    bench.tells(&[bench.locked(id)]);
    bench.advance(10);
    bench.wiki.take_over_lock(id, bench.aya).unwrap();
    bench.tells(&[bench.locked(id)]);
    bench.wiki.release_lock(id, held.token).unwrap_err();
    bench.wiki.acquire_lock(id, bench.ben).unwrap_err();
    bench.tells(&[]);
    bench.wiki.break_lock(id).unwrap();
    bench.tells(&[unlocked(id)]);
    bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(301);
    bench.wiki.told();
    bench.wiki.sweep_locks().unwrap();
    bench.tells(&[unlocked(id)]);
    // Expired, and not swept before the next lock.
    bench.wiki.acquire_lock(id, bench.ben).unwrap();
    bench.advance(301);
    bench.wiki.told();
    bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.tells(&[bench.locked(id)]);
}

#[test]
fn only_saves_with_changes_are_reported() {
    let bench = Bench::new();
    let (id, lock) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    bench.wiki.told();
    let save = |request| bench.wiki.save(request).unwrap();
    save(bench.by_token(id, lock.token, "one"));
    bench.tells(&[page(id, "/a", 1, PageChange::Created), unlocked(id)]);
    save(bench.by_version(id, 1, 0, "two"));
    bench.tells(&[page(id, "/a", 2, PageChange::Saved)]);
    save(bench.by_version(id, 2, 0, "two"));
    bench.tells(&[]);
    bench.wiki.rollback(id, 1, bench.aya, None).unwrap();
    bench.tells(&[page(id, "/a", 3, PageChange::Saved)]);
    bench.wiki.rollback(id, 3, bench.aya, None).unwrap();
    bench.tells(&[]);
    bench.wiki.compact(id, 2, None).unwrap();
    bench.tells(&[page(id, "/a", 3, PageChange::Compacted)]);
    bench.wiki.compact(id, 2, None).unwrap();
    bench.tells(&[]);
    bench
        .wiki
        .change_settings(|_| Ok::<_, StorageError>(()))
        .unwrap();
    bench.tells(&[Change::Settings]);
}

#[test]
fn files_and_lock_are_reported_with_their_page() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let file = bench.bring(id, "a.txt", b"a").unwrap().id;
    let before = bench.bring(id, "b.txt", b"b").unwrap().id;
    bench.wiki.delete_asset(before).unwrap();
    let held = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.wiki.told();
    let request = DeleteRequest {
        token: Some(held.token),
        ..bench.deleting(id, false)
    };
    bench.wiki.delete(&request).unwrap();
    bench.tells(&[
        page(id, "/a", 1, PageChange::Deleted),
        asset(id, file, AssetChange::Deleted),
        unlocked(id),
    ]);
    bench.restore(id, "/b", false).unwrap();
    bench.tells(&[
        page(id, "/b", 1, PageChange::Restored),
        asset(id, file, AssetChange::Restored),
    ]);
    bench.erase(id, false).unwrap();
    bench.tells(&[
        page(id, "/b", 1, PageChange::Deleted),
        asset(None, file, AssetChange::Deleted),
        asset(None, before, AssetChange::Deleted),
    ]);
    let other = bench.page("/c", "text");
    bench.wiki.told();
    bench.wiki.set_asset_owner(file, other).unwrap();
    bench.tells(&[asset(other, file, AssetChange::Moved)]);
    bench.wiki.set_asset_owner(file, other).unwrap();
    bench.tells(&[]);
    bench.wiki.purge_asset(before).unwrap();
    bench.tells(&[asset(None, before, AssetChange::Purged)]);
}

#[test]
fn ended_draft_is_reported_with_its_files() {
    let bench = Bench::new();
    let bring = |id| bench.bring(id, "a.txt", b"a").unwrap().id;
    let end: [fn(&Bench, PageId, LockToken); 3] = [
        |bench, id, token| bench.wiki.release_lock(id, token).unwrap(),
        |bench, id, _| assert!(bench.wiki.break_lock(id).unwrap().draft),
        |bench, _, _| {
            bench.advance(301);
            bench.wiki.sweep_locks().unwrap();
        },
    ];
    for end in end {
        let (id, lock) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
        let file = bring(id);
        bench.wiki.told();
        end(&bench, id, lock.token);
        bench.tells(&[asset(id, file, AssetChange::Purged), unlocked(id)]);
    }
}

#[test]
fn displaced_expired_draft_is_reported() {
    let bench = Bench::new();
    let (draft, file) = bench.dead_draft("/a");
    let (id, lock) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    bench.tells(&[
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
        bench.locked(id),
    ]);
    bench
        .wiki
        .save(bench.by_token(id, lock.token, "text"))
        .unwrap();

    let (draft, file) = bench.dead_draft("/b");
    bench.rename(id, "/b", false).unwrap();
    bench.tells(&[
        page(id, "/b", 2, PageChange::Renamed),
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
    ]);

    bench.delete(id, false).unwrap();
    let (draft, file) = bench.dead_draft("/c");
    bench.restore(id, "/c", false).unwrap();
    bench.tells(&[
        page(id, "/c", 2, PageChange::Restored),
        asset(draft, file, AssetChange::Purged),
        unlocked(draft),
    ]);
}

#[test]
fn moved_draft_is_reported_with_revision_zero() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let (draft, lock) = bench.wiki.create_draft(&path("/a/x"), bench.aya).unwrap();
    bench.wiki.told();
    let request = RenameRequest {
        token: Some(lock.token),
        ..bench.renaming(id, "/b", true)
    };
    bench.wiki.rename(&request).unwrap();
    bench.tells(&[
        page(draft, "/b/x", 0, PageChange::Renamed),
        page(id, "/b", 2, PageChange::Renamed),
    ]);
}

#[test]
fn refused_changes_are_not_reported() {
    let bench = Bench::new();
    let (id, other) = (bench.page("/a", "text"), bench.page("/b", "text"));
    let file = bench.bring(id, "a.txt", b"a").unwrap().id;
    bench.bring(other, "a.txt", b"a").unwrap();
    let _held = bench.wiki.acquire_lock(id, bench.ben).unwrap();
    bench.wiki.told();
    bench.rename(id, "/c", false).unwrap_err();
    bench.delete(id, false).unwrap_err();
    bench.wiki.save(bench.bare(id, "new")).unwrap_err();
    bench.wiki.compact(id, 2, None).unwrap_err();
    bench.wiki.set_asset_owner(file, other).unwrap_err();
    bench
        .wiki
        .rename_asset(file, file_name("b.txt"))
        .map(|_| bench.tells(&[asset(id, file, AssetChange::Renamed)]))
        .unwrap();
    bench.tells(&[]);
}

/// The last reported state is the latest one, even if reporting a change takes long.
#[test]
fn changes_are_reported_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let config = WikiConfig {
        database: folder.path().join("wiki.redb"),
        assets: folder.path().join("asset"),
        asset_limit: WikiConfig::ASSET_LIMIT,
        lock_ttl: WikiConfig::LOCK_TTL,
        patience: Duration::ZERO,
    };
    let told = Arc::<Mutex<Vec<bool>>>::default();
    let heard = Arc::clone(&told);
    let wiki = Wiki::open(
        &config,
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
            heard.lock().push(locked);
        }
    });
    let aya = wiki.register(name("Aya"), Template::En).unwrap();
    let (user, id) = (aya.user.id, aya.root_page.unwrap());
    std::thread::scope(|threads| {
        for _ in 0..3 {
            threads.spawn(|| {
                for _ in 0..40 {
                    let _held = wiki.acquire_lock(id, user);
                }
            });
            threads.spawn(|| {
                for _ in 0..120 {
                    let _broken = wiki.break_lock(id);
                }
            });
        }
    });
    let told = told.lock();
    assert!(told.len() > 2, "{told:?}");
    for (at, locked) in told.iter().enumerate() {
        assert_eq!(*locked, at % 2 == 0, "{told:?}");
    }
    let is_locked = wiki.lock_status(id).unwrap().is_some();
    assert_eq!(told.last(), Some(&is_locked));
}
