//! A read-only disk.

use std::path::Path;

use rustix::process::Signal;
use serde_json::json;

use crate::full_disk::{Page, prlimit};
use crate::support::{
    Client, Closed, Disk, Place, ReadOnly, Server, end_of, incompressible, with_a_picture,
};

/// Checks that the start fails with a sentence that names the folder and the reason.
#[track_caller]
fn check_refused(place: &Place) {
    let ended = end_of(&mut place.serve(&[]).spawn().unwrap());
    let said = place.said();
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{said}");
    let folder = place.data().display().to_string();
    assert!(said.contains(&folder), "{said}");
    let reasons = ["Read-only", "read-only", "denied", "not permitted"];
    assert!(reasons.iter().any(|why| said.contains(why)), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn start_fails_if_data_cannot_be_created() {
    // No folders can be created here, even by root.
    check_refused(&Place::new().with_data(Path::new("/sys/fumikura")));
}

#[test]
fn start_fails_if_data_is_read_only() {
    let disk = Disk::mounted();
    if disk.is_none() && rustix::process::geteuid().is_root() {
        // A user that may write everywhere but not mount has only the other test.
        return start_fails_if_data_cannot_be_created();
    }
    let place = match &disk {
        Some(disk) => Place::new().with_data(&disk.path().join("data")),
        None => Place::new(),
    };
    let server = Server::start(&place);
    assert_eq!(server.end(Signal::TERM).code, Some(0));
    match &disk {
        Some(disk) => disk.make_read_only(),
        None => remove_write_permission(place.data()),
    }
    check_refused(&place);
}

/// Checks the effects of read-only data: a page can be read, and no user can write it.
fn check_only_reads(client: &Client, page: &Page, lock: &str) {
    page.check(client);
    page.put(client, lock, "more").refused(507, "read_only");
    let unsaved = json!({"path": "/a", "base_revision": 1, "source": "x", "seq": 1});
    let journal = format!("/api/journal/{}?tab=t", page.id);
    let answer = client.put_json(&journal, &unsaved).unwrap();
    answer.refused(507, "read_only");
    let file = client.bring(&page.id, "a.bin", b"x").unwrap();
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
    let place = Place::new().started_by(&["env", "--ignore-signal=XFSZ"]);
    let server = Server::start(&place);
    let client = server.client();
    let mut page = Page::new(&client, "/a", "before");
    let lock = page.lock(&client);
    let Some(view) = ReadOnly::over(place.data()) else {
        // Without the right to mount, only the start can be tested.
        server.end(Signal::TERM);
        return start_fails_if_data_is_read_only();
    };
    // The database is still open for writing, and would continue until the disk fails once.
    let length = std::fs::metadata(place.data().join("wiki.redb"))
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
    client.bring(&page.id, "a.bin", b"x").unwrap().is(201);
    client.find_whole().unwrap();
    server.kill();
    let server = Server::start(&place);
    page.check(&server.client());
    let said = place.said();
    assert!(!said.contains("panicked"), "{said}");
}

/// Runs the whole test, in a cache that `make_read_only` makes unwritable until its view is dropped.
fn run<View>(place: Place, make_read_only: impl Fn(Place) -> (Place, View)) {
    let (server, query) = with_a_picture(&place);
    let known = format!("/thumb?{query}&size=64x64");
    let new = format!("/thumb?{query}&size=65x65");
    assert_eq!(server.client().get_bytes(&known), Ok(200));
    server.end(Signal::TERM);
    let (place, view) = make_read_only(place);
    // A new server, with nothing in memory.
    let pictures = place.path().join("pictures");
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::started(&place, &mut place.serve(&allow));
    let client = server.client();
    for _ in 0..2 {
        client.get(&new).unwrap().refused(507, "read_only");
        assert_eq!(client.get_bytes(&known), Ok(200));
    }
    let whole = client.get_bytes(&format!("/api/image?{query}"));
    assert_eq!(whole, Ok(200));
    drop(view);
    assert_eq!(client.get_bytes(&new), Ok(200));
    let said = place.said();
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn read_only_mount_serves_existing_thumbnails() {
    let place = Place::new();
    let cache = place.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    if ReadOnly::over(&cache).is_none() {
        // Without the right to mount, only the other test is possible.
        return cache_without_write_permission_serves_existing_thumbnails();
    }
    run(place, |place| (place, ReadOnly::over(&cache).unwrap()));
}

#[test]
fn cache_without_write_permission_serves_existing_thumbnails() {
    run(Place::new(), |place| {
        let closed = Closed::over(&place.path().join("cache"));
        (place.started_by(Closed::starter()), closed)
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
