//! `GET /login`.

use crate::support::{Answer, PORT, TestApp};

/// Returns the address to which the page after a login leads.
#[track_caller]
fn next(answer: &Answer) -> String {
    let html = answer.is(200).text();
    let url = html.split("content=\"0;url=").nth(1).unwrap();
    let url = url.split('"').next().unwrap().to_owned();
    assert!(html.contains(&format!("<a href=\"{url}\">")), "{html}");
    url.replace("&amp;", "&")
}

#[tokio::test]
async fn login_sets_the_cookie_and_redirects() {
    let app = TestApp::new();
    let answer = app.unauthenticated("GET", &app.login_path()).send().await;
    assert_eq!(next(&answer), "/wiki/");
    answer
        .has("cache-control", "no-store")
        .has("referrer-policy", "no-referrer");
    assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 1);
    let cookie = answer.header("set-cookie").unwrap();
    let (secret, attributes) = cookie.split_once("; ").unwrap();
    let secret = secret
        .strip_prefix(&format!("fumikura_session_{PORT}="))
        .unwrap();
    assert_eq!(secret.len(), 43, "256 bits in base64url");
    assert_eq!(
        attributes,
        "Max-Age=2592000; HttpOnly; SameSite=Strict; Path=/"
    );
}

#[tokio::test]
async fn unknown_token_is_refused() {
    let app = TestApp::new();
    for token in ["", "x", app.inner.bearer(), "%FF", "%00"] {
        let path = format!("/login?token={token}");
        let answer = app.unauthenticated("GET", &path).send().await;
        assert_eq!(answer.header("set-cookie"), None, "{answer:?}");
        assert!([400, 401].contains(&answer.status), "{answer:?}");
    }
    for language in ["en", "ja"] {
        let refused = app
            .unauthenticated("GET", "/login?token=x")
            .header("accept-language", language)
            .send()
            .await;
        refused.is(401).has("cache-control", "no-store");
        assert!(
            refused
                .text()
                .contains(&format!("<html lang=\"{language}\""))
        );
    }
    let missing = app.unauthenticated("GET", "/login").send().await;
    missing.refused(400, "bad_request");
}

#[tokio::test]
async fn login_link_works_from_another_program() {
    let app = TestApp::new();
    let answer = app
        .unauthenticated("GET", &app.login_path())
        .header("sec-fetch-site", "cross-site")
        .header("sec-fetch-mode", "navigate")
        .header("sec-fetch-dest", "document")
        .send()
        .await;
    answer.is(200);
}

#[tokio::test]
async fn direct_navigation_is_redirected_at_once() {
    let app = TestApp::new();
    let enter = async |site: &str| {
        let path = format!("{}&next=/edit/a", app.login_path());
        app.unauthenticated("GET", &path)
            .header("sec-fetch-site", site)
            .send()
            .await
    };
    let entered = enter("none").await;
    entered
        .is(303)
        .has("location", "/edit/a")
        .has("cache-control", "no-store")
        .has("referrer-policy", "no-referrer");
    assert!(entered.header("set-cookie").is_some());
    assert_eq!(entered.text(), "");
    assert_eq!(next(&enter("same-origin").await), "/edit/a");
}

#[tokio::test]
async fn window_session_ends_with_the_launch() {
    let app = TestApp::new();
    let (entrance, _) = app.inner.entrance("/");
    let entered = app.unauthenticated("GET", &entrance).send().await;
    let cookie = entered.is(200).header("set-cookie").unwrap();
    let (cookie, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/");
    let ask = async |app: &TestApp| {
        let call = app.unauthenticated("GET", "/api/settings");
        call.header("cookie", cookie).send().await
    };
    ask(&app).await.is(200);
    app.unauthenticated("GET", &entrance).send().await.is(401);
    let app = app.restart(|_| {});
    ask(&app).await.refused(401, "unauthenticated");
}

/// Asks for an entrance and then, with its session, for a page. Returns their policies for openers.
async fn opener_policies(app: &TestApp, entrance: &str) -> [String; 2] {
    let policy = |answer: &Answer| {
        let policy = answer.is(200).header("cross-origin-opener-policy");
        policy.unwrap().to_owned()
    };
    let entered = app.unauthenticated("GET", entrance).send().await;
    let cookie = entered.header("set-cookie").unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = app.unauthenticated("GET", "/wiki/");
    let page = page.header("cookie", &cookie).send().await;
    [policy(&entered), policy(&page)]
}

#[tokio::test]
async fn only_windows_do_without_opener_isolation() {
    let app = TestApp::new();
    let (window, _client) = app.inner.entrance("/");
    assert_eq!(opener_policies(&app, &window).await, ["unsafe-none"; 2]);
    let browser = app.login_path();
    assert_eq!(opener_policies(&app, &browser).await, ["same-origin"; 2]);
    let refused = app.unauthenticated("GET", &window).send().await;
    refused
        .is(401)
        .has("cross-origin-opener-policy", "same-origin");
}

async fn check_next(given: &str, expected: &str) {
    let app = TestApp::new();
    let path = format!("{}&next={given}", app.login_path());
    let answer = app.unauthenticated("GET", &path).send().await;
    assert_eq!(next(&answer), expected, "{given}");
}

#[tokio::test]
async fn login_redirects_to_own_pages_only() {
    check_next("/edit/a", "/edit/a").await;
    check_next(
        "/wiki/%25E6%2597%2585%3Frev=2%26x=1",
        "/wiki/%E6%97%85?rev=2&x=1",
    )
    .await;
    check_next("/pictures/01ABC/", "/pictures/01ABC/").await;
    check_next("/bin", "/bin").await;
    check_next("/cache", "/cache").await;
    check_next("/settings", "/settings").await;
    for foreign in [
        "",
        "https://evil.example",
        "//evil.example/wiki/",
        "/%5Cevil.example",
        "\\evil.example",
        "/wiki",
        "wiki/",
        "/api/users",
        "/login",
        "javascript:alert(1)",
        "/wiki/%22%3E%3Cscript%3E",
        "/wiki/%0D%0ASet-Cookie:a",
        "/wiki/a;url=//evil.example",
        "%20/wiki/",
    ] {
        let foreign = foreign.replace('\\', "%5C");
        check_next(&foreign, "/wiki/").await;
    }
}

#[tokio::test]
async fn only_get_logs_in() {
    let app = TestApp::new();
    let path = app.login_path();
    for method in ["POST", "PUT", "DELETE"] {
        let answer = app.unauthenticated(method, &path).send().await;
        answer.refused(405, "method_not_allowed");
    }
    for path in [path.as_str(), "/login?token=unknown"] {
        let head = app.unauthenticated("HEAD", path).send().await;
        head.is(200).has("cache-control", "no-store");
        assert_eq!(head.header("set-cookie"), None);
    }
    app.unauthenticated("GET", &path).send().await.is(200);
}
