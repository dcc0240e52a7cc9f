//! A folder of very many pictures.

use std::fs;
use std::path::Path;

use fumikura_tests::memory::Memory;
use serde_json::Value;

use crate::support::{Client, Home, Server};

/// The maximum memory for an entry, in bytes, while the folder is listed in all orders.
const MEMORY: u64 = 640;
/// The maximum difference of two servers that do the same.
const UNRELATED: u64 = 32 << 20;
/// The maximum size of a part.
const PART: u64 = 1000;
/// The number of hard links to one file. Common file systems allow at most 65,000.
const NAMES: u64 = 50_000;

fn entries() -> u64 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 1_000_000,
        None => 10_000,
    }
}

#[test]
fn large_folder_is_listed_in_every_order() {
    let home = Home::new();
    let pictures = home.path().join("pictures");
    fill(&pictures, entries());
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(&home, &mut home.serve(&allow));
    let client = server.client();
    let root = client.open_root(&pictures).is(201).json();
    let folder = LargeFolder {
        client: &client,
        root: root["id"].as_str().unwrap(),
    };
    let without = Memory::of(server.pid()).unwrap();

    let first = folder.list("");
    assert_eq!(first["total"], entries());
    let listing = first["listing"].as_str().unwrap();
    for offset in (0..entries()).step_by(usize::try_from(PART).unwrap()) {
        let part = folder.list(&format!("&listing={listing}&offset={offset}"));
        assert_eq!(part["listing"], listing);
        let expected = (offset + 1..)
            .take(usize::try_from(PART).unwrap())
            .map(name);
        assert_eq!(names(&part), Vec::from_iter(expected));
    }
    for sort in ["modified", "size", "type", "taken"] {
        let part = folder.list(&format!(
            "&sort={sort}&order=desc&offset={}",
            entries() - PART
        ));
        assert_eq!(part["total"], entries(), "{sort}");
        assert_eq!(names(&part).len() as u64, PART, "{sort}");
    }
    let last = folder.list(&format!("&around={}", name(entries())));
    assert_eq!(last["offset"], entries() - PART);
    let holding = (1..=entries()).filter(|number| number.to_string().contains("777"));
    assert_eq!(folder.list("&filter=777")["total"], holding.count());

    // New entries are included.
    fs::write(pictures.join("0.png"), "").unwrap();
    let more = folder.list("");
    assert_eq!(more["total"], entries() + 1);
    assert_eq!(names(&more)[0], "0.png");
    let with = Memory::of(server.pid()).unwrap();
    let cost = with.peak.saturating_sub(without.peak);
    assert!(
        cost <= MEMORY * entries() + UNRELATED,
        "{with:?}, and before {without:?}"
    );
}

/// Fills a folder with hard links to a few files, as many as the file system allows for each.
fn fill(folder: &Path, count: u64) {
    fs::create_dir(folder).unwrap();
    let originals = folder.with_extension("originals");
    fs::create_dir(&originals).unwrap();
    for number in 1..=count {
        let original = originals.join((number / NAMES).to_string());
        if !original.exists() {
            fs::write(&original, "no picture").unwrap();
        }
        fs::hard_link(original, folder.join(name(number))).unwrap();
    }
}

fn name(number: u64) -> String {
    format!("IMG_{number}.png")
}

struct LargeFolder<'a> {
    client: &'a Client,
    root: &'a str,
}

impl LargeFolder<'_> {
    fn list(&self, query: &str) -> Value {
        let root = self.root;
        let path = format!("/api/folders?root={root}&limit={PART}{query}");
        self.client.get(&path).unwrap().is(200).json()
    }
}

fn names(listing: &Value) -> Vec<String> {
    let entries = listing["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect()
}
