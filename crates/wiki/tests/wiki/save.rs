//! Saves pages: permissions, results, and the stored text.

use fumikura_wiki::*;

use crate::support::{TestWiki, name, path};

#[test]
fn first_save_creates_revision_one_and_releases_lock() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/旅/京都"), test.aya)
        .unwrap();
    assert!(matches!(
        test.wiki.pages().source(id, None),
        Err(PageError::Draft)
    ));
    let saved = test
        .wiki
        .pages()
        .save(test.by_token(id, lock.token, "# 京都\n"))
        .unwrap();
    assert_eq!(
        saved.version,
        VersionTag {
            revision: 1,
            amends: 0
        }
    );
    assert!(saved.created && saved.changed && saved.unlocked);
    let test = test.reopen();
    assert_eq!(
        test.wiki.pages().resolve(&path("/旅/京都")).unwrap(),
        ResolvedPage {
            id,
            revision: 1,
            title: Some("京都".into())
        }
    );
    assert_eq!(test.text(id), "# 京都\n");
    let meta = test.wiki.pages().meta(id, None).unwrap();
    assert_eq!(
        (meta.revisions, meta.rename_revisions, meta.lock),
        (Some((1, 1)), vec![1], None)
    );
    let rename = meta.revision.unwrap().rename.unwrap();
    assert_eq!((rename.from, rename.to), (None, path("/旅/京都")));
}

#[test]
fn kept_lock_outlives_the_save() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    let keeping = |text| SaveRequest {
        keep_lock: true,
        ..test.by_token(id, lock.token, text)
    };
    for (revision, text) in [(1, "one"), (2, "two"), (2, "two")] {
        let saved = test.wiki.pages().save(keeping(text)).unwrap();
        assert_eq!((saved.version.revision, saved.unlocked), (revision, false));
        let held = test.wiki.locks().status(id).unwrap().unwrap();
        assert_eq!((held.user, held.expire), (test.aya, lock.expire));
    }
    test.check_tables();
    let renewed = test.wiki.locks().renew(id, lock.token).unwrap();
    let last = test.by_token(id, renewed.token, "three");
    assert!(test.wiki.pages().save(last).unwrap().unlocked);
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
}

#[test]
fn each_save_adds_a_revision() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    assert_eq!(
        test.wiki
            .pages()
            .save(test.by_token(id, lock.token, "two"))
            .unwrap()
            .version
            .revision,
        2
    );
    assert_eq!(
        test.wiki
            .pages()
            .save(test.by_version(id, 2, 0, "three"))
            .unwrap()
            .version
            .revision,
        3
    );
    let text = |rev| test.wiki.pages().source(id, Some(rev)).unwrap().source;
    assert_eq!([text(1), text(2), text(3)], ["one", "two", "three"]);
    assert!(matches!(
        test.wiki.pages().source(id, Some(4)),
        Err(PageError::NoSuchRevision(4))
    ));
    assert!(matches!(
        test.wiki.pages().source(id, Some(0)),
        Err(PageError::NoSuchRevision(0))
    ));
}

#[test]
fn unchanged_text_succeeds_without_a_new_revision() {
    let test = TestWiki::new();
    let (id, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/a"), test.aya)
        .unwrap();
    test.wiki
        .pages()
        .save(test.by_token(id, lock.token, "text"))
        .unwrap();
    let again = test
        .wiki
        .pages()
        .save(test.by_token(id, lock.token, "text"))
        .unwrap();
    assert_eq!(
        (again.version.revision, again.changed, again.unlocked),
        (1, false, false)
    );
    assert!(matches!(
        test.wiki
            .pages()
            .save(test.by_token(id, lock.token, "other")),
        Err(SaveError::LockInvalid)
    ));
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    let same = test
        .wiki
        .pages()
        .save(test.by_token(id, lock.token, "text"))
        .unwrap();
    assert_eq!((same.version.revision, same.unlocked), (1, true));
    assert_eq!(test.wiki.locks().status(id).unwrap(), None);
    let stale = test
        .wiki
        .pages()
        .save(test.by_version(id, 7, 0, "text"))
        .unwrap();
    assert_eq!((stale.version.revision, stale.changed), (1, false));
}

#[test]
fn locked_page_is_changed_only_with_its_token() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    let lock = test.wiki.locks().acquire(id, test.ben).unwrap();
    match test.wiki.pages().save(test.by_version(id, 1, 0, "two")) {
        Err(SaveError::LockRequired { user_name, .. }) => assert_eq!(user_name, "Ben"),
        other => panic!("{other:?}"),
    }
    let stranger = LockToken::from_bytes([7; 16]);
    assert!(matches!(
        test.wiki.pages().save(test.by_token(id, stranger, "two")),
        Err(SaveError::LockInvalid)
    ));
    assert_eq!(test.text(id), "one");
    assert_eq!(
        test.wiki.locks().status(id).unwrap().unwrap().expire,
        lock.expire
    );
}

#[test]
fn unlocked_page_needs_the_base_version() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    assert!(matches!(
        test.wiki.pages().save(test.save_request(id, "two")),
        Err(SaveError::PreconditionRequired)
    ));
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "two"))
        .unwrap();
    match test.wiki.pages().save(test.by_version(id, 1, 0, "mine")) {
        Err(SaveError::PreconditionFailed(newest)) => assert_eq!(
            newest,
            VersionTag {
                revision: 2,
                amends: 0
            }
        ),
        other => panic!("{other:?}"),
    }
    assert_eq!(test.text(id), "two");
}

#[test]
fn stale_version_is_refused_despite_the_lock() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "two"))
        .unwrap();
    let lock = test.wiki.locks().acquire(id, test.aya).unwrap();
    let with_both = |revision, text| SaveRequest {
        token: Some(lock.token),
        ..test.by_version(id, revision, 0, text)
    };
    assert!(matches!(
        test.wiki.pages().save(with_both(1, "three")),
        Err(SaveError::PreconditionFailed(_))
    ));
    assert_eq!(test.text(id), "two");
    assert!(test.wiki.locks().status(id).unwrap().is_some());
    let saved = test.wiki.pages().save(with_both(2, "three")).unwrap();
    assert_eq!((saved.version.revision, saved.unlocked), (3, true));
}

#[test]
fn amending_overwrites_the_revision_and_outdates_its_version() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    let amend = SaveRequest {
        amend: true,
        ..test.by_version(id, 1, 0, "one, better")
    };
    assert_eq!(
        test.wiki.pages().save(amend).unwrap().version,
        VersionTag {
            revision: 1,
            amends: 1
        }
    );
    assert_eq!(test.text(id), "one, better");
    assert!(
        test.wiki
            .pages()
            .meta(id, None)
            .unwrap()
            .revision
            .unwrap()
            .rename
            .is_some()
    );
    let stale = SaveRequest {
        amend: true,
        ..test.by_version(id, 1, 0, "mine")
    };
    assert!(matches!(
        test.wiki.pages().save(stale),
        Err(SaveError::PreconditionFailed(_))
    ));
}

#[test]
fn only_the_author_amends_despite_name_changes() {
    let test = TestWiki::new();
    let id = test.page("/a", "one");
    let other = SaveRequest {
        amend: true,
        user: test.ben,
        ..test.by_version(id, 1, 0, "two")
    };
    assert!(
        matches!(test.wiki.pages().save(other), Err(SaveError::NotAuthor(author)) if author == "Aya")
    );
    test.wiki.users().rename(test.aya, name("あや")).unwrap();
    test.wiki.users().rename(test.ben, name("Aya")).unwrap();
    let impostor = SaveRequest {
        amend: true,
        user: test.ben,
        ..test.by_version(id, 1, 0, "two")
    };
    assert!(matches!(
        test.wiki.pages().save(impostor),
        Err(SaveError::NotAuthor(_))
    ));
    let author = SaveRequest {
        amend: true,
        ..test.by_version(id, 1, 0, "two")
    };
    assert_eq!(test.wiki.pages().save(author).unwrap().version.revision, 1);
}

#[test]
fn byte_order_mark_is_removed_when_saving() {
    let test = TestWiki::new();
    let id = test.page("/a", "\u{feff}---\nx: y\n---\n");
    assert_eq!(test.text(id), "---\nx: y\n---\n");
}

#[test]
fn text_is_stored_exactly_up_to_the_limit() {
    let test = TestWiki::new();
    let odd = "# 題\u{feff}\r\n\ttab  \n\u{200b}か\u{3099}\0end";
    let id = test.page("/a", odd);
    assert_eq!(test.text(id), odd);
    let longest = "あ".repeat(MAX_SOURCE_BYTES / 3);
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, &longest))
        .unwrap();
    let test = test.reopen();
    assert_eq!(test.text(id), longest);
    let longer = "a".repeat(MAX_SOURCE_BYTES + 1);
    assert!(matches!(
        test.wiki.pages().save(test.by_version(id, 2, 0, &longer)),
        Err(SaveError::TooLarge(_))
    ));
}
