//! The headers of every answer. The support checks on each answer that a test reads that nosniff and the
//! resource policy are present and CORS is absent.

use std::collections::HashSet;

use crate::support::TestApp;

#[tokio::test]
async fn pages_carry_the_content_security_policy() {
    let app = TestApp::new();
    let (mut policies, mut nonces) = (Vec::new(), HashSet::new());
    for path in ["/wiki/", "/edit/x", "/pictures/", "/settings"] {
        let page = app.get(path).send().await;
        page.is(200)
            .has("content-type", "text/html; charset=utf-8")
            .has("referrer-policy", "same-origin");
        let policy = page.header("content-security-policy").unwrap();
        let (policy, nonce) = policy.rsplit_once(" 'nonce-").unwrap();
        let nonce = nonce.strip_suffix('\'').unwrap();
        assert_eq!(nonce.len(), 32);
        let place = format!("<meta property=\"csp-nonce\" nonce=\"{nonce}\">");
        assert!(page.text().contains(&place), "{path}");
        policies.push(policy.to_owned());
        assert!(nonces.insert(nonce.to_owned()), "{nonce} came twice");
    }
    policies.dedup();
    assert_eq!(
        policies,
        [
            "default-src 'self'; script-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
             connect-src 'self' ipc: http://ipc.localhost; object-src 'none'; frame-src 'none'; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
             trusted-types fumikura svelte-trusted-html dompurify default; style-src 'self'"
        ]
    );
}

#[tokio::test]
async fn refusals_and_redirects_carry_security_headers() {
    let app = TestApp::new();
    // The support checks each of these answers.
    for (method, path, status) in [
        ("GET", "/no/such/address", 404),
        ("PUT", "/healthz", 405),
        ("GET", "/", 302),
        ("GET", "/static/none.js", 404),
        ("OPTIONS", "/api/users", 405),
    ] {
        let answer = app.call(method, path).send().await;
        answer.is(status).has("referrer-policy", "same-origin");
    }
    app.unauthenticated("GET", "/").send().await.is(401);
    app.bare("GET", "/").send().await.is(403);
}

#[tokio::test]
async fn preflight_gets_no_cors_headers() {
    let app = TestApp::new();
    let answer = app
        .unauthenticated("OPTIONS", "/api/users")
        .header("origin", "http://evil.example")
        .header("access-control-request-method", "POST")
        .send()
        .await;
    // A request that changes nothing is not refused for its origin, only for the missing login.
    answer.refused(401, "unauthenticated");
}
