//! A server that is killed repeatedly while it removes expired thumbnails.

use std::fs;
use std::path::{Path, PathBuf};

use fumikura_ttl::{ArtifactKey, Index, IndexFile, Kind};
use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Home, Server, files, until};

/// The number of thumbnails in the cache, of which every second has expired.
const THUMBNAILS: u32 = 4000;
/// 85x85, crop, jpg.
const VARIANT: u32 = 85 << 17 | 85 << 4;

fn id(number: u32) -> [u8; 20] {
    let mut id = [7; 20];
    id[..4].copy_from_slice(&number.wrapping_mul(2_654_435_761).to_be_bytes());
    id
}

fn thumbnails(cache: &Path) -> Vec<PathBuf> {
    let mut pictures = files(&cache.join("thumbs"));
    pictures.retain(|path| path.extension().is_some_and(|extension| extension == "jpg"));
    pictures
}

/// Writes files as thumbnails, and an index in which half of them were last read a hundred days ago.
fn fill(cache: &Path) {
    let now = Timestamp::now();
    let mut index = Index::default();
    for number in 0..THUMBNAILS {
        let id = id(number);
        let name: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let folder = cache.join("thumbs").join(&name[..2]).join(&name[2..4]);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}-85x85-crop.jpg")), "bytes").unwrap();
        let days = if number % 2 == 0 { 100 } else { 1 };
        let read = now - SignedDuration::from_hours(24 * days);
        let key = ArtifactKey {
            id,
            variant: VARIANT,
        };
        index.record(key, Kind::Blob, "unknown", 5, read);
    }
    let mut file = IndexFile::new(cache.join("ttl"));
    let save = file.prepare(&mut index);
    file.write(save).unwrap();
}

fn state(server: &Server) -> Value {
    server.client().get("/api/ttl").unwrap().is(200).json()
}

#[test]
fn expired_thumbnails_are_removed_despite_kills() {
    let cache = tempfile::tempdir().unwrap();
    let home = Home::new().with_cache(cache.path());
    // The first launch creates the folder and its mark.
    let server = Server::start(&home);
    let policy = json!({"enabled": true, "ttl_days": 90});
    let set = server.client().put_json("/api/ttl/default", &policy);
    set.unwrap().is(200);
    server.stop(Signal::TERM);
    fill(cache.path());
    fs::remove_file(cache.path().join("ttl/state.json")).unwrap();
    let remaining = (THUMBNAILS / 2) as usize;
    for percent in [90, 60, 30, 10] {
        let server = Server::start(&home);
        until("some are removed", || {
            thumbnails(cache.path()).len() < remaining + remaining * percent / 100
        });
        server.kill();
    }
    let server = Server::start(&home);
    let run = server.client().run_job("/api/ttl/run").unwrap();
    assert_eq!(run["result"]["counts"]["error_blobs"], 0, "{run}");
    until("all are removed", || {
        thumbnails(cache.path()).len() == remaining
    });
    let report = state(&server);
    let counts = report["counts"].as_object().unwrap();
    assert!(counts.values().all(|count| *count == 0), "{report}");
    assert_eq!(
        report["groups"][0]["blobs"]["artifacts"], remaining,
        "{report}"
    );
    server.stop(Signal::TERM);
}
