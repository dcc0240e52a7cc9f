//! Two servers with data of their own on one Redis, one folder of pictures and one cache folder; and a file system whose
//! locks can't keep a second one out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fumikura_tests::vision_service::VisionService;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::limits::Redis;
use crate::support::{Home, Random, Server, wait_for_exit, write_noise};

/// A server that has a folder of pictures open.
struct Album {
    server: Server,
    root: String,
}

impl Album {
    fn open(home: &Home, folder: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = home.serve(&["--allow", folder.to_str().unwrap()]);
        let server = Server::start_with(home, command.envs(environment.iter().copied()));
        let root = server.client().open_root(folder).is(201).json();
        let root = root["id"].as_str().unwrap().to_owned();
        Self { server, root }
    }

    fn scan(&self, path: &str) -> u16 {
        let request = json!({"root": self.root, "path": path, "mode": "describe", "again": true});
        let client = self.server.client();
        client
            .post_json("/api/vision/scan", &request)
            .unwrap()
            .status
    }

    fn usage(&self) -> Value {
        let client = self.server.client();
        client.get("/api/config/usage").unwrap().is(200).json()
    }
}

fn homes() -> [Home; 2] {
    [Home::new(), Home::new()]
}

/// Makes a folder with pictures named by their numbers.
fn pictures(home: &Home, count: u32) -> PathBuf {
    let random = Random::new(7);
    let folder = home.path().join("pictures");
    std::fs::create_dir(&folder).unwrap();
    for number in 0..count {
        write_noise(&folder.join(format!("{number}.png")), &random);
    }
    folder
}

/// Sends 15 requests at once to each server, and returns how many were answered with each of the statuses.
fn statuses<const N: usize>(
    servers: [&Album; 2],
    expected: [u16; N],
    ask: impl Fn(&Album) -> u16 + Sync,
) -> [usize; N] {
    let counts = expected.map(|_| AtomicUsize::new(0));
    thread::scope(|scope| {
        for album in servers {
            for _ in 0..15 {
                scope.spawn(|| {
                    let status = ask(album);
                    let at = expected.iter().position(|one| *one == status);
                    counts[at.unwrap_or_else(|| panic!("{status}"))]
                        .fetch_add(1, Ordering::Relaxed);
                });
            }
        }
    });
    counts.map(AtomicUsize::into_inner)
}

#[test]
fn servers_on_one_redis_share_the_limit() {
    let homes = homes();
    let folder = pictures(&homes[0], 1);
    let _redis = Redis::start(homes[0].path());
    let service = VisionService::start().unwrap();
    let redis = format!("unix://{}", homes[0].path().join("redis.sock").display());
    let environment = [
        ("REDIS_URL", &*redis),
        ("FUMIKURA_VISION_DIALECT", "openai"),
        ("FUMIKURA_VISION_URL", &service.url()),
    ];
    let albums = homes
        .each_ref()
        .map(|home| Album::open(home, &folder, &environment));
    let both = albums.each_ref();

    // Failed requests give their reservations back, whichever server counted them.
    service.set_answer(500, json!({"error": {"message": "overloaded"}}));
    for album in both {
        for _ in 0..15 {
            assert_ne!(album.scan("0.png"), 429);
        }
    }
    for album in both {
        assert_eq!(album.usage()["daily_count"], 0);
    }
    service.set_content(&json!({"description": "A cat."}));
    let granted = statuses(both, [200, 429], |album| album.scan("0.png"));
    assert_eq!(granted, [20, 10], "20 per minute in total");
    for album in both {
        assert_eq!(album.usage()["daily_count"], 20);
    }
    // Wrong tokens have counts of their own, which are shared as well.
    let refused = statuses(both, [401, 429], |album| {
        let client = album.server.client();
        client.get("/login?token=wrong").unwrap().status
    });
    assert_eq!(refused, [20, 10]);
}

#[test]
fn servers_on_one_folder_lose_no_tags() {
    const TAGS: usize = 40;
    let homes = homes();
    let folder = pictures(&homes[0], 1);
    let albums = homes.each_ref().map(|home| Album::open(home, &folder, &[]));
    // The sidecar exists: a new one never replaces another.
    let tag = |album: &Album, tag: String| {
        let items = [json!({"root": album.root, "path": "0.png"})];
        let change = json!({"items": items, "add_tags": [tag]});
        let client = album.server.client();
        let marked = client.post_json("/api/files/marks", &change).unwrap();
        assert_eq!(marked.is(200).json()["marked"][0]["path"], "0.png");
    };
    tag(&albums[0], "first".to_owned());
    thread::scope(|scope| {
        for (server, album) in albums.iter().enumerate() {
            scope.spawn(move || {
                for number in 0..TAGS {
                    tag(album, format!("{server}-{number}"));
                }
            });
        }
    });
    let [album, _] = &albums;
    let address = format!("/api/files/marks?root={}&path=0.png", album.root);
    let marks = album.server.client().get(&address).unwrap().is(200).json();
    assert_eq!(marks["tags"].as_array().unwrap().len(), 1 + 2 * TAGS);
}

#[test]
fn servers_on_one_cache_have_their_own_expiry_index() {
    let [first, second] = homes();
    let second = second.with_cache(&first.path().join("cache"));
    let folder = pictures(&first, 4);
    let albums = [&first, &second].map(|home| Album::open(home, &folder, &[]));
    let ask = |album: &Album| -> Vec<Vec<u8>> {
        let address = |number| format!("/thumb?root={}&path={number}.png&size=90x90", album.root);
        let client = album.server.client();
        (0..4)
            .map(|number| client.bytes(&address(number)).unwrap())
            .collect()
    };
    let expected = ask(&albums[0]);
    assert_eq!(ask(&albums[1]), expected, "found in the cache");
    // One deletes everything, as expiry does; the other answers as before.
    let client = albums[0].server.client();
    let cleared = client.run_job_with("/api/cache/clear", &json!({})).unwrap();
    assert_eq!(
        (&cleared["result"]["files"], &cleared["result"]["failed"]),
        (&json!(4), &json!(0))
    );
    for album in [&albums[1], &albums[0]] {
        assert_eq!(ask(album), expected);
    }
    for Album { server, .. } in albums {
        server.stop(Signal::TERM);
    }
    let indexes = std::fs::read_dir(first.path().join("cache/ttl")).unwrap();
    assert_eq!(indexes.count(), 2);
    for home in [&first, &second] {
        assert_eq!(home.warnings(), "", "no error at either");
    }
}

#[test]
fn data_without_locks_are_refused() {
    let home = Home::new();
    let options = ["--trace=flock", "--inject=flock:error=ENOLCK"];
    let database = home.data().join("wiki.redb");
    let home = home.with_faults(database.to_str().unwrap(), &options);
    let outcome = wait_for_exit(&mut home.serve(&[]).spawn().unwrap());
    let stderr = home.stderr();
    assert_eq!(outcome.code, Some(1), "{stderr}");
    assert!(stderr.contains("without locks"), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}
