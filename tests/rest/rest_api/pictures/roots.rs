//! `/api/roots`: folders are opened by a grant, or by a path below an `--allow`.

use serde_json::{Value, json};

use crate::support::pictures::in_root;
use crate::support::{Answer, TestApp};

async fn open(app: &TestApp, body: Value) -> Answer {
    app.post("/api/roots").json(body).send().await
}

/// Opens a folder by a grant, in a window with this cookie.
async fn open_in(app: &TestApp, cookie: &str, grant: &str) -> Answer {
    app.unauthenticated("POST", "/api/roots")
        .header("cookie", cookie)
        .json(json!({"grant": grant}))
        .send()
        .await
}

async fn roots(app: &TestApp) -> Vec<Value> {
    let list = app.get("/api/roots").send().await;
    list.is(200).json().as_array().unwrap().clone()
}

#[tokio::test]
async fn grant_opens_a_folder_once() {
    let app = TestApp::new();
    assert_eq!(roots(&app).await, Vec::<Value>::new());
    let (window, cookie) = app.window().await;
    let grant = app.inner.grant(app.pictures(), window);
    let opened = open_in(&app, &cookie, &grant).await;
    let root = opened.is(201).json();
    let expected = json!({
        "id": root["id"], "name": "pictures", "path": app.pictures(), "available": true,
    });
    assert_eq!(root, expected);
    assert_eq!(roots(&app).await, [root]);
    let again = open_in(&app, &cookie, &grant).await;
    again.refused(403, "grant_invalid");
}

#[tokio::test]
async fn grant_is_valid_in_its_window_only() {
    let app = TestApp::new();
    let (window, cookie) = app.window().await;
    let grant = app.inner.grant(app.pictures(), window);
    let (_, other) = app.window().await;
    let browser = app.log_in().await;
    for client in [&other, &browser] {
        let answer = open_in(&app, client, &grant).await;
        answer.refused(403, "grant_invalid");
    }
    let program = open(&app, json!({"grant": grant})).await;
    program.refused(403, "grant_invalid");
    assert_eq!(roots(&app).await.len(), 0);
    // None of these requests has used it up.
    open_in(&app, &cookie, &grant).await.is(201);
}

#[tokio::test]
async fn grant_needs_a_logged_in_window() {
    let app = TestApp::new();
    let (entrance, window) = app.inner.entrance("/");
    let grant = app.inner.grant(app.pictures(), window);
    let browser = app.log_in().await;
    let answer = open_in(&app, &browser, &grant).await;
    answer.refused(403, "grant_invalid");
    app.unauthenticated("GET", &entrance).send().await.is(200);
    let late = open_in(&app, &browser, &grant).await;
    late.refused(403, "grant_invalid");
}

#[tokio::test]
async fn unknown_grant_is_refused() {
    let app = TestApp::new();
    let (_, cookie) = app.window().await;
    for grant in ["", "x", "/etc", &"0".repeat(32)] {
        let answer = open_in(&app, &cookie, grant).await;
        answer.refused(403, "grant_invalid");
    }
    assert_eq!(roots(&app).await.len(), 0);
}

#[tokio::test]
async fn opening_twice_returns_the_same_root() {
    let app = TestApp::new();
    let (window, cookie) = app.window().await;
    let grant = || app.inner.grant(app.pictures(), window.clone());
    let (one, two) = (grant(), grant());
    let first = open_in(&app, &cookie, &one).await.is(201).json();
    let second = open_in(&app, &cookie, &two).await.is(201).json();
    assert_eq!(first, second);
    assert_eq!(roots(&app).await.len(), 1);
}

#[tokio::test]
async fn paths_open_only_below_allowed_folders() {
    let app = TestApp::new();
    let (allowed, beneath) = (app.pictures(), app.pictures().join("2026/旅"));
    std::fs::create_dir_all(&beneath).unwrap();
    std::fs::write(allowed.join("file"), b"").unwrap();
    std::fs::create_dir(app.base_dir().join("pictures-too")).unwrap();
    std::os::unix::fs::symlink("/etc", allowed.join("out")).unwrap();
    let unallowed = open(&app, json!({"path": beneath})).await;
    unallowed.refused(403, "outside_roots");
    let folder = allowed.clone();
    let app = app.restart(|config| config.allow = vec![folder]);
    let opened = open(&app, json!({"path": beneath})).await;
    assert_eq!(opened.is(201).json()["name"], "旅");
    let at = |name: &str| json!({"path": allowed.join(name)});
    for (body, status, code) in [
        (at("none"), 404, "folder_unavailable"),
        (at("file"), 422, "not_a_folder"),
        (at("out"), 403, "outside_roots"),
        (at("../pictures-too"), 403, "outside_roots"),
        (at(".."), 403, "outside_roots"),
        (json!({"path": "/etc"}), 403, "outside_roots"),
        (json!({"path": "/none/at/all"}), 403, "outside_roots"),
        (json!({"path": "/"}), 403, "outside_roots"),
        (json!({"path": "relative"}), 400, "bad_request"),
        (json!({"path": ""}), 400, "bad_request"),
    ] {
        open(&app, body).await.refused(status, code);
    }
}

#[tokio::test]
async fn bearer_opens_any_chosen_folder() {
    let app = TestApp::new();
    let chosen = json!({"chosen_path": app.pictures()});
    let browser = app.log_in().await;
    let refused = app.unauthenticated("POST", "/api/roots");
    let refused = refused.header("cookie", &browser).json(chosen.clone());
    refused.send().await.refused(403, "bearer_required");
    let opened = open(&app, chosen).await.is(201).json();
    assert_eq!(opened["name"], "pictures");
    // “/none\xe9”, and a relative path.
    let latin = json!({"chosen_path_bytes": "L25vbmXp"});
    open(&app, latin).await.refused(404, "folder_unavailable");
    let relative = json!({"chosen_path": "pictures"});
    open(&app, relative).await.refused(400, "bad_request");
}

#[tokio::test]
async fn opened_folder_does_not_allow_its_subfolders() {
    let app = TestApp::new();
    app.root();
    let beneath = app.pictures().join("beneath");
    std::fs::create_dir(&beneath).unwrap();
    let answer = open(&app, json!({"path": beneath})).await;
    answer.refused(403, "outside_roots");
}

#[tokio::test]
async fn request_needs_either_grant_or_path() {
    let app = TestApp::new();
    for body in [
        json!({}),
        json!({"grant": "a", "path": "/b"}),
        json!({"grant": 1}),
        json!({"folder": "/etc"}),
        json!("/etc"),
        json!(null),
    ] {
        open(&app, body).await.refused(400, "invalid_body");
    }
}

#[tokio::test]
async fn root_survives_restart_and_reports_missing_folder() {
    let app = TestApp::new();
    let id = app.root();
    std::fs::rename(app.pictures(), app.base_dir().join("away")).unwrap();
    let app = app.restart(|_| {});
    let there = roots(&app).await;
    assert_eq!(
        (&there[0]["id"], &there[0]["available"]),
        (&json!(id), &json!(false))
    );
    for address in ["/api/folders", "/thumb", "/api/image"] {
        let answer = app.get(&in_root(address, &id, "a.png")).send().await;
        answer.refused(404, "folder_unavailable");
    }
    let (window, cookie) = app.window().await;
    let grant = app.inner.grant(app.pictures(), window);
    let gone = open_in(&app, &cookie, &grant).await;
    gone.refused(404, "folder_unavailable");
}

#[tokio::test]
async fn closing_a_root_keeps_its_files() {
    let app = TestApp::new();
    let id = app.root();
    let file = app.file("a.txt", b"text");
    let path = format!("/api/roots/{id}");
    app.delete(&path).send().await.is(204);
    app.delete(&path)
        .send()
        .await
        .refused(404, "root_not_found");
    app.delete("/api/roots/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
    app.get(&in_root("/api/folders", &id, ""))
        .send()
        .await
        .refused(404, "root_not_found");
    assert!(file.exists());
    assert_eq!(roots(&app).await.len(), 0);
}
