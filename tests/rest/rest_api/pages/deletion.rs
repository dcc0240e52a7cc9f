//! `DELETE /api/pages/{id}`, the trash, and `POST /api/pages/{id}/path?restore_to=`.

use serde_json::{Value, json};

use super::UNKNOWN_ID;
use crate::support::wiki::{at, encoded, lock, source};
use crate::support::{Answer, TestApp, redacted};

async fn delete(app: &TestApp, id: &str, query: &str) -> Answer {
    app.delete(&format!("/api/pages/{id}{query}")).send().await
}

async fn restore(app: &TestApp, id: &str, to: &str, recursive: bool) -> Answer {
    let to = encoded(to.as_bytes());
    let address = format!("/api/pages/{id}/path?restore_to={to}&recursive={recursive}");
    app.post(&address).send().await
}

/// Returns the paths of a list's items.
fn paths(items: &Value) -> Vec<&str> {
    let items = items.as_array().unwrap().iter();
    items.map(|item| item["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn deleted_page_is_readable_and_refuses_changes() {
    let app = TestApp::new();
    let id = app.page("/旅", "# 京都\n").await;
    delete(&app, &id, "").await.is(204);
    let text = app.get(&source(&id)).send().await;
    text.is(200).has("x-page-deleted", "true");
    assert_eq!(text.text(), "# 京都\n");
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    let info = &meta.is(200).json()["page_info"];
    assert_eq!(
        info["path"],
        json!({"kind": "last_deleted", "value": "/旅"})
    );
    assert_eq!(info["deleted"], true);
    let led = app.get("/wiki/%E6%97%85").send().await;
    led.is(302).has("location", "/edit/%E6%97%85");
    app.get("/edit/%E6%97%85").send().await.is(200);
    for gone in [
        format!("/api/pages/{id}/path"),
        format!("/api/pages/{id}/parent"),
    ] {
        app.get(&gone).send().await.refused(410, "deleted");
    }
    let changed = app.put(&source(&id)).header("if-match", "*").markdown("x");
    changed.send().await.refused(410, "deleted");
    app.post(&lock(&id)).send().await.refused(410, "deleted");
    delete(&app, &id, "").await.refused(410, "deleted");
    let resolved = app.get(&at("/api/pages/resolve", "/旅")).send().await;
    let error = resolved.refused(404, "page_not_found");
    assert_eq!(error["page_id"], json!(id));
}

#[tokio::test]
async fn trash_lists_what_can_be_restored() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    app.page("/a/x", "two").await;
    delete(&app, &id, "?recursive=true").await.is(204);
    app.advance(std::time::Duration::from_secs(60));
    let other = app.page("/a", "three").await;
    delete(&app, &other, "").await.is(204);
    let bin = app.get("/api/pages/deleted").send().await.is(200).json();
    assert_eq!(paths(&bin), ["/a", "/a", "/a/x"]);
    assert_eq!(bin[1]["deletion"], bin[2]["deletion"]);
    assert_ne!(bin[0]["deletion"], bin[1]["deletion"]);
    let candidates = app.get("/api/pages/deleted?path=/a").send().await.json();
    assert_eq!((&candidates[0], &candidates[1]), (&bin[0], &bin[1]));
    insta::assert_json_snapshot!(redacted(candidates, &["page_id", "deletion", "cursor"]));
    let after = |item: &Value| {
        let cursor = item["cursor"].as_str().unwrap();
        app.get(&format!("/api/pages/deleted?limit=1&after={cursor}"))
    };
    for at in 0..2 {
        let part = after(&bin[at]).send().await.is(200).json();
        assert_eq!(part, json!([bin[at + 1]]));
    }
    assert_eq!(after(&bin[2]).send().await.json(), json!([]));
    let none = app
        .get("/api/pages/deleted?path=/none")
        .send()
        .await
        .is(200)
        .json();
    assert_eq!(none, json!([]));
    for (query, status, code) in [
        ("?limit=0", 400, "bad_request"),
        ("?after=", 400, "bad_request"),
        ("?after=%E6%97%85", 400, "bad_request"),
        ("?after=MS8yLzMvNA", 400, "bad_request"),
        ("?path=a", 400, "bad_request"),
        ("?path=/..", 422, "invalid_path"),
    ] {
        let answer = app.get(&format!("/api/pages/deleted{query}")).send().await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn listing_includes_deleted_pages_on_request() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    delete(&app, &id, "").await.is(204);
    app.page("/a", "two").await;
    app.page("/b", "three").await;
    let list = |query: &str| app.get(&format!("/api/pages{query}")).send();
    assert_eq!(paths(&list("").await.json()["items"]), ["/", "/a", "/b"]);
    assert_eq!(
        paths(&list("?with_deleted=false").await.json()["items"]),
        ["/", "/a", "/b"]
    );
    let all = list("?with_deleted=true").await.json();
    assert_eq!(paths(&all["items"]), ["/", "/a", "/a", "/b"]);
    let deleted = all["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["deleted"]);
    assert_eq!(deleted.collect::<Vec<_>>(), [false, true, false, false]);
    let part = list("?with_deleted=true&limit=1&forward=/").await.json();
    assert_eq!(
        (paths(&part["items"]), &part["anchor"]),
        (vec!["/a", "/a"], &json!("/a"))
    );
    assert_eq!(part["has_more"], true);
}

#[tokio::test]
async fn subtree_is_restored_as_a_whole() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let below = app.page("/a/x", "two").await;
    app.page("/links", "[x](/a/x)").await;
    delete(&app, &id, "?recursive=true").await.is(204);
    restore(&app, &id, "/b", true).await.is(204);
    for (id, path) in [(&id, "/b"), (&below, "/b/x")] {
        let found = app.get(&format!("/api/pages/{id}/path")).send().await;
        assert_eq!(found.is(200).json()["path"], path);
        let text = app.get(&source(id)).send().await;
        text.has("x-page-revision", "1");
        assert_eq!(text.header("x-page-deleted"), None);
    }
    let moved = app.get("/api/pages/resolve?path=/a/x").send().await;
    assert_eq!(moved.refused(404, "page_not_found")["moved_to"], "/b/x");
    restore(&app, &id, "/c", true)
        .await
        .refused(409, "not_deleted");
}

#[tokio::test]
async fn restore_elsewhere_warns_of_changed_links() {
    let app = TestApp::new();
    let id = app
        .page("/a/p", "[w](waits) ![](asset:../f/x) ![](asset:../p/own)")
        .await;
    delete(&app, &id, "").await.is(204);
    let told = restore(&app, &id, "/b/q", false).await.is(200).json();
    let expected = json!({"warnings": [
        {"page": "/b/q", "link": "waits", "before": "/a/waits", "after": "/b/waits"},
        {"page": "/b/q", "link": "asset:../f/x", "before": "/a/f/x", "after": "/b/f/x"},
        {"page": "/b/q", "link": "asset:../p/own", "before": "/a/p/own", "after": "/b/p/own"},
    ]});
    assert_eq!(told, expected);
    delete(&app, &id, "").await.is(204);
    restore(&app, &id, "/b/q", false).await.is(204);
    // The next revision records the rename.
    let saved = app.put(&source(&id)).header("if-match", "*");
    saved.markdown("two").send().await.is(200);
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    let meta = meta.json();
    assert_eq!(meta["page_info"]["rename_revisions"], json!([1, 2]));
    let told = &meta["revision_info"]["rename_info"];
    assert_eq!(
        (&told["from"], &told["to"]),
        (&json!("/a/p"), &json!("/b/q"))
    );
    let list = app.get(&format!("/api/pages/{id}/revisions")).send().await;
    assert_eq!(paths(&list.json()["items"]), ["/b/q", "/a/p"]);
}

#[tokio::test]
async fn invalid_restores_are_refused() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    app.page("/a/x", "two").await;
    delete(&app, &id, "?recursive=true").await.is(204);
    app.page("/a/x", "in the way").await;
    let draft = app.draft("/draft").await;
    for (id, to, recursive, status, code) in [
        (&*id, "/a", true, 409, "path_taken"),
        (&id, "/", false, 409, "path_taken"),
        (&id, "/draft", false, 409, "path_taken"),
        (&id, "a", false, 400, "bad_request"),
        (&id, "/a/..//..", false, 422, "invalid_path"),
        (&draft.id, "/c", false, 404, "draft"),
        (UNKNOWN_ID, "/c", false, 404, "page_not_found"),
    ] {
        restore(&app, id, to, recursive).await.refused(status, code);
    }
    let address = format!("/api/pages/{id}/path?restore_to=/a");
    let wrong = app.post(&address).token(&draft.token).send().await;
    wrong.refused(403, "lock_invalid");
    restore(&app, &id, "/a", false).await.is(204);
}

#[tokio::test]
async fn permanently_deleted_page_is_not_found() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let below = app.page("/a/x", "two").await;
    delete(&app, &below, "").await.is(204);
    delete(&app, &below, "?hard=true").await.is(204);
    delete(&app, &id, "?hard=true&recursive=true").await.is(204);
    for id in [&id, &below] {
        for address in [source(id), format!("/api/pages/{id}/meta"), lock(id)] {
            app.get(&address)
                .send()
                .await
                .refused(404, "page_not_found");
        }
        for query in ["", "?hard=true"] {
            delete(&app, id, query).await.refused(404, "page_not_found");
        }
        restore(&app, id, "/a", false)
            .await
            .refused(404, "page_not_found");
    }
    let bin = app.get("/api/pages/deleted").send().await.json();
    assert_eq!(bin, json!([]));
}

#[tokio::test]
async fn root_and_locked_pages_cannot_be_deleted() {
    let app = TestApp::new();
    let (root, a) = (app.root_page().await, app.page("/a", "one").await);
    let held = app.lock(&app.page("/a/x", "two").await).await;
    let draft = app.draft("/draft").await;
    for query in [
        "",
        "?hard=true",
        "?recursive=true",
        "?hard=true&recursive=true",
    ] {
        delete(&app, &root, query)
            .await
            .refused(422, "root_protected");
        let error = delete(&app, &draft.id, query)
            .await
            .refused(423, "lock_required");
        assert_eq!(
            (&error["path"], &error["user_name"]),
            (&json!("/draft"), &json!("Aya"))
        );
    }
    for query in ["?recursive=true", "?hard=true&recursive=true"] {
        let error = delete(&app, &a, query).await.refused(423, "lock_required");
        assert_eq!(error["path"], "/a/x");
        let call = app
            .delete(&format!("/api/pages/{a}{query}"))
            .token(&draft.token);
        call.send().await.refused(403, "lock_invalid");
    }
    for query in ["?hard=1", "?recursive=yes"] {
        delete(&app, &a, query).await.refused(400, "bad_request");
    }
    let own = app
        .delete(&format!("/api/pages/{a}?recursive=true"))
        .token(&held.token);
    own.send().await.is(204);
    let own = app
        .delete(&format!("/api/pages/{}", draft.id))
        .token(&draft.token);
    own.send().await.is(204);
    app.draft("/draft").await;
}
