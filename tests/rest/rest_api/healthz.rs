//! `/healthz`.

use crate::support::TestApp;

#[tokio::test]
async fn health_names_the_launch_without_login() {
    let (one, other) = (TestApp::empty(), TestApp::new());
    let answer = one.unauthenticated("GET", "/healthz").send().await;
    let expected = serde_json::json!({"status": "ok", "instance": one.inner.instance()});
    assert_eq!(answer.is(200).json(), expected);
    assert_eq!(one.inner.instance().len(), 32);
    let said = other
        .unauthenticated("GET", "/healthz")
        .send()
        .await
        .text()
        .to_owned();
    assert!(!said.contains(other.inner.bearer()));
}

#[tokio::test]
async fn challenge_is_answered_by_a_proof() {
    let app = TestApp::empty();
    let challenge = "0123456789abcdef".repeat(4);
    let ask = async |challenge: &str| {
        let path = format!("/healthz?challenge={challenge}");
        app.unauthenticated("GET", &path).send().await
    };
    let file = fumikura_server::ServerFile {
        url: format!("http://{}/", crate::support::HOST),
        token: app.inner.bearer().to_owned(),
        instance: app.inner.instance().to_owned(),
    };
    let proved = ask(&challenge).await.is(200).json();
    let proof = proved["proof"].as_str().unwrap();
    assert!(file.is_proved_by(proof, &challenge));
    for short in ["", "0123", "no%20digits"] {
        ask(short).await.refused(400, "bad_request");
    }
}
