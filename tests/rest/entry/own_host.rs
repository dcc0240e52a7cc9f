//! The server's own host for browsers, and the clients that learn of it.

use fumikura_wiki::UserName;
use serde_json::json;

use crate::support::{Answer, Call, HOST, PORT, TestApp, name};

/// The headers of a browser when a user opens an address.
const NAVIGATION: [(&str, &str); 3] = [
    ("sec-fetch-site", "none"),
    ("sec-fetch-mode", "navigate"),
    ("sec-fetch-dest", "document"),
];

/// Returns an application with an own host for browsers, and that host.
fn app_with_own_host() -> (TestApp, String) {
    let app = TestApp::with(|config| {
        config.user = name("Aya");
        config.own_host = true;
    });
    let host = own_host(&app);
    (app, host)
}

fn own_host(app: &TestApp) -> String {
    let label = app.inner.own_host_label().unwrap();
    format!("fumikura-{label}.localhost:{PORT}")
}

/// Returns a request at the own host.
fn at_own_host(app: &TestApp, host: &str, method: &str, path: &str) -> Call {
    app.bare(method, path).header("host", host)
}

/// Opens an address in a browser.
async fn open(app: &TestApp, path: &str) -> Answer {
    let call = app.unauthenticated("GET", path).headers(&NAVIGATION);
    call.send().await
}

/// Logs a browser in at the own host. Returns its cookie.
async fn log_in(app: &TestApp, host: &str) -> String {
    let login = at_own_host(app, host, "GET", &app.login_path());
    let entered = login.headers(&NAVIGATION).send().await;
    let cookie = entered.is(303).header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

#[track_caller]
fn check_hides_host(answer: &Answer, host: &str) {
    let label = &host[..host.find('.').unwrap()];
    let told = format!("{:?}", answer.headers) + &String::from_utf8_lossy(&answer.body);
    assert!(!told.contains(label), "{answer:?}");
}

#[tokio::test]
async fn browser_logs_in_at_the_own_host() {
    let (app, host) = app_with_own_host();
    let path = format!("{}&next=/edit/a", app.login_path());
    let entered = at_own_host(&app, &host, "GET", &path);
    let entered = entered.headers(&NAVIGATION).send().await;
    entered.is(303).has("location", "/edit/a");
    assert!(entered.header("set-cookie").is_some());
    check_hides_host(&open(&app, &path).await.is(401), &host);
}

/// Programs know the bound address, and so may a browser that one of them drives.
#[tokio::test]
async fn login_at_the_bound_address_stays_there() {
    let (app, host) = app_with_own_host();
    let entered = open(&app, &app.login_path()).await;
    assert!(entered.is(303).header("set-cookie").is_some());
    check_hides_host(&entered, &host);
}

#[tokio::test]
async fn own_host_is_an_origin_of_its_own() {
    let (app, host) = app_with_own_host();
    let cookie = log_in(&app, &host).await;
    let change = async |origin: &str| {
        let call = at_own_host(&app, &host, "PATCH", "/api/settings");
        let call = call.header("cookie", &cookie).header("origin", origin);
        call.json(json!({"theme": "dark"})).send().await
    };
    change(&format!("http://{host}")).await.is(200);
    let other = change(&format!("http://{HOST}")).await;
    other.refused(403, "cross_origin");
    let page = at_own_host(&app, &host, "GET", "/wiki/").header("cookie", &cookie);
    page.send()
        .await
        .is(200)
        .has("referrer-policy", "same-origin");
    for other in [
        "fumikura-00000000000000000000000000000000.localhost:4321".to_owned(),
        host.replace("4321", "4322"),
        format!("{host}.evil.example"),
    ] {
        let asked = at_own_host(&app, &other, "GET", "/healthz").send().await;
        asked.refused(403, "host_not_allowed");
    }
}

#[tokio::test]
async fn own_host_is_hidden_from_unauthenticated_clients() {
    let (app, host) = app_with_own_host();
    for path in [
        "/",
        "/wiki/",
        "/settings",
        "/healthz",
        "/readyz",
        "/login?token=guess",
        "/static/app.js",
    ] {
        check_hides_host(&open(&app, path).await, &host);
        check_hides_host(&app.unauthenticated("GET", path).send().await, &host);
    }
}

#[tokio::test]
async fn own_host_stays_after_restart() {
    let (app, host) = app_with_own_host();
    let cookie = log_in(&app, &host).await;
    let app = app.restart(|config| config.own_host = true);
    assert_eq!(own_host(&app), host);
    let settings = at_own_host(&app, &host, "GET", "/api/settings");
    settings.header("cookie", &cookie).send().await.is(200);
}

#[tokio::test]
async fn login_link_names_both_hosts() {
    let (app, host) = app_with_own_host();
    let made = app.post("/api/login-links").send().await;
    let made = made.is(201).json();
    let token = made["login"].as_str().unwrap();
    let token = token.strip_prefix(&format!("http://{HOST}")).unwrap();
    assert_eq!(made["browser_login"], format!("http://{host}{token}"));
}

#[tokio::test]
async fn login_link_names_one_host_without_own_host() {
    let user: Option<UserName> = name("Aya");
    let off = TestApp::with(|config| config.user = user.clone());
    let proxied = TestApp::with(|config| {
        config.user = user.clone();
        config.own_host = true;
        config.hosts = vec!["wiki.example".to_owned()];
    });
    for app in [off, proxied] {
        let made = app.post("/api/login-links").send().await.json();
        assert_eq!(made["browser_login"], made["login"]);
    }
}
