//! `POST /api/pages/{id}/assets`: adds pictures of open folders to a page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::pictures::{png, sized_png};

impl TestApp {
    async fn from_files(&self, page: &str, items: Value, free_names: bool) -> Vec<Value> {
        let address = format!("/api/pages/{page}/assets");
        let body = json!({"items": items, "free_names": free_names});
        let answer = self.post(&address).json(body).send().await;
        answer.is(200).json().as_array().unwrap().clone()
    }
}

/// Returns for each file the name under which it was added, or the error code.
fn outcomes(added: &[Value]) -> Vec<&str> {
    let told = added.iter().map(|file| {
        let name = file["asset"]["file_name"].as_str();
        name.unwrap_or_else(|| file["error"]["code"].as_str().unwrap())
    });
    told.collect()
}

#[tokio::test]
async fn pictures_are_copied_in_request_order() {
    let app = TestApp::new();
    let (page, root) = (app.page("/a", "text").await, app.root());
    std::fs::create_dir(app.pictures().join("京都")).unwrap();
    let moss = app.file("京都/moss.png", &png([0, 90, 0]));
    app.file(b"caf\xe9.png", &png([1, 2, 3]));
    app.file("large.png", &sized_png(900, 900, [1, 2, 3]));
    let items = json!([
        {"root": root, "path": "large.png"},
        {"root": root, "path": "京都/moss.png"},
    ]);
    let added = app.from_files(&page, items, false).await;
    assert_eq!(outcomes(&added), ["large.png", "moss.png"]);
    assert_eq!(added[1]["name"], "moss.png");
    assert_eq!(added[1]["error"], Value::Null);
    assert_eq!(added[1]["asset"]["mime"], "image/png");
    let mut listed = app.assets(&page, false).await;
    listed.sort_by_key(|asset| asset["file_name"].to_string());
    assert_eq!(listed[1], added[1]["asset"]);
    let id = added[1]["asset"]["id"].as_str().unwrap();
    let kept = app.get(&super::asset(id)).send().await;
    assert_eq!(kept.is(200).body, std::fs::read(moss).unwrap());
}

#[tokio::test]
async fn refused_picture_does_not_block_others() {
    let app = TestApp::new();
    let (page, root) = (app.page("/a", "text").await, app.root());
    app.file("moss.png", &png([0, 90, 0]));
    app.file("note.txt", b"no picture");
    app.file(b"caf\xe9.png", &png([1, 2, 3]));
    let mut huge = png([1, 2, 3]);
    huge.resize((1 << 20) + 1, 0);
    app.file("huge.png", &huge);
    let bytes = STANDARD.encode(b"caf\xe9.png");
    let items = json!([
        {"root": root, "path": "gone.png"},
        {"root": root, "path": "../secret.png"},
        {"root": UNKNOWN_ID, "path": "moss.png"},
        {"root": root, "path": "note.txt"},
        {"root": root, "path_bytes": bytes},
        {"root": root, "path": "huge.png"},
        {"root": root},
        {"root": root, "path": "moss.png"},
        {"root": root, "path": "moss.png"},
    ]);
    let added = app.from_files(&page, items, false).await;
    let expected = [
        "not_found",
        "outside_roots",
        "root_not_found",
        "not_a_picture",
        "invalid_file_name",
        "too_large",
        "bad_request",
        "moss.png",
        "file_name_taken",
    ];
    assert_eq!(outcomes(&added), expected);
    assert_eq!(added[0]["name"], "gone.png");
    assert_eq!(app.assets(&page, false).await.len(), 1);
    assert_eq!(app.stored_files(), 1);
}

#[tokio::test]
async fn taken_name_gets_a_number_on_request() {
    let app = TestApp::new();
    let (page, root) = (app.page("/a", "text").await, app.root());
    app.file("moss.png", &png([0, 90, 0]));
    let item = json!({"root": root, "path": "moss.png"});
    let added = app.from_files(&page, json!([item, item]), true).await;
    assert_eq!(outcomes(&added), ["moss.png", "moss-2.png"]);
}

#[tokio::test]
async fn link_out_of_root_is_not_followed() {
    let app = TestApp::new();
    let (page, root) = (app.page("/a", "text").await, app.root());
    let secret = app.base_dir().join("secret.png");
    std::fs::write(&secret, png([9, 9, 9])).unwrap();
    std::os::unix::fs::symlink(&secret, app.pictures().join("way.png")).unwrap();
    let items = json!([{"root": root, "path": "way.png"}]);
    let added = app.from_files(&page, items, false).await;
    assert_eq!(outcomes(&added), ["outside_roots"]);
    assert_eq!(app.stored_files(), 0);
}

#[tokio::test]
async fn unknown_page_is_reported() {
    let app = TestApp::new();
    let root = app.root();
    app.file("moss.png", &png([0, 90, 0]));
    let items = json!([{"root": root, "path": "moss.png"}]);
    let added = app.from_files(UNKNOWN_ID, items, false).await;
    assert_eq!(outcomes(&added), ["page_not_found"]);
    assert_eq!(app.stored_files(), 0);
}
