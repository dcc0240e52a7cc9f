//! Files that a user moves and deletes: the desktop's trash, other disks, and operations that outlive the program.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::full_disk::prlimit;
use crate::support::{Client, Disk, Home, Server, files};

/// Returns a server that may change a folder of pictures, and that folder's id.
fn start(home: &Home, pictures: &Path) -> (Server, String) {
    fs::create_dir_all(pictures).unwrap();
    let allow = ["--allow", pictures.to_str().unwrap()];
    let server = Server::start_with(home, &mut home.serve(&allow));
    let root = server.client().open_root(pictures).is(201).json();
    let id = root["id"].as_str().unwrap().to_owned();
    (server, id)
}

fn undo(client: &Client, done: &Value) -> Value {
    let id = done["operation"].as_str().unwrap();
    let undone = client.post(&format!("/api/files/operations/{id}/undo"));
    undone.unwrap().is(200).json()
}

#[test]
fn trashed_files_are_restored_after_restart() {
    let home = Home::new();
    let pictures = home.path().join("pictures");
    let (server, root) = start(&home, &pictures);
    // One name needs percent-encoding in an address.
    let names = ["夏 #1%.jpg", "夏 #1%.jpg.xmp", "a.jpg"];
    for name in names {
        fs::write(pictures.join(name), name).unwrap();
    }
    let items = [
        json!({"root": root, "path": names[0]}),
        json!({"root": root, "path": names[2]}),
    ];
    let client = server.client();
    let binned = client.post_json("/api/files/bin", &json!({"items": items}));
    let binned = binned.unwrap().is(200).json();
    assert_eq!(
        (&binned["done"], &binned["failed"]),
        (&json!(2), &json!([]))
    );
    assert_eq!(files(&pictures).len(), 0);
    let bin = home.path().join(".local/share/Trash");
    assert_eq!(files(&bin.join("files")).len(), 3);
    // Other programs can read their original paths.
    let notes = files(&bin.join("info"))
        .into_iter()
        .map(|note| fs::read_to_string(note).unwrap());
    let path = format!("Path={}/", pictures.canonicalize().unwrap().display());
    assert!(notes.into_iter().all(|note| note.contains(&path)));
    server.stop(Signal::TERM);

    let (server, _) = start(&home, &pictures);
    assert_eq!(undo(&server.client(), &binned)["done"], 2);
    for name in names {
        assert_eq!(fs::read_to_string(pictures.join(name)).unwrap(), name);
    }
    assert_eq!(files(&bin).len(), 0);
}

/// Moves files between a folder of pictures and one on another disk that takes no file of more than 64 MiB,
/// and checks the reason `why` of the refusal. `limit` sets the limit on the server's files, if the disk does
/// not.
fn run(home: &Home, target: &Path, limit: impl Fn(&Server), why: (u16, &str)) {
    let pictures = home.path().join("pictures");
    fs::create_dir(&pictures).unwrap();
    fs::create_dir(target).unwrap();
    let disks = [&pictures, target].map(|folder| fs::metadata(folder).unwrap().dev());
    assert_ne!(
        disks[0],
        disks[1],
        "{} is on the same disk",
        target.display()
    );
    let allowed = [&pictures, target].map(|folder| folder.to_str().unwrap());
    let server = Server::start_with(
        home,
        &mut home.serve(&["--allow", allowed[0], "--allow", allowed[1]]),
    );
    limit(&server);
    let client = server.client();
    let [root, stick] = [&pictures, target].map(|folder| {
        let root = client.open_root(folder).is(201).json();
        root["id"].as_str().unwrap().to_owned()
    });
    let large = vec![7; 90 << 20];
    fs::write(pictures.join("large.jpg"), &large).unwrap();
    fs::write(pictures.join("small.jpg"), "small").unwrap();
    let transfer = |names: &[&str]| {
        let at = |name: &&str| json!({"root": root, "path": name});
        let items: Vec<_> = names.iter().map(at).collect();
        json!({"items": items, "to": {"root": stick, "path": ""}})
    };
    let moved = client.post_json("/api/files/move", &transfer(&["large.jpg"]));
    moved.unwrap().refused(why.0, why.1);
    assert!(fs::read(pictures.join("large.jpg")).unwrap() == large);
    assert_eq!(files(target).len(), 0);
    // Nothing is left of the partial copy: there is room again.
    let moved = client.post_json("/api/files/move", &transfer(&["small.jpg", "large.jpg"]));
    let moved = moved.unwrap().is(200).json();
    assert_eq!(
        (&moved["done"], &moved["failed"][0]["error"]["code"]),
        (&json!(1), &json!(why.1))
    );
    assert_eq!(
        fs::read_to_string(target.join("small.jpg")).unwrap(),
        "small"
    );
    assert_eq!(undo(&client, &moved)["done"], 1);
    assert_eq!(files(&pictures).len(), 2);
    assert_eq!(files(target).len(), 0);
}

#[test]
fn move_to_a_full_disk_keeps_the_original() {
    let Some(disk) = Disk::mounted() else {
        // Without the right to mount there is no disk to fill, and only the other test is possible.
        return move_beyond_file_size_limit_keeps_the_original();
    };
    let stick = disk.path().join("stick");
    run(&Home::new(), &stick, |_| (), (507, "disk_full"));
}

#[test]
fn move_beyond_file_size_limit_keeps_the_original() {
    // In memory, so that it is another disk on any system. The limit makes it similar to FAT. The signal that
    // comes with the limit would end the program; a disk sends none.
    let memory = tempfile::tempdir_in("/dev/shm").unwrap();
    let home = Home::new().run_under(&["env", "--ignore-signal=XFSZ"]);
    let limit = |server: &Server| prlimit(server, &(64_u64 << 20).to_string());
    let stick = memory.path().join("stick");
    run(&home, &stick, limit, (413, "too_large"));
}
