//! Files that get a free name like their own if that is taken.

use fumikura_wiki::*;

use crate::support::{Bench, file_name};

fn begin(bench: &Bench, page: PageId, name: &str) -> AssetWriter {
    let begun = bench.wiki.begin_asset_like(page, file_name(name), None);
    begun.unwrap()
}

fn finish(bench: &Bench, writer: AssetWriter) -> Asset {
    bench.wiki.finish_asset(writer, bench.aya).unwrap()
}

#[test]
fn taken_name_gets_the_first_free_number() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    for (taken, expected) in [
        (&["a.txt"][..], "a-2.txt"),
        (&["a-3.txt"], "a-4.txt"),
        (&[], "a-5.txt"),
    ] {
        for name in taken {
            bench.bring(page, name, b"").unwrap();
        }
        let asset = finish(&bench, begin(&bench, page, "a.txt"));
        assert_eq!(asset.file_name, file_name(expected));
        // It was uploaded under another one.
        assert_eq!(asset.original_name, file_name("a.txt"));
    }
    let other = finish(&bench, begin(&bench, page, "b.txt"));
    assert_eq!(other.file_name, other.original_name);
}

#[test]
fn concurrent_uploads_get_different_names() {
    let bench = Bench::new();
    let page = bench.page("/a", "text");
    let slow = begin(&bench, page, "a.txt");
    let slower = begin(&bench, page, "a.txt");
    bench.bring(page, "a.txt", b"fast").unwrap();
    let came = [slow, slower].map(|writer| finish(&bench, writer).file_name);
    assert_eq!(came, ["a-2.txt", "a-3.txt"].map(file_name));
}
