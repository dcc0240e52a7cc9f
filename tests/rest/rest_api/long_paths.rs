//! Paths that are longer than any system permits, on every route that takes one.

use serde_json::{Value, json};

use crate::support::TestApp;

/// The longest path of Linux has 4,095 bytes.
const LENGTH: usize = 5000;
const LIST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n";

/// Returns the routes with a path in their query, with such a query.
fn queries(root: &str) -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&fumikura_server::openapi_document()).unwrap();
    let mut queries = Vec::new();
    for (address, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(parameters) = operation["parameters"].as_array() else {
                continue;
            };
            let has = |name: &str| {
                let mut parameters = parameters.iter();
                parameters.any(|found| found["name"] == name && found["in"] == "query")
            };
            let path = "a".repeat(LENGTH);
            let query = match (has("path"), has("root")) {
                (false, _) => continue,
                (true, true) => format!("{address}?root={root}&path={path}"),
                (true, false) => format!("{address}?path=/{path}&file=a"),
            };
            queries.push((method.to_uppercase(), query));
        }
    }
    queries
}

#[tokio::test]
async fn overlong_path_in_a_query_is_invalid() {
    let app = TestApp::with_allowed_pictures(|_| ());
    let root = app.root();
    let queries = queries(&root);
    assert!(queries.len() > 15, "{queries:?}");
    for (method, mut query) in queries {
        match query.split('?').next().unwrap() {
            "/thumb" => query.push_str("&size=64x64"),
            "/api/hashes/export" => query.push_str("&format=sha256sums"),
            _ => {}
        }
        let mut call = app.call(&method, &query);
        if ["/api/hashes/check", "/api/hashes/import"].contains(&query.split('?').next().unwrap()) {
            call = call.body("text/plain", LIST);
        }
        let answer = call.send().await;
        let shown = format!("{method} {}", query.split('?').next().unwrap());
        assert_eq!(answer.status, 422, "{shown}: {}", answer.text());
        assert_eq!(answer.json()["code"], "invalid_path", "{shown}");
    }
}

#[tokio::test]
async fn overlong_path_in_a_body_is_invalid() {
    let app = TestApp::with_allowed_pictures(|_| ());
    app.file("a.jpg", b"");
    let root = app.root();
    let long = "a".repeat(LENGTH);
    let absolute = format!("/{long}");
    let place = json!({"root": root, "path": long});
    let sound = json!({"root": root, "path": "a.jpg"});
    let bodies = [
        ("roots", json!({"path": absolute})),
        ("files/bin", json!({"items": [place]})),
        (
            "files/copy",
            json!({"items": [place], "to": {"root": root, "path": ""}}),
        ),
        ("files/copy", json!({"items": [sound], "to": place})),
        (
            "files/move",
            json!({"items": [place], "to": {"root": root, "path": ""}}),
        ),
        ("files/move", json!({"items": [sound], "to": place})),
        ("files/marks", json!({"items": [place], "rating": 1})),
        (
            "files/rename",
            json!({"root": root, "path": long, "names": [{"from": "a.jpg", "to": "b.jpg"}]}),
        ),
        ("hashes/record", place.clone()),
        ("hashes/verify", place.clone()),
        ("hashes/accept", json!({"path": absolute})),
        ("hashes/accept-move", json!({"path": absolute, "to": "/a"})),
        ("hashes/accept-move", json!({"path": "/a", "to": absolute})),
        ("hashes/restore", json!({"path": absolute})),
        ("hashes/reinstate", json!({"files": [{"path": absolute}]})),
    ];
    for (address, body) in bodies {
        let answer = app.post(&format!("/api/{address}")).json(body).send().await;
        assert_eq!(answer.status, 422, "{address}: {}", answer.text());
        assert_eq!(answer.json()["code"], "invalid_path", "{address}");
    }
}

/// A path of a permitted length is too long when it is joined to that of its root.
#[tokio::test]
async fn overlong_path_within_a_root_is_invalid() {
    let app = TestApp::with_allowed_pictures(|_| ());
    let root = app.root();
    let path = vec!["a".repeat(254); 16].join("/");
    for (method, address) in [
        ("GET", "hashes"),
        ("POST", "hashes/import"),
        ("POST", "hashes/check"),
    ] {
        let address = format!("/api/{address}?root={root}&path={path}");
        let call = app.call(method, &address);
        let answer = call.body("text/plain", LIST).send().await;
        answer.refused(422, "invalid_path");
    }
}
