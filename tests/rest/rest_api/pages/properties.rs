//! `PATCH /api/pages/{id}/properties`, and the properties in the metadata.

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
