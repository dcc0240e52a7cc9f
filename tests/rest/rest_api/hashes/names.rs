//! `/api/hashes/name`: the name of a path's record, and the path of a name.

use serde_json::{Value, json};

use super::app;

#[tokio::test]
async fn names_are_explained_in_both_directions() {
    let app = app();
    let explain = |query: &str| app.get(&format!("/api/hashes/name?{query}"));
    let there = explain("path=%2Fa%23").send().await.is(200).json();
    let steps = json!([
        {"step": "path", "text": "/a#"},
        {"step": "substitute", "text": "~a#"},
        {"step": "escape", "text": "~a#1"},
    ]);
    let expected = json!({"path": "/a#", "name": "~a#1", "kind": "encoded", "encoded_bytes": 4, "name_limit": 250, "steps": steps});
    assert_eq!(there, expected);
    let back = explain("name=~a%231").send().await.is(200).json();
    assert_eq!(
        (&back["path"], &back["kind"]),
        (&json!("/a#"), &json!("encoded"))
    );
    let long = explain(&format!("path=%2F{}", "a".repeat(250)))
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(
        (&long["kind"], &long["encoded_bytes"]),
        (&json!("fallback"), &json!(251))
    );
    let hashed = explain("name=AbCdEf123456.json")
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(
        (&hashed["kind"], &hashed["path"]),
        (&json!("hashed"), &Value::Null)
    );
    let bytes = explain("path=%2F%FF").send().await.is(200).json();
    assert_eq!(
        (&bytes["path_bytes"], &bytes["name_bytes"]),
        (&json!("L/8="), &json!("fv8="))
    );
    for (query, code, fault) in [
        ("path=", "invalid_path", "empty"),
        ("path=a", "invalid_path", "relative"),
        ("path=%2Fa%2F", "invalid_path", "unclean"),
        ("path=%2F%2Fa", "invalid_path", "unclean"),
        ("path=%2F..", "invalid_path", "unclean"),
        ("path=%2Fa%00", "invalid_path", "zero_byte"),
        ("name=", "malformed_name", "foreign"),
        ("name=~a%23", "malformed_name", "escape"),
        ("name=~a%232", "malformed_name", "escape"),
        ("name=~~a", "malformed_name", "path"),
        ("name=~a~", "malformed_name", "path"),
        ("name=~a%2Fb", "malformed_name", "slash"),
        ("name=notes.txt", "malformed_name", "foreign"),
    ] {
        let error = explain(query).send().await.refused(422, code);
        assert_eq!(error["name_fault"], fault, "{query}");
    }
    explain("").send().await.refused(400, "bad_request");
    explain("path=/a&name=~a")
        .send()
        .await
        .refused(400, "bad_request");
}
