//! Errors are `{code, message}` regardless of their origin. The support checks the form of every answer;
//! these tests cover errors that no handler of ours makes.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn unknown_address_is_not_found() {
    let app = TestApp::new();
    for path in [
        "/none",
        "/api",
        "/api/",
        "/api/none",
        "/api/pages/",
        "/api/pages/x/none",
        "/settings/",
        "/thumb/",
        "/%FF",
        "/api/%FF",
        "/.well-known/x",
        "/favicon.ico",
    ] {
        let answer = app.get(path).send().await;
        answer.refused(404, "not_found");
    }
}

#[tokio::test]
async fn unsupported_method_lists_allowed_methods() {
    let app = TestApp::new();
    for (method, path, allowed) in [
        ("DELETE", "/healthz", "GET,HEAD"),
        ("POST", "/wiki/", "GET,HEAD"),
        ("PUT", "/api/users", "GET,HEAD,POST"),
        ("POST", "/api/settings", "GET,HEAD,PATCH"),
        ("POST", "/api/page", "GET,HEAD"),
        ("GET", "/api/login-links", "POST"),
        ("GET", "/api/journal/01JD0000000000000000000000", "PUT"),
        ("POST", "/static/app.js", "GET,HEAD"),
        ("PUT", "/get", "GET,HEAD,POST"),
    ] {
        let answer = app.call(method, path).send().await;
        answer.refused(405, "method_not_allowed");
        let mut told: Vec<_> = answer.header("allow").unwrap().split(',').collect();
        told.sort_unstable();
        let mut allowed: Vec<_> = allowed.split(',').collect();
        allowed.sort_unstable();
        assert_eq!(told, allowed, "{method} {path}");
    }
}

#[tokio::test]
async fn malformed_json_is_refused() {
    let app = TestApp::new();
    for body in [
        "",
        "{",
        "{\"name\":}",
        "nonsense",
        "[]",
        "{}",
        "{\"name\":1}",
        "\u{feff}{}",
    ] {
        let call = app.post("/api/users").body("application/json", body);
        call.send().await.refused(400, "invalid_body");
    }
    let bytes = &b"{\"name\":\"\xff\"}"[..];
    let call = app.post("/api/users").body("application/json", bytes);
    call.send().await.refused(400, "invalid_body");
}

#[tokio::test]
async fn json_needs_its_content_type() {
    let app = TestApp::new();
    let body = json!({"name": "Ben"}).to_string();
    for kind in [
        "",
        "text/plain",
        "text/json",
        "application/x-www-form-urlencoded",
    ] {
        let call = app.post("/api/users").body(kind, body.clone());
        call.send().await.refused(415, "unsupported_media_type");
    }
    let kind = "application/json; charset=utf-8";
    let call = app.post("/api/users").body(kind, body);
    call.send().await.is(201);
}

#[tokio::test]
async fn too_large_body_is_refused() {
    let app = TestApp::new();
    let body = json!({"name": "x".repeat(3 << 20)});
    for (method, path) in [
        ("POST", "/api/users"),
        ("PATCH", "/api/settings"),
        ("POST", "/api/roots"),
    ] {
        let call = app.call(method, path).json(body.clone());
        call.send().await.refused(413, "too_large");
    }
}

#[tokio::test]
async fn missing_and_repeated_parameters_are_refused() {
    let app = TestApp::new();
    for (method, path) in [
        ("POST", "/api/pages"),
        ("GET", "/api/pages/resolve"),
        ("GET", "/api/pages/resolve?path=/a&path=/b"),
        ("GET", "/api/pages/resolve?path=%FF"),
        ("GET", "/api/page?id=x&rev=1"),
        ("GET", "/api/pages/%FF/meta"),
        ("DELETE", "/api/roots/%FF"),
    ] {
        let answer = app.call(method, path).send().await;
        answer.refused(400, "bad_request");
    }
}
