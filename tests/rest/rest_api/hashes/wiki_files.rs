//! The files of the wiki in `/api/hashes` and in rolling verification.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use fumikura_server::HashesFound;
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::list;
use crate::support::TestApp;

async fn turn_on(app: &TestApp) {
    let body = json!({"enabled": true, "days": 2, "gib_a_day": 1});
    let put = app.put("/api/hashes/schedule").json(body);
    put.send().await.is(200);
}

/// Verifies a part, as the program does when idle.
async fn verify(app: &TestApp) {
    app.advance(Duration::from_secs(2));
    app.inner.hashes().verify_next_part().await.unwrap();
}

fn states(list: &Value) -> Vec<(&str, &str)> {
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|item| {
            let state = item["state"].as_str().unwrap_or("unknown");
            (item["path"].as_str().unwrap(), state)
        })
        .collect()
}

#[tokio::test]
async fn wiki_files_are_listed_with_their_pages() {
    let app = TestApp::new();
    let page = app.page("/旅/京都", "text").await;
    let id = app.add_asset(&page, "苔.txt", b"abc").await;
    let gone = app.page("/gone", "text").await;
    app.add_asset(&gone, "b.txt", b"b").await;
    app.delete(&format!("/api/pages/{gone}?hard=true"))
        .send()
        .await
        .is(204);
    let listed = list(&app, "?dir=wiki").await;
    assert_eq!(
        states(&listed),
        [("/gone/b.txt", "unknown"), ("/旅/京都/苔.txt", "unknown")]
    );
    assert_eq!(listed["folder"]["id"], "wiki");
    assert_eq!(listed["folder"]["writable"], false);
    assert_eq!(listed["states"], json!({"unknown": 2}));
    let item = &listed["items"][1];
    assert_eq!(item["page"], json!({"page_id": page, "path": "/旅/京都"}));
    assert_eq!(
        (&item["name"], &item["kind"], &item["size"]),
        (&json!(id), &json!("asset"), &json!(3))
    );
    assert_eq!(item["content_hash"], super::ABC);
    assert_eq!(
        listed["items"][0]["page"],
        json!({"page_id": null, "path": "/gone"})
    );
    let found = list(&app, "?dir=wiki&q=京都&limit=1").await;
    assert_eq!(
        (&found["matching"], &found["total"]),
        (&json!(1), &json!(2))
    );
    for action in ["verify", "migrate", "tidy"] {
        let post = app.post(&format!("/api/hashes/{action}"));
        post.json(json!({"dir": "wiki"}))
            .send()
            .await
            .refused(400, "bad_request");
    }
}

#[tokio::test]
async fn wiki_files_are_verified_while_idle() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let mut ids = Vec::new();
    for name in ["damaged", "good", "missing"] {
        ids.push(app.add_asset(&page, name, name.as_bytes()).await);
    }
    // Nothing is read before verification is turned on.
    verify(&app).await;
    assert_eq!(
        list(&app, "?dir=wiki").await["states"],
        json!({"unknown": 3})
    );
    turn_on(&app).await;
    verify(&app).await;
    let listed = list(&app, "?dir=wiki").await;
    assert_eq!(listed["states"], json!({"ok": 3}));
    assert_eq!(listed["oldest_verified_at"], "2026-11-18T12:00:04Z");
    fs::write(app.asset_path(&ids[0]), "Damaged").unwrap();
    fs::remove_file(app.asset_path(&ids[2])).unwrap();
    app.expect_fault("are missing");
    let found = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&found);
    app.inner
        .hashes()
        .listen(move |findings| heard.lock().push(findings));
    app.advance(Duration::from_secs(86_400));
    verify(&app).await;
    let listed = list(&app, "?dir=wiki").await;
    assert_eq!(
        states(&listed),
        [
            ("/a/damaged", "differs"),
            ("/a/good", "ok"),
            ("/a/missing", "missing")
        ]
    );
    let expected = HashesFound {
        changed: 1,
        missing: 1,
        ..HashesFound::default()
    };
    assert_eq!(*found.lock(), [expected]);
    assert_eq!(
        list(&app, "?dir=wiki&state=missing").await["items"][0]["name"],
        json!(ids[2])
    );
    let schedule = app.get("/api/hashes/schedule").send().await.is(200).json();
    assert_eq!(
        (
            &schedule["recorded"],
            &schedule["wiki_files"],
            &schedule["unsound"]
        ),
        (&json!(0), &json!(3), &json!(2))
    );
    assert_eq!(schedule["oldest_verified_at"], "2026-11-18T12:00:04Z");
}
