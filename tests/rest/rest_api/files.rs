//! `/api/files`: renaming, moving, copying, and undoing.

use std::fs;

use serde_json::{Value, json};

use crate::support::pictures::in_root;
use crate::support::{Answer, TestApp};

/// An app with an open folder of pictures.
struct TestFolder {
    app: TestApp,
    root: String,
}

impl TestFolder {
    fn with(names: &[&str]) -> Self {
        let app = TestApp::new();
        let root = app.root();
        fs::create_dir(app.pictures().join("inner")).unwrap();
        for name in names {
            app.file(name, name.as_bytes());
        }
        Self { app, root }
    }

    async fn post(&self, what: &str, body: Value) -> Answer {
        let address = format!("/api/files/{what}");
        self.app.post(&address).json(body).send().await
    }

    async fn rename(&self, names: Value) -> Answer {
        let body = json!({"root": self.root, "path": "", "names": names});
        self.post("rename", body).await
    }

    async fn transfer(&self, what: &str, items: &[&str], to: &str, existing: &str) -> Answer {
        let place = |path: &&str| json!({"root": self.root, "path": path});
        let items: Vec<_> = items.iter().map(place).collect();
        let body = json!({"items": items, "to": place(&to), "existing": existing});
        self.post(what, body).await
    }

    async fn operations(&self) -> Vec<Value> {
        let told = self.app.get("/api/files/operations").send().await;
        told.is(200).json().as_array().unwrap().clone()
    }

    async fn undo(&self, done: &Value) -> Answer {
        let id = done["operation"].as_str().unwrap();
        let address = format!("/api/files/operations/{id}/undo");
        self.app.post(&address).send().await
    }

    /// Checks that each file contains its original name.
    #[track_caller]
    fn check(&self, expected: &[(&str, &str)]) {
        for (name, was) in expected {
            let found = fs::read_to_string(self.app.pictures().join(name));
            assert_eq!(found.unwrap(), *was, "{name}");
        }
    }
}

#[tokio::test]
async fn name_swap_is_listed_and_undone() {
    let folder = TestFolder::with(&["a.jpg", "b.jpg"]);
    let names = json!([{"from": "a.jpg", "to": "b.jpg"}, {"from": "b.jpg", "to": "a.jpg"}]);
    let done = folder.rename(names).await.is(200).json();
    let expected = json!({"operation": done["operation"], "done": 2, "skipped": 0, "failed": []});
    assert_eq!(done, expected);
    folder.check(&[("a.jpg", "b.jpg"), ("b.jpg", "a.jpg")]);
    let [operation] = &folder.operations().await[..] else {
        panic!("one was done");
    };
    let expected = json!({
        "id": done["operation"], "kind": "rename", "at": operation["at"], "count": 2, "name": "a.jpg",
        "undone": false,
    });
    assert_eq!(*operation, expected);
    let undone = folder.undo(&done).await.is(200).json();
    assert_eq!(undone["done"], 2);
    folder.check(&[("a.jpg", "a.jpg"), ("b.jpg", "b.jpg")]);
    folder.undo(&done).await.refused(404, "operation_not_found");
    let [operation] = &folder.operations().await[..] else {
        panic!("one was undone");
    };
    let expected = json!({
        "id": undone["redo"], "kind": "rename", "at": operation["at"], "count": 2, "name": "a.jpg",
        "undone": true,
    });
    assert_eq!(*operation, expected);
    let again = folder.undo(&json!({"operation": undone["redo"]})).await;
    assert!(again.is(200).json()["redo"].is_string());
    folder.check(&[("a.jpg", "b.jpg"), ("b.jpg", "a.jpg")]);
}

#[tokio::test]
async fn taken_name_is_reported_and_nothing_changes() {
    let folder = TestFolder::with(&["a.jpg", "b.jpg", "inner/a.jpg"]);
    let names = json!([{"from": "a.jpg", "to": "b.jpg"}]);
    let refused = folder.rename(names).await.refused(409, "file_name_taken");
    assert_eq!(
        (&refused["names"], &refused["count"]),
        (&json!(["b.jpg"]), &json!(1))
    );
    let moved = folder
        .transfer("move", &["a.jpg", "b.jpg"], "inner", "refuse")
        .await;
    let refused = moved.refused(409, "file_name_taken");
    assert_eq!(
        (&refused["names"], &refused["identical"]),
        (&json!(["a.jpg"]), &json!(0))
    );
    folder.check(&[
        ("a.jpg", "a.jpg"),
        ("b.jpg", "b.jpg"),
        ("inner/a.jpg", "inner/a.jpg"),
    ]);
    assert_eq!(folder.operations().await.len(), 0);
}

#[tokio::test]
async fn conflicts_compare_files_of_the_same_name() {
    let folder = TestFolder::with(&["a.jpg", "b.jpg", "inner/a.jpg"]);
    let place = |path: &str| json!({"root": folder.root, "path": path});
    let planned = json!({"items": [place("b.jpg"), place("a.jpg")], "to": place("inner")});
    let answer = folder.post("conflicts", planned).await.is(200).json();
    let [conflict] = &answer["conflicts"].as_array().unwrap()[..] else {
        panic!("{answer}");
    };
    assert_eq!(answer["count"], json!(1));
    let facts = ["item", "identical"].map(|name| &conflict[name]);
    assert_eq!(facts, [&json!(1), &json!(false)]);
    let sizes = ["file", "existing"].map(|name| conflict[name]["size"].as_u64());
    assert_eq!(sizes, [Some(5), Some(11)]);
}

#[tokio::test]
async fn new_folder_is_created_once() {
    let folder = TestFolder::with(&["inner/a.jpg"]);
    let parent = json!({"root": folder.root, "path": "inner"});
    let create = async |name: &str| {
        let new = json!({"parent": parent, "name": name});
        folder.app.post("/api/folders").json(new).send().await
    };
    let created = create("京都").await.is(201).json();
    assert_eq!(created["path"], json!("inner/京都"));
    assert!(folder.app.pictures().join("inner/京都").is_dir());
    create("京都").await.refused(409, "file_name_taken");
    create("a/b").await.refused(422, "invalid_file_name");
}

#[tokio::test]
async fn moves_and_copies_respect_existing_files() {
    let folder = TestFolder::with(&["a.jpg", "a.jpg.xmp", "inner/a.jpg"]);
    let copied = folder
        .transfer("copy", &["a.jpg"], "inner", "keep_both")
        .await;
    let copied = copied.is(200).json();
    let moved = folder.transfer("move", &["inner/a.jpg"], "", "skip").await;
    assert_eq!(
        moved.is(200).json(),
        json!({"done": 0, "skipped": 1, "failed": []})
    );
    folder.check(&[
        ("inner/a (2).jpg", "a.jpg"),
        ("inner/a (2).jpg.xmp", "a.jpg.xmp"),
    ]);
    let moved = folder
        .transfer("move", &["inner/a (2).jpg"], "", "refuse")
        .await;
    let moved = moved.is(200).json();
    // The copy is not there anymore: there is nothing to remove.
    let undone = folder.undo(&copied).await.is(200).json();
    assert_eq!(undone["done"], 0);
    let undone = folder.undo(&moved).await.is(200).json();
    // The sidecar is moved too, and is not counted.
    assert_eq!(undone["done"], 1);
    folder.check(&[("inner/a (2).jpg", "a.jpg"), ("a.jpg", "a.jpg")]);
}

#[tokio::test]
async fn folder_copy_is_removed_by_undo() {
    let folder = TestFolder::with(&["inner/a.jpg"]);
    let copied = folder.transfer("copy", &["inner"], "", "keep_both").await;
    let copied = copied.is(200).json();
    assert_eq!(copied["done"], 1);
    folder.check(&[
        ("inner (2)/a.jpg", "inner/a.jpg"),
        ("inner/a.jpg", "inner/a.jpg"),
    ]);
    let undone = folder.undo(&copied).await.is(200).json();
    assert_eq!(undone["done"], 1, "{undone}");
    assert!(!folder.app.pictures().join("inner (2)").exists());
}

#[tokio::test]
async fn changed_files_block_undo_unless_partial() {
    let folder = TestFolder::with(&["a.jpg", "b.jpg", "c.jpg"]);
    let moved = folder
        .transfer("move", &["a.jpg", "b.jpg", "c.jpg"], "inner", "refuse")
        .await;
    let moved = moved.is(200).json();
    folder.app.file("inner/a.jpg", b"changed");
    std::fs::remove_file(folder.app.pictures().join("inner/c.jpg")).unwrap();
    let refused = folder.undo(&moved).await.refused(409, "changed_since");
    assert_eq!(refused["names"], json!(["a.jpg", "c.jpg"]));
    assert_eq!(refused["reasons"], json!(["changed", "gone"]));
    assert_eq!(refused["count"], 2);
    folder.check(&[("inner/a.jpg", "changed"), ("inner/b.jpg", "b.jpg")]);
    let id = moved["operation"].as_str().unwrap();
    let address = format!("/api/files/operations/{id}/undo?partly=true");
    let undone = folder.app.post(&address).send().await.is(200).json();
    assert_eq!(undone["done"], 1);
    for (at, name, why) in [(0, "a.jpg", "changed"), (1, "c.jpg", "gone")] {
        let failed = &undone["failed"][at];
        assert_eq!(failed["name"], name);
        assert_eq!(failed["error"]["code"], "changed_since");
        assert_eq!(failed["error"]["names"], json!([name]));
        assert_eq!(failed["error"]["reasons"], json!([why]));
    }
    folder.check(&[("inner/a.jpg", "changed"), ("b.jpg", "b.jpg")]);
}

#[tokio::test]
async fn refused_undo_names_first_hundred_files() {
    let names: Vec<String> = (0..101).map(|at| format!("{at:03}.jpg")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = TestFolder::with(&names);
    let moved = folder.transfer("move", &names, "inner", "refuse").await;
    let moved = moved.is(200).json();
    for name in names {
        std::fs::remove_file(folder.app.pictures().join("inner").join(name)).unwrap();
    }
    let refused = folder.undo(&moved).await.refused(409, "changed_since");
    assert_eq!(refused["count"], 101);
    for field in ["names", "reasons"] {
        assert_eq!(refused[field].as_array().unwrap().len(), 100, "{field}");
    }
}

#[tokio::test]
async fn invalid_operations_are_refused() {
    let folder = TestFolder::with(&["a.jpg"]);
    let rename = |from: &str, to: &str| json!([{"from": from, "to": to}]);
    for (from, to, status, code) in [
        ("a.jpg", "", 422, "invalid_file_name"),
        ("a.jpg", "b/c.jpg", 422, "invalid_file_name"),
        ("a.jpg", ".hidden", 422, "invalid_file_name"),
        ("none.jpg", "b.jpg", 404, "not_found"),
        ("../a.jpg", "b.jpg", 400, "bad_request"),
    ] {
        folder.rename(rename(from, to)).await.refused(status, code);
    }
    for (items, to, status, code) in [
        (&["inner"][..], "inner", 422, "into_itself"),
        (&[""], "inner", 422, "folder_protected"),
        (&["a.jpg", "a.jpg"], "inner", 400, "bad_request"),
        (&["none.jpg"], "inner", 404, "not_found"),
        (&["../a.jpg"], "inner", 403, "outside_roots"),
        (&["a.jpg"], "none", 404, "not_found"),
        (&["a.jpg"], "a.jpg", 422, "not_a_folder"),
        (&[], "inner", 400, "bad_request"),
    ] {
        let moved = folder.transfer("move", items, to, "refuse").await;
        moved.refused(status, code);
    }
    let deep = folder.app.pictures().join("deep");
    fs::create_dir_all(deep.join(["f"; 130].join("/"))).unwrap();
    let copied = folder.transfer("copy", &["deep"], "inner", "refuse").await;
    let refused = copied.refused(422, "folder_not_copied");
    assert_eq!(refused["count"], 1);
    let binned = folder.post("bin", json!({"items": []})).await;
    binned.refused(400, "bad_request");
    folder.check(&[("a.jpg", "a.jpg")]);
}

#[tokio::test]
async fn files_of_one_picture_stay_together() {
    let folder = TestFolder::with(&["a.CR3", "a.jpg", "b.jpg"]);
    let address = in_root("/api/folders", &folder.root, "");
    let joined = format!("{address}&joined=true");
    let listing = folder.app.get(&joined).send().await.is(200).json();
    assert_eq!(
        (&listing["total"], &listing["pictures"]),
        (&json!(3), &json!(2))
    );
    let [_, picture, other] = &listing["entries"].as_array().unwrap()[..] else {
        panic!("{listing}");
    };
    let companion = &picture["companions"][0];
    assert_eq!(
        (&picture["name"], &companion["name"], &companion["part"]),
        (&json!("a.jpg"), &json!("a.CR3"), &json!("raw"))
    );
    assert!(companion["version"].is_string());
    assert!(other.get("companions").is_none());
    let apart = folder.app.get(&address).send().await.is(200).json();
    assert!(apart["entries"].as_array().unwrap().len() == 4);
    let items = json!([{"root": folder.root, "path": "a.jpg"}]);
    let marks = json!({"items": items, "rating": 4, "joined": true});
    let marked = folder.post("marks", marks).await.is(200).json();
    assert_eq!(marked["marked"].as_array().unwrap().len(), 1);
    let read = in_root("/api/files/marks", &folder.root, "a.jpg");
    let read = folder.app.get(&format!("{read}&joined=true")).send().await;
    assert_eq!(read.is(200).json()["rating"], 4);
    let names = json!([{"from": "a.jpg", "to": "c.jpg"}]);
    let body = json!({"root": folder.root, "names": names, "joined": true});
    assert_eq!(folder.post("rename", body).await.is(200).json()["done"], 1);
    folder.check(&[("c.jpg", "a.jpg"), ("c.CR3", "a.CR3")]);
    let items = json!([{"root": folder.root, "path": "c.jpg"}]);
    let body = json!({"items": items, "joined": true});
    let done = folder.post("bin", body).await.is(200).json();
    assert!(!folder.app.pictures().join("c.CR3").exists());
    folder.undo(&done).await.is(200);
    folder.check(&[("c.jpg", "a.jpg"), ("c.CR3", "a.CR3")]);
}

#[tokio::test]
async fn dropped_files_come_from_closed_folders() {
    let folder = TestFolder::with(&["a.jpg"]);
    let outside = folder.app.base_dir().join("outside");
    fs::create_dir(&outside).unwrap();
    for name in ["a.jpg", "b.jpg"] {
        fs::write(outside.join(name), format!("outside {name}")).unwrap();
    }
    let (window, cookie) = folder.app.window().await;
    let grant = |name: &str| folder.app.inner.grant(outside.join(name), window.clone());
    let grants = [grant("a.jpg"), grant("b.jpg")];
    let to = json!({"root": folder.root, "path": ""});
    let receive = async |what: &str, body: Value| {
        let address = format!("/api/files/{what}");
        let request = folder.app.unauthenticated("POST", &address);
        request.header("cookie", &cookie).json(body).send().await
    };
    let body = json!({"grants": grants, "to": to});
    let foreign = folder.post("copy", body.clone()).await;
    foreign.refused(403, "grant_invalid");
    // A question about a name does not use the grants up.
    let taken = receive("copy", body).await.refused(409, "file_name_taken");
    assert_eq!(taken["names"], json!(["a.jpg"]));
    let body = json!({"grants": grants, "to": to, "existing": "keep_both"});
    let copied = receive("copy", body.clone()).await.is(200).json();
    assert_eq!(copied["done"], 2);
    let files = [
        ("a.jpg", "a.jpg"),
        ("a (2).jpg", "outside a.jpg"),
        ("b.jpg", "outside b.jpg"),
    ];
    folder.check(&files);
    receive("copy", body).await.refused(403, "grant_invalid");
    folder.undo(&copied).await.is(200);
    let body = json!({"grants": [grant("b.jpg")], "to": to});
    let moved = receive("move", body).await.is(200).json();
    assert!(!outside.join("b.jpg").exists());
    folder.check(&[("b.jpg", "outside b.jpg")]);
    folder.undo(&moved).await.is(200);
    assert!(outside.join("b.jpg").exists());
}
