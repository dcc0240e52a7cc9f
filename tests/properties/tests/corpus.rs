//! Checks the inputs of `fuzz/corpus`: samples, and those that once broke a property.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::fs;
use std::path::Path;

use fumikura_properties as properties;

/// Checks each input of a corpus.
#[track_caller]
fn check(corpus: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut inputs = 0;
    for entry in fs::read_dir(folder.join(corpus)).unwrap() {
        property(&fs::read(entry.unwrap().path()).unwrap());
        inputs += 1;
    }
    assert!(inputs > 0, "{corpus} has no inputs");
}

fn text(data: &[u8]) -> &str {
    std::str::from_utf8(data).unwrap()
}

#[test]
fn names_of_records_hold() {
    check("hash_name", properties::hash_name);
}

#[test]
fn records_hold() {
    check("hash_record", properties::hash_record);
}

#[test]
fn lists_hold() {
    check("hash_list", properties::hash_list);
}

#[test]
fn imports_hold() {
    check("import", properties::import);
}

#[test]
fn sidecars_hold() {
    check("sidecar", properties::sidecar);
}

#[test]
fn picture_queries_hold() {
    check("query", |data| properties::query(text(data)));
}

#[test]
fn searches_hold() {
    check("search", |data| properties::search(text(data)));
}

#[test]
fn configuration_files_hold() {
    check("config", |data| properties::config(text(data)));
}
