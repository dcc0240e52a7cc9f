//! Ratings on a full disk: written ratings stay, others are unchanged, and once there is room again all works.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Disk, Home, Reply, Server, files};

const PICTURES: [&str; 3] = ["a.jpg", "b.jpg", "c.jpg"];

/// A server with a folder of pictures.
struct Album {
    server: Server,
    root: String,
    folder: PathBuf,
}

impl Album {
    fn open(home: &Home, folder: &Path) -> Self {
        let allow = ["--allow", folder.to_str().unwrap()];
        let server = Server::start_with(home, &mut home.serve(&allow));
        let root = server.client().open_root(folder).is(201).json();
        Self {
            root: root["id"].as_str().unwrap().to_owned(),
            folder: folder.to_owned(),
            server,
        }
    }

    fn rate(&self, names: &[&str]) -> Reply {
        let item = |name: &&str| json!({"root": self.root, "path": name});
        let items: Vec<_> = names.iter().map(item).collect();
        let rated = json!({"items": items, "rating": 4});
        let client = self.server.client();
        client.post_json("/api/files/marks", &rated).unwrap()
    }

    fn rating(&self, name: &str) -> Value {
        let address = format!("/api/files/marks?root={}&path={name}", self.root);
        let client = self.server.client();
        client.get(&address).unwrap().is(200).json()["rating"].take()
    }

    fn names(&self) -> Vec<String> {
        let names = files(&self.folder).into_iter().map(|path| {
            let name = path.file_name().unwrap();
            name.to_str().unwrap().to_owned()
        });
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

/// Rates three pictures, of which the second finds no room.
fn check_full(album: &Album) {
    let before = album.names();
    let rated = album.rate(&PICTURES).is(200).json();
    assert_eq!(rated["marked"].as_array().unwrap().len(), 1);
    assert_eq!(rated["marked"][0]["path"], "a.jpg");
    let failed = rated["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1, "{rated}");
    assert_eq!(failed[0]["name"], "b.jpg", "{rated}");
    assert_eq!(failed[0]["error"]["code"], "disk_full", "{rated}");
    assert_eq!(rated["skipped"], 1, "{rated}");
    album.rate(&["b.jpg", "c.jpg"]).refused(507, "disk_full");
    let ratings = PICTURES.map(|name| album.rating(name));
    assert_eq!(ratings, [json!(4), Value::Null, Value::Null]);
    // No partial file is left.
    let mut with_one_more = before;
    with_one_more.push("a.jpg.xmp".to_owned());
    with_one_more.sort();
    assert_eq!(album.names(), with_one_more);
}

/// Rates the pictures again, with room.
fn check_room(home: &Home, album: &Album) {
    let rated = album.rate(&PICTURES).is(200).json();
    assert_eq!(rated["marked"].as_array().unwrap().len(), 3, "{rated}");
    let ratings = PICTURES.map(|name| album.rating(name));
    assert_eq!(ratings, [4, 4, 4].map(Value::from));
    let stderr = home.stderr();
    assert!(!stderr.contains("panicked"), "{stderr}");
}

fn with_pictures(folder: &Path) {
    fs::create_dir(folder).unwrap();
    for name in PICTURES {
        fs::write(folder.join(name), "picture").unwrap();
    }
}

#[test]
fn full_disk_keeps_earlier_ratings() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount, only the other test is possible.
        return failed_sidecar_rename_keeps_earlier_ratings();
    };
    let folder = disk.path().join("pictures");
    with_pictures(&folder);
    // A large sidecar of other metadata, so that there is room for others but not for it.
    let much = " ".repeat(1 << 20);
    let sidecar = format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'>{much}\
         <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''/></rdf:RDF>\
         </x:xmpmeta>"
    );
    fs::write(folder.join("b.jpg.xmp"), &sidecar).unwrap();
    let home = Home::new();
    let album = Album::open(&home, &folder);
    let room = disk.path().join("room");
    fs::write(&room, vec![7; 256 << 10]).unwrap();
    disk.fill();
    fs::remove_file(&room).unwrap();
    check_full(&album);
    disk.empty();
    check_room(&home, &album);
    let sidecar = fs::read_to_string(folder.join("b.jpg.xmp")).unwrap();
    assert!(sidecar.contains(&much));
}

#[test]
fn failed_sidecar_rename_keeps_earlier_ratings() {
    let home = Home::new();
    let folder = home.path().join("pictures");
    with_pictures(&folder);
    // The relative name that the program uses, from the folder's own handle.
    let home = home.with_no_space_for("b.jpg.xmp", "");
    let album = Album::open(&home, &folder);
    check_full(&album);
    drop(album);
    let home = home.run_under(&[]);
    check_room(&home, &Album::open(&home, &folder));
}
