//! A read-only disk.

use std::path::Path;

use rustix::process::Signal;
use serde_json::json;

use crate::full_disk::{Page, prlimit};
use crate::support::{
    Client, Disk, Home, ReadOnly, Server, Unwritable, incompressible, wait_for_exit, with_a_picture,
};

/// Checks that the start fails with a sentence that names the folder and the reason.
#[track_caller]
fn check_refused(home: &Home) {
    let outcome = wait_for_exit(&mut home.serve(&[]).spawn().unwrap());
    let stderr = home.stderr();
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(1), ""),
        "{stderr}"
    );
    let folder = home.data().display().to_string();
    assert!(stderr.contains(&folder), "{stderr}");
    let reasons = ["Read-only", "read-only", "denied", "not permitted"];
    assert!(reasons.iter().any(|why| stderr.contains(why)), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn start_fails_if_data_cannot_be_created() {
    // No folders can be created here, even by root.
    check_refused(&Home::new().with_data(Path::new("/sys/fumikura")));
}

#[test]
fn start_fails_if_data_is_read_only() {
    let disk = Disk::mounted();
    if disk.is_none() && rustix::process::geteuid().is_root() {
        // A user that may write everywhere but not mount has only the other test.
        return start_fails_if_data_cannot_be_created();
    }
    let home = match &disk {
        Some(disk) => Home::new().with_data(&disk.path().join("data")),
        None => Home::new(),
    };
    let server = Server::start(&home);
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    match &disk {
        Some(disk) => disk.make_read_only(),
        None => remove_write_permission(home.data()),
    }
    check_refused(&home);
}

/// Checks the effects of read-only data: a page can be read, and no user can write it.
fn check_only_reads(client: &Client, page: &Page, lock: &str) {
    page.check(client);
    page.put(client, lock, "more").refused(507, "read_only");
    let unsaved = json!({"path": "/a", "base_revision": 1, "source": "x", "seq": 1});
    let journal = format!("/api/journal/{}?tab=t", page.id);
    let answer = client.put_json(&journal, &unsaved).unwrap();
    answer.refused(507, "read_only");
    let file = client.upload(&page.id, "a.bin", b"x").unwrap();
    file.refused(507, "read_only");
    let draft = client.post("/api/pages?path=/new").unwrap();
    draft.refused(507, "read_only");
    let list = client.get("/api/pages").unwrap().is(200).json();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    client.get("/wiki/a").unwrap().is(200);
    client.get("/healthz").unwrap().is(200);
    page.check(client);
}

#[test]
fn server_survives_a_temporarily_read_only_disk() {
    // The signal that comes with a limit would end the program; a disk sends none.
    let home = Home::new().run_under(&["env", "--ignore-signal=XFSZ"]);
    let server = Server::start(&home);
    let client = server.client();
    let mut page = Page::new(&client, "/a", "before");
    let lock = page.lock(&client);
    let Some(view) = ReadOnly::over(home.data()) else {
        // Without the right to mount, only the start can be tested.
        server.stop(Signal::TERM);
        return start_fails_if_data_is_read_only();
    };
    // The database is still open for writing, and would continue until the disk fails once.
    let length = std::fs::metadata(home.data().join("wiki.redb"))
        .unwrap()
        .len();
    prlimit(&server, &length.to_string());
    let long = incompressible(9 << 20);
    page.put(&client, &lock, &long).refused(507, "disk_full");
    prlimit(&server, "unlimited");
    for _ in 0..2 {
        check_only_reads(&client, &page, &lock);
    }
    // A new login works, for reading.
    let login = server.ready["login"].as_str().unwrap();
    let login = login.strip_prefix(server.url().trim_end_matches('/'));
    client.get(login.unwrap()).unwrap().is(200);

    drop(view);
    page.put(&client, &lock, &long).is(200);
    page.text = long;
    page.check(&client);
    client.upload(&page.id, "a.bin", b"x").unwrap().is(201);
    client.check_integrity().unwrap();
    server.kill();
    let server = Server::start(&home);
    page.check(&server.client());
    let stderr = home.stderr();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

/// Runs the whole test, in a cache that `make_read_only` makes unwritable until its view is dropped.
fn run<View>(home: Home, make_read_only: impl Fn(Home) -> (Home, View)) {
    let (server, query) = with_a_picture(&home);
    let cached = format!("/thumb?{query}&size=64x64");
    let new = format!("/thumb?{query}&size=65x65");
    assert_eq!(server.client().get_bytes(&cached), Ok(200));
    server.stop(Signal::TERM);
    let (home, view) = make_read_only(home);
    // A new server, with nothing in memory.
    let pictures = home.path().join("pictures");
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(&home, &mut home.serve(&allow));
    let client = server.client();
    for _ in 0..2 {
        client.get(&new).unwrap().refused(507, "read_only");
        assert_eq!(client.get_bytes(&cached), Ok(200));
    }
    let whole = client.get_bytes(&format!("/api/image?{query}"));
    assert_eq!(whole, Ok(200));
    drop(view);
    assert_eq!(client.get_bytes(&new), Ok(200));
    let stderr = home.stderr();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn read_only_mount_serves_existing_thumbnails() {
    let home = Home::new();
    let cache = home.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    if ReadOnly::over(&cache).is_none() {
        // Without the right to mount, only the other test is possible.
        return cache_without_write_permission_serves_existing_thumbnails();
    }
    run(home, |home| (home, ReadOnly::over(&cache).unwrap()));
}

#[test]
fn cache_without_write_permission_serves_existing_thumbnails() {
    run(Home::new(), |home| {
        let closed = Unwritable::over(&home.path().join("cache"));
        (home.run_under(Unwritable::starter()), closed)
    });
}

/// Removes the permission to write, which applies to all users except root.
fn remove_write_permission(folder: &Path) {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        set_permissions(path, Permissions::from_mode(0o400)).unwrap();
    }
    set_permissions(folder, Permissions::from_mode(0o500)).unwrap();
}
