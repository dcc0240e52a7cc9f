//! `/api/tokens`, and requests with access tokens.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::wiki::{HeldLock, lock, source};
use crate::support::{Call, TestApp};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Creates a token. Returns its secret and its id.
async fn token(app: &TestApp, body: &Value) -> (String, String) {
    let created = app.post("/api/tokens").json(body.clone()).send().await;
    let created = created.is(201).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&created["token"]), text(&created["about"]["id"]))
}

/// Returns a request with a token.
fn with_token(app: &TestApp, token: &str, method: &str, path: &str) -> Call {
    let bearer = format!("Bearer {token}");
    app.unauthenticated(method, path)
        .header("authorization", &bearer)
}

fn new(scopes: &[&str]) -> Value {
    json!({"name": " backup script ", "scopes": scopes, "days": 30})
}

#[tokio::test]
async fn token_works_until_it_is_revoked() {
    let app = TestApp::new();
    let (token, id) = token(&app, &new(&["read", "write"])).await;
    let listed = app.get("/api/tokens").send().await.is(200).json();
    let about = json!({
        "id": id,
        "name": "backup script",
        "scopes": ["read", "write"],
        "user_name": "Aya",
        "created_at": "2026-11-18T12:00:00Z",
        "expires_at": "2026-12-18T12:00:00Z",
    });
    assert_eq!(listed, json!({"items": [about]}));
    let pages = |app: &TestApp| with_token(app, &token, "GET", "/api/pages").send();
    pages(&app).await.is(200);
    let app = app.restart(|_| {});
    pages(&app).await.is(200);
    let revoke = format!("/api/tokens/{id}");
    app.delete(&revoke).send().await.is(204);
    pages(&app).await.refused(401, "unauthenticated");
    app.delete(&revoke)
        .send()
        .await
        .refused(404, "token_not_found");
}

#[tokio::test]
async fn expired_token_is_refused_and_unlisted() {
    let app = TestApp::new();
    let (token, _) = token(&app, &new(&["read"])).await;
    app.advance(30 * DAY);
    let pages = with_token(&app, &token, "GET", "/api/pages").send().await;
    pages.refused(401, "unauthenticated");
    let listed = app.get("/api/tokens").send().await.json();
    assert_eq!(listed, json!({"items": []}));
}

#[tokio::test]
async fn scopes_limit_a_token() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let (source, root) = (source(&page), "/api/folders/overview?day=2026-11-18");
    for (scopes, method, path, status) in [
        ("read", "GET", &*source, 200),
        ("read", "POST", "/api/pages?path=/b", 403),
        ("write", "POST", "/api/pages?path=/c", 201),
        ("write", "GET", &source, 403),
        ("read write", "GET", root, 403),
        ("pictures", "GET", root, 200),
        ("pictures", "GET", &source, 403),
        ("pictures", "POST", "/api/files/operations/x/undo", 403),
        ("hashes", "GET", "/api/hashes/schedule", 200),
        ("read", "GET", "/api/hashes/schedule", 403),
        ("read", "GET", "/api/search?q=text", 403),
        ("read", "GET", "/api/search?q=text&kind=page", 200),
        ("read", "GET", "/api/openapi.json", 200),
    ] {
        let scopes: Vec<_> = scopes.split(' ').collect();
        let (token, _) = token(&app, &new(&scopes)).await;
        let answer = with_token(&app, &token, method, path).send().await;
        assert_eq!(answer.status, status, "{scopes:?} {method} {path}");
        if status == 403 {
            answer.refused(403, "scope_missing");
        }
    }
    let all = ["read", "write", "pictures", "hashes"];
    let (token, _) = token(&app, &new(&all)).await;
    for (method, path) in [
        ("GET", "/api/tokens"),
        ("POST", "/api/tokens"),
        ("POST", "/api/login-links"),
        ("GET", "/api/sessions"),
        ("PATCH", "/api/settings"),
        ("POST", "/api/users"),
        ("POST", "/api/roots"),
        ("GET", "/wiki/a"),
    ] {
        let answer = with_token(&app, &token, method, path).send().await;
        answer.refused(403, "scope_missing");
    }
}

#[tokio::test]
async fn token_acts_as_its_user() {
    let app = TestApp::new();
    let registered = app.post("/api/users").json(json!({"name": "Ben"}));
    registered.send().await.is(201);
    let page = app.page("/a", "text").await;
    let mut body = new(&["read", "write"]);
    body["user"] = json!("Ben");
    let (token, _) = token(&app, &body).await;
    let locked = with_token(&app, &token, "POST", &lock(&page)).send().await;
    let held = HeldLock::new(page.clone(), locked.is(204));
    let save = with_token(&app, &token, "PUT", &source(&page)).token(&held.token);
    save.markdown("more").send().await.is(200);
    let meta = app.get(&format!("/api/pages/{page}/meta")).send().await;
    assert_eq!(meta.json()["revision_info"]["user_name"], "Ben");
    let me = with_token(&app, &token, "GET", "/api/users/me");
    let me = me.header("x-acting-user", "Aya").send().await;
    me.refused(403, "bearer_required");
}

#[tokio::test]
async fn browser_lists_and_revokes_but_never_creates() {
    let app = TestApp::new();
    let (_, id) = token(&app, &new(&["read"])).await;
    let cookie = app.log_in().await;
    let create = app.with_session(&cookie, "POST", "/api/tokens");
    let refused = create.json(new(&["read"])).send().await;
    refused.refused(403, "window_required");
    let listed = app.with_session(&cookie, "GET", "/api/tokens").send().await;
    assert_eq!(listed.is(200).json()["items"][0]["id"], id);
    let revoke = app.with_session(&cookie, "DELETE", &format!("/api/tokens/{id}"));
    revoke.send().await.is(204);
    let (_, window) = app.window().await;
    let create = app.with_session(&window, "POST", "/api/tokens");
    create.json(new(&["read"])).send().await.is(201);
}

#[tokio::test]
async fn invalid_tokens_are_not_created() {
    let app = TestApp::new();
    for (field, value, status, code) in [
        ("name", json!(" "), 422, "invalid_name"),
        ("name", json!("a\nb"), 422, "invalid_name"),
        ("name", json!("あ".repeat(101)), 422, "invalid_name"),
        ("scopes", json!([]), 422, "invalid_value"),
        ("scopes", json!(["admin"]), 400, "invalid_body"),
        ("days", json!(0), 422, "invalid_value"),
        ("days", json!(367), 422, "invalid_value"),
        ("user", json!("Nobody"), 404, "no_user"),
    ] {
        let mut body = new(&["read"]);
        body[field] = value;
        let refused = app.post("/api/tokens").json(body).send().await;
        refused.refused(status, code);
    }
    let listed = app.get("/api/tokens").send().await.json();
    assert_eq!(listed, json!({"items": []}));
}
