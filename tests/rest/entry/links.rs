//! `POST /api/login-links`.

use crate::support::TestApp;

#[tokio::test]
async fn bearer_creates_login_links() {
    let app = TestApp::new();
    let made = app.post("/api/login-links").send().await;
    let login = made.is(201).json()["login"].as_str().unwrap().to_owned();
    let path = login.strip_prefix("http://127.0.0.1:4321").unwrap();
    assert!(path.starts_with("/login?token="), "{path}");
    let entered = app.unauthenticated("GET", path).send().await;
    assert!(entered.is(200).header("set-cookie").is_some());
    let other = app.post("/api/login-links").send().await;
    assert_ne!(other.json()["login"], login);
}

#[tokio::test]
async fn session_cannot_create_login_links() {
    let app = TestApp::new();
    let cookie = app.log_in().await;
    let answer = app
        .unauthenticated("POST", "/api/login-links")
        .header("cookie", &cookie)
        .send()
        .await;
    answer.refused(401, "unauthenticated");
    app.unauthenticated("POST", "/api/login-links")
        .send()
        .await
        .refused(401, "unauthenticated");
}
