//! Refuses archives that are damaged or inconsistent. Nothing of them is imported.

use std::io::{Cursor, Write};

use fumikura_wiki::*;
use serde_json::{Value, json};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::archive_support::{
    ID, OTHER, archive, asset, exported, file, full, ignore_progress, import, manifest, page,
    pages, request, small, stored_files,
};
use crate::support::TestWiki;

#[track_caller]
fn check_refused(bytes: &[u8], words: &str) {
    let test = TestWiki::new();
    let before = pages(&test);
    let error = import(&test, bytes, OnConflict::Replace).unwrap_err();
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(pages(&test), before);
    assert_eq!(stored_files(&test), 0);
}

#[test]
fn foreign_and_truncated_archives_are_refused() {
    check_refused(b"", "readable zip");
    check_refused(b"no zip at all", "readable zip");
    let whole = exported(&full());
    for length in (1..whole.len()).step_by(97) {
        check_refused(&whole[..length], "readable zip");
    }
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("a.md", SimpleFileOptions::default())
        .unwrap();
    check_refused(&zip.finish().unwrap().into_inner(), "has no fumikura.json");
    let newer = json!({"version": 2, "everything": "else"});
    check_refused(&archive(&[], &newer), "of version 2");
    check_refused(
        &archive(&[], &json!({"version": 1})),
        "fumikura.json can't be read",
    );
    check_refused(&archive(&[], &json!("text")), "fumikura.json can't be read");
}

#[test]
fn invalid_page_is_refused_with_its_entry() {
    let one = |page: Value, text: &[u8]| archive(&[("a", text)], &manifest(&[page], &[]));
    for path in ["a", "/../a", "/a\u{7}", "/a\u{202e}b"] {
        let page = page(ID, path, "a");
        check_refused(&one(page, b""), "a: the page's path isn't valid");
    }
    for (id, entry, words) in [
        (ID, "missing", "missing: the archive has no such entry"),
        (ID, "../a", "../a: this can't be the name"),
        (ID, "/a", "/a: this can't be the name"),
        ("x", "a", "fumikura.json can't be read"),
    ] {
        check_refused(&one(page(id, "/a", entry), b""), words);
    }
    check_refused(
        &one(page(ID, "/a", "a"), b"\xff"),
        "a: the text is not UTF-8",
    );
    let long = vec![b'x'; MAX_SOURCE_BYTES + 1];
    check_refused(
        &one(page(ID, "/a", "a"), &long),
        "a: the text is longer than",
    );

    let two = |a: Value, b: Value| archive(&[("a", b""), ("b", b"")], &manifest(&[a, b], &[]));
    check_refused(
        &two(page(ID, "/a", "a"), page(OTHER, "/x/../a/", "b")),
        "two pages are at /a",
    );
    check_refused(
        &two(page(ID, "/a", "a"), page(ID, "/b", "b")),
        "the same id",
    );
    check_refused(
        &two(page(ID, "/a", "a"), page(OTHER, "/b", "a")),
        "lists this entry twice",
    );
}

#[test]
fn inconsistent_file_is_refused_with_its_entry() {
    let one = |asset: Value, bytes: &[u8]| {
        let manifest = manifest(&[page(ID, "/a", "a")], &[asset]);
        archive(&[("a", b""), ("f", bytes)], &manifest)
    };
    let good = || asset(ID, "f.txt", "f", b"text");
    let with = |field: &str, value: Value| {
        let mut asset = good();
        asset[field] = value;
        asset
    };
    let test = TestWiki::new();
    import(&test, &one(good(), b"text"), OnConflict::Fail).unwrap();
    check_refused(&one(good(), b"TEXT"), "f: the file's contents do not match");
    check_refused(
        &one(good(), b"tex"),
        "f: the file does not have the 4 bytes",
    );
    check_refused(
        &one(good(), &vec![0; 1 << 22]),
        "f: the file does not have the 4 bytes",
    );
    check_refused(
        &one(with("sha256", "00".into()), b"text"),
        "f: the file's contents",
    );
    check_refused(
        &one(with("file_name", "a/b".into()), b"text"),
        "f: the file's name isn't valid",
    );
    check_refused(
        &one(with("file_name", "..".into()), b"text"),
        "f: the file's name isn't valid",
    );
    check_refused(
        &one(with("page", OTHER.into()), b"text"),
        "f: the file's page is not",
    );
    check_refused(
        &one(with("file", "a".into()), b"text"),
        "a: the manifest lists this entry twice",
    );
    check_refused(
        &one(with("size", (1_u64 << 40).into()), b"text"),
        "f is too large",
    );
    let twice = manifest(
        &[page(ID, "/a", "a")],
        &[good(), asset(OTHER, "f.txt", "g", b"text")],
    );
    let entries: [(&str, &[u8]); 3] = [("a", b""), ("f", b"text"), ("g", b"text")];
    check_refused(
        &archive(&entries, &twice),
        "g: the page has two files named f.txt",
    );
}

#[test]
fn damaged_entry_is_refused() {
    let whole = small("/a", &"some text of a page ".repeat(50));
    let start = whole
        .windows(10)
        .position(|bytes| bytes == b"pages/a.md")
        .unwrap()
        + 10;
    let mut damaged = whole.clone();
    damaged[start + 20] ^= 0xFF;
    check_refused(&damaged, "pages/a.md: the entry can't be read");
    // The size in the directory does not matter: the bytes are counted on reading.
    let test = TestWiki::new();
    let mut request = request(&test, OnConflict::Fail);
    request.limit = 500;
    let refused = test
        .wiki
        .archives()
        .plan_import(file(&whole), request, &mut ignore_progress);
    assert!(matches!(refused.err(), Some(ImportError::TooMuch(500))));
}

#[test]
fn overlapping_entries_are_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    zip.start_file("a", options).unwrap();
    zip.write_all(&[b'x'; 1000]).unwrap();
    zip.shallow_copy_file("a", "b").unwrap();
    zip.start_file("fumikura.json", options).unwrap();
    let manifest = manifest(&[page(ID, "/a", "a"), page(OTHER, "/b", "b")], &[]);
    zip.write_all(manifest.to_string().as_bytes()).unwrap();
    check_refused(&zip.finish().unwrap().into_inner(), "on top of each other");
}

#[test]
fn zip_bomb_is_refused() {
    let (part, parts) = (vec![0; 1 << 20], 30);
    let entries: Vec<String> = (0..parts).map(|part| format!("files/{part}")).collect();
    let files = entries.iter().enumerate().map(|(part_number, entry)| {
        let id = format!("01JD00000000000000000001{part_number:02}");
        asset(&id, &format!("{part_number}.bin"), entry, &part)
    });
    let files: Vec<Value> = files.collect();
    let manifest = manifest(&[page(ID, "/a", "a")], &files);
    let mut contents: Vec<(&str, &[u8])> = vec![("a", b"text")];
    contents.extend(entries.iter().map(|entry| (&entry[..], &part[..])));
    let bytes = archive(&contents, &manifest);
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    check_refused(&bytes, "are allowed for its size");
    // The texts count too, whose sizes are not known in advance.
    let text = "a".repeat(9 << 20);
    let (ids, paths) = ([ID, OTHER], ["/a", "/b"]);
    let entries = ["a.md", "b.md"];
    let pages: Vec<Value> = (0..2)
        .map(|at| page(ids[at], paths[at], entries[at]))
        .collect();
    let texts: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|&entry| (entry, text.as_bytes()))
        .collect();
    let bytes = archive(&texts, &crate::archive_support::manifest(&pages, &[]));
    check_refused(&bytes, "are allowed for its size");
}
