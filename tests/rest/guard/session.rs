//! The session cookie, the Bearer, and what answers without either.

use std::time::Duration;

use crate::support::{HOST, PORT, TestApp};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn check(app: &TestApp, headers: &[(&str, &str)], is_accepted: bool) {
    let answer = app
        .unauthenticated("GET", "/api/users")
        .headers(headers)
        .send()
        .await;
    if is_accepted {
        assert_eq!(answer.status, 200, "{headers:?}: {answer:?}");
    } else {
        assert_eq!(answer.status, 401, "{headers:?}: {answer:?}");
        answer.refused(401, "unauthenticated");
    }
}

#[tokio::test]
async fn bearer_must_be_the_exact_token() {
    let app = TestApp::new();
    let bearer = app.inner.bearer();
    let is_accepted = |value: String| {
        let app = &app;
        async move { check(app, &[("authorization", &value)], true).await }
    };
    is_accepted(format!("Bearer {bearer}")).await;
    is_accepted(format!("bearer {bearer}")).await;
    for wrong in [
        String::new(),
        bearer.to_owned(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Bearer {}", &bearer[1..]),
        format!("Bearer {bearer}x"),
        format!("Bearer {}", bearer.to_uppercase()),
        format!("Basic {bearer}"),
        format!("Token {bearer}"),
    ] {
        check(&app, &[("authorization", &wrong)], false).await;
    }
    check(&app, &[], false).await;
}

#[tokio::test]
async fn session_cookie_is_accepted_among_other_cookies() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    let (name, secret) = cookie.split_once('=').unwrap();
    assert_eq!(name, format!("fumikura_session_{PORT}"));
    check(&app, &[("cookie", &cookie)], true).await;
    let among = format!("theme=dark; {cookie}; other=1");
    check(&app, &[("cookie", &among)], true).await;
    check(&app, &[("cookie", "a=b"), ("cookie", &cookie)], true).await;
    // A page on another port may have set a cookie of the same name.
    let after_another = format!("{name}=planted; {cookie}");
    check(&app, &[("cookie", &after_another)], true).await;
    let crowd = |value: &str| format!("{name}={value}; ").repeat(200);
    for planted in [crowd("planted"), crowd(&"x".repeat(secret.len()))] {
        check(&app, &[("cookie", &format!("{planted}{cookie}"))], true).await;
        check(&app, &[("cookie", planted.as_str())], false).await;
        check(&app, &[("cookie", &planted), ("cookie", &cookie)], true).await;
    }
    for wrong in [
        String::new(),
        name.to_owned(),
        format!("{name}="),
        format!("{name}={}", &secret[1..]),
        format!("{name}={secret}x"),
        format!("fumikura_session_1={secret}"),
        format!("x{name}={secret}"),
        secret.to_owned(),
    ] {
        check(&app, &[("cookie", &wrong)], false).await;
    }
}

#[tokio::test]
async fn wrong_bearer_is_refused_despite_valid_cookie() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    let right = format!("Bearer {}", app.inner.bearer());
    let with = |token| [("authorization", token), ("cookie", cookie.as_str())];
    check(&app, &with("Bearer wrong"), false).await;
    check(&app, &with(&right), true).await;
    let stale = [("authorization", right.as_str()), ("cookie", "a=b")];
    check(&app, &stale, true).await;
    // Other schemes are ignored.
    check(&app, &with("Basic eDp5"), true).await;
}

#[tokio::test]
async fn session_lasts_exactly_thirty_days() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    app.advance(30 * DAY - Duration::from_secs(1));
    check(&app, &[("cookie", &cookie)], true).await;
    app.advance(Duration::from_secs(1));
    check(&app, &[("cookie", &cookie)], false).await;
}

#[tokio::test]
async fn logins_are_separate_sessions_stored_hashed() {
    let app = TestApp::new();
    let (first, second) = (app.log_in().await, app.log_in().await);
    assert_ne!(first, second);
    check(&app, &[("cookie", &first)], true).await;
    check(&app, &[("cookie", &second)], true).await;
    let secret = first.split_once('=').unwrap().1;
    let database = std::fs::read(app.base_dir().join("data/wiki.redb")).unwrap();
    let is_there = database
        .windows(secret.len())
        .any(|part| part == secret.as_bytes());
    assert!(!is_there, "a copy of the database would let people in");
}

#[tokio::test]
async fn sessions_survive_restart_but_login_links_do_not() {
    let app = TestApp::new();
    let (cookie, login) = (app.log_in().await, app.login_path());
    let app = app.restart(|_| {});
    check(&app, &[("cookie", &cookie)], true).await;
    app.unauthenticated("GET", &login).send().await.is(401);
}

#[tokio::test]
async fn only_four_addresses_need_no_login() {
    let app = TestApp::new();
    app.unauthenticated("GET", "/healthz").send().await.is(200);
    // The error for a missing parameter shows that the address is open.
    app.unauthenticated("GET", "/login").send().await.is(400);
    app.unauthenticated("GET", "/get").send().await.is(400);
    app.unauthenticated("POST", "/queue").send().await.is(400);
    for path in [
        "/",
        "/wiki/",
        "/wiki/no/such/page",
        "/edit/",
        "/pictures/",
        "/settings",
        "/static/app.js",
        "/static/no-such-file",
        "/thumb",
        "/api/users",
        "/api/users/me",
        "/api/settings",
        "/api/pages",
        "/api/page",
        "/api/journals",
        "/api/roots",
        "/api/folders",
        "/api/image",
        "/api/events",
        "/api/openapi.json",
        "/no/such/address",
        "/healthz/",
        "/healthz/x",
        "//healthz",
        "/Healthz",
        "/login/",
        "/get/",
        "/queue/x",
    ] {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let answer = app.unauthenticated(method, path).send().await;
            assert_eq!(answer.status, 401, "{answer:?}");
        }
    }
}

#[tokio::test]
async fn unauthenticated_navigation_gets_login_instructions() {
    let app = TestApp::new();
    for (language, says) in [
        ("ja,en;q=0.5", "サインイン"),
        ("ja-JP", "サインイン"),
        ("en", "fumi login"),
        ("de, ja", "Run <code>fumi login"),
    ] {
        let answer = app
            .unauthenticated("GET", "/wiki/")
            .header("sec-fetch-mode", "navigate")
            .header("accept-language", language)
            .send()
            .await;
        answer
            .is(401)
            .has("content-type", "text/html; charset=utf-8")
            .has("cache-control", "no-store");
        assert!(answer.text().contains(says), "{language}: {answer:?}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    }
    // An older browser sends no fetch metadata, only what it accepts.
    let old = app
        .unauthenticated("GET", "/wiki/")
        .header("accept", "text/html,*/*")
        .send()
        .await;
    assert!(old.is(401).text().starts_with("<!doctype html>"));
    let script = app
        .unauthenticated("GET", "/wiki/")
        .header("sec-fetch-mode", "cors")
        .header("accept", "text/html")
        .send()
        .await;
    script.refused(401, "unauthenticated");
}

#[tokio::test]
async fn valid_cookie_is_refused_at_wrong_host() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    let answer = app
        .bare("GET", "/api/users")
        .header("host", &HOST.replace("4321", "4322"))
        .header("cookie", &cookie)
        .send()
        .await;
    answer.refused(403, "host_not_allowed");
}
