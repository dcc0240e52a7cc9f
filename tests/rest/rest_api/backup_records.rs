//! `/api/backups/{name}/records`.

use std::fs;
use std::path::{Path, PathBuf};

use fumikura_hashes::HashFolder;
use serde_json::{Value, json};

use crate::support::TestApp;

/// Makes a backup, and returns its name.
async fn back_up(app: &TestApp) -> String {
    let started = app.post("/api/backup").send().await.is(202).json();
    let job = app.job_end(started["id"].as_str().unwrap()).await;
    assert_eq!(job["result"]["proved"], true, "{job}");
    let folder = Path::new(job["result"]["folder"].as_str().unwrap());
    folder.file_name().unwrap().to_str().unwrap().to_owned()
}

#[tokio::test]
async fn hash_records_and_sidecars_are_brought_back() {
    let app = TestApp::new();
    let pictures = app.pictures();
    fs::create_dir_all(pictures.join("below")).unwrap();
    for (name, text) in [
        ("a.jpg.xmp", "a"),
        ("below/b.XMP", "b"),
        ("below/c.xmp", "c"),
        ("d.jpg", "d"),
    ] {
        fs::write(pictures.join(name), text).unwrap();
    }
    app.root();
    let hashes = app.base_dir().join("data/hashes");
    HashFolder::create(&hashes).unwrap();
    fs::write(hashes.join("~pictures~d.jpg"), "record").unwrap();

    // Only on request.
    let plain = back_up(&app).await;
    let none = app.get(&format!("/api/backups/{plain}/records"));
    let none = none.send().await.is(200).json();
    assert_eq!(none, json!({"items": [], "total": 0}));
    let patch = json!({"folder_records_in_backups": true});
    let patch = app.patch("/api/settings").json(patch).send().await;
    patch.is(200);
    let name = back_up(&app).await;
    let list = app.get("/api/backups").send().await.is(200).json();
    let listed = list["backups"].as_array().unwrap().iter();
    let mut listed = listed.filter(|backup| backup["name"] == *name);
    let counts = &listed.next().unwrap()["folder_records"];
    let expected = json!({"hashes": 1, "sidecars": 3, "unavailable": []});
    assert_eq!(*counts, expected);

    fs::remove_file(pictures.join("a.jpg.xmp")).unwrap();
    fs::write(pictures.join("below/c.xmp"), "changed").unwrap();
    fs::remove_file(hashes.join("~pictures~d.jpg")).unwrap();
    let states = async || {
        let list = app.get(&format!("/api/backups/{name}/records"));
        let list = list.send().await.is(200).json();
        let items = list["items"].as_array().unwrap().iter();
        let state = |item: &Value| format!("{} {}", item["path"], item["state"]).replace('"', "");
        items.map(state).collect::<Vec<_>>()
    };
    let before = [
        "~pictures~d.jpg missing",
        "a.jpg.xmp missing",
        "below/b.XMP same",
        "below/c.xmp changed",
    ];
    assert_eq!(states().await, before);
    let restore = async || {
        let call = app.post(&format!("/api/backups/{name}/records/restore"));
        call.send().await.is(200).json()
    };
    let changed = format!("{}/below/c.xmp", pictures.display());
    let expected = json!({"restored": 2, "same": 1, "changed": [changed], "unavailable": []});
    assert_eq!(restore().await, expected);
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    assert_eq!(read(pictures.join("a.jpg.xmp")), "a");
    assert_eq!(read(pictures.join("below/c.xmp")), "changed");
    assert_eq!(read(hashes.join("~pictures~d.jpg")), "record");
    assert_eq!(fs::read_dir(&pictures).unwrap().count(), 3);

    // A folder that is no longer there gets nothing.
    fs::remove_dir_all(pictures.join("below")).unwrap();
    let expected = restore().await;
    assert_eq!(expected["unavailable"].as_array().unwrap().len(), 2);
    assert!(!pictures.join("below").exists());
}
