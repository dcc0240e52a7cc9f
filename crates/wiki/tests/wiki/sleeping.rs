//! Locks of a machine that slept, and of one whose clock was set.

use std::time::Duration;

use fumikura_wiki::*;

use crate::support::{Bench, path};

const HOUR: Duration = Duration::from_secs(3600);
const MINUTE: Duration = Duration::from_secs(60);

/// A page that Aya edits before the machine sleeps for an hour.
fn slept() -> (Bench, PageId, HeldLock) {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lock = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(10);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.clock.sleep(HOUR);
    (bench, id, lock)
}

fn now(bench: &Bench) -> jiff::Timestamp {
    use fumikura_base::clock::Clock;
    bench.clock.now()
}

#[test]
fn lock_lasts_a_minute_after_waking() {
    let (bench, id, lock) = slept();
    match bench.wiki.acquire_lock(id, bench.ben) {
        Err(LockError::Held { user_name, expire }) => {
            assert_eq!((user_name.as_str(), expire), ("Aya", now(&bench) + MINUTE));
        }
        other => panic!("{other:?}"),
    }
    bench.advance(59);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    let left = bench.wiki.lock_status(id).unwrap().unwrap();
    assert_eq!(left.expire, now(&bench) + Duration::from_secs(1));
    let renewed = bench.wiki.renew_lock(id, lock.token).unwrap();
    assert_eq!(
        renewed.expire,
        renewed.token.timestamp() + WikiConfig::LOCK_TTL
    );
    bench.advance(200);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench
        .wiki
        .save(bench.by_token(id, renewed.token, "not lost"))
        .unwrap();
    assert_eq!(bench.text(id), "not lost");
}

#[test]
fn token_is_valid_for_a_minute_after_waking() {
    let (bench, id, lock) = slept();
    bench
        .wiki
        .save(bench.by_token(id, lock.token, "not lost"))
        .unwrap();
    assert_eq!(bench.text(id), "not lost");
    let (bench, id, lock) = slept();
    bench.wiki.release_lock(id, lock.token).unwrap();
    assert_eq!(bench.wiki.lock_status(id).unwrap(), None);
}

#[test]
fn lock_ends_a_minute_after_waking() {
    let (bench, id, lock) = slept();
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.advance(60);
    let released = ReleasedLock {
        page_id: id,
        draft: false,
    };
    assert!(matches!(
        bench.wiki.renew_lock(id, lock.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        bench.wiki.save(bench.by_token(id, lock.token, "late")),
        Err(SaveError::LockInvalid)
    ));
    assert_eq!(bench.wiki.sweep_locks().unwrap(), [released]);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.wiki.acquire_lock(id, bench.ben).unwrap();
}

#[test]
fn draft_lasts_a_minute_after_waking() {
    let bench = Bench::new();
    let (saved, lock) = bench.wiki.create_draft(&path("/saved"), bench.aya).unwrap();
    let (left, _) = bench.wiki.create_draft(&path("/left"), bench.aya).unwrap();
    bench.clock.sleep(HOUR);
    for at in ["/saved", "/left"] {
        assert!(matches!(
            bench.wiki.create_draft(&path(at), bench.ben),
            Err(CreateError::Taken(PathTaken::Draft { .. }))
        ));
        assert!(matches!(
            bench.wiki.resolve(&path(at)),
            Err(ResolveError::Draft { .. })
        ));
    }
    bench.advance(30);
    bench
        .wiki
        .save(bench.by_token(saved, lock.token, "first"))
        .unwrap();
    bench.advance(30);
    assert_eq!(
        bench.wiki.sweep_locks().unwrap(),
        [ReleasedLock {
            page_id: left,
            draft: true
        }]
    );
    assert_eq!(bench.text(saved), "first");
}

#[test]
fn lock_outlives_two_sleeps_in_a_row() {
    let (bench, id, lock) = slept();
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.advance(40);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.clock.sleep(HOUR);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    bench.advance(40);
    bench.wiki.renew_lock(id, lock.token).unwrap();
}

#[test]
fn lock_expired_before_sleep_stays_expired() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(300);
    assert_eq!(bench.wiki.lock_status(id).unwrap(), None);
    bench.clock.sleep(HOUR);
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
}

#[test]
fn sleep_before_a_restart_is_ignored() {
    let (bench, id, _) = slept();
    let bench = bench.reopened();
    assert_eq!(bench.wiki.lock_status(id).unwrap(), None);
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
}

#[test]
fn clock_set_back_neither_ends_nor_extends_locks() {
    let bench = Bench::new();
    let id = bench.page("/a", "text");
    let lock = bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.advance(10);
    bench.clock.put_back(HOUR);
    assert!(bench.wiki.sweep_locks().unwrap().is_empty());
    assert!(matches!(
        bench.wiki.acquire_lock(id, bench.ben),
        Err(LockError::Held { .. })
    ));
    bench.advance(100);
    let renewed = bench.wiki.renew_lock(id, lock.token).unwrap();
    assert_eq!(
        renewed.expire,
        renewed.token.timestamp() + WikiConfig::LOCK_TTL
    );
    bench.advance(299);
    assert!(bench.wiki.lock_status(id).unwrap().is_some());
    bench.advance(1);
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);

    bench.wiki.acquire_lock(id, bench.aya).unwrap();
    bench.clock.put_back(HOUR);
    bench.advance(300);
    // The first reading after it. From here the lock's own lifetime counts, regardless of its recorded end.
    assert!(bench.wiki.lock_status(id).unwrap().is_some());
    bench.advance(300);
    assert_eq!(bench.wiki.sweep_locks().unwrap().len(), 1);
}
