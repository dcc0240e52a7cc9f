//! `POST /api/pages`: a draft and its lock.

use serde_json::json;

use crate::support::TestApp;
use crate::support::wiki::at;

#[tokio::test]
async fn draft_is_created_with_its_lock() {
    let app = TestApp::new();
    let begun = app.post(&at("/api/pages", "/旅/京都")).send().await;
    let id = begun.is(201).json()["id"].as_str().unwrap().to_owned();
    begun.has("location", &format!("/api/pages/{id}/meta"));
    let lock = begun.header("x-page-lock").unwrap();
    let (expire, token) = lock.split_once(' ').unwrap();
    assert_eq!(expire, "expire=2026-11-18T12:05:00Z");
    assert_eq!(token.strip_prefix("token=").unwrap().len(), 26);
    assert!(
        !begun.text().contains(&token[6..]),
        "only the header has it"
    );
    let status = app.get(&format!("/api/pages/{id}/lock")).send().await;
    assert_eq!(status.json()["user_name"], "Aya");
}

#[tokio::test]
async fn path_is_taken_in_every_spelling() {
    let app = TestApp::new();
    app.page("/旅/が", "text").await;
    for same in [
        "/旅/が",
        "/旅/が/",
        "//旅//が",
        "/旅/x/../が",
        "/旅/か\u{3099}",
    ] {
        let taken = app.post(&at("/api/pages", same)).send().await;
        let error = taken.refused(409, "path_taken");
        assert_eq!(error.get("user_name"), None, "no other user holds it");
    }
    app.post(&at("/api/pages", "/"))
        .send()
        .await
        .refused(409, "path_taken");
}

#[tokio::test]
async fn path_of_a_draft_names_its_holder() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let taken = app.post("/api/pages?path=/a").send().await;
    let error = taken.refused(409, "path_taken");
    assert_eq!(
        (&error["user_name"], &error["expire"]),
        (&json!("Aya"), &json!(draft.expire))
    );
}

#[tokio::test]
async fn expired_draft_frees_its_path() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    app.advance(crate::support::LOCK + std::time::Duration::from_secs(60));
    let again = app.draft("/a").await;
    assert_ne!(again.id, draft.id);
    app.save(&draft, "too late")
        .await
        .refused(404, "page_not_found");
    app.save(&again, "text").await.is(200);
}

#[tokio::test]
async fn invalid_paths_are_refused() {
    let app = TestApp::new();
    let long = format!("/{}", "a".repeat(1024));
    let deep = "/a".repeat(65);
    for (path, status, code) in [
        ("", 400, "bad_request"),
        ("a", 400, "bad_request"),
        ("a/b", 400, "bad_request"),
        ("/..", 422, "invalid_path"),
        ("/a/../..", 422, "invalid_path"),
        ("/a\u{7f}", 422, "invalid_path"),
        ("/a\nb", 422, "invalid_path"),
        ("/\0", 422, "invalid_path"),
        (&long, 422, "invalid_path"),
        (&deep, 422, "invalid_path"),
    ] {
        for address in ["/api/pages/resolve", "/api/journals"] {
            let asked = app.get(&at(address, path)).send().await;
            asked.refused(status, code);
        }
        let begun = app.post(&at("/api/pages", path)).send().await;
        begun.refused(status, code);
    }
    for query in ["", "?path=%FF", "?path=/%80"] {
        let begun = app.post(&format!("/api/pages{query}")).send().await;
        begun.refused(400, "bad_request");
    }
    for path in [&long[..1024], &deep[..128]] {
        app.post(&at("/api/pages", path)).send().await.is(201);
    }
}
