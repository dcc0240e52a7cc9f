//! Locks: one holder, five minutes, a new token each time, and an end that comes once.

use std::collections::HashSet;

use fumikura_wiki::*;

use crate::support::{Bench, path};

#[test]
fn a_page_has_one_holder_and_others_are_told_who_and_until_when() {
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
fn renewal_gives_a_new_token_and_ends_the_old_one() {
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
fn an_expired_lock_is_released_once() {
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
fn a_lock_whose_time_is_over_holds_nothing_even_before_the_sweep() {
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
fn a_draft_lives_as_long_as_its_lock() {
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
fn a_path_is_free_again_when_its_draft_ran_out() {
    let bench = Bench::new();
    bench.wiki.create_draft(&path("/a"), bench.aya).unwrap();
    assert!(matches!(
        bench.wiki.create_draft(&path("/a"), bench.ben),
        Err(CreateError::Draft { .. })
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
        Err(CreateError::PathTaken(_))
    ));
}

#[test]
fn tokens_are_fresh_randomness_each_time() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let mut token = bench.wiki.acquire_lock(id, bench.aya).unwrap().token;
    let mut tails = HashSet::new();
    for _ in 0..50 {
        assert!(tails.insert(token.to_bytes()[6..].to_vec()));
        token = bench.wiki.renew_lock(id, token).unwrap().token;
    }
}
