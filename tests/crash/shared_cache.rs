//! Two servers on one folder of thumbnails: each makes, finds and deletes those of the other too.

use std::path::Path;

use serde_json::Value;

use crate::support::{Client, Home, Random, Server, check_thumbnails, until, write_noise};

const PICTURES: u32 = 8;
/// The widths of the thumbnails. One of noise takes about 27 KB: all of them together exceed [`SMALL_LIMIT`].
const SIZES: std::ops::Range<u32> = 90..102;
const SMALL_LIMIT: &str = "1MB";
const LARGE_LIMIT: &str = "1GB";

fn serve(home: &Home, pictures: &Path, limit: &str) -> (Server, String) {
    let mut command = home.serve(&["--allow", pictures.to_str().unwrap()]);
    let server = Server::start_with(home, command.env("ESTELLE_CACHE_LIMIT", limit));
    let opened = server.client().open_root(pictures).is(201).json();
    (server, opened["id"].as_str().unwrap().to_owned())
}

fn ask(client: &Client, root: &str, pictures: &Path) {
    for size in SIZES {
        for number in 0..PICTURES {
            let variant = format!("size={size}x90&format=png");
            let path = format!("/thumb?root={root}&path={number}.png&{variant}");
            assert_eq!(client.get_bytes(&path), Ok(200), "{path}");
            let source = pictures.join(format!("{number}.png"));
            let path = format!("/get?source={}&{variant}", source.display());
            client.get(&path).unwrap().is(200);
        }
    }
}

fn stats(server: &Server) -> Value {
    server.client().get("/api/cache").unwrap().is(200).json()
}

/// Returns the number of evicted thumbnails.
fn evictions(server: &Server) -> u64 {
    stats(server)["counters"]["evicted"].as_u64().unwrap()
}

#[test]
fn two_servers_share_one_thumbnail_folder() {
    let random = Random::new(1);
    let (first, second) = (Home::new(), Home::new());
    let second = second.with_cache(&first.path().join("cache"));
    let pictures = first.path().join("allowed/pictures");
    std::fs::create_dir_all(&pictures).unwrap();
    for number in 0..PICTURES {
        write_noise(&pictures.join(format!("{number}.png")), &random);
    }
    let servers = [&first, &second].map(|home| serve(home, &pictures, SMALL_LIMIT));
    std::thread::scope(|scope| {
        for (server, root) in &servers {
            for _ in 0..2 {
                scope.spawn(|| ask(&server.client(), root, &pictures));
            }
        }
    });
    until("some are evicted, as there is no room for all", || {
        servers.iter().any(|(server, _)| evictions(server) > 0)
    });
    for (server, _) in servers {
        server.stop(rustix::process::Signal::TERM);
    }
    let whole = check_thumbnails(&first.path().join("cache/thumbs"));
    assert!(whole > 0);
    for home in [&first, &second] {
        assert!(!home.stderr().contains("panicked"), "{}", home.stderr());
    }
    // After a recount, the numbers are those of the folder.
    let (server, _) = serve(&first, &pictures, LARGE_LIMIT);
    until("all is counted", || stats(&server)["files"] == whole);
}
