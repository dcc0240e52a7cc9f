//! `GET /api/pages`: lists and their cursors.

use serde_json::Value;

use crate::support::wiki::encoded;
use crate::support::{TestApp, redacted};

/// Returns the paths of an answer, whether there are more, and the anchor.
fn read(list: &Value) -> (Vec<&str>, bool, Option<&str>) {
    let items = list["items"].as_array().unwrap();
    let paths = items.iter().map(|item| item["path"].as_str().unwrap());
    let more = list["has_more"].as_bool().unwrap();
    (paths.collect(), more, list["anchor"].as_str())
}

async fn some_pages() -> TestApp {
    let app = TestApp::new();
    for path in ["/b", "/a", "/a/x", "/a/y", "/ab", "/旅"] {
        app.page(path, path).await;
    }
    app.draft("/a/draft").await;
    app
}

const ALL: [&str; 7] = ["/", "/a", "/a/x", "/a/y", "/ab", "/b", "/旅"];

async fn check(query: &str, paths: &[&str], has_more: bool) {
    let app = some_pages().await;
    let list = app.get(&format!("/api/pages{query}")).send().await;
    let list = list.is(200).json();
    let (found, more, _) = read(&list);
    assert_eq!((&found[..], more), (paths, has_more), "{query}");
}

#[tokio::test]
async fn item_describes_the_latest_revision() {
    let app = TestApp::new();
    let id = app.page("/旅", "one").await;
    let held = app.lock(&id).await;
    app.advance(std::time::Duration::from_secs(60));
    app.save(&held, "two").await.is(200);
    let list = app.get("/api/pages?limit=1&forward=/").send().await.json();
    assert_eq!(list["items"][0]["page_id"], id);
    insta::assert_json_snapshot!(redacted(list, &["page_id"]));
}

#[tokio::test]
async fn pages_are_listed_by_path_without_drafts() {
    check("", &ALL, false).await;
    check("?prefix=/", &ALL, false).await;
    check("?limit=7", &ALL, false).await;
    check("?limit=6", &ALL[..6], true).await;
    check("?limit=1000", &ALL, false).await;
}

#[tokio::test]
async fn prefix_selects_a_page_and_its_subpages() {
    check("?prefix=/a", &["/a", "/a/x", "/a/y"], false).await;
    check("?prefix=/a/", &["/a", "/a/x", "/a/y"], false).await;
    check("?prefix=/a/x", &["/a/x"], false).await;
    check("?prefix=/none", &[], false).await;
    check("?prefix=/a&limit=2", &["/a", "/a/x"], true).await;
    check("?prefix=/a&forward=/a/x", &["/a/y"], false).await;
    check("?prefix=/a&rewind=/a/x", &["/a"], false).await;
}

#[tokio::test]
async fn cursor_is_exclusive_and_may_be_missing() {
    check("?forward=/a/y&limit=2", &["/ab", "/b"], true).await;
    check("?forward=/aa", &["/ab", "/b", "/旅"], false).await;
    check("?forward=/%E6%97%85", &[], false).await;
    check("?rewind=/ab&limit=2", &["/a/x", "/a/y"], true).await;
    check("?rewind=/a", &["/"], false).await;
    check("?rewind=/", &[], false).await;
    // Outside of the subtree: everything or nothing.
    check("?prefix=/a&forward=/b", &[], false).await;
    check("?prefix=/a&rewind=/b", &["/a", "/a/x", "/a/y"], false).await;
}

#[tokio::test]
async fn anchor_pages_through_in_both_directions() {
    let app = some_pages().await;
    for (direction, limit) in [("forward", 1), ("forward", 3), ("rewind", 2)] {
        let mut met: Vec<String> = Vec::new();
        let mut query = match direction {
            "rewind" => format!("?limit={limit}&rewind=/%E7%B5%82"),
            _ => format!("?limit={limit}"),
        };
        loop {
            let list = app.get(&format!("/api/pages{query}")).send().await.json();
            let (paths, more, anchor) = read(&list);
            let mut paths: Vec<_> = paths.into_iter().map(str::to_owned).collect();
            if direction == "rewind" {
                paths.extend(met);
                met = paths;
            } else {
                met.extend(paths);
            }
            if !more {
                break;
            }
            let anchor = encoded(anchor.unwrap().as_bytes());
            query = format!("?limit={limit}&{direction}={anchor}");
        }
        assert_eq!(met, ALL, "{direction} by {limit}");
    }
}

#[tokio::test]
async fn wiki_without_users_has_no_pages() {
    let app = TestApp::empty();
    let list = app.get("/api/pages").send().await.is(200).json();
    assert_eq!(read(&list), (vec![], false, None));
}

#[tokio::test]
async fn invalid_list_requests_are_refused() {
    let app = TestApp::new();
    for query in [
        "?limit=0",
        "?limit=1001",
        "?limit=-1",
        "?limit=many",
        "?forward=/a&rewind=/b",
        "?forward=a",
        "?prefix=",
        "?prefix=%FF",
        "?limit=1&limit=2",
    ] {
        let answer = app.get(&format!("/api/pages{query}")).send().await;
        answer.refused(400, "bad_request");
    }
    app.get("/api/pages?prefix=/..")
        .send()
        .await
        .refused(422, "invalid_path");
}
