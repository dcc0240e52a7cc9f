//! Expired locks, which the server ends by itself, without any request.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Home, Server};

#[test]
fn expired_draft_is_swept_with_its_files() {
    let home = Home::new().with_config("lock_ttl_seconds = 1");
    let server = Server::start(&home);
    let client = server.client();
    let draft = client.post("/api/pages?path=/draft").unwrap().is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    client.upload(&id, "a.bin", b"draft").unwrap().is(201);
    assert_eq!(home.assets().len(), 1);
    // Only the sweep unlinks its file. A draft with an expired lock is reported as gone even before the sweep.
    let start = Instant::now();
    while !home.assets().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "it stays");
        std::thread::sleep(Duration::from_millis(10));
    }
    let locks = client.get("/api/locks").unwrap().is(200).json();
    assert_eq!(locks, Value::Array(Vec::new()));
    client.check_integrity().unwrap();
}
