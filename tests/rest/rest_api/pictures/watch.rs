//! `/api/folders/watch`: clients that view a folder are notified of changes in it.

use serde_json::json;

use crate::rest_api::events::Stream;
use crate::support::TestApp;
use crate::support::pictures::{in_root, png};

async fn watch(app: &TestApp, root: &str, path: impl AsRef<[u8]>) -> serde_json::Value {
    let call = app.put(&in_root("/api/folders/watch", root, path));
    call.send().await.is(200).json()
}

#[tokio::test]
async fn changes_in_a_watched_folder_are_reported() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir(app.pictures().join("旅")).unwrap();
    let mut stream = Stream::open(&app, None).await;
    let begun = watch(&app, &root, "旅").await;
    assert_eq!(
        begun,
        json!({"watching": "events", "renewed": false, "seconds": 120})
    );
    assert_eq!(watch(&app, &root, "旅/").await["renewed"], true);
    app.file("旅/a.png", &png([1, 2, 3]));
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.changed", "root": root, "path": "旅"})
    );
}

#[tokio::test]
async fn changes_in_subfolders_are_reported_on_request() {
    let app = TestApp::new();
    let root = app.root();
    std::fs::create_dir_all(app.pictures().join("a/b")).unwrap();
    let mut stream = Stream::open(&app, None).await;
    let put = |beneath: &str| app.put(&format!("/api/folders/watch?root={root}{beneath}"));
    let watched = put("&beneath=true").send().await.is(200).json();
    assert_eq!(watched["watching"], "events");
    app.file("a/b/c.png", b"");
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.changed", "root": root, "path": ""})
    );
    put("&beneath=perhaps")
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn non_utf8_folder_is_reported_by_bytes() {
    let app = TestApp::new();
    let root = app.root();
    let mut stream = Stream::open(&app, None).await;
    let gone = watch(&app, &root, b"b\xff").await;
    assert_eq!(gone["watching"], "waiting");
    let folder = app.file(b"b\xff.png", b"");
    std::fs::create_dir(folder.with_extension("")).unwrap();
    let told = stream.next().await.data;
    assert_eq!(
        told,
        json!({"type": "folder.changed", "root": root, "path": "b\u{fffd}", "path_bytes": "Yv8="})
    );
}

#[tokio::test]
async fn only_readable_folders_are_watched() {
    let app = TestApp::new();
    let root = app.root();
    let put = |query: String| app.put(&format!("/api/folders/watch?{query}"));
    put(format!("root={root}&path=../data"))
        .send()
        .await
        .refused(403, "outside_roots");
    put(String::new()).send().await.refused(400, "bad_request");
    let unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    put(format!("root={unknown}"))
        .send()
        .await
        .refused(404, "root_not_found");
    // A link to the outside counts as a missing folder.
    std::os::unix::fs::symlink("/", app.pictures().join("out")).unwrap();
    assert_eq!(watch(&app, &root, "out").await["watching"], "waiting");
    let close = app.delete(&format!("/api/roots/{root}"));
    close.send().await.is(204);
    put(format!("root={root}"))
        .send()
        .await
        .refused(404, "root_not_found");
}
