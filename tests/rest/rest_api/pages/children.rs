//! `GET /api/pages/children` and `GET /api/pages/{id}/parent`.

use serde_json::{Value, json};

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::wiki::{at, encoded};

fn parent(id: &str) -> String {
    format!("/api/pages/{id}/parent")
}

#[tokio::test]
async fn level_lists_children_with_page_counts() {
    let app = TestApp::new();
    let trip = app.page("/旅", "one").await;
    app.page("/旅/京都", "two").await;
    app.page("/旅/奈良/鹿", "three").await;
    app.draft("/旅/draft").await;
    let level = |query: String| app.get(&format!("/api/pages/children{query}")).send();
    let top = level(String::new()).await.is(200).json();
    let expected = json!({"name": "旅", "path": "/旅", "page_id": trip, "title": null, "pages": 2});
    assert_eq!(top, json!({"items": [expected], "has_more": false}));
    let names = |level: &Value| -> Vec<(String, bool)> {
        let items = level["items"].as_array().unwrap();
        let item = |item: &Value| {
            (
                item["name"].as_str().unwrap().into(),
                item["page_id"].is_null(),
            )
        };
        items.iter().map(item).collect()
    };
    let query = format!("?path={}", encoded("/旅/".as_bytes()));
    let all = level(query.clone()).await.is(200).json();
    assert_eq!(names(&all), [("京都".into(), false), ("奈良".into(), true)]);
    let first = level(format!("{query}&limit=1")).await.is(200).json();
    assert_eq!((names(&first).len(), &first["has_more"]), (1, &json!(true)));
    let rest = level(format!("{query}&after={}", encoded("京都".as_bytes()))).await;
    assert_eq!(names(&rest.is(200).json()), [("奈良".into(), true)]);
}

#[tokio::test]
async fn invalid_level_requests_are_refused() {
    let app = TestApp::new();
    for (query, status, code) in [
        ("?limit=0", 400, "bad_request"),
        ("?limit=1001", 400, "bad_request"),
        ("?path=a", 400, "bad_request"),
        ("?path=/..", 422, "invalid_path"),
        ("?path=/%0A", 422, "invalid_path"),
    ] {
        let answer = app.get(&format!("/api/pages/children{query}")).send().await;
        answer.refused(status, code);
    }
    for path in ["/a".repeat(10_000), format!("/{}", "a".repeat(50 << 10))] {
        let answer = app.get(&at("/api/pages/children", &path)).send().await;
        answer.refused(422, "invalid_path");
    }
}

#[tokio::test]
async fn parent_is_the_nearest_existing_page() {
    let app = TestApp::new();
    let root = app.root_page().await;
    let a = app.page("/a", "one").await;
    let deep = app.page("/a/none/b", "two").await;
    let draft = app.draft("/c").await.id;
    for (id, page_id, path) in [(&deep, &a, "/a"), (&a, &root, "/"), (&draft, &root, "/")] {
        let answer = app.get(&parent(id)).send().await;
        assert_eq!(
            answer.is(200).json(),
            json!({"page_id": page_id, "path": path})
        );
    }
    for (id, status, code) in [
        (&*root, 404, "page_not_found"),
        (UNKNOWN_ID, 404, "page_not_found"),
        ("x", 400, "bad_request"),
    ] {
        app.get(&parent(id)).send().await.refused(status, code);
    }
}
