//! `/api/sessions`.

use std::time::Duration;

use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::support::{Answer, PORT, TestApp};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Sends a browser's request with its cookie.
async fn ask(app: &TestApp, cookie: &str, method: &str, path: &str) -> Answer {
    let call = app.unauthenticated(method, path).header("cookie", cookie);
    call.send().await
}

/// Returns the sessions that a browser can list.
async fn list(app: &TestApp, cookie: &str) -> Vec<Value> {
    let answer = ask(app, cookie, "GET", "/api/sessions").await;
    answer.is(200).json()["items"].as_array().unwrap().clone()
}

/// Returns the id of the browser's own session.
async fn own_id(app: &TestApp, cookie: &str) -> String {
    let items = list(app, cookie).await;
    let own = items.iter().find(|item| item["is_current"] == true);
    own.unwrap()["id"].as_str().unwrap().to_owned()
}

async fn check_signed_in(app: &TestApp, cookie: &str, is_signed_in: bool) {
    let answer = ask(app, cookie, "GET", "/api/settings").await;
    assert_eq!(answer.status, if is_signed_in { 200 } else { 401 });
}

#[track_caller]
fn check_cookie_removed(answer: &Answer) {
    let removed = format!("fumikura_session_{PORT}=; Max-Age=0; HttpOnly; SameSite=Strict; Path=/");
    answer.is(204).has("set-cookie", &removed);
    answer.has("clear-site-data", "\"cache\"");
}

#[tokio::test]
async fn sessions_are_listed_with_browser_and_times() {
    let app = TestApp::new();
    let entered = app.unauthenticated("GET", &app.login_path());
    let entered = entered.header("user-agent", FIREFOX).send().await;
    let cookie = entered.header("set-cookie").unwrap();
    let cookie = cookie.split(';').next().unwrap();
    app.advance(HOUR);
    let (_, window) = app.window().await;
    let items = list(&app, cookie).await;
    assert_eq!(
        Value::from(items.clone()),
        json!([
            {
                "id": items[0]["id"],
                "browser": null,
                "system": null,
                "began_at": "2026-11-18T13:00:00Z",
                "seen_at": "2026-11-18T13:00:00Z",
                "ends_at": "2026-12-18T13:00:00Z",
                "is_current": false,
                "is_stored": false,
                "is_window": true,
            },
            {
                "id": items[1]["id"],
                "browser": "Firefox",
                "system": "Linux",
                "began_at": "2026-11-18T12:00:00Z",
                "seen_at": "2026-11-18T13:00:00Z",
                "ends_at": "2026-12-18T12:00:00Z",
                "is_current": true,
                "is_stored": true,
                "is_window": false,
            },
        ])
    );
    let secret = cookie.split_once('=').unwrap().1;
    assert!(!Value::from(items).to_string().contains(secret));
    assert_eq!(list(&app, &window).await[0]["is_current"], true);
    let by_bearer = app.get("/api/sessions").send().await;
    let by_bearer = by_bearer.is(200).json();
    let mut items = by_bearer["items"].as_array().unwrap().iter();
    assert!(items.all(|item| item["is_current"] == false));
}

#[tokio::test]
async fn ended_session_is_refused_also_after_restart() {
    let app = TestApp::new();
    let (ending, other) = (app.log_in().await, app.log_in().await);
    check_signed_in(&app, &ending, true).await;
    let address = format!("/api/sessions/{}", own_id(&app, &ending).await);
    let ended = ask(&app, &other, "DELETE", &address).await;
    assert_eq!(ended.is(204).header("set-cookie"), None);
    check_signed_in(&app, &ending, false).await;
    check_signed_in(&app, &other, true).await;
    let again = ask(&app, &other, "DELETE", &address).await;
    again.refused(404, "session_not_found");
    let app = app.restart(|_| {});
    check_signed_in(&app, &ending, false).await;
    check_signed_in(&app, &other, true).await;
}

#[tokio::test]
async fn session_unused_since_restart_can_be_ended() {
    let app = TestApp::new();
    let (ending, other) = (app.log_in().await, app.log_in().await);
    let address = format!("/api/sessions/{}", own_id(&app, &ending).await);
    let app = app.restart(|_| {});
    ask(&app, &other, "DELETE", &address).await.is(204);
    check_signed_in(&app, &ending, false).await;
}

#[tokio::test]
async fn all_other_sessions_except_windows_are_ended() {
    let app = TestApp::new();
    let (own, other) = (app.log_in().await, app.log_in().await);
    let (_, window) = app.window().await;
    app.log_in().await;
    let ended = ask(&app, &own, "DELETE", "/api/sessions").await;
    assert_eq!(ended.is(200).json(), json!({"ended": 2}));
    check_signed_in(&app, &own, true).await;
    check_signed_in(&app, &other, false).await;
    check_signed_in(&app, &window, true).await;
    let ended = app.delete("/api/sessions").send().await;
    assert_eq!(ended.is(200).json(), json!({"ended": 1}));
    check_signed_in(&app, &own, false).await;
    let items = list(&app, &window).await;
    assert_eq!(items.len(), 1);
    let address = format!("/api/sessions/{}", items[0]["id"].as_str().unwrap());
    app.delete(&address).send().await.is(204);
    check_signed_in(&app, &window, false).await;
}

#[tokio::test]
async fn signing_out_removes_the_cookie() {
    let app = TestApp::new();
    let (first, second) = (app.log_in().await, app.log_in().await);
    let out = ask(&app, &first, "DELETE", "/api/sessions/current").await;
    check_cookie_removed(&out);
    check_signed_in(&app, &first, false).await;
    let address = format!("/api/sessions/{}", own_id(&app, &second).await);
    check_cookie_removed(&ask(&app, &second, "DELETE", &address).await);
    check_signed_in(&app, &second, false).await;
    let bearer = app.delete("/api/sessions/current").send().await;
    bearer.refused(404, "session_not_found");
    let unauthenticated = app.unauthenticated("DELETE", "/api/sessions/current");
    unauthenticated.send().await.refused(401, "unauthenticated");
}

#[tokio::test]
async fn event_stream_of_ended_session_closes() {
    let app = TestApp::new();
    let (ending, other) = (app.log_in().await, app.log_in().await);
    let listen = |cookie: &str| {
        app.unauthenticated("GET", "/api/events")
            .header("cookie", cookie)
    };
    let mut closing = listen(&ending).stream().await;
    let mut open = listen(&other).stream().await;
    ask(&app, &ending, "DELETE", "/api/sessions/current").await;
    let end = tokio::time::timeout(Duration::from_secs(60), closing.frame()).await;
    assert!(end.expect("the stream stays open").is_none());
    let patch = app.patch("/api/settings").json(json!({"theme": "dark"}));
    patch.send().await.is(200);
    let event = open.frame().await.unwrap().unwrap().into_data().unwrap();
    assert!(event.starts_with(b"id:"), "{event:?}");
}
