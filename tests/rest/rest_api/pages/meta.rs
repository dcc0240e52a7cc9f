//! `GET /api/pages/{id}/meta`.

use std::time::Duration;

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::pictures::{fixture, png};

fn meta(id: &str) -> String {
    format!("/api/pages/{id}/meta")
}

#[tokio::test]
async fn meta_describes_page_and_revision() {
    let app = TestApp::new();
    let id = app.page("/旅/京都", "one").await;
    let held = app.lock(&id).await;
    app.advance(Duration::from_secs(60));
    app.save(&held, "two").await.is(200);
    let newest = app.get(&meta(&id)).send().await.is(200).json();
    insta::assert_json_snapshot!("the_newest_revision", newest);
    let first = app.get(&format!("{}?rev=1", meta(&id))).send().await;
    insta::assert_json_snapshot!("the_first_revision", first.is(200).json());
    let held = app.lock(&id).await;
    let locked = app.get(&meta(&id)).send().await;
    assert_eq!(locked.json()["page_info"]["locked"], true);
    assert!(!locked.text().contains(&held.token));
}

#[tokio::test]
async fn draft_has_no_revision() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let answer = app.get(&meta(&draft.id)).send().await;
    let expected = json!({
        "page_info": {
            "path": {"kind": "current", "value": "/a"},
            "title": null, "revision_scope": null, "rename_revisions": [],
            "deleted": false, "locked": true, "draft": true,
        },
        "revision_info": null,
        "pictures": [],
        "links": [],
        "properties": {"items": [], "fault": null},
    });
    assert_eq!(answer.is(200).json(), expected);
}

#[tokio::test]
async fn meta_lists_oriented_picture_sizes() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let sideways = fixture("orientation/Landscape_6.jpg");
    app.add_asset(&id, "b.png", &png([1, 2, 3])).await;
    app.add_asset(&id, "a.jpg", &sideways).await;
    // A format that browsers do not show in a text, a file without a readable size, and a file that is not a
    // picture.
    app.add_asset(&id, "c.svg", b"<svg/>").await;
    app.add_asset(&id, "d.png", b"text").await;
    let gone = app.add_asset(&id, "e.png", &png([3, 2, 1])).await;
    let gone = app.delete(&format!("/api/assets/{gone}")).send().await;
    gone.is(204);
    let expected = json!([
        {"file_name": "a.jpg", "width": 1800, "height": 1200},
        {"file_name": "b.png", "width": 40, "height": 30},
    ]);
    // A request does not wait long for files that are not examined yet; a later answer has more of them.
    let mut pictures = json!(null);
    for _ in 0..3 {
        let answer = app.get(&meta(&id)).send().await.is(200).json();
        pictures = answer["pictures"].clone();
    }
    assert_eq!(pictures, expected);
    let other = app.page("/b", "text").await;
    let none = app.get(&meta(&other)).send().await.is(200).json();
    assert_eq!(none["pictures"], json!([]));
}

#[tokio::test]
async fn missing_pages_and_revisions_are_refused() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    for (address, status, code) in [
        (meta(UNKNOWN_ID), 404, "page_not_found"),
        (format!("{}?rev=2", meta(&id)), 404, "page_not_found"),
        (format!("{}?rev=0", meta(&id)), 404, "page_not_found"),
        (
            format!("{}?rev={}", meta(&id), u64::MAX),
            404,
            "page_not_found",
        ),
        (
            format!("{}?rev={}0", meta(&id), u64::MAX),
            400,
            "bad_request",
        ),
        (format!("{}?rev=x", meta(&id)), 400, "bad_request"),
        (meta("nonsense"), 400, "bad_request"),
    ] {
        app.get(&address).send().await.refused(status, code);
    }
}
