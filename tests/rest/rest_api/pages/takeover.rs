//! `POST /api/pages/{id}/lock?take_over=true`: a user's own lock, after a tab or program that held it has
//! ended without releasing it.

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::wiki::{HeldLock, at, lock};
use crate::support::{LOCK, TestApp, name};

async fn take_over(app: &TestApp, id: &str) -> HeldLock {
    let taken = app.post(&takeover_address(id)).send().await;
    HeldLock::new(id.to_owned(), taken.is(204))
}

fn takeover_address(id: &str) -> String {
    format!("{}?take_over=true", lock(id))
}

#[tokio::test]
async fn draft_is_taken_over_after_a_crash() {
    let app = TestApp::new();
    let lost = app.draft("/新しい").await;
    let taken = app.post(&at("/api/pages", "/新しい")).send().await;
    let error = taken.refused(409, "path_taken");
    assert_eq!(error["page_id"], lost.id);
    assert_eq!(error["user_name"], "Aya");
    let resolved = app.get(&at("/api/pages/resolve", "/新しい")).send().await;
    assert_eq!(resolved.refused(404, "draft")["page_id"], lost.id);
    let held = take_over(&app, &lost.id).await;
    app.save(&lost, "of the old tab")
        .await
        .refused(403, "lock_invalid");
    app.save(&held, "first").await.is(200);
    assert_eq!(app.text(&lost.id).await, "first");
    // An existing page is not a draft.
    let taken = app.post(&at("/api/pages", "/新しい")).send().await;
    assert_eq!(taken.refused(409, "path_taken").get("page_id"), None);
}

#[tokio::test]
async fn lock_of_another_user_is_kept() {
    let app = TestApp::new();
    app.post("/api/users")
        .json(json!({"name": "Ben"}))
        .send()
        .await
        .is(201);
    let page = app.page("/a", "one").await;
    let held = app.lock(&page).await;
    let draft = app.draft("/b").await;
    let app = app.restart(|config| config.user = name("Ben"));
    for id in [&page, &draft.id] {
        let error = app
            .post(&takeover_address(id))
            .send()
            .await
            .refused(409, "locked");
        assert_eq!(error["user_name"], "Aya");
    }
    let taken = app.post(&at("/api/pages", "/b")).send().await;
    let error = taken.refused(409, "path_taken");
    assert_eq!(
        (&error["user_name"], error.get("page_id")),
        (&json!("Aya"), None)
    );
    let resolved = app.get(&at("/api/pages/resolve", "/b")).send().await;
    assert_eq!(resolved.refused(404, "draft").get("page_id"), None);
    let status = app.get(&lock(&page)).send().await.json();
    assert_eq!(status["expire"], held.expire);
}

#[tokio::test]
async fn missing_page_is_not_taken_over() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    app.advance(LOCK);
    for (id, status, code) in [
        (draft.id.as_str(), 404, "page_not_found"),
        (UNKNOWN_ID, 404, "page_not_found"),
        ("nonsense", 400, "bad_request"),
    ] {
        app.post(&takeover_address(id))
            .send()
            .await
            .refused(status, code);
    }
    let odd = format!("{}?take_over=perhaps", lock(&draft.id));
    app.post(&odd).send().await.refused(400, "bad_request");
}
