//! `GET /api/pages/{id}/source` and `GET /api/page`.

use sha2::{Digest, Sha256};

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::wiki::source;

const ODD: &str = "# 題\u{feff}\r\n\ttab  \n\u{200b}か\u{3099}\0end";

/// Returns the tag of a version with this text.
fn tag(version: &str, text: &str) -> String {
    let digest: String = Sha256::digest(text.as_bytes())[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("\"{version}-{digest}\"")
}

#[tokio::test]
async fn text_is_returned_byte_for_byte_with_version() {
    let app = TestApp::new();
    let id = app.page("/a", ODD).await;
    for address in [source(&id), format!("/api/page?id={id}")] {
        let answer = app.get(&address).send().await;
        answer
            .is(200)
            .has("content-type", "text/markdown; charset=utf-8")
            .has("x-page-revision", "1")
            .has("cache-control", "no-cache")
            .has("etag", &tag("1.0", ODD));
        assert_eq!(answer.text(), ODD);
        assert_eq!(answer.header("x-page-deleted"), None);
    }
}

#[tokio::test]
async fn old_revisions_are_unchanged() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    for text in ["two", ""] {
        let held = app.lock(&id).await;
        app.save(&held, text).await.is(200);
    }
    for (revision, text) in [("1", "one"), ("2", "two"), ("3", "")] {
        for address in [
            format!("{}?rev={revision}", source(&id)),
            format!("/api/page?id={id}&rev={revision}"),
        ] {
            let answer = app.get(&address).send().await;
            answer.is(200).has("x-page-revision", revision);
            answer.has("etag", &tag(&format!("{revision}.0"), text));
            assert_eq!(answer.text(), text);
        }
    }
    let newest = app.get(&source(&id)).send().await;
    assert_eq!(newest.is(200).text(), "");
}

#[tokio::test]
async fn unchanged_text_is_not_sent_again() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let own = tag("1.0", "one");
    let weak = format!("W/{own}");
    let among = format!("\"x\", {own} , \"y\"");
    for (known, status) in [
        (own.as_str(), 304),
        (&weak, 304),
        (&among, 304),
        ("*", 304),
        ("\"1.0\"", 200),
        ("\"1.0-0000000000000000\"", 200),
        ("nonsense", 200),
        ("", 200),
    ] {
        let answer = app
            .get(&source(&id))
            .header("if-none-match", known)
            .send()
            .await;
        answer
            .is(status)
            .has("etag", &own)
            .has("x-page-revision", "1");
        assert_eq!(answer.body.is_empty(), status == 304, "{known}");
    }
}

/// The greatest number that a revision could have.
const MOST: u64 = u64::MAX;

#[tokio::test]
async fn missing_pages_drafts_and_revisions_are_distinguished() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let draft = app.draft("/b").await;
    for (address, status, code) in [
        (source(UNKNOWN_ID), 404, "page_not_found"),
        (format!("/api/page?id={UNKNOWN_ID}"), 404, "page_not_found"),
        (source(&draft.id), 404, "draft"),
        (format!("{}?rev=2", source(&id)), 404, "page_not_found"),
        (format!("{}?rev=0", source(&id)), 404, "page_not_found"),
        (format!("{}?rev={MOST}", source(&id)), 404, "page_not_found"),
        (format!("/api/page?id={id}&rev=0"), 404, "page_not_found"),
        (
            format!("/api/page?id={id}&rev={MOST}"),
            404,
            "page_not_found",
        ),
        (format!("/api/page?id={id}&rev={MOST}0"), 400, "bad_request"),
        (format!("{}?rev=-1", source(&id)), 400, "bad_request"),
        (format!("{}?rev=x", source(&id)), 400, "bad_request"),
        (source("nonsense"), 400, "bad_request"),
        ("/api/page".to_owned(), 400, "bad_request"),
        ("/api/page?id=nonsense".to_owned(), 400, "bad_request"),
    ] {
        let answer = app.get(&address).send().await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn head_has_the_headers_without_body() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let head = app.call("HEAD", &source(&id)).send().await;
    head.is(200).has("etag", &tag("1.0", "one"));
    assert!(head.body.is_empty());
}
