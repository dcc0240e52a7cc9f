//! All files of the wiki with their pages.

use fumikura_wiki::*;

use crate::support::{Bench, path};

#[test]
fn every_file_names_its_page() {
    let bench = Bench::new();
    let trip = bench.page("/旅", "text");
    let gone = bench.page("/gone", "text");
    let away = bench.page("/away", "text");
    let deleted = bench.bring(trip, "b.txt", b"bb").unwrap();
    bench.wiki.delete_asset(deleted.id).unwrap();
    let live = bench.bring(trip, "a.txt", b"a").unwrap();
    bench.bring(gone, "c.txt", b"c").unwrap();
    bench.bring(away, "d.txt", b"d").unwrap();
    bench.erase(gone, false).unwrap();
    bench.delete(away, false).unwrap();
    let all = bench.wiki.all_assets().unwrap();
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
        ("d.txt", owner("/away", Some(away))),
        ("c.txt", owner("/gone", None)),
        ("a.txt", owner("/旅", Some(trip))),
        ("b.txt", owner("/旅", Some(trip))),
    ];
    let told: Vec<_> = all
        .iter()
        .map(|asset| (asset.file_name.as_str(), asset.owner.clone()))
        .collect();
    assert_eq!(told, expected);
    assert_eq!(
        (all[2].id, all[2].size, all[2].sha256),
        (live.id, 1, live.sha256)
    );
    assert!(bench.wiki.has_asset(live.id).unwrap());
    bench.wiki.purge_asset(live.id).unwrap();
    assert!(!bench.wiki.has_asset(live.id).unwrap());
}
