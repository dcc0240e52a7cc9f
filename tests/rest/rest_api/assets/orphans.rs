//! Files whose pages are deleted, restored, or permanently deleted (docs/spec/wiki.md, Files).

use serde_json::{Value, json};

use super::asset;
use crate::support::TestApp;

async fn zombies(app: &TestApp) -> Vec<Value> {
    let zombies = app.get("/api/assets/zombies").send().await;
    zombies.is(200).json().as_array().unwrap().clone()
}

fn page(id: &str) -> String {
    format!("/api/pages/{id}")
}

#[tokio::test]
async fn files_are_deleted_and_restored_with_page() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let file = app.add_asset(&id, "a.txt", b"x").await;
    app.delete(&page(&id)).send().await.is(204);
    assert!(app.assets(&id, false).await.is_empty());
    let listed = app.assets(&id, true).await;
    assert_eq!(listed[0]["state"], "deleted_with_page");
    let shown = app.get(&asset(&file)).send().await;
    shown.is(200).has("x-asset-deleted", "true");
    for call in [
        app.post(&super::upload_address(&id, "b.txt"))
            .body("text/plain", "x"),
        app.post(&format!("/api/assets/{file}/restore")),
    ] {
        call.send().await.refused(410, "deleted");
    }
    let found = app.get("/api/asset?path=/a&file=a.txt").send().await;
    assert_eq!(found.status, 404);
    let restore = app.post(&(page(&id) + "/path?restore_to=/b"));
    restore.send().await.is(204);
    assert_eq!(app.assets(&id, false).await.len(), 1);
    let found = app.get("/api/asset?path=/b&file=a.txt").send().await;
    found.is(302).has("location", &asset(&file));
}

#[tokio::test]
async fn orphan_is_adopted_or_purged() {
    let app = TestApp::new();
    let gone = app.page("/旅/京都", "text").await;
    let first = app.add_asset(&gone, "a.txt", b"first").await;
    app.advance(std::time::Duration::from_secs(1));
    let second = app.add_asset(&gone, "b.txt", b"second").await;
    let hard = page(&gone) + "?hard=true";
    app.delete(&hard).send().await.is(204);
    let found = zombies(&app).await;
    let of = |field: &str| -> Vec<&Value> { found.iter().map(|it| &it[field]).collect() };
    assert_eq!(json!(of("id")), json!([first, second]));
    assert_eq!(json!(of("state")), json!(["zombie", "zombie"]));
    assert_eq!(json!(of("page_id")), json!([null, null]));
    assert_eq!(json!(of("last_path")), json!(["/旅/京都", "/旅/京都"]));
    // An orphaned file can still be viewed, to decide about it.
    let shown = app.get(&asset(&first)).send().await;
    assert_eq!(shown.is(200).body, "first");
    let one = format!("/api/assets/{first}");
    let restore = app.post(&format!("{one}/restore")).send().await;
    restore.refused(409, "asset_orphaned");
    let soft = app.delete(&one).send().await;
    soft.refused(409, "asset_orphaned");
    let rename = app.patch(&one).json(json!({"file_name": "c.txt"}));
    rename.send().await.refused(409, "asset_orphaned");

    let other = app.page("/b", "text").await;
    app.add_asset(&other, "a.txt", b"in the way").await;
    let give = format!("{one}/owner?page_id={other}");
    let taken = app.post(&give).send().await;
    taken.refused(409, "file_name_taken");
    let free = app.page("/c", "text").await;
    let give = format!("{one}/owner?page_id={free}");
    app.post(&give).send().await.is(204);
    assert_eq!(app.assets(&free, false).await[0]["id"], first);
    let purge = format!("/api/assets/{second}?hard=true");
    app.delete(&purge).send().await.is(204);
    assert!(zombies(&app).await.is_empty());
    let purged = app.get(&asset(&second)).send().await;
    purged.refused(404, "asset_not_found");
    // A page in the trash can't adopt it.
    app.delete(&page(&free)).send().await.is(204);
    let back = app.post(&give).send().await;
    back.refused(410, "deleted");
}

#[tokio::test]
async fn file_is_found_by_former_page_path() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let file = app.add_asset(&id, "a.png", b"x").await;
    let rename = app.post(&(page(&id) + "/path?rename_to=/b"));
    rename.send().await.is(200);
    for path in ["/a", "/b"] {
        let address = format!("/api/asset?path={path}&file=a.png");
        let found = app.get(&address).send().await;
        found.is(302).has("location", &asset(&file));
    }
}

#[tokio::test]
async fn file_lists_are_paged() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    for name in ["a", "b", "c"] {
        app.add_asset(&id, name, b"x").await;
        app.advance(std::time::Duration::from_secs(1));
    }
    let of_page = format!("/api/pages/{id}/assets");
    check_parts(&app, &of_page).await;
    app.delete(&(page(&id) + "?hard=true")).send().await.is(204);
    check_parts(&app, "/api/assets/zombies").await;
}

/// Checks the parts of a list of the files a, b and c.
async fn check_parts(app: &TestApp, address: &str) {
    for (query, expected) in [
        ("", "abc"),
        ("?limit=2", "ab"),
        ("?limit=2&offset=2", "c"),
        ("?offset=1", "bc"),
        ("?offset=3", ""),
        ("?offset=18446744073709551615&limit=1000", ""),
    ] {
        let part = app.get(&format!("{address}{query}")).send().await;
        let part = part.is(200).json();
        let names = part.as_array().unwrap().iter();
        let names: String = names
            .map(|file| file["file_name"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected, "{address}{query}");
    }
    for query in ["limit=0", "limit=1001", "limit=x", "offset=-1"] {
        let refused = app.get(&format!("{address}?{query}")).send().await;
        refused.refused(400, "bad_request");
    }
}
