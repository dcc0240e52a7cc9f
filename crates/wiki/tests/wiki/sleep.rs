//! Locks of a machine that slept, and of one whose clock was set.

use std::time::Duration;

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

const HOUR: Duration = Duration::from_secs(3600);
const MINUTE: Duration = Duration::from_secs(60);

/// A page that Aya edits before the machine sleeps for an hour.
fn locked_before_sleep() -> (TestWiki, PageId, HeldLock) {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(10);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.clock.sleep(HOUR);
    (test, id, lock)
}

fn now(test: &TestWiki) -> jiff::Timestamp {
    use fumikura_base::clock::Clock;
    test.clock.now()
}

#[test]
fn lock_lasts_a_minute_after_waking() {
    let (test, id, lock) = locked_before_sleep();
    match test.wiki.locks().acquire(id, test.ben) {
        Err(LockError::Held { user_name, expire }) => {
            assert_eq!((user_name.as_str(), expire), ("Aya", now(&test) + MINUTE));
        }
        other => panic!("{other:?}"),
    }
    test.advance(59);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    let left = test.wiki.locks().status(id).unwrap().unwrap();
    assert_eq!(left.expire, now(&test) + Duration::from_secs(1));
    let renewed = test.wiki.locks().renew(id, lock.token).unwrap();
    assert_eq!(
        renewed.expire,
        renewed.token.timestamp() + WikiConfig::LOCK_TTL
    );
    test.advance(200);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.wiki
        .pages()
        .save(test.by_token(id, renewed.token, "not lost"))
        .unwrap();
    assert_eq!(test.text(id), "not lost");
}

#[test]
fn token_is_valid_for_a_minute_after_waking() {
    let (test, id, lock) = locked_before_sleep();
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "not lost"))
        .unwrap();
    assert_eq!(test.text(id), "not lost");
    let (test, id, lock) = locked_before_sleep();
    test.wiki.locks().release(id, lock.token).unwrap();
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
}

#[test]
fn lock_ends_a_minute_after_waking() {
    let (test, id, lock) = locked_before_sleep();
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.advance(60);
    let released = ReleasedLock {
        page_id: id,
        draft: false,
    };
    assert!(matches!(
        test.wiki.locks().renew(id, lock.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        test.wiki
            .pages()
            .save(test.by_token(id, lock.token, "late")),
        Err(SaveError::LockInvalid)
    ));
    assert_eq!(test.wiki.locks().sweep().unwrap(), [released]);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.wiki.locks().acquire(id, test.ben).unwrap();
}

#[test]
fn draft_lasts_a_minute_after_waking() {
    let test = TestWiki::new();
    let (saved, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/saved"), test.aya)
        .unwrap();
    let (left, _) = test
        .wiki
        .pages()
        .create_draft(&path("/left"), test.aya)
        .unwrap();
    test.clock.sleep(HOUR);
    for at in ["/saved", "/left"] {
        assert!(matches!(
            test.wiki.pages().create_draft(&path(at), test.ben),
            Err(CreateError::Taken(PathTaken::Draft { .. }))
        ));
        assert!(matches!(
            test.wiki.pages().resolve(&path(at)),
            Err(ResolveError::Draft { .. })
        ));
    }
    test.advance(30);
    test.wiki
        .pages()
        .save(test.by_token(saved, lock.token, "first"))
        .unwrap();
    test.advance(30);
    assert_eq!(
        test.wiki.locks().sweep().unwrap(),
        [ReleasedLock {
            page_id: left,
            draft: true
        }]
    );
    assert_eq!(test.text(saved), "first");
}

#[test]
fn lock_outlives_two_sleeps_in_a_row() {
    let (test, id, lock) = locked_before_sleep();
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.advance(40);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.clock.sleep(HOUR);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.advance(40);
    test.wiki.locks().renew(id, lock.token).unwrap();
}

#[test]
fn lock_expired_before_sleep_stays_expired() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(300);
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
    test.clock.sleep(HOUR);
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
}

#[test]
fn sleep_before_a_restart_is_ignored() {
    let (test, id, _) = locked_before_sleep();
    let test = test.reopen();
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
}

#[test]
fn clock_set_back_neither_ends_nor_extends_locks() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(10);
    test.clock.put_back(HOUR);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    assert!(matches!(
        test.wiki.locks().acquire(id, test.ben),
        Err(LockError::Held { .. })
    ));
    test.advance(100);
    let renewed = test.wiki.locks().renew(id, lock.token).unwrap();
    assert_eq!(
        renewed.expire,
        renewed.token.timestamp() + WikiConfig::LOCK_TTL
    );
    test.advance(299);
    assert!(test.wiki.locks().status(id).unwrap().is_some());
    test.advance(1);
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);

    test.wiki.locks().acquire(id, test.aya).unwrap();
    test.clock.put_back(HOUR);
    test.advance(300);
    // The first reading after it. From here the lock's own lifetime counts, regardless of its recorded end.
    assert!(test.wiki.locks().status(id).unwrap().is_some());
    test.advance(300);
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
}
