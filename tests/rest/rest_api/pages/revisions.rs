//! `GET /api/pages/{id}/revisions`.

use std::time::Duration;

use serde_json::{Value, json};

use super::UNKNOWN_ID;
use crate::support::TestApp;

/// Creates a page with these texts as its revisions, one a minute.
pub(super) async fn page_with(app: &TestApp, texts: &[&str]) -> String {
    let id = app.page("/a", texts[0]).await;
    for text in &texts[1..] {
        app.advance(Duration::from_secs(60));
        let held = app.lock(&id).await;
        app.save(&held, text).await.is(200);
    }
    id
}

fn revisions(id: &str) -> String {
    format!("/api/pages/{id}/revisions")
}

fn numbers(list: &Value) -> Vec<u64> {
    let items = list["items"].as_array().unwrap().iter();
    items
        .map(|item| item["revision"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn revisions_are_listed_newest_first() {
    let app = TestApp::new();
    let id = page_with(&app, &["one", "二つ"]).await;
    let list = app.get(&revisions(&id)).send().await.is(200).json();
    let expected = json!({
        "items": [
            {
                "revision": 2, "timestamp": "2026-11-18T12:01:00Z", "user_name": "Aya",
                "path": "/a", "rename_info": null, "bytes": 6,
            },
            {
                "revision": 1, "timestamp": "2026-11-18T12:00:00Z", "user_name": "Aya",
                "path": "/a", "rename_info": {"from": null, "to": "/a", "link_refs": {}}, "bytes": 3,
            },
        ],
        "has_more": false,
        "oldest": 1,
    });
    assert_eq!(list, expected);
}

#[tokio::test]
async fn list_continues_before_a_revision() {
    let app = TestApp::new();
    let id = page_with(&app, &["1", "2", "3", "4", "5"]).await;
    for (query, expected, more) in [
        ("", vec![5, 4, 3, 2, 1], false),
        ("?limit=2", vec![5, 4], true),
        ("?before=4&limit=2", vec![3, 2], true),
        ("?before=2", vec![1], false),
        ("?before=1", vec![], false),
        ("?before=0", vec![], false),
        (
            "?before=18446744073709551615&limit=1000",
            vec![5, 4, 3, 2, 1],
            false,
        ),
    ] {
        let list = app.get(&format!("{}{query}", revisions(&id))).send().await;
        let list = list.is(200).json();
        assert_eq!(
            (numbers(&list), &list["has_more"]),
            (expected, &json!(more)),
            "{query}"
        );
        assert_eq!(list["oldest"], 1);
    }
    let compacted = app.post(&format!("/api/pages/{id}/revision?keep_from=4"));
    compacted.send().await.is(204);
    let list = app.get(&revisions(&id)).send().await.is(200).json();
    assert_eq!((numbers(&list), &list["oldest"]), (vec![5, 4], &json!(4)));
}

#[tokio::test]
async fn invalid_list_requests_are_refused() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let draft = app.draft("/b").await;
    for (address, status, code) in [
        (revisions(UNKNOWN_ID), 404, "page_not_found"),
        (revisions(&draft.id), 404, "draft"),
        (revisions("x"), 400, "bad_request"),
        (format!("{}?before=x", revisions(&id)), 400, "bad_request"),
        (format!("{}?before=-1", revisions(&id)), 400, "bad_request"),
        (
            format!("{}?before=18446744073709551616", revisions(&id)),
            400,
            "bad_request",
        ),
        (format!("{}?limit=0", revisions(&id)), 400, "bad_request"),
        (format!("{}?limit=1001", revisions(&id)), 400, "bad_request"),
    ] {
        app.get(&address).send().await.refused(status, code);
    }
}
