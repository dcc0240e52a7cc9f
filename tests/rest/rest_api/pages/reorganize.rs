//! `POST /api/pages/{id}/duplicate`, `/extract`, `/merge` and `/unmerge`: reorganizes pages.

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::TestApp;

#[tokio::test]
async fn duplicate_is_named_by_its_path() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let duplicate = |id: &str| app.post(&format!("/api/pages/{id}/duplicate")).send();
    let created = duplicate(&id).await.is(201).json();
    assert_eq!(created["path"], "/a 2");
    assert_eq!(app.text(created["page_id"].as_str().unwrap()).await, "text");
    duplicate(UNKNOWN_ID).await.refused(404, "page_not_found");
    let root = app.get("/api/pages/resolve?path=/").send().await.json();
    let root = root["id"].as_str().unwrap();
    duplicate(root).await.refused(422, "root_protected");
}

#[tokio::test]
async fn extracted_page_is_created_once() {
    let app = TestApp::new();
    let id = app.page("/a/b", "text").await;
    let extract = |path: &str| {
        let part = json!({"path": path, "source": "[x](c)"});
        let address = format!("/api/pages/{id}/extract");
        app.post(&address).json(part).send()
    };
    let created = extract("/new").await.is(201).json();
    assert_eq!(
        app.text(created["page_id"].as_str().unwrap()).await,
        "[x](/a/c)"
    );
    extract("/new").await.refused(409, "path_taken");
    extract("/../x").await.refused(422, "invalid_path");
}

#[tokio::test]
async fn merge_answers_what_undoes_it() {
    let app = TestApp::new();
    let from = app.page("/from", "second").await;
    let into = app.page("/to", "first").await;
    let linking = app.page("/link", "[f](/from)").await;
    let merge = |into: &str| {
        let address = format!("/api/pages/{from}/merge");
        app.post(&address).json(json!({"into": into})).send()
    };
    let held = app.lock(&linking).await;
    merge(&into).await.refused(423, "lock_required");
    app.save(&held, "[f](/from)").await.is(200);
    merge(&from).await.refused(422, "into_itself");

    let merged = merge(&into).await.is(200).json();
    let expected = json!({
        "into": into, "path": "/to", "revision": 2, "files": [],
        "pages": [{"page_id": linking, "revision": 2}],
    });
    assert_eq!(merged, expected);
    assert_eq!(app.text(&into).await, "first\n\n# from\n\nsecond\n");

    let unmerge = || {
        let address = format!("/api/pages/{from}/unmerge");
        app.post(&address).json(merged.clone()).send()
    };
    unmerge().await.is(204);
    assert_eq!(app.text(&into).await, "first");
    assert_eq!(app.text(&from).await, "second");
    assert_eq!(app.text(&linking).await, "[f](/from)");
    unmerge().await.refused(412, "precondition_failed");
}
