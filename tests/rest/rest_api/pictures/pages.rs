//! `GET /api/files/pages`: the pages that have a picture among their files.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::pictures::{in_root, png, sized_png};

impl TestApp {
    async fn pages_with(&self, root: &str, name: &str) -> Vec<Value> {
        let address = in_root("/api/files/pages", root, name);
        let told = self.get(&address).send().await;
        told.is(200).json().as_array().unwrap().clone()
    }
}

#[tokio::test]
async fn pages_with_the_picture_are_listed_by_age() {
    let app = TestApp::new();
    let root = app.root();
    let (picture, other) = (png([0, 90, 0]), png([0, 91, 0]));
    assert_eq!(picture.len(), other.len());
    app.file("moss.png", &picture);
    app.file("other.png", &other);
    app.file("nowhere.png", &sized_png(3, 3, [0, 0, 0]));
    let first = app.page("/z", "# Moss\n").await;
    app.advance(Duration::from_secs(1));
    let second = app.page("/a", "text").await;
    app.add_asset(&second, "another name.png", &picture).await;
    app.add_asset(&first, "a.png", &picture).await;
    // A page that has it twice is listed once.
    app.add_asset(&first, "b.png", &picture).await;
    let expected = json!([
        {"page_id": first, "path": "/z", "title": "Moss"},
        {"page_id": second, "path": "/a", "title": null},
    ]);
    assert_eq!(json!(app.pages_with(&root, "moss.png").await), expected);
    // The same size, but another picture.
    assert!(app.pages_with(&root, "other.png").await.is_empty());
    assert!(app.pages_with(&root, "nowhere.png").await.is_empty());
}

#[tokio::test]
async fn page_file_changes_are_seen_at_once() {
    let app = TestApp::new();
    let root = app.root();
    let picture = png([0, 90, 0]);
    app.file("moss.png", &picture);
    assert!(app.pages_with(&root, "moss.png").await.is_empty());
    let page = app.page("/a", "text").await;
    let asset = app.add_asset(&page, "moss.png", &picture).await;
    assert_eq!(app.pages_with(&root, "moss.png").await.len(), 1);
    let file = format!("/api/assets/{asset}");
    app.delete(&file).send().await.is(204);
    assert!(app.pages_with(&root, "moss.png").await.is_empty());
    app.post(&format!("{file}/restore")).send().await.is(204);
    assert_eq!(app.pages_with(&root, "moss.png").await.len(), 1);
    let page = format!("/api/pages/{page}");
    app.delete(&page).send().await.is(204);
    assert!(app.pages_with(&root, "moss.png").await.is_empty());
}

#[tokio::test]
async fn drafts_are_not_listed() {
    let app = TestApp::new();
    let root = app.root();
    let picture = png([0, 90, 0]);
    app.file("moss.png", &picture);
    let draft = app.draft("/a").await;
    app.add_asset(&draft.id, "moss.png", &picture).await;
    assert!(app.pages_with(&root, "moss.png").await.is_empty());
    app.save(&draft, "text").await.is(200);
    assert_eq!(app.pages_with(&root, "moss.png").await.len(), 1);
}

#[tokio::test]
async fn non_pictures_are_refused() {
    let app = TestApp::new();
    let root = app.root();
    app.file("note.txt", b"no picture");
    let ask = |name: &str| in_root("/api/files/pages", &root, name);
    let answer = app.get(&ask("note.txt")).send().await;
    answer.refused(415, "not_a_picture");
    let answer = app.get(&ask("gone.png")).send().await;
    answer.refused(404, "not_found");
}
