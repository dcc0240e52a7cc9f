//! Damaged pictures: a thumbnail or an error, and the state in the listing.

use serde_json::Value;

use crate::support::TestApp;
use crate::support::pictures::{fixture, in_root, png};

async fn check(name: &str, status: u16) {
    let app = TestApp::new();
    let root = app.root();
    app.file(name, &fixture(&format!("broken/{name}")));
    for size in ["85x85", "300x200"] {
        let address = format!("{}&size={size}", in_root("/thumb", &root, name));
        let answer = app.get(&address).send().await;
        if status == 422 {
            answer.refused(422, "picture_undecodable");
        } else {
            answer.is(200).has("content-type", "image/jpeg");
        }
    }
    // The result is known now and listed, so that clients do not request the thumbnail again.
    let listing = app.get(&format!("/api/folders?root={root}")).send().await;
    let listing: Value = listing.is(200).json();
    let state = listing["entries"][0].get("state").and_then(Value::as_str);
    let expected = (status == 422).then_some("undecodable");
    assert_eq!(state, expected, "{name}");
    // The next picture is not affected.
    app.file("good.png", &png([1, 2, 3]));
    let good = app.get(&in_root("/thumb", &root, "good.png")).send().await;
    good.is(200);
}

#[tokio::test]
async fn truncated_gif_is_shown_partially() {
    check("truncated.gif", 200).await;
}

#[tokio::test]
async fn huge_avif_is_not_decoded() {
    check("17000x17000.avif", 422).await;
}

#[tokio::test]
async fn truncated_jpeg_is_shown_partially() {
    check("truncated.jpg", 200).await;
}

#[tokio::test]
async fn every_orientation_has_a_thumbnail() {
    let app = TestApp::new();
    let root = app.root();
    for orientation in 0..=8 {
        for shape in ["Landscape", "Portrait"] {
            let name = format!("{shape}_{orientation}.jpg");
            app.file(&name, &fixture(&format!("orientation/{name}")));
            let answer = app.get(&in_root("/thumb", &root, &name)).send().await;
            answer.is(200);
        }
    }
}

#[tokio::test]
async fn non_pictures_are_not_decoded() {
    let app = TestApp::new();
    let root = app.root();
    for (name, bytes) in [
        ("empty.jpg", &b""[..]),
        ("text.png", b"just a text"),
        ("page.gif", b"<!doctype html><script>alert(1)</script>"),
    ] {
        app.file(name, bytes);
        let answer = app.get(&in_root("/thumb", &root, name)).send().await;
        answer.refused(422, "picture_undecodable");
        let answer = app.get(&in_root("/api/image", &root, name)).send().await;
        answer.refused(415, "not_a_picture");
    }
}
