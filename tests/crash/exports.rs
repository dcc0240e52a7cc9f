//! Exports on a full disk: finished files stay, and there is no part of another.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Disk, Home, Server, files};

#[test]
fn full_disk_ends_an_export_without_a_part() {
    let Some(disk) = Disk::mounted() else {
        return;
    };
    let home = Home::new();
    let folder = home.path().join("pictures");
    fs::create_dir(&folder).unwrap();
    let fixture = fumikura_tests::seed::fixture("images/orientation/Landscape_6.jpg");
    let picture = fs::read(fixture).unwrap();
    let names = ["a.jpg", "b.jpg", "c.jpg"];
    for name in names {
        fs::write(folder.join(name), &picture).unwrap();
    }
    let mut roots = Vec::new();
    let allow = [&folder, disk.path()].map(|folder| folder.to_str().unwrap());
    let server = Server::start_with(
        &home,
        &mut home.serve(&["--allow", allow[0], "--allow", allow[1]]),
    );
    let client = server.client();
    for folder in [&folder, disk.path()] {
        let root = client.open_root(folder).is(201).json();
        roots.push(root["id"].as_str().unwrap().to_owned());
    }
    let items = names.map(|name| json!({"root": roots[0], "path": name}));
    let to = json!({"root": roots[1], "path": ""});
    let of =
        |items: &[Value]| json!({"items": items, "to": to, "format": "tiff", "metadata": "none"});
    let export = |items| client.post_json("/api/files/export", &of(items)).unwrap();
    // Room for one of them.
    export(&items).is(200);
    let length = fs::metadata(disk.path().join("a.tif")).unwrap().len();
    for name in ["a.tif", "b.tif", "c.tif"] {
        fs::remove_file(disk.path().join(name)).unwrap();
    }
    let room = disk.path().join("room");
    fs::write(&room, vec![7; usize::try_from(length * 3 / 2).unwrap()]).unwrap();
    disk.fill();
    fs::remove_file(&room).unwrap();
    export(&items[..1]).is(200);
    export(&items[1..]).refused(507, "disk_full");
    let mut left = files(disk.path());
    left.sort();
    assert_eq!(left, ["a.tif", "filler"].map(|name| disk.path().join(name)));
}
