//! `POST /api/pages/{id}/path?rename_to=`: renames a page or a subtree.

use serde_json::json;

use super::NOBODY;
use crate::support::wiki::{at, encoded, source};
use crate::support::{Answer, House};

/// Renames a page.
async fn rename(house: &House, id: &str, to: &str, recursive: bool) -> Answer {
    house.post(&address(id, to, recursive)).send().await
}

fn address(id: &str, to: &str, recursive: bool) -> String {
    let to = encoded(to.as_bytes());
    format!("/api/pages/{id}/path?rename_to={to}&recursive={recursive}")
}

#[tokio::test]
async fn a_renamed_page_says_so_in_a_revision() {
    let house = House::new();
    let id = house.page("/a", "text").await;
    let renamed = rename(&house, &id, "/旅/b", false).await;
    assert_eq!(
        renamed.is(200).json(),
        json!({"revision": 2, "warnings": []})
    );
    assert_eq!(house.text(&id).await, "text");
    let meta = house
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
async fn the_old_path_leads_to_the_new_one_and_its_address_to_the_editor() {
    let house = House::new();
    let id = house.page("/a", "text").await;
    rename(&house, &id, "/b", false).await.is(200);
    let error = house.get("/api/pages/resolve?path=/a").send().await;
    assert_eq!(error.refused(404, "page_not_found")["moved_to"], "/b");
    let led = house.get("/wiki/a").send().await;
    led.is(302).has("location", "/edit/a");
    house.page("/a", "another").await;
    house.get("/wiki/a").send().await.is(200);
}

#[tokio::test]
async fn a_subtree_moves_as_one_and_tells_what_its_links_mean_now() {
    let house = House::new();
    let a = house.page("/a", "one").await;
    house.page("/a/x", "[n](new) [a](../a)").await;
    let renamed = rename(&house, &a, "/b", true).await;
    let warning = json!({"page": "/b/x", "link": "new", "before": "/a/new", "after": "/b/new"});
    let expected = json!({"revision": 2, "pages": 2, "warnings": [warning]});
    assert_eq!(renamed.is(200).json(), expected);
    let x = house.get(&at("/api/pages/resolve", "/b/x")).send().await;
    let x = x.is(200).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(house.text(&x).await, "[n](new) [a](/b)");
}

#[tokio::test]
async fn a_preview_tells_what_would_happen_and_changes_nothing() {
    let house = House::new();
    let a = house.page("/a", "one").await;
    house.page("/a/x", "[n](new)").await;
    house.page("/c", "in the way").await;
    let preview = |to: &str| format!("{}&preview=true", address(&a, to, true));
    let told = house.post(&preview("/b")).send().await;
    let warning = json!({"page": "/b/x", "link": "new", "before": "/a/new", "after": "/b/new"});
    let expected = json!({"revision": 2, "pages": 2, "warnings": [warning]});
    assert_eq!(told.is(200).json(), expected);
    let refused = house.post(&preview("/c")).send().await;
    refused.refused(409, "path_taken");
    for path in ["/a", "/a/x"] {
        let there = house.get(&at("/api/pages/resolve", path)).send().await;
        assert_eq!(there.is(200).json()["revision"], 1);
    }
    house
        .get("/api/pages/resolve?path=/b")
        .send()
        .await
        .refused(404, "page_not_found");
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let house = House::new();
    let (a, root) = (house.page("/a", "one").await, house.root_page().await);
    house.page("/a/x", "two").await;
    house.page("/b", "three").await;
    let draft = house.draft("/draft").await;
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
        (NOBODY, "/c", false, 404, "page_not_found"),
        ("x", "/c", false, 400, "bad_request"),
    ] {
        rename(&house, id, to, recursive)
            .await
            .refused(status, code);
    }
    for query in [
        "",
        "?recursive=true",
        "?rename_to=/c&restore_to=/c",
        "?rename_to=/c&recursive=1",
    ] {
        let answer = house
            .post(&format!("/api/pages/{a}/path{query}"))
            .send()
            .await;
        answer.refused(400, "bad_request");
    }
    let list = house.get("/api/pages").send().await.json();
    let paths = list["items"].as_array().unwrap().iter();
    let paths: Vec<_> = paths.map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["/", "/a", "/a/x", "/b"]);
}

#[tokio::test]
async fn what_is_in_the_way_is_named() {
    let house = House::new();
    let a = house.page("/a", "one").await;
    house.page("/a/x", "two").await;
    house.page("/b/x", "three").await;
    let error = rename(&house, &a, "/b", true)
        .await
        .refused(409, "path_taken");
    assert_eq!(
        (&error["path"], error.get("user_name")),
        (&json!("/b/x"), None)
    );
    let draft = house.draft("/c").await;
    let error = rename(&house, &a, "/c", true)
        .await
        .refused(409, "path_taken");
    assert_eq!(error["path"], "/c");
    assert_eq!(
        (&error["user_name"], &error["expire"]),
        (&json!("Aya"), &json!(draft.expire))
    );
    let deep = format!("/d{}", "/d".repeat(63));
    let error = rename(&house, &a, &deep, true)
        .await
        .refused(422, "invalid_path");
    assert_eq!(error["path"], "/a/x");
}

#[tokio::test]
async fn a_locked_page_deep_in_the_subtree_needs_its_token() {
    let house = House::new();
    let a = house.page("/a", "one").await;
    let deep = house.page("/a/x/y", "two").await;
    let held = house.lock(&deep).await;
    let error = rename(&house, &a, "/b", true)
        .await
        .refused(423, "lock_required");
    let expected = json!(["/a/x/y", "Aya", held.expire]);
    assert_eq!(
        json!([error["path"], error["user_name"], error["expire"]]),
        expected
    );
    for wrong in [NOBODY, "nonsense"] {
        let answer = house
            .post(&address(&a, "/b", true))
            .token(wrong)
            .send()
            .await;
        assert!([400, 403].contains(&answer.status), "{answer:?}");
    }
    let moved = house
        .post(&address(&a, "/b", true))
        .token(&held.token)
        .send()
        .await;
    assert_eq!(moved.is(200).json()["pages"], 2);
    house.save(&held, "still mine").await.is(200);
    let text = house.get(&source(&deep)).send().await;
    text.has("x-page-revision", "3");
    assert_eq!(text.text(), "still mine");
}
