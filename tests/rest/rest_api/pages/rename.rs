//! `POST /api/pages/{id}/path?rename_to=`: renames a page or a subtree.

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::wiki::{at, encoded, source};
use crate::support::{Answer, TestApp};

/// Renames a page.
async fn rename(app: &TestApp, id: &str, to: &str, recursive: bool) -> Answer {
    app.post(&address(id, to, recursive)).send().await
}

fn address(id: &str, to: &str, recursive: bool) -> String {
    let to = encoded(to.as_bytes());
    format!("/api/pages/{id}/path?rename_to={to}&recursive={recursive}")
}

#[tokio::test]
async fn rename_creates_a_revision() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let renamed = rename(&app, &id, "/旅/b", false).await;
    assert_eq!(
        renamed.is(200).json(),
        json!({"revision": 2, "warnings": []})
    );
    assert_eq!(app.text(&id).await, "text");
    let meta = app
        .get(&format!("/api/pages/{id}/meta"))
        .send()
        .await
        .json();
    assert_eq!(meta["page_info"]["rename_revisions"], json!([1, 2]));
    assert_eq!(
        meta["revision_info"]["rename_info"],
        json!({"from": "/a", "to": "/旅/b", "link_refs": {}})
    );
}

#[tokio::test]
async fn property_links_follow_a_rename() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    let text = "---\nsee: \"[[/a]]\" # the plan\nall: ['[[/a/x]]', 1.0]\n---\n";
    let page = app.page("/p", text).await;
    app.page("/a/x", text).await;
    let preview = app.post(&format!("{}&preview=true", address(&id, "/旅/b", true)));
    let expected = json!({"revision": 2, "pages": 2, "warnings": []});
    assert_eq!(preview.send().await.is(200).json(), expected);
    assert_eq!(app.text(&page).await, text);
    rename(&app, &id, "/旅/b", true).await.is(200);
    assert_eq!(app.text(&page).await, text.replace("/a", "/旅/b"));
    let meta = app.get(&format!("/api/pages/{page}/meta")).send().await;
    let properties = &meta.json()["properties"]["items"];
    assert_eq!(properties[0]["values"], json!(["[[/旅/b]]"]));
    assert_eq!(properties[1]["values"], json!(["[[/旅/b/x]]", "1.0"]));
}

#[tokio::test]
async fn old_path_names_the_new_path() {
    let app = TestApp::new();
    let id = app.page("/a", "text").await;
    rename(&app, &id, "/b", false).await.is(200);
    let error = app.get("/api/pages/resolve?path=/a").send().await;
    assert_eq!(error.refused(404, "page_not_found")["moved_to"], "/b");
    let led = app.get("/wiki/a").send().await;
    led.is(302).has("location", "/edit/a");
    app.page("/a", "another").await;
    app.get("/wiki/a").send().await.is(200);
}

#[tokio::test]
async fn subtree_rename_warns_of_changed_links() {
    let app = TestApp::new();
    let a = app.page("/a", "one").await;
    app.page("/a/x", "[n](new) [a](../a)").await;
    let renamed = rename(&app, &a, "/b", true).await;
    let warning = json!({"page": "/b/x", "link": "new", "before": "/a/new", "after": "/b/new"});
    let expected = json!({"revision": 2, "pages": 2, "warnings": [warning]});
    assert_eq!(renamed.is(200).json(), expected);
    let x = app.get(&at("/api/pages/resolve", "/b/x")).send().await;
    let x = x.is(200).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(app.text(&x).await, "[n](new) [a](/b)");
}

#[tokio::test]
async fn preview_reports_outcome_without_changes() {
    let app = TestApp::new();
    let a = app.page("/a", "one").await;
    app.page("/a/x", "[n](new)").await;
    app.page("/c", "in the way").await;
    let preview = |to: &str| format!("{}&preview=true", address(&a, to, true));
    let told = app.post(&preview("/b")).send().await;
    let warning = json!({"page": "/b/x", "link": "new", "before": "/a/new", "after": "/b/new"});
    let expected = json!({"revision": 2, "pages": 2, "warnings": [warning]});
    assert_eq!(told.is(200).json(), expected);
    let refused = app.post(&preview("/c")).send().await;
    refused.refused(409, "path_taken");
    for path in ["/a", "/a/x"] {
        let there = app.get(&at("/api/pages/resolve", path)).send().await;
        assert_eq!(there.is(200).json()["revision"], 1);
    }
    app.get("/api/pages/resolve?path=/b")
        .send()
        .await
        .refused(404, "page_not_found");
}

#[tokio::test]
async fn invalid_renames_are_refused() {
    let app = TestApp::new();
    let (a, root) = (app.page("/a", "one").await, app.root_page().await);
    app.page("/a/x", "two").await;
    app.page("/b", "three").await;
    let draft = app.draft("/draft").await;
    let long = format!("/{}", "a".repeat(50 << 10));
    let levels = "/a".repeat(10_000);
    for (id, to, recursive, status, code) in [
        (&*a, "/a", false, 409, "path_taken"),
        (&a, "/a", true, 409, "path_taken"),
        (&a, "/a/x", false, 409, "path_taken"),
        (&a, "/a/x", true, 422, "into_itself"),
        (&a, "/a/new", true, 422, "into_itself"),
        (&a, "/b", true, 409, "path_taken"),
        (&a, "/", true, 409, "path_taken"),
        (&a, "/draft", false, 409, "path_taken"),
        (&a, "", false, 400, "bad_request"),
        (&a, "c", false, 400, "bad_request"),
        (&a, "/..", false, 422, "invalid_path"),
        (&a, "/c\n", false, 422, "invalid_path"),
        (&a, &long, false, 422, "invalid_path"),
        (&a, &levels, true, 422, "invalid_path"),
        (&root, "/c", false, 422, "root_protected"),
        (&root, "/c", true, 422, "root_protected"),
        (&draft.id, "/c", false, 404, "draft"),
        (UNKNOWN_ID, "/c", false, 404, "page_not_found"),
        ("x", "/c", false, 400, "bad_request"),
    ] {
        rename(&app, id, to, recursive).await.refused(status, code);
    }
    for query in [
        "",
        "?recursive=true",
        "?rename_to=/c&restore_to=/c",
        "?rename_to=/c&recursive=1",
    ] {
        let answer = app
            .post(&format!("/api/pages/{a}/path{query}"))
            .send()
            .await;
        answer.refused(400, "bad_request");
    }
    let list = app.get("/api/pages").send().await.json();
    let paths = list["items"].as_array().unwrap().iter();
    let paths: Vec<_> = paths.map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/", "/a", "/a/x", "/b"]);
}

#[tokio::test]
async fn conflicting_page_is_named() {
    let app = TestApp::new();
    let a = app.page("/a", "one").await;
    app.page("/a/x", "two").await;
    app.page("/b/x", "three").await;
    let error = rename(&app, &a, "/b", true)
        .await
        .refused(409, "path_taken");
    assert_eq!(
        (&error["path"], error.get("user_name")),
        (&json!("/b/x"), None)
    );
    let draft = app.draft("/c").await;
    let error = rename(&app, &a, "/c", true)
        .await
        .refused(409, "path_taken");
    assert_eq!(error["path"], "/c");
    assert_eq!(
        (&error["user_name"], &error["expire"]),
        (&json!("Aya"), &json!(draft.expire))
    );
    let deep = format!("/d{}", "/d".repeat(63));
    let error = rename(&app, &a, &deep, true)
        .await
        .refused(422, "invalid_path");
    assert_eq!(error["path"], "/a/x");
}

#[tokio::test]
async fn locked_subpage_needs_its_token() {
    let app = TestApp::new();
    let a = app.page("/a", "one").await;
    let deep = app.page("/a/x/y", "two").await;
    let held = app.lock(&deep).await;
    let error = rename(&app, &a, "/b", true)
        .await
        .refused(423, "lock_required");
    let expected = json!(["/a/x/y", "Aya", held.expire]);
    assert_eq!(
        json!([error["path"], error["user_name"], error["expire"]]),
        expected
    );
    for wrong in [UNKNOWN_ID, "nonsense"] {
        let answer = app.post(&address(&a, "/b", true)).token(wrong).send().await;
        assert!([400, 403].contains(&answer.status), "{answer:?}");
    }
    let moved = app
        .post(&address(&a, "/b", true))
        .token(&held.token)
        .send()
        .await;
    assert_eq!(moved.is(200).json()["pages"], 2);
    app.save(&held, "still mine").await.is(200);
    let text = app.get(&source(&deep)).send().await;
    text.has("x-page-revision", "3");
    assert_eq!(text.text(), "still mine");
}
