//! A kill while a file is copied without unnamed files: the partial copy has a name of its own, and is
//! removed when the copying is undone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Client, Home, Server, files};

/// Returns a server that may change the pictures, and their folder's id.
fn start(home: &Home, pictures: &Path) -> (Server, String) {
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(home, &mut home.serve(&allow));
    let root = server.client().open_root(pictures).is(201).json();
    let id = root["id"].as_str().unwrap().to_owned();
    (server, id)
}

/// Makes the program find no unnamed files in the folder, and kills it before a completely written file there
/// gets its name.
fn with_killer(home: Home, folder: &Path) -> Home {
    let options = [
        "--trace=openat,renameat2",
        // The first call that opens something in it.
        "--inject=openat:error=EOPNOTSUPP:when=1",
        "--inject=renameat2:signal=KILL",
    ];
    home.with_faults(folder.to_str().unwrap(), &options)
}

fn recent(client: &Client) -> Vec<Value> {
    let recent = client.get("/api/files/operations").unwrap().is(200).json();
    recent.as_array().unwrap().clone()
}

#[test]
fn undo_removes_the_partial_copy() {
    let home = Home::new();
    let pictures = home.path().join("pictures");
    let target = pictures.join("there");
    fs::create_dir_all(&target).unwrap();
    fs::write(pictures.join("a.jpg"), "picture").unwrap();
    let home = with_killer(home, &target);
    let (server, root) = start(&home, &pictures);
    let items = [json!({"root": root, "path": "a.jpg"})];
    let copy = json!({"items": items, "to": {"root": root, "path": "there"}});
    let lost = server.client().post_json("/api/files/copy", &copy);
    assert!(lost.is_err(), "{lost:?}");
    drop(server);
    let leftovers = files(&target);
    let [leftover]: [PathBuf; 1] = leftovers.try_into().unwrap();
    let name = leftover.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.starts_with(".fumikura-copy-"), "{name}");

    let home = home.run_under(&[]);
    let (server, _) = start(&home, &pictures);
    let client = server.client();
    let operations = recent(&client);
    assert_eq!(operations.len(), 1);
    let id = operations[0]["id"].as_str().unwrap();
    assert!(name.contains(id), "{name} does not contain {id}");
    let undone = client.post(&format!("/api/files/operations/{id}/undo"));
    undone.unwrap().is(200);
    assert_eq!(files(&pictures), [pictures.join("a.jpg")]);
    assert_eq!(recent(&client).len(), 0);
}
