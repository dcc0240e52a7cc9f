//! Expired locks, which the server ends by itself, without any request.

use serde_json::Value;

use crate::support::{Home, Server, until};

#[test]
fn expired_draft_is_swept_with_its_files() {
    let home = Home::new().with_config("lock_ttl_seconds = 1");
    let server = Server::start(&home);
    let client = server.client();
    let mut drafts = 0;
    // On a busy machine, a draft may expire before its file is there.
    until("a draft has a file", || {
        drafts += 1;
        let path = format!("/api/pages?path=/draft{drafts}");
        let draft = client.post(&path).unwrap().is(201).json();
        let id = draft["id"].as_str().unwrap();
        let uploaded = client.upload(id, "a.bin", b"draft").unwrap();
        uploaded.status == 201 && home.assets().len() == 1
    });
    // Only the sweep unlinks its file. A draft with an expired lock is reported as gone even before the sweep.
    until("the file goes", || home.assets().is_empty());
    let locks = client.get("/api/locks").unwrap().is(200).json();
    assert_eq!(locks, Value::Array(Vec::new()));
    client.check_integrity().unwrap();
}
