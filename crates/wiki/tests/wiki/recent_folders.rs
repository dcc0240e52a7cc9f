//! The picture folders that a user viewed last.

use fumikura_wiki::*;

use crate::support::TestWiki;

fn root() -> FolderRootId {
    FolderRootId::from_bytes([1; 16])
}

fn other() -> FolderRootId {
    FolderRootId::from_bytes([2; 16])
}

fn visited(test: &TestWiki, user: UserId) -> Vec<(FolderRootId, String)> {
    let folders = test.wiki.visits().recent_folders(user).unwrap().into_iter();
    let place_of = |folder: VisitedFolder| (folder.root, String::from_utf8(folder.path).unwrap());
    folders.map(place_of).collect()
}

fn place(root: FolderRootId, path: &str) -> (FolderRootId, String) {
    (root, path.to_owned())
}

#[test]
fn folders_are_listed_once_per_user_latest_first() {
    let test = TestWiki::new();
    for (root, path) in [
        (root(), "a"),
        (root(), ""),
        (other(), "a"),
        (root(), "a/b"),
        (root(), "a"),
    ] {
        test.wiki
            .visits()
            .visit_folder(test.aya, root, path.as_bytes())
            .unwrap();
    }
    let all = [
        place(root(), "a"),
        place(root(), "a/b"),
        place(other(), "a"),
        place(root(), ""),
    ];
    assert_eq!(visited(&test, test.aya), all);
    assert!(visited(&test, test.ben).is_empty());
    test.wiki
        .visits()
        .visit_folder(test.ben, other(), b"x")
        .unwrap();
    assert_eq!(visited(&test, test.aya), all);
    assert_eq!(visited(&test, test.ben), [place(other(), "x")]);
}

#[test]
fn paths_survive_a_restart_byte_for_byte() {
    let test = TestWiki::new();
    let path = b"2026/\xe6\x97\x85 100%25/\xff\xfe\"\\";
    test.wiki
        .visits()
        .visit_folder(test.aya, root(), path)
        .unwrap();
    let at = test.clock_now();
    let test = test.reopen();
    let expected = VisitedFolder {
        root: root(),
        path: path.to_vec(),
        at,
    };
    assert_eq!(
        test.wiki.visits().recent_folders(test.aya).unwrap(),
        [expected]
    );
}

#[test]
fn latest_fifty_are_kept() {
    let test = TestWiki::new();
    for number in 0..60 {
        let path = format!("p{number}");
        test.wiki
            .visits()
            .visit_folder(test.aya, root(), path.as_bytes())
            .unwrap();
    }
    let latest = (10..60)
        .rev()
        .map(|number| place(root(), &format!("p{number}")));
    assert!(visited(&test, test.aya).into_iter().eq(latest));
}

#[test]
fn visit_time_has_minute_precision() {
    let test = TestWiki::new();
    let at = |test: &TestWiki| test.wiki.visits().recent_folders(test.aya).unwrap()[0].at;
    test.wiki
        .visits()
        .visit_folder(test.aya, root(), b"a")
        .unwrap();
    let first = at(&test);
    test.advance(59);
    test.wiki
        .visits()
        .visit_folder(test.aya, root(), b"a")
        .unwrap();
    assert_eq!(at(&test), first);
    test.advance(1);
    test.wiki
        .visits()
        .visit_folder(test.aya, root(), b"a")
        .unwrap();
    assert_eq!(at(&test), test.clock_now());
    assert_ne!(at(&test), first);
}

#[test]
fn forgotten_folder_is_unlisted_until_visited_again() {
    let test = TestWiki::new();
    for path in [b"a", b"b"] {
        test.wiki
            .visits()
            .visit_folder(test.aya, root(), path)
            .unwrap();
        test.wiki
            .visits()
            .visit_folder(test.ben, root(), path)
            .unwrap();
    }
    test.wiki
        .visits()
        .forget_folder(test.aya, root(), b"b")
        .unwrap();
    // Never visited.
    test.wiki
        .visits()
        .forget_folder(test.aya, other(), b"a")
        .unwrap();
    assert_eq!(visited(&test, test.aya), [place(root(), "a")]);
    assert_eq!(visited(&test, test.ben).len(), 2);
    test.wiki
        .visits()
        .visit_folder(test.aya, root(), b"b")
        .unwrap();
    assert_eq!(
        visited(&test, test.aya),
        [place(root(), "b"), place(root(), "a")]
    );
}
