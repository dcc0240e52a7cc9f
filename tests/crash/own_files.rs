//! The program's own files: private whatever the umask is; pipes and endless files in their place.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use fumikura_tests::cache_folder::expiry_index;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::Signal;
use serde_json::json;

use crate::support::{Home, Server, files, until, wait_for_exit, with_a_picture};

/// Uses what has files of its own, and returns the picture's query.
fn use_everything(home: &Home) -> (Server, String) {
    let (server, picture) = with_a_picture(home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/a").unwrap().is(201);
    let page = draft.json()["id"].as_str().unwrap().to_owned();
    let source = format!("/api/pages/{page}/source");
    client
        .save(&source, &draft.lock(), "quokka")
        .unwrap()
        .is(200);
    client.upload(&page, "a.bin", b"contents").unwrap().is(201);
    let thumbnail = format!("/thumb?{picture}&size=64x64");
    client.bytes(&thumbnail).unwrap();
    let policy = json!({"enabled": true, "ttl_days": 90});
    client
        .put_json("/api/ttl/default", &policy)
        .unwrap()
        .is(200);
    client.run_job("/api/ttl/run").unwrap();
    let limit = json!({"limit_bytes": 5_000_000_000_u64});
    client.put_json("/api/cache/limit", &limit).unwrap().is(200);
    let (root, _) = picture.split_once('&').unwrap();
    let hashes = json!({"root": root.strip_prefix("root=").unwrap()});
    let recording = client.post_json("/api/hashes/record", &hashes);
    let recording = recording.unwrap().is(202).json();
    let job = format!("/api/jobs/{}", recording["id"].as_str().unwrap());
    until("the hashes are recorded", || {
        !client.get(&job).unwrap().is(200).json()["ended_at"].is_null()
    });
    client.run_job("/api/backup").unwrap();
    until("the search index", || {
        let meta = fs::read_to_string(home.data().join("search/meta.json"));
        meta.is_ok_and(|meta| meta.contains("\"max_doc\""))
    });
    (server, picture)
}

/// Returns the folders of the program in a home.
fn own_folders(home: &Home) -> [PathBuf; 3] {
    let config = home.path().join(".config/fumikura");
    [home.data().to_owned(), home.path().join("cache"), config]
}

/// Checks a folder and everything in it, and returns the number of files.
fn check_private(folder: &Path) -> usize {
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let metadata = match fs::symlink_metadata(&path) {
            // The server still writes, and has replaced or removed it.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            metadata => metadata.unwrap(),
        };
        let mode = metadata.permissions().mode() & 0o777;
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{} is {mode:o}", path.display());
        count += if metadata.is_dir() {
            check_private(&path)
        } else {
            1
        };
    }
    count
}

#[test]
fn own_files_are_private_under_umask_000() {
    let home = Home::new().run_under(&["sh", "-c", "umask 000; exec \"$0\" \"$@\""]);
    let (server, _) = use_everything(&home);
    let count: usize = own_folders(&home)
        .iter()
        .map(|folder| check_private(folder))
        .sum();
    assert!(count > 20, "{count}");
    server.stop(Signal::TERM);
    for folder in own_folders(&home) {
        check_private(&folder);
    }
}

/// Puts a pipe or an endless device in the place of a file.
fn plant(path: &Path, is_pipe: bool) {
    fs::remove_file(path).unwrap();
    if is_pipe {
        mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    } else {
        symlink("/dev/zero", path).unwrap();
    }
}

/// Returns the files that the program makes again.
fn derived(home: &Home) -> Vec<PathBuf> {
    let [data, cache, _] = own_folders(home);
    let mut derived = files(&data.join("search"));
    derived.push(data.join("own-host"));
    derived.extend(
        files(&cache)
            .into_iter()
            .filter(|path| !path.ends_with("CACHEDIR.TAG")),
    );
    derived
}

#[track_caller]
fn check_derived(is_pipe: bool) {
    let home = Home::new();
    let (server, picture) = use_everything(&home);
    let backup = files(&home.data().join("backups")).len();
    server.stop(Signal::TERM);
    let derived = derived(&home);
    assert!(derived.len() > 10, "{derived:?}");
    for path in &derived {
        plant(path, is_pipe);
    }
    // A crash leaves it, and the next start and each command read it.
    fs::write(home.data().join("server.json"), "").unwrap();
    plant(&home.data().join("server.json"), is_pipe);
    let login = home
        .fumi(&["login", "--data", home.data().to_str().unwrap()])
        .spawn();
    assert_eq!(wait_for_exit(&mut login.unwrap()).code, Some(1));

    let allow = home.path().join("pictures");
    let server = Server::start_with(
        &home,
        &mut home.serve(&["--allow", allow.to_str().unwrap()]),
    );
    let client = server.client();
    client
        .bytes(&format!("/thumb?{picture}&size=64x64"))
        .unwrap();
    until("a complete answer", || {
        let found = client.get("/api/search?q=quokka").unwrap().is(200).json();
        let is_partial = !found["partial"].is_null();
        assert!(is_partial || found["total"] == 1, "{found}");
        !is_partial
    });
    client.run_job("/api/ttl/run").unwrap();
    until("the search index", || {
        let meta = fs::symlink_metadata(home.data().join("search/meta.json"));
        meta.is_ok_and(|meta| meta.is_file())
    });
    client.check_integrity().unwrap();
    assert_eq!(files(&home.data().join("backups")).len(), backup);
    let outcome = server.stop(Signal::TERM);
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    let index = expiry_index(&home.path().join("cache")).unwrap();
    for path in [
        home.data().join("own-host"),
        home.data().join("search/format"),
        index.join("artifacts"),
        index.join("artifacts.log"),
    ] {
        let metadata = fs::symlink_metadata(&path).unwrap();
        assert!(metadata.is_file(), "{}", path.display());
    }
}

#[test]
fn pipes_for_derived_files_are_replaced() {
    check_derived(true);
}

#[test]
fn endless_derived_files_are_replaced() {
    check_derived(false);
}

#[test]
fn special_file_for_user_data_stops_the_start() {
    let home = Home::new();
    let (server, _) = use_everything(&home);
    server.stop(Signal::TERM);
    let [data, _, config] = own_folders(&home);
    fs::write(data.join("roots.json"), "{\"version\": 2, \"roots\": []}").unwrap();
    for path in [
        data.join("wiki.redb"),
        data.join("roots.json"),
        config.join("config.toml"),
    ] {
        let before = fs::read(&path).unwrap();
        for is_pipe in [true, false] {
            plant(&path, is_pipe);
            let outcome = wait_for_exit(&mut home.serve(&[]).spawn().unwrap());
            let stderr = home.stderr();
            assert_eq!(outcome.code, Some(1), "{stderr}");
            let words = format!("{} is not a regular file", path.display());
            assert!(stderr.contains(&words), "{stderr}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, before).unwrap();
    }
    assert_eq!(Server::start(&home).stop(Signal::TERM).code, Some(0));
}
