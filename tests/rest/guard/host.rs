//! The `Host` header must name this server.

use crate::support::{HOST, TestApp};

/// Sends a request that needs only the right host.
async fn check(app: &TestApp, hosts: &[&str], uri: &str, is_accepted: bool) {
    let call = app.bare("GET", uri);
    let call = hosts
        .iter()
        .fold(call, |call, host| call.header("host", host));
    let answer = call.send().await;
    if is_accepted {
        assert_eq!(answer.status, 200, "{hosts:?} {uri}: {answer:?}");
    } else {
        assert_eq!(answer.status, 403, "{hosts:?} {uri}: {answer:?}");
        answer.refused(403, "host_not_allowed");
    }
}

#[tokio::test]
async fn only_the_bound_host_is_accepted() {
    let app = TestApp::new();
    for own in [
        "127.0.0.1:4321",
        "localhost:4321",
        "[::1]:4321",
        "LocalHost:4321",
    ] {
        check(&app, &[own], "/healthz", true).await;
    }
    for foreign in [
        "",
        "127.0.0.1",
        "localhost",
        "[::1]",
        "127.0.0.1:4322",
        "127.0.0.1:43210",
        "127.0.0.2:4321",
        "localhost.:4321",
        "evil.example",
        "evil.example:4321",
        "127.0.0.1.evil.example:4321",
        "user@127.0.0.1:4321",
        "127.0.0.1:4321@evil.example",
        "127.0.0.1:4321, evil.example",
        "fumikura.example",
    ] {
        check(&app, &[foreign], "/healthz", false).await;
    }
}

#[tokio::test]
async fn missing_or_repeated_host_is_refused() {
    let app = TestApp::new();
    check(&app, &[], "/healthz", false).await;
    check(&app, &[HOST, HOST], "/healthz", false).await;
    check(&app, &[HOST, "evil.example"], "/healthz", false).await;
    check(&app, &["evil.example", HOST], "/healthz", false).await;
}

#[tokio::test]
async fn request_line_host_must_match_host_header() {
    let app = TestApp::new();
    check(&app, &[HOST], "http://127.0.0.1:4321/healthz", true).await;
    check(&app, &[HOST], "http://evil.example/healthz", false).await;
    check(&app, &[HOST], "http://localhost:4321/healthz", false).await;
    check(
        &app,
        &["evil.example"],
        "http://127.0.0.1:4321/healthz",
        false,
    )
    .await;
    check(&app, &[], "http://127.0.0.1:4321/healthz", false).await;
    check(&app, &[HOST], "http://x@127.0.0.1:4321/healthz", false).await;
}

#[tokio::test]
async fn configured_host_is_accepted_as_named() {
    let app = TestApp::with(|config| {
        config.hosts = vec!["fumikura.example".into(), "wiki.example:8443".into()];
    });
    check(&app, &["fumikura.example"], "/healthz", true).await;
    check(&app, &["Fumikura.Example"], "/healthz", true).await;
    check(&app, &["wiki.example:8443"], "/healthz", true).await;
    check(&app, &[HOST], "/healthz", true).await;
    check(&app, &["wiki.example"], "/healthz", false).await;
    check(&app, &["fumikura.example:4321"], "/healthz", false).await;
    check(&app, &["a.fumikura.example"], "/healthz", false).await;
}

#[tokio::test]
async fn host_is_checked_before_everything_else() {
    let app = TestApp::with(|config| config.secret = None);
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/wiki/"),
        ("GET", "/static/app.js"),
        ("GET", "/api/events"),
        ("GET", "/api/users"),
        ("POST", "/api/users"),
        ("GET", "/get?source=/etc/passwd"),
        ("GET", "/no/such/address"),
        ("PUT", "/healthz"),
    ] {
        let bearer = format!("Bearer {}", app.inner.bearer());
        let answer = app
            .bare(method, path)
            .header("host", "evil.example")
            .header("authorization", &bearer)
            .header("sec-fetch-site", "cross-site")
            .send()
            .await;
        answer.refused(403, "host_not_allowed");
    }
    let login = app.login_path();
    let stolen = app
        .bare("GET", &login)
        .header("host", "evil.example")
        .send()
        .await;
    stolen.refused(403, "host_not_allowed");
    // The refused requests have not used up the one-time address.
    app.unauthenticated("GET", &login).send().await.is(200);
}
