//! Locks: one holder, five minutes, a new token each time, and a single end.

use std::collections::HashSet;

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

#[test]
fn held_lock_names_its_holder_and_expiry() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    assert_eq!(lock.expire, lock.token.timestamp() + WikiConfig::LOCK_TTL);
    for user in [test.ben, test.aya] {
        match test.wiki.locks().acquire(id, user) {
            Err(LockError::Held { user_name, expire }) => {
                assert_eq!((user_name.as_str(), expire), ("Aya", lock.expire));
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        test.wiki.locks().status(id).unwrap().unwrap().user_name,
        "Aya"
    );
}

#[test]
fn renewal_replaces_the_token() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let first = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(200);
    let second = test.wiki.locks().renew(id, first.token).unwrap();
    assert_ne!(first.token, second.token);
    assert_eq!(
        second.expire,
        second.token.timestamp() + WikiConfig::LOCK_TTL
    );
    assert!(matches!(
        test.wiki.locks().renew(id, first.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        test.wiki.locks().release(id, first.token),
        Err(LockError::Invalid)
    ));
    test.advance(200);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.wiki.locks().release(id, second.token).unwrap();
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
}

#[test]
fn expired_lock_is_released_once() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(299);
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.advance(1);
    assert_eq!(
        test.wiki.locks().sweep().unwrap(),
        [ReleasedLock {
            page_id: id,
            draft: false
        }]
    );
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    assert!(matches!(
        test.wiki.locks().renew(id, lock.token),
        Err(LockError::Invalid)
    ));
    assert_eq!(test.text(id), "text");
}

#[test]
fn expired_lock_holds_nothing_before_the_sweep() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let old = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(301);
    let new = test.wiki.locks().acquire(id, test.ben).unwrap();
    assert!(matches!(
        test.wiki.pages().save(test.by_token(id, old.token, "late")),
        Err(SaveError::LockInvalid)
    ));
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.wiki.locks().release(id, new.token).unwrap();
}

#[test]
fn expired_draft_is_not_found_swept_or_not() {
    let test = TestWiki::new();
    let at = PagePath::new("/a").unwrap();
    let (id, lock) = test.wiki.pages().create_draft(&at, test.aya).unwrap();
    test.advance(301);
    for swept in [false, true] {
        let saved = test
            .wiki
            .pages()
            .save(test.by_token(id, lock.token, "late"));
        assert!(matches!(saved, Err(SaveError::NotFound)), "{saved:?}");
        let saved = test.wiki.pages().save(test.by_version(id, 0, 0, "late"));
        assert!(matches!(saved, Err(SaveError::NotFound)), "{saved:?}");
        let renewed = test.wiki.locks().renew(id, lock.token);
        assert!(matches!(renewed, Err(LockError::PageNotFound)));
        let released = test.wiki.locks().release(id, lock.token);
        assert!(matches!(released, Err(LockError::PageNotFound)));
        assert_eq!(test.wiki.locks().sweep().unwrap().is_empty(), swept);
    }
}

#[test]
fn draft_lives_as_long_as_its_lock() {
    let test = TestWiki::new();
    let (swept, _) = test
        .wiki
        .pages()
        .create_draft(&path("/swept"), test.aya)
        .unwrap();
    let (released, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/released"), test.aya)
        .unwrap();
    assert!(
        matches!(test.wiki.pages().resolve(&path("/swept")), Err(ResolveError::Draft { user_name, .. }) if user_name == "Aya")
    );
    test.wiki.locks().release(released, lock.token).unwrap();
    assert!(matches!(
        test.wiki.pages().resolve(&path("/released")),
        Err(ResolveError::NotFound(_))
    ));
    test.advance(301);
    assert!(matches!(
        test.wiki.pages().resolve(&path("/swept")),
        Err(ResolveError::NotFound(_))
    ));
    assert_eq!(
        test.wiki.locks().sweep().unwrap(),
        [ReleasedLock {
            page_id: swept,
            draft: true
        }]
    );
    assert!(matches!(
        test.wiki.locks().status(swept),
        Err(LockError::PageNotFound)
    ));
}

#[test]
fn expired_draft_frees_its_path() {
    let test = TestWiki::new();
    test.wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    assert!(matches!(
        test.wiki.pages().create_draft(&path("/a"), test.ben),
        Err(CreateError::Taken(PathTaken::Draft { .. }))
    ));
    test.advance(301);
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.ben)
        .unwrap();
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "mine"))
        .unwrap();
    assert!(matches!(
        test.wiki.pages().create_draft(&path("/a"), test.ben),
        Err(CreateError::Taken(PathTaken::Page(_)))
    ));
}

#[test]
fn each_token_is_fresh_randomness() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let mut token = test.wiki.locks().acquire(id, test.aya).unwrap().token;
    let mut tails = HashSet::new();
    for _ in 0..50 {
        assert!(tails.insert(token.to_bytes()[6..].to_vec()));
        token = test.wiki.locks().renew(id, token).unwrap().token;
    }
}

#[test]
fn taking_over_invalidates_the_old_token() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let old = test.wiki.locks().acquire(id, test.aya).unwrap();
    test.advance(10);
    let lock = test.wiki.locks().take_over(id, test.aya).unwrap();
    assert_eq!(lock.expire, lock.token.timestamp() + WikiConfig::LOCK_TTL);
    assert!(matches!(
        test.wiki.locks().renew(id, old.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        test.wiki.locks().release(id, old.token),
        Err(LockError::Invalid)
    ));
    assert!(matches!(
        test.wiki
            .pages()
            .save(test.by_token(id, old.token, "of the old tab")),
        Err(SaveError::LockInvalid)
    ));
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "of the new tab"))
        .unwrap();
    assert_eq!(test.text(id), "of the new tab");
}

#[test]
fn lock_of_another_user_is_not_taken_over() {
    let test = TestWiki::new();
    let id = test.page("/a", "text");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    let (draft, draft_lock) = test
        .wiki
        .pages()
        .create_draft(&path("/b"), test.aya)
        .unwrap();
    for page in [id, draft] {
        match test.wiki.locks().take_over(page, test.ben) {
            Err(LockError::Held { user_name, .. }) => assert_eq!(user_name, "Aya"),
            other => panic!("{other:?}"),
        }
    }
    test.wiki.locks().release(id, lock.token).unwrap();
    test.wiki.locks().release(draft, draft_lock.token).unwrap();
    // An unlocked page is simply locked.
    test.wiki.locks().take_over(id, test.ben).unwrap();
}

#[test]
fn own_draft_can_be_found_and_taken_over() {
    let test = TestWiki::new();
    let at = path("/new");
    let (id, old) = test.wiki.pages().create_draft(&at, test.aya).unwrap();
    let refused = test.wiki.pages().create_draft(&at, test.aya).unwrap_err();
    assert_eq!(refused.draft_of(test.aya), Some(id));
    assert_eq!(refused.draft_of(test.ben), None);
    let error = test.wiki.pages().resolve(&at).unwrap_err();
    assert_eq!(error.draft_of(test.aya), Some(id));
    assert_eq!(error.draft_of(test.ben), None);
    let lock = test.wiki.locks().take_over(id, test.aya).unwrap();
    // The late release from the old tab removes nothing.
    assert!(test.wiki.locks().release(id, old.token).is_err());
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "first"))
        .unwrap();
    assert_eq!(test.text(id), "first");
}

#[test]
fn expired_draft_is_not_taken_over() {
    let test = TestWiki::new();
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.advance(300);
    assert!(matches!(
        test.wiki.locks().take_over(draft, test.aya),
        Err(LockError::PageNotFound)
    ));
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
}

#[test]
fn locks_are_listed_and_broken_with_their_drafts() {
    let test = TestWiki::new();
    let page = test.page("/b", "text");
    let lock = test.wiki.locks().acquire(page, test.ben).unwrap();
    let (draft, _) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    let free = test.page("/free", "text");
    let listed = test.wiki.locks().all().unwrap();
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
    assert_eq!(
        test.wiki.locks().break_lock(page).unwrap(),
        broken(page, false)
    );
    assert_eq!(
        test.wiki.locks().break_lock(draft).unwrap(),
        broken(draft, true)
    );
    assert!(test.wiki.locks().all().unwrap().is_empty());
    for page in [page, free] {
        assert!(matches!(
            test.wiki.locks().break_lock(page),
            Err(LockError::NotHeld)
        ));
    }
    assert!(matches!(
        test.wiki.locks().break_lock(draft),
        Err(LockError::PageNotFound)
    ));
    assert!(test.wiki.locks().renew(page, lock.token).is_err());
    assert!(test.wiki.locks().sweep().unwrap().is_empty());
}

#[test]
fn expired_lock_is_neither_listed_nor_broken() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    test.wiki.locks().acquire(page, test.aya).unwrap();
    test.advance(300);
    assert!(test.wiki.locks().all().unwrap().is_empty());
    assert!(matches!(
        test.wiki.locks().break_lock(page),
        Err(LockError::NotHeld)
    ));
    assert_eq!(test.wiki.locks().sweep().unwrap().len(), 1);
}
