//! The folder of a mirror on a full or read-only disk, or without permission: the state says so, nothing is lost, and
//! the mirror continues without a restart.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::full_disk::Page;
use crate::support::{Client, Disk, Home, ReadOnly, Server, Unwritable, incompressible, until};

fn choose(client: &Client, folder: &Path) {
    let choice = json!({"path": folder.canonicalize().unwrap().to_str().unwrap()});
    let state = client.put_json("/api/mirror", &choice).unwrap().is(200);
    assert_eq!(state.json()["failure"], json!(null));
}

fn update(client: &Client) -> Value {
    client.post("/api/mirror").unwrap().is(200).json()
}

/// Checks a mirror whose folder can't be written between `close` and `open`.
fn run<C>(
    home: &Home,
    folder: &Path,
    failure: &str,
    close: impl FnOnce() -> C,
    open: impl FnOnce(C),
) {
    let server = Server::start(home);
    let client = server.client();
    let mut page = Page::new(&client, "/a", "before");
    choose(&client, folder);
    let file = folder.join("pages/a.md");
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    let closed = close();
    let text = incompressible(200_000);
    let lock = page.lock(&client);
    page.put(&client, &lock, &text).is(200);
    page.text = text;
    let state = update(&client);
    assert_eq!(state["failure"], failure, "{state}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "before");
    page.check(&client);
    open(closed);
    // The next change starts a pass by itself.
    let other = Page::new(&client, "/b", "after");
    until("the mirror continues", || {
        folder.join("pages/b.md").exists()
    });
    let state = update(&client);
    assert_eq!(
        (&state["failure"], &state["outside"]),
        (&json!(null), &json!([]))
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), page.text);
    other.check(&client);
    server.kill();
}

#[test]
fn forbidden_folder_is_reported_and_continues() {
    let home = Home::new().run_under(Unwritable::starter());
    let folder = home.path().join("mirror");
    fs::create_dir(&folder).unwrap();
    run(
        &home,
        &folder,
        "not_permitted",
        || Unwritable::over(&folder),
        drop,
    );
}

#[test]
fn full_folder_is_reported_and_continues() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount, only the other test is possible.
        return forbidden_folder_is_reported_and_continues();
    };
    let home = Home::new();
    let folder = disk.path().join("mirror");
    fs::create_dir(&folder).unwrap();
    run(
        &home,
        &folder,
        "disk_full",
        || disk.fill(),
        |()| disk.empty(),
    );
}

#[test]
fn read_only_folder_is_reported_and_continues() {
    let home = Home::new();
    let folder = home.path().join("mirror");
    fs::create_dir(&folder).unwrap();
    let Some(probe) = ReadOnly::over(&folder) else {
        return forbidden_folder_is_reported_and_continues();
    };
    drop(probe);
    run(
        &home,
        &folder,
        "read_only",
        || ReadOnly::over(&folder).unwrap(),
        drop,
    );
}
