//! Requests from other sites' pages are refused, except for links that a user follows.

use crate::support::{Call, TestApp};

const NAVIGATION: [(&str, &str); 2] = [
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-dest", "document"),
];

/// Returns a change that is harmless if it is accepted.
fn change(app: &TestApp) -> Call {
    app.patch("/api/settings")
        .json(serde_json::json!({"theme": "dark"}))
}

async fn check_origins(app: &TestApp, origins: &[&str], status: u16) {
    let call = origins
        .iter()
        .fold(change(app), |call, origin| call.header("origin", origin));
    let answer = call.send().await;
    assert_eq!(answer.status, status, "{origins:?}: {answer:?}");
    if status == 403 {
        answer.refused(403, "cross_origin");
    }
}

#[tokio::test]
async fn changes_need_own_origin_or_none() {
    let app = TestApp::new();
    check_origins(&app, &[], 200).await;
    check_origins(&app, &["http://127.0.0.1:4321"], 200).await;
    for foreign in [
        "null",
        "",
        "http://evil.example",
        "https://evil.example",
        "http://127.0.0.1",
        "http://127.0.0.1:4322",
        "http://127.0.0.1:4321.evil.example",
        "http://127.0.0.1:4321/",
        "http://x@127.0.0.1:4321",
        "ftp://127.0.0.1:4321",
        "127.0.0.1:4321",
        // Another name of this server is another origin, with other cookies and other storage.
        "http://localhost:4321",
        "http://[::1]:4321",
        "tauri://localhost",
    ] {
        check_origins(&app, &[foreign], 403).await;
    }
    let both = ["http://127.0.0.1:4321", "http://evil.example"];
    check_origins(&app, &both, 403).await;
    check_origins(&app, &[both[1], both[0]], 403).await;
}

#[tokio::test]
async fn each_host_name_is_a_separate_origin() {
    let app = TestApp::with(|config| config.hosts = vec!["wiki.example".into()]);
    for (host, origin, status) in [
        ("localhost:4321", "http://localhost:4321", 200),
        ("[::1]:4321", "http://[::1]:4321", 200),
        ("localhost:4321", "http://127.0.0.1:4321", 403),
        ("wiki.example", "https://wiki.example", 200),
        ("wiki.example", "http://127.0.0.1:4321", 403),
    ] {
        let bearer = format!("Bearer {}", app.inner.bearer());
        let answer = app
            .bare("PATCH", "/api/settings")
            .header("host", host)
            .header("origin", origin)
            .header("authorization", &bearer)
            .json(serde_json::json!({}))
            .send()
            .await;
        assert_eq!(answer.status, status, "{host} {origin}: {answer:?}");
    }
}

#[tokio::test]
async fn origin_is_checked_for_every_writing_method() {
    let app = TestApp::new();
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let answer = app
            .call(method, "/api/users")
            .header("origin", "http://evil.example")
            .send()
            .await;
        answer.refused(403, "cross_origin");
    }
    let read = app
        .get("/api/users")
        .header("origin", "http://evil.example")
        .send()
        .await;
    read.is(200);
}

#[tokio::test]
async fn cross_site_requests_are_refused() {
    let app = TestApp::new();
    for site in ["cross-site", "same-site"] {
        for path in [
            "/api/users",
            "/api/events",
            "/api/image",
            "/thumb",
            "/static/app.js",
            "/healthz",
            "/get",
            "/wiki/",
            "/login",
        ] {
            let answer = app.get(path).header("sec-fetch-site", site).send().await;
            answer.refused(403, "cross_origin");
        }
        let changed = change(&app).header("sec-fetch-site", site).send().await;
        changed.refused(403, "cross_origin");
    }
    for site in ["same-origin", "none"] {
        let answer = app
            .get("/api/users")
            .header("sec-fetch-site", site)
            .send()
            .await;
        answer.is(200);
        let changed = change(&app).header("sec-fetch-site", site).send().await;
        changed.is(200);
    }
}

async fn check_link(method: &str, path: &str, headers: &[(&str, &str)], is_followed: bool) {
    let app = TestApp::new();
    let answer = app
        .call(method, path)
        .header("sec-fetch-site", "cross-site")
        .headers(headers)
        .send()
        .await;
    let refused = answer.status == 403;
    assert_eq!(!refused, is_followed, "{headers:?}: {answer:?}");
}

#[tokio::test]
async fn cross_site_navigation_reaches_entry_pages_only() {
    for entrance in ["/wiki/", "/wiki/旅", "/edit/", "/edit/a", "/login"] {
        let entrance = entrance.replace('旅', "%E6%97%85");
        check_link("GET", &entrance, &NAVIGATION, true).await;
        check_link("POST", &entrance, &NAVIGATION, false).await;
        check_link("HEAD", &entrance, &NAVIGATION, false).await;
    }
    for elsewhere in [
        "/",
        "/wiki",
        "/wikis",
        "/loginx",
        "/login/",
        "/pictures/",
        "/settings",
        "/api/users",
        "/api/openapi.json",
        "/static/app.js",
        "/get",
    ] {
        check_link("GET", elsewhere, &NAVIGATION, false).await;
    }
}

#[tokio::test]
async fn cross_site_frames_and_scripts_are_refused() {
    let mode = |mode| ("sec-fetch-mode", mode);
    let to = |dest| ("sec-fetch-dest", dest);
    for headers in [
        &[mode("navigate"), to("iframe")][..],
        &[mode("navigate"), to("frame")],
        &[mode("navigate"), to("embed")],
        &[mode("navigate"), to("object")],
        &[mode("navigate")],
        &[mode("no-cors"), to("document")],
        &[mode("cors"), to("empty")],
        &[to("document")],
        &[],
    ] {
        check_link("GET", "/wiki/", headers, false).await;
    }
}

#[tokio::test]
async fn embedded_requests_start_nothing() {
    let app = TestApp::new();
    for path in [
        "/api/export",
        "/get?source=/a.png",
        "/queue?source=/a.png",
        "/api/users",
    ] {
        let call = app.get(path).header("sec-fetch-site", "same-origin");
        let answer = call.header("sec-fetch-dest", "image").send().await;
        answer.refused(403, "not_embeddable");
    }
    let token = app.login_path();
    let framed = app
        .unauthenticated("GET", &token)
        .header("sec-fetch-dest", "iframe");
    framed.send().await.refused(403, "not_embeddable");
    let head = app.call("HEAD", "/api/export").send().await;
    head.is(200).has("content-type", "application/zip");
    let jobs = app.get("/api/jobs").send().await;
    assert_eq!(jobs.is(200).json(), serde_json::json!([]));
    app.unauthenticated("GET", &token).send().await.is(200);
}
