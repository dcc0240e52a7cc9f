//! The parameter `at`: the wiki as of a moment.

use std::io::Cursor;
use std::time::Duration;

use serde_json::{Value, json};
use zip::ZipArchive;

use crate::support::TestApp;
use crate::support::wiki::source;

/// A wiki whose pages have changed a minute after `then`.
struct Changed {
    app: TestApp,
    page: String,
    file: String,
}

const THEN: &str = "2026-11-18T12:00:30Z";

async fn changed() -> Changed {
    let app = TestApp::new();
    let target = app.page("/to", "# Old").await;
    let page = app.page("/a", "# One\n\n[x](/to)").await;
    let add = app.post(&format!("/api/pages/{page}/assets/x.txt"));
    let added = add.body("application/octet-stream", b"then".to_vec());
    let file = added.send().await.is(201).json()["id"].clone();
    app.advance(Duration::from_secs(60));
    let moved = format!("/api/pages/{target}/path?rename_to=/moved");
    app.post(&moved).send().await.is(200);
    let held = app.lock(&page).await;
    app.save(&held, "# Two").await.is(200);
    app.delete(&format!("/api/pages/{page}"))
        .send()
        .await
        .is(204);
    let file = file.as_str().unwrap().to_owned();
    Changed { app, page, file }
}

impl Changed {
    async fn json(&self, address: &str) -> Value {
        self.app.get(address).send().await.is(200).json()
    }
}

#[tokio::test]
async fn page_is_read_as_of_a_moment() {
    let wiki = changed().await;
    let (app, page) = (&wiki.app, &wiki.page);
    let found = wiki
        .json(&format!("/api/pages/resolve?path=/a&at={THEN}"))
        .await;
    assert_eq!(found, json!({"id": page, "revision": 1, "title": "One"}));
    let text = app.get(&format!("{}?at={THEN}", source(page))).send().await;
    text.is(200)
        .has("x-page-revision", "1")
        .has("cache-control", "no-cache");
    assert_eq!(text.text(), "# One\n\n[x](/to)");
    assert!(!text.headers.contains_key("x-page-deleted"));
    let meta = wiki
        .json(&format!("/api/pages/{page}/meta?at={THEN}"))
        .await;
    assert_eq!(meta["page_info"]["deleted"], false);
    assert_eq!(meta["page_info"]["title"], "One");
    assert_eq!(meta["revision_info"]["revision"], 1);
    assert_eq!(meta["links"][0]["path"], "/to");
    assert_eq!(meta["links"][0]["title"], "Old");
    let html = app.get(&format!("/api/pages/{page}/html?at={THEN}"));
    let html = html.send().await.is(200).text().to_owned();
    assert!(html.contains("<h1 id=\"one\">One</h1>"), "{html}");
}

#[tokio::test]
async fn lists_are_those_of_a_moment() {
    let wiki = changed().await;
    let paths = |list: Value| -> Vec<String> {
        let items = list["items"].as_array().unwrap().iter();
        items
            .map(|item| item["path"].as_str().unwrap().to_owned())
            .collect()
    };
    for query in ["/api/pages/children?", "/api/pages?forward=/&"] {
        let now = paths(wiki.json(query).await);
        let then = paths(wiki.json(&format!("{query}at={THEN}")).await);
        assert_eq!(
            (now, then),
            (vec!["/moved".into()], vec!["/a".into(), "/to".into()])
        );
    }
    let both = format!("/api/pages?with_deleted=true&at={THEN}");
    wiki.app.get(&both).send().await.refused(400, "bad_request");
}

#[tokio::test]
async fn files_are_those_of_a_moment() {
    let wiki = changed().await;
    let files = wiki
        .json(&format!("/api/pages/{}/assets?at={THEN}", wiki.page))
        .await;
    assert_eq!(files[0]["id"], wiki.file.as_str());
    let find = format!("/api/asset?path=/a&file=x.txt&at={THEN}");
    let to = format!("/api/asset?id={}", wiki.file);
    let found = wiki.app.get(&find).send().await;
    found
        .is(302)
        .has("location", &to)
        .has("cache-control", "no-store");
    let hard = format!("/api/assets/{}?hard=true", wiki.file);
    wiki.app.delete(&hard).send().await.is(204);
    wiki.app
        .get(&find)
        .send()
        .await
        .refused(404, "asset_not_found");
}

#[tokio::test]
async fn text_of_a_moment_is_not_saved_over() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    app.advance(Duration::from_secs(60));
    let then = app
        .get(&format!("{}?at={THEN}", source(&page)))
        .send()
        .await;
    let tag = then.is(200).headers["etag"].to_str().unwrap().to_owned();
    assert!(tag.starts_with("\"at-1.0-"), "{tag}");
    let known = app.get(&format!("{}?at={THEN}", source(&page)));
    known.header("if-none-match", &tag).send().await.is(304);
    app.get(&source(&page))
        .header("if-none-match", &tag)
        .send()
        .await
        .is(200);
    let save = app.put(&source(&page)).header("if-match", &tag);
    let saved = save.body("text/markdown", b"two".to_vec()).send().await;
    saved.refused(412, "precondition_failed");
}

#[tokio::test]
async fn moments_without_answer_are_refused() {
    let wiki = changed().await;
    let (app, page) = (&wiki.app, &wiki.page);
    let refused = async |address: &str, status: u16, code: &str| -> String {
        let error = app.get(address).send().await.refused(status, code);
        error["message"].as_str().unwrap().to_owned()
    };
    for address in [
        "/api/pages/resolve?path=/a",
        "/api/pages?",
        "/api/pages/children?",
        "/api/asset?path=/a&file=x.txt",
        "/api/export?",
    ] {
        for at in ["yesterday", "2027-01-01", "2026-11-18T12:05:00Z"] {
            refused(&format!("{address}&at={at}"), 400, "invalid_time").await;
        }
    }
    let early = "at=2026-11-18T11:00:00Z";
    let message = refused(
        &format!("/api/pages/resolve?path=/a&{early}"),
        404,
        "page_not_found",
    )
    .await;
    assert_eq!(message, "There was no page at /a at 2026-11-18T11:00:00Z.");
    for part in ["source", "meta", "assets"] {
        let address = format!("/api/pages/{page}/{part}?{early}");
        refused(&address, 404, "page_not_found").await;
    }
    for part in ["source", "meta"] {
        let address = format!("/api/pages/{page}/{part}?rev=1&at={THEN}");
        refused(&address, 400, "bad_request").await;
    }
    app.post(&format!("/api/pages/{page}/path?restore_to=/a"))
        .send()
        .await
        .is(204);
    app.post(&format!("/api/pages/{page}/revision?keep_from=2"))
        .send()
        .await
        .is(204);
    let removed = format!("/api/pages/resolve?path=/a&at={THEN}");
    let message = refused(&removed, 410, "gone").await;
    assert!(
        message.ends_with("the oldest kept is from 2026-11-18T12:01:00Z."),
        "{message}"
    );
}

#[tokio::test]
async fn export_is_that_of_a_moment() {
    let wiki = changed().await;
    let answer = wiki.app.get(&format!("/api/export?at={THEN}")).send().await;
    let name = "attachment; filename=\"fumikura-2026-11-18T120030Z.zip\"";
    answer.is(200).has("content-disposition", name);
    let archive = ZipArchive::new(Cursor::new(&answer.body)).unwrap();
    let has = |name: &str| archive.index_for_name(name).is_some();
    assert!(has("pages/a.md") && has("pages/a.files/x.txt") && has("pages/to.md"));
    assert!(!has("pages/moved.md"));
}

#[tokio::test]
async fn frame_of_a_moment_names_no_page() {
    let wiki = changed().await;
    let frame = wiki.app.get(&format!("/wiki/a?at={THEN}")).send().await;
    let html = frame.is(200).text();
    assert!(!html.contains(&wiki.page), "{html}");
}
