//! `POST /api/pages/{id}/assets/{file_name}`: a file is added completely, or not at all.

use std::convert::Infallible;
use std::io;

use axum::body::{Body, Bytes};
use serde_json::json;

use super::{UNKNOWN_ID, asset, upload_address};
use crate::support::TestApp;

const KIND: &str = "application/octet-stream";

/// The size limit in the support's configuration.
const LIMIT: usize = 1 << 20;

#[tokio::test]
async fn uploaded_file_is_listed_and_located() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let answer = app
        .upload_asset(&page, "京都 の地図.png", b"contents")
        .await;
    let created = answer.is(201).json();
    let id = created["id"].as_str().unwrap();
    assert_eq!(created, json!({"id": id}));
    answer.has("location", &asset(id));
    let file = app.get(answer.header("location").unwrap()).send().await;
    assert_eq!(file.is(200).body, "contents");
    let listed = app.assets(&page, false).await;
    let expected = json!([{
        "id": id,
        "page_id": page,
        "file_name": "京都 の地図.png",
        "original_name": "京都 の地図.png",
        "mime": "text/plain; charset=utf-8",
        "size": 8,
        // `printf contents | sha256sum`
        "sha256": "d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8",
        "created_at": "2026-11-18T12:00:00Z",
        "user_name": "Aya",
        "state": "live",
        "deleted_at": null,
        "last_path": null,
    }]);
    assert_eq!(json!(listed), expected);
    let meta = app.get(&format!("/api/assets/{id}/meta")).send().await;
    assert_eq!(meta.is(200).json(), expected[0]);
}

#[tokio::test]
async fn read_only_asset_folder_is_reported() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    // No files can be created there, even by root.
    let asset = app.base_dir().join("data/asset");
    std::os::unix::fs::symlink("/sys/kernel", asset).unwrap();
    let answer = app.upload_asset(&page, "a.txt", b"contents").await;
    answer.refused(507, "read_only");
    assert_eq!(app.assets(&page, false).await.len(), 0);
    assert_eq!(app.text(&page).await, "text");
}

#[tokio::test]
async fn invalid_names_are_refused_and_long_accepted() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let long = format!("{}b", "あ".repeat(85));
    for name in [
        "a/b",
        "/",
        "..",
        ".",
        "a\0",
        "a\nb",
        "a\u{1b}[31m",
        "gnp.\u{202e}exe",
        "photo.exe\u{200b}.jpg",
        "\u{2066}a",
        &long,
    ] {
        let answer = app.upload_asset(&page, name, b"x").await;
        answer.refused(422, "invalid_file_name");
    }
    let not_utf8 = format!("/api/pages/{page}/assets/%ff");
    let answer = app.post(&not_utf8).body(KIND, "x").send().await;
    answer.refused(400, "bad_request");
    // Without a name, the address adds pictures of folders, which the request lists in JSON.
    let nameless = format!("/api/pages/{page}/assets");
    let answer = app.post(&nameless).body(KIND, "x").send().await;
    answer.refused(415, "unsupported_media_type");
    let empty = format!("{nameless}/");
    let status = app.post(&empty).body(KIND, "x").send().await.status;
    assert!([404, 405].contains(&status), "{status}");
    assert_eq!(app.stored_files(), 0);
    for name in [&long[..255], "...", "a\\b", "か\u{3099}"] {
        app.add_asset(&page, name, b"x").await;
    }
    let listed = app.assets(&page, false).await;
    assert!(listed.iter().any(|asset| asset["file_name"] == "が"));
}

#[tokio::test]
async fn upload_to_missing_page_is_refused() {
    let app = TestApp::new();
    let answer = app.upload_asset(UNKNOWN_ID, "a", b"x").await;
    answer.refused(404, "page_not_found");
    app.upload_asset("x", "a", b"x")
        .await
        .refused(400, "bad_request");
    let list = app.get(&format!("/api/pages/{UNKNOWN_ID}/assets")).send();
    list.await.refused(404, "page_not_found");
    assert_eq!(app.stored_files(), 0);
}

#[tokio::test]
async fn drafts_and_locked_pages_accept_files_without_token() {
    let app = TestApp::new();
    let draft = app.draft("/draft").await;
    let of_draft = app.add_asset(&draft.id, "a.txt", b"x").await;
    let page = app.page("/a", "text").await;
    let held = app.lock(&page).await;
    app.add_asset(&page, "a.txt", b"x").await;
    app.save(&held, "more").await.is(200);
    let lock = format!("/api/pages/{}/lock", draft.id);
    app.delete(&lock).token(&draft.token).send().await.is(204);
    let gone = app.get(&asset(&of_draft)).send().await;
    gone.refused(404, "asset_not_found");
    assert_eq!(app.stored_files(), 1);
}

#[tokio::test]
async fn taken_name_is_refused() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    app.add_asset(&page, "a.txt", b"first").await;
    let answer = app.upload_asset(&page, "a.txt", b"second").await;
    answer.refused(409, "file_name_taken");
    assert_eq!(app.stored_files(), 1);
}

#[tokio::test]
async fn free_name_option_avoids_taken_names() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    app.add_asset(&page, "京都 1.png", b"first").await;
    for expected in ["京都 1-2.png", "京都 1-3.png"] {
        let address = upload_address(&page, "京都 1.png") + "?free_name=true";
        let answer = app.post(&address).body(KIND, "more").send().await;
        let created = answer.is(201).json();
        let id = created["id"].as_str().unwrap();
        assert_eq!(created, json!({"id": id, "file_name": expected}));
        let meta = app.get(&format!("/api/assets/{id}/meta")).send().await;
        let meta = meta.is(200).json();
        assert_eq!(meta["file_name"], expected);
        assert_eq!(meta["original_name"], "京都 1.png");
    }
    for (query, status, code) in [
        ("free_name=false", 409, "file_name_taken"),
        ("free_name=perhaps", 400, "bad_request"),
    ] {
        let address = format!("{}?{query}", upload_address(&page, "京都 1.png"));
        let answer = app.post(&address).body(KIND, "more").send().await;
        answer.refused(status, code);
    }
    assert_eq!(app.stored_files(), 3);
}

#[tokio::test]
async fn one_of_concurrent_uploads_wins() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let statuses = four_at_once(&app, &upload_address(&page, "a.bin")).await;
    assert_eq!(statuses, [201, 409, 409, 409]);
    assert_eq!(app.stored_files(), 1);
    assert_eq!(app.assets(&page, true).await.len(), 1);
}

#[tokio::test]
async fn concurrent_uploads_get_free_names() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let address = upload_address(&page, "a.bin") + "?free_name=true";
    assert_eq!(four_at_once(&app, &address).await, [201; 4]);
    let listed = app.assets(&page, true).await;
    let names = listed.iter().map(|asset| asset["file_name"].clone());
    let names: Vec<_> = names.collect();
    assert_eq!(
        json!(names),
        json!(["a-2.bin", "a-3.bin", "a-4.bin", "a.bin"])
    );
}

/// Sends four uploads to one address, each started before any can finish. Returns their statuses, sorted.
async fn four_at_once(app: &TestApp, address: &str) -> [u16; 4] {
    let gate = std::sync::Arc::new(tokio::sync::Barrier::new(4));
    let upload = |number: u8| {
        let gate = std::sync::Arc::clone(&gate);
        let pieces = futures_util::stream::unfold(0, move |step| {
            let gate = std::sync::Arc::clone(&gate);
            async move {
                match step {
                    0 => Some((Ok::<_, Infallible>(Bytes::from(vec![number; 300_000])), 1)),
                    1 => {
                        gate.wait().await;
                        Some((Ok(Bytes::from_static(b"end")), 2))
                    }
                    _ => None,
                }
            }
        });
        let call = app.post(address);
        call.body(KIND, Body::from_stream(pieces)).send()
    };
    let answers = tokio::join!(upload(1), upload(2), upload(3), upload(4));
    let mut statuses = [answers.0, answers.1, answers.2, answers.3].map(|it| it.status);
    statuses.sort_unstable();
    statuses
}

#[tokio::test]
async fn too_large_upload_is_refused_early() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let unread = futures_util::stream::poll_fn(|_| -> std::task::Poll<Option<io::Result<Bytes>>> {
        // The server may or may not read and discard it; nothing results from it.
        std::task::Poll::Pending
    });
    let said = app.post(&upload_address(&page, "a"));
    let said = said.header("content-length", &(LIMIT + 1).to_string());
    let said = said.body(KIND, Body::from_stream(unread)).send().await;
    said.refused(413, "too_large");
    // A body without a declared length.
    let pieces = (0..5).map(|_| Ok::<_, Infallible>(Bytes::from(vec![0; 256 * 1024])));
    let endless = Body::from_stream(futures_util::stream::iter(pieces));
    let answer = app
        .post(&upload_address(&page, "a"))
        .body(KIND, endless)
        .send();
    answer.await.refused(413, "too_large");
    assert_eq!(app.stored_files(), 0);
    app.add_asset(&page, "a", &vec![0; LIMIT]).await;
}

#[tokio::test]
async fn broken_upload_leaves_nothing() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let pieces = [
        Ok(Bytes::from(vec![1; 600_000])),
        Err(io::Error::from(io::ErrorKind::ConnectionReset)),
    ];
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    let answer = app
        .post(&upload_address(&page, "a"))
        .body(KIND, body)
        .send()
        .await;
    answer.refused(400, "invalid_body");
    assert_eq!(app.stored_files(), 0);
    assert!(app.assets(&page, true).await.is_empty());
    app.add_asset(&page, "a", b"whole").await;
}

#[tokio::test]
async fn empty_file_is_accepted() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "empty", b"").await;
    let file = app.get(&asset(&id)).send().await;
    file.is(200).has("content-length", "0");
}
