//! `/api/users/me/folders`: the folders that a user visited last.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Answer, NOON, TestApp};

const FOLDERS: &str = "/api/users/me/folders";

async fn note(app: &TestApp, root: &str, path: &str) -> Answer {
    let address = format!("{FOLDERS}?root={root}&path={path}");
    app.post(&address).send().await
}

async fn list_folders(app: &TestApp) -> Value {
    app.get(FOLDERS).send().await.is(200).json()
}

/// Returns the noted paths in the app's root.
async fn paths(app: &TestApp) -> Vec<String> {
    let told = list_folders(app).await;
    let folders = told.as_array().unwrap().iter();
    let path = |folder: &Value| folder["path"].as_str().unwrap().to_owned();
    folders.map(path).collect()
}

#[tokio::test]
async fn recently_viewed_folders_are_stored_per_user() {
    let app = TestApp::empty();
    app.get(FOLDERS).send().await.refused(404, "no_user");
    let root = app.root();
    note(&app, &root, "").await.refused(404, "no_user");
    let app = TestApp::new();
    let root = app.root();
    assert_eq!(list_folders(&app).await, json!([]));
    for path in ["2026", "2026/%E6%97%85", "", "2026"] {
        note(&app, &root, path).await.is(204);
    }
    let folder = |path: &str| json!({"root": root, "path": path, "at": NOON});
    let all = json!([folder("2026"), folder(""), folder("2026/旅")]);
    assert_eq!(list_folders(&app).await, all);
    let app = app.restart(|_| {});
    assert_eq!(list_folders(&app).await, all);
}

#[tokio::test]
async fn paths_are_bytes_in_normal_form() {
    let app = TestApp::new();
    let root = app.root();
    note(&app, &root, "a%FFb/c").await.is(204);
    let folder = json!({
        "root": root, "path": "a\u{fffd}b/c", "path_bytes": "Yf9iL2M=", "at": NOON,
    });
    assert_eq!(list_folders(&app).await, json!([folder]));
    note(&app, &root, "a%FFb//./c/").await.is(204);
    assert_eq!(list_folders(&app).await, json!([folder]));
}

#[tokio::test]
async fn missing_folder_is_listed_until_root_closes() {
    let app = TestApp::new();
    let root = app.root();
    fs::create_dir(app.pictures().join("here")).unwrap();
    note(&app, &root, "here").await.is(204);
    note(&app, &root, "never").await.is(204);
    fs::remove_dir(app.pictures().join("here")).unwrap();
    assert_eq!(paths(&app).await, ["never", "here"]);
    let address = format!("/api/roots/{root}");
    app.delete(&address).send().await.is(204);
    assert_eq!(list_folders(&app).await, json!([]));
    note(&app, &root, "here")
        .await
        .refused(404, "root_not_found");
}

#[tokio::test]
async fn forgotten_folder_is_no_longer_listed() {
    let app = TestApp::new();
    let root = app.root();
    for path in ["a", "b%FF"] {
        note(&app, &root, path).await.is(204);
    }
    let forget = |path: &str| {
        let address = format!("{FOLDERS}?root={root}&path={path}");
        app.delete(&address).send()
    };
    forget("b%FF").await.is(204);
    forget("b%FF").await.is(204);
    assert_eq!(paths(&app).await, ["a"]);
    // Also if its root has been closed meanwhile.
    app.delete(&format!("/api/roots/{root}"))
        .send()
        .await
        .is(204);
    forget("a").await.is(204);
}

#[tokio::test]
async fn invalid_folders_are_refused() {
    let app = TestApp::new();
    let root = app.root();
    let nothing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    note(&app, nothing, "a")
        .await
        .refused(404, "root_not_found");
    note(&app, "x", "a").await.refused(400, "bad_request");
    note(&app, &root, "%2Fa").await.refused(400, "bad_request");
    note(&app, &root, "../a")
        .await
        .refused(403, "outside_roots");
    app.post(FOLDERS).send().await.refused(400, "bad_request");
    let bad = format!("{FOLDERS}?root={root}&path=../a");
    app.delete(&bad).send().await.refused(403, "outside_roots");
    assert_eq!(list_folders(&app).await, json!([]));
}
