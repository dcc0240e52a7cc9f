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
