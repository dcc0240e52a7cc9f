//! The picture folders that a user viewed last.

use fumikura_wiki::*;

use crate::support::Bench;

fn root() -> FolderRootId {
    FolderRootId::from_bytes([1; 16])
}

fn other() -> FolderRootId {
    FolderRootId::from_bytes([2; 16])
}

fn visited(bench: &Bench, person: UserId) -> Vec<(FolderRootId, String)> {
    let folders = bench.wiki.recent_folders(person).unwrap().into_iter();
    let told = |folder: VisitedFolder| (folder.root, String::from_utf8(folder.path).unwrap());
    folders.map(told).collect()
}

fn place(root: FolderRootId, path: &str) -> (FolderRootId, String) {
    (root, path.to_owned())
}

#[test]
fn folders_are_listed_once_per_user_latest_first() {
    let bench = Bench::new();
    for (root, path) in [
        (root(), "a"),
        (root(), ""),
        (other(), "a"),
        (root(), "a/b"),
        (root(), "a"),
    ] {
        bench
            .wiki
            .visit_folder(bench.aya, root, path.as_bytes())
            .unwrap();
    }
    let all = [
        place(root(), "a"),
        place(root(), "a/b"),
        place(other(), "a"),
        place(root(), ""),
    ];
    assert_eq!(visited(&bench, bench.aya), all);
    assert!(visited(&bench, bench.ben).is_empty());
    bench.wiki.visit_folder(bench.ben, other(), b"x").unwrap();
    assert_eq!(visited(&bench, bench.aya), all);
    assert_eq!(visited(&bench, bench.ben), [place(other(), "x")]);
}

#[test]
fn paths_survive_a_restart_byte_for_byte() {
    let bench = Bench::new();
    let path = b"2026/\xe6\x97\x85 100%25/\xff\xfe\"\\";
    bench.wiki.visit_folder(bench.aya, root(), path).unwrap();
    let at = bench.clock_now();
    let bench = bench.reopened();
    let expected = VisitedFolder {
        root: root(),
        path: path.to_vec(),
        at,
    };
    assert_eq!(bench.wiki.recent_folders(bench.aya).unwrap(), [expected]);
}

#[test]
fn latest_fifty_are_kept() {
    let bench = Bench::new();
    for number in 0..60 {
        let path = format!("p{number}");
        bench
            .wiki
            .visit_folder(bench.aya, root(), path.as_bytes())
            .unwrap();
    }
    let latest = (10..60)
        .rev()
        .map(|number| place(root(), &format!("p{number}")));
    assert!(visited(&bench, bench.aya).into_iter().eq(latest));
}

#[test]
fn visit_time_has_minute_precision() {
    let bench = Bench::new();
    let at = |bench: &Bench| bench.wiki.recent_folders(bench.aya).unwrap()[0].at;
    bench.wiki.visit_folder(bench.aya, root(), b"a").unwrap();
    let first = at(&bench);
    bench.advance(59);
    bench.wiki.visit_folder(bench.aya, root(), b"a").unwrap();
    assert_eq!(at(&bench), first);
    bench.advance(1);
    bench.wiki.visit_folder(bench.aya, root(), b"a").unwrap();
    assert_eq!(at(&bench), bench.clock_now());
    assert_ne!(at(&bench), first);
}

#[test]
fn forgotten_folder_is_unlisted_until_visited_again() {
    let bench = Bench::new();
    for path in [b"a", b"b"] {
        bench.wiki.visit_folder(bench.aya, root(), path).unwrap();
        bench.wiki.visit_folder(bench.ben, root(), path).unwrap();
    }
    bench.wiki.forget_folder(bench.aya, root(), b"b").unwrap();
    // Never visited.
    bench.wiki.forget_folder(bench.aya, other(), b"a").unwrap();
    assert_eq!(visited(&bench, bench.aya), [place(root(), "a")]);
    assert_eq!(visited(&bench, bench.ben).len(), 2);
    bench.wiki.visit_folder(bench.aya, root(), b"b").unwrap();
    assert_eq!(
        visited(&bench, bench.aya),
        [place(root(), "b"), place(root(), "a")]
    );
}
