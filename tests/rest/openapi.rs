//! The OpenAPI document and the routes agree.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::TestApp;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    serde_json::from_str(&fumikura_server::openapi_document()).unwrap()
}

/// Returns all methods of all addresses that the document describes.
fn described_routes(document: &Value) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in METHODS {
            if item.get(method).is_some() {
                all.push((method.to_uppercase(), path.clone()));
            }
        }
    }
    all
}

/// Replaces the parameters of an address with examples.
fn example(path: &str) -> String {
    let mut parts = path.split('/').map(|part| match part.starts_with('{') {
        true => "01JD0000000000000000000000",
        false => part,
    });
    parts.next();
    parts.fold(String::new(), |path, part| path + "/" + part)
}

#[tokio::test]
async fn server_serves_the_document() {
    let app = TestApp::new();
    let answer = app.get("/api/openapi.json").send().await;
    assert_eq!(answer.is(200).json(), document());
    assert!(document()["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[tokio::test]
async fn every_documented_route_exists() {
    let app = TestApp::new();
    for (method, path) in described_routes(&document()) {
        let call = app.call(&method, &example(&path));
        // An event stream does not end.
        if path == "/api/events" {
            drop(call.stream().await);
            continue;
        }
        let answer = call.send().await;
        assert_ne!(answer.status, 405, "{method} {path}");
        let nothing = answer.status == 404 && answer.json()["code"] == "not_found";
        assert!(!nothing || path.starts_with("/api/journals/"), "{answer:?}");
    }
}

#[tokio::test]
async fn undocumented_methods_are_refused() {
    let app = TestApp::new();
    let document = document();
    let known: BTreeSet<_> = described_routes(&document).into_iter().collect();
    for path in document["paths"].as_object().unwrap().keys() {
        for method in METHODS.map(str::to_uppercase) {
            if known.contains(&(method.clone(), path.clone())) {
                continue;
            }
            let answer = app.call(&method, &example(path)).send().await;
            assert_eq!(answer.status, 405, "{method} {path} is not described");
        }
    }
}

#[test]
fn operation_ids_are_unique() {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.values().flat_map(|item| item.as_object().unwrap());
    let names: Vec<_> = operations
        .map(|(_, operation)| operation["operationId"].as_str().unwrap())
        .collect();
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

#[test]
fn references_resolve_and_error_codes_are_documented() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut to_visit = vec![&document];
    while let Some(value) = to_visit.pop() {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let name = reference.strip_prefix("#/components/schemas/").unwrap();
            assert!(schemas.contains_key(name), "{reference}");
        }
        match value {
            Value::Object(fields) => to_visit.extend(fields.values()),
            Value::Array(items) => to_visit.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let codes = &schemas["ErrorCode"]["enum"];
    for code in [
        "cross_origin",
        "lock_required",
        "disk_full",
        "picture_undecodable",
    ] {
        assert!(codes.as_array().unwrap().contains(&json!(code)), "{code}");
    }
    assert_eq!(schemas["Error"]["required"], json!(["code", "message"]));
}
