//! A cache of very many thumbnails.

use std::path::Path;
use std::thread;
use std::time::Duration;

use fumikura_tests::large_cache;
use fumikura_tests::memory::Memory;
use serde_json::Value;

use crate::support::{Client, Home, Server};

/// The maximum memory for a thumbnail, in bytes.
const MEMORY: u64 = 64;
/// The maximum difference of two servers that do the same.
const UNRELATED: u64 = 4 << 20;
/// The number of polls in a minute.
const POLLS: u32 = 6000;

fn files() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 1_000_000,
        None => 50_000,
    }
}

#[test]
fn large_cache_is_counted_in_little_memory() {
    let home = Home::new();
    let pictures = home.path().join("pictures");
    std::fs::create_dir(&pictures).unwrap();
    let fixture = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    std::fs::copy(fixture, pictures.join("a.jpg")).unwrap();
    let allow = ["--allow", pictures.to_str().unwrap()];

    let empty = Server::start_with(&home, &mut home.serve(&allow));
    wait_until_counted(&empty.client());
    // The first index of the texts takes memory of its own.
    let index = home.data().join("search/meta.json");
    until("the texts to be indexed", || {
        let meta = std::fs::read_to_string(&index).unwrap_or_default();
        meta.contains("max_doc").then_some(())
    });
    let without = Memory::of(empty.pid()).unwrap();
    drop(empty);
    let thumbs = home.path().join("cache/thumbs");
    let files = files();
    let bytes = large_cache::fill(&thumbs, files).unwrap();
    let limit = large_cache::limit_for(bytes);
    let home = home.with_config(&format!("[thumbnails]\ncache_limit = \"{limit}\"\n"));

    let server = Server::start_with(&home, &mut home.serve(&allow));
    let client = server.client();
    let cache = wait_until_counted(&client);
    assert_eq!(number(&cache, "files"), u64::from(files));
    assert_eq!(number(&cache, "used_bytes"), bytes);
    let with = Memory::of(server.pid()).unwrap();
    let more = with.peak.saturating_sub(without.peak);
    assert!(
        more <= MEMORY * u64::from(files) + UNRELATED,
        "{with:?}, and with an empty cache {without:?}"
    );

    let root = client.open_root(&pictures).is(201).json();
    let thumbnail = format!("/thumb?root={}&path=a.jpg", root["id"].as_str().unwrap());
    assert_eq!(client.get_bytes(&thumbnail), Ok(200));
    let job = client.post("/api/cache/gc").unwrap().is(202).json();
    let job = format!("/api/jobs/{}", job["id"].as_str().unwrap());
    let job = until("room to be made", || {
        // Requests for pictures continue.
        assert_eq!(client.get_bytes(&thumbnail), Ok(200));
        let job = client.get(&job).unwrap().is(200).json();
        (!job["ended_at"].is_null()).then_some(job)
    });
    assert_eq!(job["state"], "done", "{job}");
    let usage = client.get("/api/cache").unwrap().is(200).json();
    let used = number(&usage, "used_bytes");
    assert!(used <= limit * 3 / 4, "{usage}");
    // No more than necessary is removed.
    assert!(used > limit * 3 / 4 - 4096, "{usage}");
    assert_eq!(on_disk(&thumbs), (number(&usage, "files"), used));
}

/// Returns the state of the cache once all of it is counted.
fn wait_until_counted(client: &Client) -> Value {
    until("the cache to be counted", || {
        let cache = client.get("/api/cache").unwrap().is(200).json();
        (cache["scanning"] == false).then_some(cache)
    })
}

fn until<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    for _ in 0..POLLS {
        if let Some(found) = poll() {
            return found;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain for {what}");
}

fn number(cache: &Value, field: &str) -> u64 {
    cache[field].as_u64().unwrap()
}

/// Returns the number of thumbnails, and their bytes.
fn on_disk(folder: &Path) -> (u64, u64) {
    let (mut files, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        let (more_files, more_bytes) = if metadata.is_dir() {
            on_disk(&entry.path())
        } else if entry.path().extension().is_some_and(|kind| kind == "jpg") {
            (1, metadata.len())
        } else {
            (0, 0)
        };
        files += more_files;
        bytes += more_bytes;
    }
    (files, bytes)
}
