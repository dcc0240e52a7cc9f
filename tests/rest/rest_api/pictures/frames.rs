//! `/api/image/frames`: single frames of an animated picture.

use crate::support::TestApp;
use crate::support::pictures::{fixture, in_root, png};

#[tokio::test]
async fn only_animated_avif_has_frames() {
    let app = TestApp::new();
    let root = app.root();
    app.file("a.png", &png([1, 2, 3]));
    app.file("still.avif", &fixture("samples/scene.avif"));
    app.file("a.webp", &fixture("animated/c-moving.webp"));
    for path in ["a.png", "still.avif", "a.webp"] {
        let address = in_root("/api/image/frames", &root, path);
        let answer = app.get(&address).send().await;
        assert!(answer.is(204).body.is_empty(), "{path}");
    }
    app.file("moving.avif", &fixture("animated/d-moving.avif"));
    app.file("notes.avif", b"no picture");
    for (path, status, code) in [
        // The tests' server has no decoder of AVIF.
        ("moving.avif", 422, "picture_undecodable"),
        ("notes.avif", 415, "not_a_picture"),
        ("gone.avif", 404, "not_found"),
        ("../out.avif", 403, "outside_roots"),
    ] {
        let address = in_root("/api/image/frames", &root, path);
        app.get(&address).send().await.refused(status, code);
    }
    let address = in_root("/api/image/frames", &root, "moving.avif");
    let before = app.get(&format!("{address}&from=-1")).send().await;
    before.refused(400, "bad_request");
}
