//! A server that is killed repeatedly while it removes expired thumbnails.

use std::fs;
use std::path::{Path, PathBuf};

use fumikura_tests::cache_folder::expiry_index;
use fumikura_ttl::{ArtifactKey, Index, IndexFile, Kind};
use jiff::{SignedDuration, Timestamp};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Home, Server, files, until, with_a_picture};

/// The number of thumbnails in the cache, of which every second has expired.
const THUMBNAILS: u32 = 4000;
/// 85x85, crop, jpg, not turned.
const VARIANT: u32 = 1 << 31 | 84 << 19 | 84 << 7;

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
    let mut file = IndexFile::new(expiry_index(cache).unwrap());
    let save = file.prepare(&mut index);
    file.write(save).unwrap();
    file.close().unwrap();
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
    fs::remove_file(expiry_index(cache.path()).unwrap().join("state.json")).unwrap();
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
    // The log has the counts of each run, although it contains only warnings otherwise.
    for count in ["expired", "processing", "error"] {
        for kind in ["blobs", "manifests"] {
            let field = format!(" {count}_{kind}=");
            assert!(home.stderr().contains(&field), "{}", home.stderr());
        }
    }
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

#[test]
fn thumbnails_made_before_a_kill_are_indexed() {
    let home = Home::new();
    let (server, query) = with_a_picture(&home);
    let pictures = home.path().join("pictures");
    let start = || {
        let allow = ["--allow", pictures.to_str().unwrap()];
        Server::start_with(&home, &mut home.serve(&allow))
    };
    let ask = |server: &Server, size: u32| {
        let path = format!("/thumb?{query}&size={size}x{size}");
        assert_eq!(server.client().get_bytes(&path), Ok(200));
    };
    let contents = |server: &Server| {
        let groups = state(server)["groups"].as_array().unwrap().clone();
        let groups = groups.iter().map(|group| {
            let artifacts = group["blobs"]["artifacts"].as_u64().unwrap();
            (group["group"].as_str().unwrap().to_owned(), artifacts)
        });
        groups
            .filter(|(_, artifacts)| *artifacts > 0)
            .collect::<Vec<_>>()
    };
    ask(&server, 20);
    let known = contents(&server);
    assert_eq!(known[0].1, 1);
    server.stop(Signal::TERM);
    let server = start();
    assert_eq!(state(&server)["complete"], true);
    assert_eq!(contents(&server), known);
    (30..40).for_each(|size| ask(&server, size));
    // One of which the index knows is deleted by another program.
    let cached = thumbnails(&home.path().join("cache"));
    let first = cached
        .iter()
        .find(|path| path.to_str().unwrap().contains("-20x20-"));
    fs::remove_file(first.unwrap()).unwrap();
    server.kill();

    let server = start();
    assert_eq!(state(&server)["complete"], false);
    server.client().run_job("/api/ttl/run").unwrap();
    assert_eq!(state(&server)["complete"], true);
    let found = contents(&server)
        .iter()
        .map(|(_, artifacts)| artifacts)
        .sum::<u64>();
    assert_eq!(found, 10);
    // Each goes back to the folder of its picture.
    (30..40).for_each(|size| ask(&server, size));
    assert_eq!(contents(&server), [(known[0].0.clone(), 10)]);
    server.stop(Signal::TERM);
}
