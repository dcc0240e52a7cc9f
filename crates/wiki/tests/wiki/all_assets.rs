//! All files of the wiki with their pages.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

#[test]
fn every_file_names_its_page() {
    let test = TestWiki::new();
    let page = test.page("/旅", "text");
    let erased_page = test.page("/gone", "text");
    let deleted_page = test.page("/away", "text");
    let deleted = test.upload(page, "b.txt", b"bb").unwrap();
    test.wiki.assets().delete(deleted.id).unwrap();
    let live = test.upload(page, "a.txt", b"a").unwrap();
    test.upload(erased_page, "c.txt", b"c").unwrap();
    test.upload(deleted_page, "d.txt", b"d").unwrap();
    test.erase(erased_page, false).unwrap();
    test.delete(deleted_page, false).unwrap();
    let all = test.wiki.assets().all().unwrap();
    let owner = |at: &str, page: Option<PageId>| match page {
        Some(page_id) => AssetOwner::Page {
            page_id,
            path: path(at),
        },
        None => AssetOwner::Erased {
            last_path: path(at),
        },
    };
    let expected = [
        ("d.txt", owner("/away", Some(deleted_page))),
        ("c.txt", owner("/gone", None)),
        ("a.txt", owner("/旅", Some(page))),
        ("b.txt", owner("/旅", Some(page))),
    ];
    let listed: Vec<_> = all
        .iter()
        .map(|asset| (asset.file_name.as_str(), asset.owner.clone()))
        .collect();
    assert_eq!(listed, expected);
    assert_eq!(
        (all[2].id, all[2].size, all[2].sha256),
        (live.id, 1, live.sha256)
    );
    assert!(test.wiki.assets().exists(live.id).unwrap());
    test.wiki.assets().purge(live.id).unwrap();
    assert!(!test.wiki.assets().exists(live.id).unwrap());
}
