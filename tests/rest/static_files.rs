//! `/static/*`: the page's own files. They must be built before: `cargo xtask build` makes them.

use crate::support::{Answer, TestApp};

async fn get(app: &TestApp, name: &str, encodings: &str) -> Answer {
    let call = app.get(&format!("/static/{name}"));
    let answer = call.header("accept-encoding", encodings).send().await;
    assert_ne!(
        answer.status, 404,
        "/static/{name} is not built: run `cargo xtask test`, which builds the page first"
    );
    answer
}

#[tokio::test]
async fn files_have_their_content_type() {
    let app = TestApp::new();
    for (name, kind) in [
        ("app.js", "text/javascript; charset=utf-8"),
        ("app.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let answer = get(&app, name, "identity").await;
        answer
            .is(200)
            .has("content-type", kind)
            .has("cache-control", "no-cache")
            .has("vary", "accept-encoding");
        assert_eq!(answer.header("content-encoding"), None);
        assert!(!answer.body.is_empty());
    }
}

#[tokio::test]
async fn accepted_encoding_is_sent() {
    let app = TestApp::new();
    let plain = get(&app, "app.css", "").await.body.len();
    for (encodings, expected) in [
        ("gzip, deflate, br", Some("gzip")),
        ("br;q=1.0, gzip;q=0.5", Some("gzip")),
        ("gzip", Some("gzip")),
        ("br, gzip; q=0.0", None),
        ("gzip;q=0", None),
        ("zstd, deflate", None),
        ("*", None),
        ("xgzip", None),
    ] {
        let answer = get(&app, "app.css", encodings).await;
        assert_eq!(
            answer.is(200).header("content-encoding"),
            expected,
            "{encodings}"
        );
        answer.has("content-type", "text/css; charset=utf-8");
        assert_eq!(answer.body.len() < plain, expected.is_some(), "{encodings}");
    }
}

#[tokio::test]
async fn encodings_have_different_tags() {
    let app = TestApp::new();
    for name in ["app.js", "app.css"] {
        let mut tags = Vec::new();
        for encodings in ["gzip", "identity"] {
            let answer = get(&app, name, encodings).await;
            tags.push(answer.header("etag").unwrap().to_owned());
        }
        tags.dedup();
        assert_eq!(tags.len(), 2, "{name}");
    }
}

#[tokio::test]
async fn unchanged_file_is_not_sent_again() {
    let app = TestApp::new();
    let first = get(&app, "app.css", "gzip").await;
    let tag = first.header("etag").unwrap().to_owned();
    for known in [tag.clone(), format!("W/{tag}"), format!("\"x\", {tag}")] {
        let call = app.get("/static/app.css").header("accept-encoding", "gzip");
        let answer = call.header("if-none-match", &known).send().await;
        answer.is(304).has("etag", &tag);
        assert!(answer.body.is_empty());
    }
    // Another encoding is another sequence of bytes.
    for known in ["\"x\"", &tag] {
        let call = app.get("/static/app.css").header("if-none-match", known);
        call.send().await.is(200);
    }
}

#[tokio::test]
async fn invalid_names_are_not_found() {
    let app = TestApp::new();
    get(&app, "app.js", "").await.is(200);
    for name in [
        "none.js",
        "app.js.gz",
        "app.js/",
        "/app.js",
        "../package.json",
        "..%2Fpackage.json",
        "%2e%2e/package.json",
        "chunks/../../package.json",
        "%2Fetc%2Fpasswd",
        "chunks",
        "chunks/",
        "app.js%00",
    ] {
        let answer = app.get(&format!("/static/{name}")).send().await;
        answer.refused(404, "not_found");
    }
    app.get("/static/%FF")
        .send()
        .await
        .refused(400, "bad_request");
    for nothing in ["/static", "/static/"] {
        app.get(nothing).send().await.refused(404, "not_found");
    }
}
