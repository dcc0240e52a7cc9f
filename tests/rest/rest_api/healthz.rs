//! `/healthz`.

use crate::support::House;

#[tokio::test]
async fn anyone_on_this_machine_may_ask_which_launch_it_is() {
    let (one, other) = (House::empty(), House::new());
    let answer = one.stranger("GET", "/healthz").send().await;
    let expected = serde_json::json!({"status": "ok", "instance": one.app.instance()});
    assert_eq!(answer.is(200).json(), expected);
    assert_eq!(one.app.instance().len(), 32);
    let said = other
        .stranger("GET", "/healthz")
        .send()
        .await
        .text()
        .to_owned();
    assert!(!said.contains(other.app.bearer()));
}

#[tokio::test]
async fn a_challenge_is_answered_by_a_proof() {
    let house = House::empty();
    let challenge = "0123456789abcdef".repeat(4);
    let ask = async |challenge: &str| {
        let path = format!("/healthz?challenge={challenge}");
        house.stranger("GET", &path).send().await
    };
    let file = fumikura_server::ServerFile {
        url: format!("http://{}/", crate::support::HOST),
        token: house.app.bearer().to_owned(),
        instance: house.app.instance().to_owned(),
    };
    let proved = ask(&challenge).await.is(200).json();
    let proof = proved["proof"].as_str().unwrap();
    assert!(file.is_proved_by(proof, &challenge));
    for short in ["", "0123", "no%20digits"] {
        ask(short).await.refused(400, "bad_request");
    }
}
