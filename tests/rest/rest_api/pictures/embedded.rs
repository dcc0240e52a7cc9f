//! `/api/image/embedded`: the preview that a camera has embedded in a picture's file.

use crate::support::TestApp;
use crate::support::pictures::{fixture, in_root, png};

#[tokio::test]
async fn embedded_preview_is_sent_unchanged() {
    let app = TestApp::new();
    let root = app.root();
    let picture = fixture("samples/embedded.jpg");
    app.file("a.jpg", &picture);
    let address = in_root("/api/image/embedded", &root, "a.jpg");
    let answer = app.get(&address).send().await;
    answer
        .is(200)
        .has("content-type", "image/jpeg")
        .has("content-security-policy", "sandbox; default-src 'none'")
        .has("cache-control", "no-cache");
    let small = &answer.body[..];
    assert!(small.len() < picture.len());
    assert!(picture.windows(small.len()).any(|part| part == small));
    let tag = answer.header("etag").unwrap();
    let again = app.get(&address).header("if-none-match", tag);
    again.send().await.is(304);
}

#[tokio::test]
async fn missing_preview_is_not_found() {
    let app = TestApp::new();
    let root = app.root();
    app.file("a.png", &png([1, 2, 3]));
    app.file("notes.jpg", b"no picture");
    for (path, status, code) in [
        ("a.png", 404, "not_found"),
        ("gone.png", 404, "not_found"),
        ("notes.jpg", 415, "not_a_picture"),
        ("../out.jpg", 403, "outside_roots"),
    ] {
        let address = in_root("/api/image/embedded", &root, path);
        app.get(&address).send().await.refused(status, code);
    }
}
