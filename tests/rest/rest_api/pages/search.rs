//! `GET /api/pages/search`.

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::wiki::encoded;

fn search(typed: &str) -> String {
    format!("/api/pages/search?q={}", encoded(typed.as_bytes()))
}

async fn matching_paths(app: &TestApp, typed: &str) -> Vec<String> {
    let answer = app.get(&search(typed)).send().await.is(200).json();
    let pages = answer.as_array().unwrap().iter();
    pages
        .map(|page| page["path"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn found_page_has_matched_spans() {
    let app = TestApp::new();
    let id = app.page("/旅/ガイド", "# 京都の旅\n").await;
    let answer = app.get(&search("ｶﾞｲﾄﾞ")).send().await.is(200).json();
    let score = answer[0]["score"].as_u64().unwrap();
    let expected = json!([{
        "page_id": id, "path": "/旅/ガイド", "title": "京都の旅", "score": score,
        "path_spans": [{"text": "/旅/", "matched": false}, {"text": "ガイド", "matched": true}],
        "title_spans": [{"text": "京都の旅", "matched": false}],
    }]);
    assert_eq!(answer, expected);
    let untitled = app.page("/x", "text").await;
    let answer = app.get(&search("/x")).send().await.is(200).json();
    assert_eq!(
        (
            &answer[0]["page_id"],
            &answer[0]["title"],
            &answer[0]["title_spans"]
        ),
        (&json!(untitled), &Value::Null, &json!([]))
    );
}

#[tokio::test]
async fn best_matches_come_first_up_to_limit() {
    let app = TestApp::new();
    for (path, text) in [
        ("/c", "# abcd"),
        ("/ab", "text"),
        ("/d", "# x ab"),
        ("/a/x/b", ""),
    ] {
        app.page(path, text).await;
    }
    assert_eq!(
        matching_paths(&app, "AB").await,
        ["/ab", "/c", "/d", "/a/x/b"]
    );
    assert_eq!(
        matching_paths(&app, "").await,
        ["/", "/a/x/b", "/ab", "/c", "/d"]
    );
    let two = app.get("/api/pages/search?q=ab&limit=2").send().await;
    assert_eq!(two.is(200).json().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let app = TestApp::new();
    for (address, status, code) in [
        ("/api/pages/search".to_owned(), 400, "bad_request"),
        ("/api/pages/search?q=%FF".to_owned(), 400, "bad_request"),
        (
            "/api/pages/search?q=a&limit=0".to_owned(),
            400,
            "bad_request",
        ),
        (
            "/api/pages/search?q=a&limit=101".to_owned(),
            400,
            "bad_request",
        ),
        (
            "/api/pages/search?q=a&limit=x".to_owned(),
            400,
            "bad_request",
        ),
        (search(&"あ".repeat(257)), 422, "invalid_value"),
    ] {
        app.get(&address).send().await.refused(status, code);
    }
    assert_eq!(
        matching_paths(&app, &"あ".repeat(256)).await,
        Vec::<String>::new()
    );
    assert_eq!(
        matching_paths(&app, "%_*\"'\\[(\u{0}").await,
        Vec::<String>::new()
    );
}

#[tokio::test]
async fn titles_are_part_of_page_answers() {
    let app = TestApp::new();
    let id = app.page("/a", "# 題").await;
    let list = app.get("/api/pages?prefix=/a").send().await.json();
    assert_eq!(list["items"][0]["title"], "題");
    let found = app.get("/api/pages/resolve?path=/a").send().await.json();
    assert_eq!(found["title"], "題");
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    assert_eq!(meta.json()["page_info"]["title"], "題");
}
