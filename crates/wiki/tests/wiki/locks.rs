//! Locks: one holder, five minutes, a new token each time, and a single end.

use std::collections::HashSet;

use fumikura_wiki::*;

use crate::support::{Bench, path};

#[test]
fn held_lock_names_its_holder_and_expiry() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lock = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    assert_eq!(lock.expire, lock.token.timestamp() + WikiConfig::LOCK_TTL);
    for user in [bench.ben, bench.aya] {
        match bench.wiki.acquire_lock(id, user) {
            Err(LockError::Held { user_name, expire }) => {
                assert_eq!((user_name.as_str(), expire), ("Aya", lock.expire));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        bench.wiki.lock_status(id).unwrap().unwrap().user_name,
        "Aya"
    );
}

#[test]
fn renewal_replaces_the_token() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let first = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(200);
    let second = bench.wiki.renew_lock(id, first.token).unwrap();
    assert_ne!(first.token, second.token);
    assert_eq!(
        second.expire,
        second.token.timestamp() + WikiConfig::LOCK_TTL
    );
    assert!(matches!(
        bench.wiki.renew_lock(id, first.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        bench.wiki.release_lock(id, first.token),
        Err(LockError::Invalid)
    ));
    bench.advance(200);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.wiki.release_lock(id, second.token).unwrap();
    assert_eq!(bench.wiki.lock_status(id).unwrap(), None);
}

#[test]
fn expired_lock_is_released_once() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lock = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(299);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.advance(1);
    assert_eq!(
        bench.wiki.sweep_locks().unwrap(),
        [ReleasedLock {
            page_id: id,
            draft: false
        }]
    );
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    assert!(matches!(
        bench.wiki.renew_lock(id, lock.token),
        Err(LockError::Invalid)
    ));
    assert_eq!(bench.text(id), "text");
}

#[test]
fn expired_lock_holds_nothing_before_the_sweep() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let old = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(301);
    let new = bench.wiki.acquire_lock(id, bench.ben).unwrap();
    assert!(matches!(
        bench.wiki.save(bench.by_token(id, old.token, "late")),
        Err(SaveError::LockInvalid)
    ));
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.wiki.release_lock(id, new.token).unwrap();
}

#[test]
fn expired_draft_is_not_found_swept_or_not() {
    let bench = Bench::new();
    let at = PagePath::new("/a").unwrap();
    let (id, lock) = bench.wiki.create_draft(&at, bench.aya).unwrap();
    bench.advance(301);
    for swept in [false, true] {
        let saved = bench.wiki.save(bench.by_token(id, lock.token, "late"));
        assert!(matches!(saved, Err(SaveError::NotFound)), "{saved:?}");
        let saved = bench.wiki.save(bench.by_version(id, 0, 0, "late"));
        assert!(matches!(saved, Err(SaveError::NotFound)), "{saved:?}");
        let renewed = bench.wiki.renew_lock(id, lock.token);
        assert!(matches!(renewed, Err(LockError::PageNotFound)));
        let released = bench.wiki.release_lock(id, lock.token);
        assert!(matches!(released, Err(LockError::PageNotFound)));
        assert_eq!(bench.wiki.sweep_locks().unwrap().is_empty(), swept);
    }
}

#[test]
fn draft_lives_as_long_as_its_lock() {
    let bench = Bench::new();
    let (swept, _) = bench.wiki.create_draft(&path("/swept"), bench.aya).unwrap();
    let (released, lock) = bench
        .wiki
        .create_draft(&path("/released"), bench.aya)
        .unwrap();
    assert!(
        matches!(bench.wiki.resolve(&path("/swept")), Err(ResolveError::Draft { user_name, .. }) if user_name == "Aya")
    );
    bench.wiki.release_lock(released, lock.token).unwrap();
    assert!(matches!(
        bench.wiki.resolve(&path("/released")),
        Err(ResolveError::NotFound(_))
    ));
    bench.advance(301);
    assert!(matches!(
        bench.wiki.resolve(&path("/swept")),
        Err(ResolveError::NotFound(_))
    ));
    assert_eq!(
        bench.wiki.sweep_locks().unwrap(),
        [ReleasedLock {
            page_id: swept,
            draft: true
        }]
    );
    assert!(matches!(
        bench.wiki.lock_status(swept),
        Err(LockError::PageNotFound)
    ));
}

#[test]
fn expired_draft_frees_its_path() {
    let bench = Bench::new();
    bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    assert!(matches!(
        bench.wiki.create_draft(&path("/a"), bench.ben),
        Err(CreateError::Taken(PathTaken::Draft { .. }))
    ));
    bench.advance(301);
    let (id, lock) = bench.wiki.create_draft(&path("/a"), bench.ben).unwrap();
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench
        .wiki
        .save(bench.by_token(id, lock.token, "mine"))
        .unwrap();
    assert!(matches!(
        bench.wiki.create_draft(&path("/a"), bench.ben),
        Err(CreateError::Taken(PathTaken::Page(_)))
    ));
}

#[test]
fn each_token_is_fresh_randomness() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let mut token = bench.wiki.acquire_lock(id, bench.aya).unwrap().token;
    let mut tails = HashSet::new();
    for _ in 0..50 {
        assert!(tails.insert(token.to_bytes()[6..].to_vec()));
        token = bench.wiki.renew_lock(id, token).unwrap().token;
    }
}

#[test]
fn taking_over_invalidates_the_old_token() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lost = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(10);
    let taken = bench.wiki.take_over_lock(id, bench.aya).unwrap();
    assert_eq!(taken.expire, taken.token.timestamp() + WikiConfig::LOCK_TTL);
    assert!(matches!(
        bench.wiki.renew_lock(id, lost.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        bench.wiki.release_lock(id, lost.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        bench
            .wiki
            .save(bench.by_token(id, lost.token, "of the old tab")),
        Err(SaveError::LockInvalid)
    ));
    bench
        .wiki
        .save(bench.by_token(id, taken.token, "of the new tab"))
        .unwrap();
    assert_eq!(bench.text(id), "of the new tab");
}

#[test]
fn lock_of_another_user_is_not_taken_over() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lock = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    let (draft, draft_lock) = bench.wiki.create_draft(&path("/b"), bench.aya).unwrap();
    for page in [id, draft] {
        match bench.wiki.take_over_lock(page, bench.ben) {
            Err(LockError::Held { user_name, .. }) => assert_eq!(user_name, "Aya"),
            other => panic!("{other:?}"),
        }
    }
    bench.wiki.release_lock(id, lock.token).unwrap();
    bench.wiki.release_lock(draft, draft_lock.token).unwrap();
    // An unlocked page is simply locked.
    bench.wiki.take_over_lock(id, bench.ben).unwrap();
}

#[test]
fn own_draft_can_be_found_and_taken_over() {
    let bench = Bench::new();
    let at = path("/new");
    let (id, lost) = bench.wiki.create_draft(&at, bench.aya).unwrap();
    let again = bench.wiki.create_draft(&at, bench.aya).unwrap_err();
    assert_eq!(again.draft_of(bench.aya), Some(id));
    assert_eq!(again.draft_of(bench.ben), None);
    let there = bench.wiki.resolve(&at).unwrap_err();
    assert_eq!(there.draft_of(bench.aya), Some(id));
    assert_eq!(there.draft_of(bench.ben), None);
    let taken = bench.wiki.take_over_lock(id, bench.aya).unwrap();
    // The late release from the old tab removes nothing.
    assert!(bench.wiki.release_lock(id, lost.token).is_err());
    bench
        .wiki
        .save(bench.by_token(id, taken.token, "first"))
        .unwrap();
    assert_eq!(bench.text(id), "first");
}

#[test]
fn expired_draft_is_not_taken_over() {
    let bench = Bench::new();
    let (draft, _) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    bench.advance(300);
    assert!(matches!(
        bench.wiki.take_over_lock(draft, bench.aya),
        Err(LockError::PageNotFound)
    ));
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
}

#[test]
fn locks_are_listed_and_broken_with_their_drafts() {
    let bench = Bench::new();
    let page = bench.page("/b", "text");
    let lock = bench.wiki.acquire_lock(page, bench.ben).unwrap();
    let (draft, _) = bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    let free = bench.page("/free", "text");
    let listed = bench.wiki.locks().unwrap();
    let seen: Vec<_> = listed
        .iter()
        .map(|lock| {
            (
                lock.page_id,
                lock.path.as_str(),
                lock.draft,
                &*lock.user_name,
            )
        })
        .collect();
    assert_eq!(
        seen,
        [(draft, "/a", true, "Aya"), (page, "/b", false, "Ben")]
    );
    assert_eq!(listed[1].expire, lock.expire);

    let broken = |page_id, draft| ReleasedLock { page_id, draft };
    assert_eq!(bench.wiki.break_lock(page).unwrap(), broken(page, false));
    assert_eq!(bench.wiki.break_lock(draft).unwrap(), broken(draft, true));
    assert!(bench.wiki.locks().unwrap().is_empty());
    for page in [page, free] {
        assert!(matches!(
            bench.wiki.break_lock(page),
            Err(LockError::NotHeld)
        ));
    }
    assert!(matches!(
        bench.wiki.break_lock(draft),
        Err(LockError::PageNotFound)
    ));
    assert!(bench.wiki.renew_lock(page, lock.token).is_err());
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
}

#[test]
fn expired_lock_is_neither_listed_nor_broken() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    bench.wiki.acquire_lock(page, bench.aya).unwrap();
    bench.advance(300);
    assert!(bench.wiki.locks().unwrap().is_empty());
    assert!(matches!(
        bench.wiki.break_lock(page),
        Err(LockError::NotHeld)
    ));
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
}
