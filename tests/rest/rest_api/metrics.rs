//! `/metrics` and its key.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::pictures::{in_root, png};

async fn key(app: &TestApp) -> String {
    let answer: Value = app.get("/api/metrics/key").send().await.is(200).json();
    answer["key"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn metrics_key_survives_restart_until_replaced() {
    let app = TestApp::new();
    app.unauthenticated("GET", "/metrics")
        .send()
        .await
        .refused(401, "unauthenticated");
    let first = key(&app).await;
    assert_eq!(first.len(), 43);
    let read = async |app: &TestApp, key: &str| {
        let bearer = format!("Bearer {key}");
        let call = app.unauthenticated("GET", "/metrics");
        call.header("authorization", &bearer).send().await
    };
    let app = app.restart(|_| {});
    read(&app, &first).await.is(200);
    // The key gives access to nothing else.
    let other = app.unauthenticated("GET", "/api/cache");
    let other = other.header("authorization", &format!("Bearer {first}"));
    other.send().await.refused(401, "unauthenticated");
    let second: Value = app.post("/api/metrics/key").send().await.is(200).json();
    read(&app, &first).await.refused(401, "unauthenticated");
    read(&app, second["key"].as_str().unwrap()).await.is(200);
    let session = app.log_in().await;
    let asked = app.unauthenticated("GET", "/api/metrics/key");
    let asked = asked.header("cookie", &session).send().await;
    asked.refused(403, "bearer_required");
}

#[tokio::test]
async fn metrics_are_in_openmetrics_format() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let address = in_root("/thumb", &app.root(), "a.png");
    app.get(&address).send().await.is(200);
    app.get(&address).send().await.is(200);
    let policy = json!({"enabled": true, "ttl_days": 1});
    let set = app.put("/api/ttl/default").json(policy).send().await;
    set.is(200);
    app.advance(Duration::from_secs(86_400));
    app.inner.expiry().run_if_due().unwrap();
    let answer = app.get("/metrics").send().await;
    answer.is(200);
    let kind = answer.header("content-type").unwrap();
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let text = answer.text();
    for line in [
        "# TYPE fumikura_cache_hits counter",
        "fumikura_cache_hits_total 1",
        "fumikura_cache_misses_total 1",
        "fumikura_cache_files 1",
        "fumikura_cache_limit_bytes 1073741824",
        "fumikura_ttl_expired 1",
        "fumikura_ttl_expired_blobs 1",
        "fumikura_ttl_expired_manifests 0",
        "fumikura_ttl_processing_blobs 0",
        "fumikura_ttl_processing_manifests 0",
        "fumikura_ttl_errors 0",
        "fumikura_ttl_error_blobs 0",
        "fumikura_ttl_error_manifests 0",
        "fumikura_ttl_last_success_seconds 1795089600",
        "fumikura_wiki_pages 1",
        "fumikura_limiter_granted_total 0",
        "# EOF",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}
