//! The limits of a page's text: Markdown in UTF-8, of at most 10 MiB.

use axum::body::Body;

use crate::support::TestApp;
use crate::support::wiki::{encoded, source};

const MOST: usize = 10 * 1024 * 1024;

#[tokio::test]
async fn text_limit_is_ten_mebibytes() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let most = "x".repeat(MOST);
    app.save(&draft, &most).await.is(200);
    assert_eq!(app.text(&draft.id).await.len(), MOST);
    let held = app.lock(&draft.id).await;
    for too_long in [MOST + 1, MOST + 2, 3 * MOST] {
        let answer = app.save(&held, &"y".repeat(too_long)).await;
        let error = answer.refused(413, "too_large");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("at most"), "{message}");
    }
    assert_eq!(app.text(&draft.id).await, most);
    // The refusal did not lose the lock.
    app.save(&held, "short").await.is(200);
}

#[tokio::test]
async fn text_must_be_utf_8() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    for (bytes, at) in [
        (&b"\xff"[..], 0),
        (b"ab\x80", 2),
        (b"\xe6\x97", 0),
        (b"a\xed\xa0\x80", 1),
        (b"\xff\xfea\0", 0),
    ] {
        let call = app.put(&source(&draft.id)).token(&draft.token);
        let call = call.body("text/markdown; charset=utf-8", bytes);
        let error = call.send().await.refused(422, "not_utf8");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("byte {at}")), "{message}");
    }
    app.save(&draft, "").await.is(200);
    assert_eq!(app.text(&draft.id).await, "");
}

#[tokio::test]
async fn source_must_be_markdown() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let call = || app.put(&source(&draft.id)).token(&draft.token);
    for kind in [
        "",
        "text/plain",
        "text/markdownx",
        "text/html",
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let answer = call().body(kind, "text").send().await;
        answer.refused(415, "unsupported_media_type");
    }
    let untyped = call().header("content-length", "0").send().await;
    untyped.refused(415, "unsupported_media_type");
    let kind = "Text/Markdown; charset=UTF-8; variant=CommonMark";
    call().body(kind, "text").send().await.is(200);
}

#[tokio::test]
async fn interrupted_body_saves_nothing() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let parts = [
        Ok("half of a te"),
        Err(std::io::Error::other("the connection was lost")),
    ];
    let broken = Body::from_stream(futures_util::stream::iter(parts));
    let call = app.put(&source(&draft.id)).token(&draft.token);
    let answer = call.body("text/markdown", broken).send().await;
    answer.refused(400, "invalid_body");
    app.get(&source(&draft.id))
        .send()
        .await
        .refused(404, "draft");
    app.save(&draft, "whole").await.is(200);
}

#[tokio::test]
async fn bidi_controls_in_names_are_refused() {
    let app = TestApp::new();
    let (root, evil) = (app.root(), encoded("/gnp.\u{202e}exe".as_bytes()));
    let page = app.page("/a", "text").await;
    let at = |what: &str| format!("/api/pages/{page}/path?{what}={evil}");
    for call in [
        app.post(&format!("/api/pages?path={evil}")),
        app.post(&at("rename_to")),
    ] {
        let error = call.send().await.refused(422, "invalid_path");
        assert!(
            error["message"].as_str().unwrap().contains("U+202E"),
            "{error}"
        );
    }
    app.delete(&format!("/api/pages/{page}"))
        .send()
        .await
        .is(204);
    let restored = app.post(&at("restore_to")).send().await;
    restored.refused(422, "invalid_path");
    // An autosave entry for such a path is kept all the same, and the address can be opened.
    app.get(&format!("/edit{}", &evil.replace("%2F", "/")))
        .send()
        .await
        .is(200);
    app.file("a.png", b"picture");
    let renamed = app.post("/api/files/rename").json(serde_json::json!({
        "root": root, "path": "", "names": [{"from": "a.png", "to": "gnp.\u{202e}exe"}],
    }));
    renamed.send().await.refused(422, "invalid_file_name");
    // A file that already has such a name gets another.
    app.file("gnp.\u{202e}exe", b"picture");
    let renamed = app.post("/api/files/rename").json(serde_json::json!({
        "root": root, "path": "", "names": [{"from": "gnp.\u{202e}exe", "to": "b.exe"}],
    }));
    renamed.send().await.is(200);
}
