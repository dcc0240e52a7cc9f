//! `PUT /api/pages/{id}/source`: the right to save, and the results.

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::wiki::{lock, source};
use crate::support::{Answer, LOCK, TestApp};

async fn save_on(app: &TestApp, id: &str, version: &str, text: &str) -> Answer {
    let call = app.put(&source(id)).header("if-match", version);
    call.markdown(text).send().await
}

#[tokio::test]
async fn save_returns_revision_and_etag() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let saved = app.save(&draft, "one").await;
    let expected = json!({"revision": 1, "warnings": [], "as_sent": true});
    assert_eq!(saved.is(200).json(), expected);
    let read = app.get(&source(&draft.id)).send().await;
    assert_eq!(saved.header("etag"), read.header("etag"));
    let held = app.lock(&draft.id).await;
    let saved = app.save(&held, "two").await;
    assert_eq!(saved.is(200).json()["revision"], 2);
    let status = app.get(&lock(&draft.id)).send().await;
    assert_eq!(status.json()["locked"], false, "the save gives it back");
}

#[tokio::test]
async fn locked_page_needs_its_token() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    let without = app.put(&source(&id)).markdown("two").send().await;
    let error = without.refused(423, "lock_required");
    assert_eq!(
        (&error["user_name"], &error["expire"]),
        (&json!("Aya"), &json!(held.expire))
    );
    let version = save_on(&app, &id, "\"1.0\"", "two").await;
    version.refused(423, "lock_required");
    let wrong = app.put(&source(&id)).token(UNKNOWN_ID).markdown("two");
    wrong.send().await.refused(403, "lock_invalid");
    for malformed in ["nonsense", "token=", "token=x", "expire=1 token=x"] {
        let call = app.put(&source(&id)).markdown("two");
        let answer = call.header("x-lock-authentication", malformed).send().await;
        answer.refused(403, "lock_invalid");
    }
    assert_eq!(app.text(&id).await, "one");
    app.save(&held, "two").await.is(200);
    let again = app.save(&held, "three").await;
    again.refused(403, "lock_invalid");
}

#[tokio::test]
async fn expired_lock_saves_nothing() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    app.advance(LOCK + std::time::Duration::from_secs(60));
    app.save(&held, "two").await.refused(403, "lock_invalid");
    assert_eq!(app.text(&id).await, "one");
}

#[tokio::test]
async fn unlocked_page_needs_the_base_version() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let bare = app.put(&source(&id)).markdown("two").send().await;
    bare.refused(428, "precondition_required");
    for stale in ["\"0.0\"", "\"2.0\"", "\"1.1\"", "nonsense", "", "\"1\""] {
        let answer = save_on(&app, &id, stale, "two").await;
        answer.refused(412, "precondition_failed");
    }
    let read = app.get(&source(&id)).send().await;
    let tag = read.header("etag").unwrap();
    save_on(&app, &id, tag, "two").await.is(200);
    // The part before the digest is sufficient, also if weak or in a list.
    save_on(&app, &id, "\"2.0\"", "three").await.is(200);
    save_on(&app, &id, "W/\"3.0-x\"", "four").await.is(200);
    save_on(&app, &id, "\"9.9\", \"4.0\"", "five").await.is(200);
    save_on(&app, &id, "*", "six").await.is(200);
    let newest = app.get(&source(&id)).send().await;
    newest.has("x-page-revision", "6");
}

#[tokio::test]
async fn if_match_is_checked_despite_a_token() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    save_on(&app, &id, "\"1.0\"", "two").await.is(200);
    let held = app.lock(&id).await;
    let with_both = |version: &'static str, text: &'static str| {
        let call = app.put(&source(&id)).token(&held.token);
        call.header("if-match", version).markdown(text).send()
    };
    let stale = with_both("\"1.0\"", "three").await;
    stale.refused(412, "precondition_failed");
    with_both("\"1.0\"", "two").await.is(200);
    let held = app.lock(&id).await;
    let call = app.put(&source(&id)).token(&held.token);
    let call = call.header("if-match", "\"2.0\"").markdown("three");
    call.send().await.is(200);
}

#[tokio::test]
async fn second_writer_of_a_version_is_refused() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    save_on(&app, &id, "\"1.0\"", "mine").await.is(200);
    save_on(&app, &id, "\"1.0\"", "yours")
        .await
        .refused(412, "precondition_failed");
    assert_eq!(app.text(&id).await, "mine");
}

#[tokio::test]
async fn amending_overwrites_the_newest_revision() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let amend = |version: &'static str, text: &'static str| {
        let call = app.put(&format!("{}?amend=true", source(&id)));
        call.header("if-match", version).markdown(text).send()
    };
    let amended = amend("\"1.0\"", "one, better").await;
    assert_eq!(amended.is(200).json()["revision"], 1);
    assert!(amended.header("etag").unwrap().starts_with("\"1.1-"));
    amend("\"1.0\"", "stale")
        .await
        .refused(412, "precondition_failed");
    amend("\"1.1\"", "one, best").await.is(200);
    assert_eq!(app.text(&id).await, "one, best");
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    let scope = &meta.json()["page_info"]["revision_scope"];
    assert_eq!(scope, &json!({"latest": 1, "oldest": 1}));
    let held = app.lock(&id).await;
    let call = app.put(&format!("{}?amend=true", source(&id)));
    let locked = call.token(&held.token).markdown("locked").send().await;
    assert_eq!(locked.is(200).json()["revision"], 1);
}

#[tokio::test]
async fn missing_page_is_not_saved() {
    let app = TestApp::new();
    for (id, status, code) in [
        (UNKNOWN_ID, 404, "page_not_found"),
        ("x", 400, "bad_request"),
    ] {
        save_on(&app, id, "*", "text").await.refused(status, code);
        let call = app.put(&source(id)).token(UNKNOWN_ID).markdown("text");
        call.send().await.refused(status, code);
    }
    let id = app.page("/a", "one").await;
    let call = app.put(&format!("{}?amend=maybe", source(&id)));
    call.markdown("x").send().await.refused(400, "bad_request");
}
