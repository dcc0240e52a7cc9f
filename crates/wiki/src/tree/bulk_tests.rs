//! Moves, deletes and restores many pages at once. `cargo test --release -p fumikura-wiki bulk --
//! --nocapture` prints the times for ten thousand pages.

use std::time::Instant;

use super::*;
use crate::check::Depth;
use crate::fixture::TestWiki;
use crate::pages::first_revision;
use crate::store::{PAGE_PATH, Read, StorageError, USER};

/// Without optimization, fewer pages show the same.
const COUNT: usize = if cfg!(debug_assertions) {
    1_000
} else {
    10_000
};

/// Creates a subtree of many pages, some deep, each with five links: to pages before it by both kinds of
/// path, and to one that does not exist. Returns its top page.
fn create_subtree(TestWiki { wiki, user, .. }: &TestWiki) -> PageId {
    let top = wiki.store.write(|txn| {
        let author = txn.get(USER, &user.to_bytes())?.unwrap();
        let mut top = None;
        for n in 0..COUNT {
            let page = PageId::generate(wiki.pages().clock.now(), wiki.pages().entropy);
            txn.put(PAGE_PATH, at(n).as_str(), &page.to_bytes())?;
            let text = format!(
                "# 頁 {n}\n[a]({}) [b]({}) [c]({}) [d](/) [e](none)\n{}",
                at(n / 2),
                at(n / 3),
                at(n / 5),
                "text ".repeat(200),
            );
            first_revision(txn, page, at(n), &author, wiki.pages().clock.now(), text)?;
            top.get_or_insert(page);
        }
        Ok::<_, StorageError>(top.unwrap())
    });
    top.unwrap()
}

fn at(n: usize) -> PagePath {
    let path = match n {
        0 => "/top".to_owned(),
        n if n.is_multiple_of(3) => format!("/top/{}/{}/{n}", n % 7, n % 100),
        n => format!("/top/{n}"),
    };
    PagePath::new(&path).unwrap()
}

fn timed<R>(what: &str, operation: impl FnOnce() -> R) -> R {
    let began = Instant::now();
    let result = operation();
    eprintln!("{what} of {COUNT} pages: {:?}", began.elapsed());
    result
}

#[test]
fn many_pages_are_moved_deleted_and_restored_together() {
    let test = TestWiki::new();
    let top = create_subtree(&test);
    let (wiki, user) = (&test.wiki, test.user);
    let to = |path: &str| PagePath::new(path).unwrap();
    let renamed = timed("renaming", || {
        wiki.tree().rename(&RenameRequest {
            page_id: top,
            to: to("/elsewhere/deeper"),
            recursive: true,
            user,
            token: None,
        })
    });
    let renamed = renamed.unwrap();
    assert_eq!(renamed.pages.len(), COUNT);
    assert!(renamed.pages.iter().all(|page| page.revision == 2));
    let request = DeleteRequest {
        page_id: top,
        recursive: true,
        user,
        token: None,
    };
    let deleted = timed("deletion", || wiki.tree().delete(&request)).unwrap();
    assert_eq!(deleted.pages.len(), COUNT);
    let restored = timed("restoring elsewhere", || {
        wiki.tree().restore(&RestoreRequest {
            page_id: top,
            to: to("/back"),
            recursive: true,
            token: None,
        })
    });
    assert_eq!(restored.unwrap().pages.len(), COUNT);
    let level = timed("one level", || wiki.tree().children(&to("/back"), None, 10));
    assert!(level.unwrap().has_more);
    assert_eq!(wiki.check(Depth::Tables).unwrap().faults, []);
    let erased = timed("deletion for good", || wiki.tree().erase(&request)).unwrap();
    assert_eq!(erased.pages.len(), COUNT);
    let report = wiki.check(Depth::Tables).unwrap();
    assert_eq!((report.pages, &report.faults[..]), (1, &[][..]));
}
