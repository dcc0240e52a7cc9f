//! `PATCH /api/pages/{id}/properties`, the properties in the metadata, queries by them, and renames of tags.

use serde_json::{Value, json};

use crate::support::{Answer, TestApp};

const TEXT: &str = "---\nstatus: open # so far\ntags: [旅, \"b\"]\n---\n# A\n";

async fn change(app: &TestApp, id: &str, version: &str, body: Value) -> Answer {
    let call = app.patch(&format!("/api/pages/{id}/properties"));
    call.header("if-match", version).json(body).send().await
}

async fn properties(app: &TestApp, id: &str) -> Value {
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    meta.is(200).json()["properties"].clone()
}

#[tokio::test]
async fn property_change_is_a_revision() {
    let app = TestApp::new();
    let id = app.page("/a", TEXT).await;
    let status = json!({"name": "status", "value": {"kind": "text", "values": ["done"]}});
    let saved = change(&app, &id, "\"1.0\"", status).await;
    assert_eq!(saved.is(200).json(), json!({"revision": 2}));
    assert_eq!(app.text(&id).await, TEXT.replace("open", "done"));
    let expected = json!({"items": [
        {"name": "status", "kind": "text", "values": ["done"]},
        {"name": "tags", "kind": "tags", "values": ["旅", "b"]},
    ], "fault": null});
    assert_eq!(properties(&app, &id).await, expected);
    change(
        &app,
        &id,
        "\"2.0\"",
        json!({"name": "status", "value": null}),
    )
    .await
    .is(200);
    assert_eq!(
        app.text(&id).await,
        TEXT.replace("status: open # so far\n", "")
    );
}

#[tokio::test]
async fn property_change_needs_the_newest_version() {
    let app = TestApp::new();
    let id = app.page("/a", TEXT).await;
    let remove = json!({"name": "tags", "value": null});
    change(&app, &id, "\"0.0\"", remove.clone())
        .await
        .refused(412, "precondition_failed");
    let address = format!("/api/pages/{id}/properties");
    let bare = app.patch(&address).json(remove.clone()).send().await;
    bare.refused(428, "precondition_required");
    let held = app.lock(&id).await;
    change(&app, &id, "\"1.0\"", remove.clone())
        .await
        .refused(423, "lock_required");
    let call = app.patch(&address).token(&held.token).json(remove.clone());
    call.send().await.is(200);
}

#[tokio::test]
async fn invalid_front_matter_is_reported_and_kept() {
    let app = TestApp::new();
    let text = "---\ntitle: a: b\n---\n";
    let id = app.page("/a", text).await;
    let found = properties(&app, &id).await;
    assert_eq!(
        (&found["items"], &found["fault"]["line"]),
        (&json!([]), &json!(2))
    );
    let add = json!({"name": "x", "value": {"kind": "check", "values": ["true"]}});
    change(&app, &id, "\"1.0\"", add)
        .await
        .refused(422, "invalid_value");
    assert_eq!(app.text(&id).await, text);
}

async fn query(app: &TestApp, body: Value) -> Vec<String> {
    let answer = app
        .post("/api/pages/query")
        .json(body)
        .send()
        .await
        .is(200)
        .json();
    let items = answer["items"].as_array().unwrap();
    assert_eq!(answer["total"], items.len());
    items
        .iter()
        .map(|page| page["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn pages_are_queried_by_all_parts() {
    let app = TestApp::new();
    let target = app.page("/p", "# P").await;
    app.page("/p/a", TEXT).await;
    app.page("/p/b", "---\nstatus: done\n---\n[[/p]] needle #旅/京都")
        .await;
    assert_eq!(
        query(&app, json!({"below": "/p", "children": true})).await,
        ["/p/a", "/p/b"]
    );
    assert_eq!(query(&app, json!({"tag": "旅"})).await, ["/p/a", "/p/b"]);
    let open = json!([{"property": "status", "comparison": "is", "value": "Open"}]);
    assert_eq!(query(&app, json!({"where": open})).await, ["/p/a"]);
    assert_eq!(query(&app, json!({"linked_to": target})).await, ["/p/b"]);
    assert_eq!(
        query(&app, json!({"text": "needle", "below": "/p"})).await,
        ["/p/b"]
    );
    let sorted = json!({"below": "/p", "sort": {"by": "status", "descending": true}});
    assert_eq!(query(&app, sorted).await, ["/p/a", "/p/b"]);
    let names = app.get("/api/properties").send().await.is(200).json();
    assert_eq!(names, json!([{"name": "status", "pages": 2}]));
    let unknown = app.post("/api/pages/query").json(json!({"colour": "red"}));
    unknown.send().await.refused(400, "invalid_body");
}

#[tokio::test]
async fn tag_rename_is_undone() {
    let app = TestApp::new();
    let id = app.page("/a", TEXT).await;
    app.page("/b", "#ｂ").await;
    let tags = app.get("/api/tags").send().await.is(200).json();
    assert_eq!(
        tags,
        json!([{"tag": "b", "pages": 2}, {"tag": "旅", "pages": 1}])
    );
    let rename = app
        .post("/api/tags/rename")
        .json(json!({"from": "旅", "to": "trip"}));
    let renamed = rename.send().await.is(200).json();
    assert_eq!(renamed, json!({"pages": [{"page_id": id, "revision": 2}]}));
    assert_eq!(app.text(&id).await, TEXT.replace('旅', "trip"));
    let undo = app.post("/api/tags/rename/undo").json(renamed);
    undo.send().await.is(204);
    assert_eq!(app.text(&id).await, TEXT);
}
