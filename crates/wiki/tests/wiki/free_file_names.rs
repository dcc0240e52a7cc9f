//! Files that get a free name like their own if that is taken.

use fumikura_wiki::*;

use crate::support::{TestWiki, file_name};

fn begin(test: &TestWiki, page: PageId, name: &str) -> AssetWriter {
    let writer = test.wiki.assets().begin_like(page, file_name(name), None);
    writer.unwrap()
}

fn finish(test: &TestWiki, writer: AssetWriter) -> Asset {
    test.wiki.assets().finish(writer, test.aya).unwrap()
}

#[test]
fn taken_name_gets_the_first_free_number() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    for (taken, expected) in [
        (&["a.txt"][..], "a-2.txt"),
        (&["a-3.txt"], "a-4.txt"),
        (&[], "a-5.txt"),
    ] {
        for name in taken {
            test.upload(page, name, b"").unwrap();
        }
        let asset = finish(&test, begin(&test, page, "a.txt"));
        assert_eq!(asset.file_name, file_name(expected));
        // It was uploaded under another one.
        assert_eq!(asset.original_name, file_name("a.txt"));
    }
    let other = finish(&test, begin(&test, page, "b.txt"));
    assert_eq!(other.file_name, other.original_name);
}

#[test]
fn concurrent_uploads_get_different_names() {
    let test = TestWiki::new();
    let page = test.page("/a", "text");
    let slow = begin(&test, page, "a.txt");
    let slower = begin(&test, page, "a.txt");
    test.upload(page, "a.txt", b"fast").unwrap();
    let came = [slow, slower].map(|writer| finish(&test, writer).file_name);
    assert_eq!(came, ["a-2.txt", "a-3.txt"].map(file_name));
}
