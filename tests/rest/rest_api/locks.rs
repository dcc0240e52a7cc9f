//! `/api/locks`: all locks, for an administrator.

use serde_json::json;

use crate::support::wiki::{lock, source};
use crate::support::{Call, LOCK, TestApp};

const UNKNOWN_ID: &str = "01JD0000000000000000000000";

#[tokio::test]
async fn locks_are_listed_by_path_without_tokens() {
    let app = TestApp::new();
    assert_eq!(app.get("/api/locks").send().await.is(200).json(), json!([]));
    let page = app.page("/z", "text").await;
    let held = app.lock(&page).await;
    let draft = app.draft("/あ").await;
    app.page("/free", "text").await;
    let listed = app.get("/api/locks").send().await;
    let expected = json!([
        {"page_id": page, "path": "/z", "draft": false, "user_name": "Aya", "expire": held.expire},
        {"page_id": draft.id, "path": "/あ", "draft": true, "user_name": "Aya", "expire": draft.expire},
    ]);
    assert_eq!(listed.is(200).json(), expected);
    for token in [&held.token, &draft.token] {
        assert!(!listed.text().contains(token), "{listed:?}");
    }
    app.advance(LOCK);
    assert_eq!(app.get("/api/locks").send().await.json(), json!([]));
}

#[tokio::test]
async fn broken_lock_frees_page_and_removes_draft() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    let held = app.lock(&page).await;
    let draft = app.draft("/b").await;
    for id in [&page, &draft.id] {
        let address = format!("/api/locks/{id}");
        app.delete(&address).send().await.is(204);
        let again = app.delete(&address).send().await;
        assert_eq!(again.status, 404, "{again:?}");
    }
    app.save(&held, "of the broken lock")
        .await
        .refused(403, "lock_invalid");
    let renewed = app.put(&lock(&page)).token(&held.token).send().await;
    renewed.refused(403, "lock_invalid");
    assert_eq!(app.text(&page).await, "one");
    app.lock(&page).await;
    app.save(&draft, "of the broken draft")
        .await
        .refused(404, "page_not_found");
    app.draft("/b").await;
}

#[tokio::test]
async fn missing_lock_cannot_be_broken() {
    let app = TestApp::new();
    let free = app.page("/a", "one").await;
    let ended = app.page("/b", "one").await;
    app.lock(&ended).await;
    app.advance(LOCK);
    for (id, status, code) in [
        (free.as_str(), 404, "not_locked"),
        (&ended, 404, "not_locked"),
        (UNKNOWN_ID, 404, "page_not_found"),
        ("nonsense", 400, "bad_request"),
        ("01jd0000000000000000000000", 400, "bad_request"),
    ] {
        let answer = app.delete(&format!("/api/locks/{id}")).send().await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn lock_administration_needs_the_bearer() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    let held = app.lock(&page).await;
    let cookie = app.log_in().await;
    let address = format!("/api/locks/{page}");
    let origin = [
        ("origin", "http://127.0.0.1:4321"),
        ("cookie", cookie.as_str()),
    ];
    let calls = || {
        [
            app.unauthenticated("GET", "/api/locks"),
            app.unauthenticated("DELETE", &address),
        ]
    };
    for call in calls() {
        call.headers(&origin)
            .send()
            .await
            .refused(403, "bearer_required");
    }
    for call in calls() {
        call.send().await.refused(401, "unauthenticated");
    }
    let with_token = |call: Call| call.headers(&origin).token(&held.token).send();
    // A user's own lock can still be released as usual.
    with_token(app.unauthenticated("DELETE", &address))
        .await
        .refused(403, "bearer_required");
    with_token(app.unauthenticated("DELETE", &lock(&page)))
        .await
        .is(204);
}

#[tokio::test]
async fn concurrent_saves_never_both_succeed() {
    let app = TestApp::new();
    for round in 0..8 {
        let id = app.page(&format!("/at-once-{round}"), "one").await;
        let save = |text: String| {
            let call = app.put(&source(&id)).header("if-match", "\"1.0\"");
            async move { call.markdown(&text).send().await }
        };
        let (first, second) = tokio::join!(save("first".into()), save("second".into()));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 412]);
        let winner = if first.status == 200 {
            "first"
        } else {
            "second"
        };
        assert_eq!(app.text(&id).await, winner);
    }
}

#[tokio::test]
async fn concurrent_locks_never_both_succeed() {
    let app = TestApp::new();
    for round in 0..8 {
        let id = app.page(&format!("/at-once-{round}"), "one").await;
        let address = lock(&id);
        let (first, second) = tokio::join!(app.post(&address).send(), app.post(&address).send());
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409]);
    }
}
