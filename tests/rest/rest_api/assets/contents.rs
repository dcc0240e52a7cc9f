//! `GET /api/asset?id=`: a file itself, typed by its contents, made harmless, whole or in part.

use super::{UNKNOWN_ID, asset};
use crate::support::pictures::png;
use crate::support::{Answer, TestApp};

#[track_caller]
fn check_harmless(answer: &Answer) {
    answer
        .has("content-security-policy", "sandbox; default-src 'none'")
        .has("cache-control", "private, max-age=31536000, immutable");
}

#[tokio::test]
async fn type_follows_contents_not_name() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    // “日本語の文章。これは試験です。” in Shift_JIS.
    let sjis = b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x95\xb6\x8f\xcd\x81\x42\x82\xb1\x82\xea\x82\xcd\x8e\x8e\x8c\xb1\x82\xc5\x82\xb7\x81\x42";
    let svg = b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let html = b"<!DOCTYPE html><script>alert(1)</script>";
    for (name, contents, kind, shown) in [
        ("a.html", &png([1, 2, 3])[..], "image/png", "inline"),
        ("a.png", html, "text/html", "attachment"),
        ("b.png", svg, "image/svg+xml", "attachment"),
        (
            "c.txt",
            b"<?xml version='1.0'?><a/>",
            "application/xml",
            "attachment",
        ),
        (
            "d.html",
            "旅行の計画\n".as_bytes(),
            "text/plain; charset=utf-8",
            "inline",
        ),
        ("e.html", sjis, "text/plain; charset=shift_jis", "inline"),
        ("f.html", b"", "text/plain; charset=utf-8", "inline"),
        ("g.png", b"%PDF-1.7\n\x00", "application/pdf", "attachment"),
        (
            "h.png",
            b"\x00\x01\x02\x03",
            "application/octet-stream",
            "attachment",
        ),
    ] {
        let id = app.add_asset(&page, name, contents).await;
        let answer = app.get(&asset(&id)).send().await;
        check_harmless(answer.is(200));
        answer.has("content-type", kind).has(
            "content-disposition",
            &format!("{shown}; filename=\"{name}\"; filename*=UTF-8''{name}"),
        );
        assert_eq!(answer.body, contents, "{name}");
    }
}

#[tokio::test]
async fn ranges_return_parts() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"0123456789").await;
    for (range, status, length, part) in [
        ("bytes=0-0", 206, "bytes 0-0/10", "0"),
        ("bytes=7-", 206, "bytes 7-9/10", "789"),
        ("bytes=-3", 206, "bytes 7-9/10", "789"),
        ("bytes=-99", 206, "bytes 0-9/10", "0123456789"),
        ("bytes=10-", 416, "bytes */10", ""),
    ] {
        let answer = app.get(&asset(&id)).header("range", range).send().await;
        check_harmless(answer.is(status));
        answer
            .has("content-range", length)
            .has("accept-ranges", "bytes");
        assert_eq!(answer.body, part, "{range}");
    }
    let head = app.call("HEAD", &asset(&id)).send().await;
    head.is(200).has("content-length", "10");
    assert!(head.body.is_empty());
}

#[tokio::test]
async fn unchanged_file_is_not_sent_again() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"contents").await;
    // The SHA-256 of the contents.
    let tag = "\"d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8\"";
    let answer = app.get(&asset(&id)).send().await;
    answer.is(200).has("etag", tag);
    let known = app.get(&asset(&id)).header("if-none-match", tag);
    let known = known.send().await;
    check_harmless(known.is(304));
    assert!(known.body.is_empty());
    let other = app.get(&asset(&id)).header("if-none-match", "\"x\"");
    other.send().await.is(200);
    for (version, status) in [(tag, 206), ("\"x\"", 200)] {
        let call = app.get(&asset(&id)).header("range", "bytes=0-1");
        let answer = call.header("if-range", version).send().await;
        answer.is(status);
    }
}

#[tokio::test]
async fn deleted_file_is_readable_by_id() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"contents").await;
    let live = app.get(&asset(&id)).send().await;
    assert_eq!(live.header("x-asset-deleted"), None);
    app.delete(&format!("/api/assets/{id}"))
        .send()
        .await
        .is(204);
    let deleted = app.get(&asset(&id)).send().await;
    assert_eq!(
        deleted.is(200).has("x-asset-deleted", "true").body,
        "contents"
    );
}

#[tokio::test]
async fn missing_files_are_not_found() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    for (address, status, code) in [
        (asset(UNKNOWN_ID), 404, "asset_not_found"),
        (
            format!("/api/assets/{UNKNOWN_ID}/meta"),
            404,
            "asset_not_found",
        ),
        (asset("x"), 400, "bad_request"),
        ("/api/asset".to_owned(), 400, "bad_request"),
        (
            format!("/api/asset?id={UNKNOWN_ID}&path=/a&file=b"),
            400,
            "bad_request",
        ),
        ("/api/asset?path=/a".to_owned(), 400, "bad_request"),
    ] {
        app.get(&address).send().await.refused(status, code);
    }
    let id = app.add_asset(&page, "a.txt", b"contents").await;
    std::fs::remove_file(app.asset_path(&id)).unwrap();
    let missing = app.get(&asset(&id)).send().await;
    missing.refused(404, "asset_file_missing");
    // The row stays, so that the file can be put back.
    assert_eq!(app.assets(&page, false).await.len(), 1);
    std::fs::write(app.asset_path(&id), b"contents").unwrap();
    app.get(&asset(&id)).send().await.is(200);
}

#[tokio::test]
async fn unauthenticated_client_sees_nothing() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"contents").await;
    for (method, address) in [
        ("GET", asset(&id)),
        ("GET", format!("/api/pages/{page}/assets")),
        ("POST", super::upload_address(&page, "b.txt")),
        ("DELETE", format!("/api/assets/{id}")),
    ] {
        let answer = app.unauthenticated(method, &address).send().await;
        answer.refused(401, "unauthenticated");
    }
}
