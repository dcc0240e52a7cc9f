//! `POST /api/pages/{id}/revision`: rolling back, and discarding old revisions.

use serde_json::json;

use super::UNKNOWN_ID;
use super::revisions::page_with;
use crate::support::TestApp;
use crate::support::wiki::source;

fn change(id: &str, query: &str) -> String {
    format!("/api/pages/{id}/revision?{query}")
}

#[tokio::test]
async fn rollback_creates_a_revision() {
    let app = TestApp::new();
    let id = page_with(&app, &["one", "two", "three"]).await;
    let back = app.post(&change(&id, "rollback_to=1")).send().await;
    assert_eq!(back.is(200).json(), json!({"revision": 4, "warnings": []}));
    assert_eq!(app.text(&id).await, "one");
    // A rollback to the present text makes no revision.
    for same in ["rollback_to=1", "rollback_to=4"] {
        let back = app.post(&change(&id, same)).send().await;
        assert_eq!(
            back.is(200).json(),
            json!({"revision": 4, "warnings": []}),
            "{same}"
        );
    }
    let old = app.get(&format!("{}?rev=3", source(&id))).send().await;
    assert_eq!(old.is(200).text(), "three");
}

#[tokio::test]
async fn discarded_revisions_are_reported_as_gone() {
    let app = TestApp::new();
    let id = page_with(&app, &["1", "2", "3"]).await;
    for keep_from in [3, 3, 2, 0] {
        let query = format!("keep_from={keep_from}");
        app.post(&change(&id, &query)).send().await.is(204);
    }
    for address in [
        format!("{}?rev=2", source(&id)),
        format!("/api/page?id={id}&rev=1"),
        format!("/api/pages/{id}/meta?rev=2"),
    ] {
        app.get(&address).send().await.refused(410, "gone");
    }
    let meta = app.get(&format!("/api/pages/{id}/meta")).send().await;
    let meta = meta.is(200).json();
    assert_eq!(
        meta["page_info"]["revision_scope"],
        json!({"latest": 3, "oldest": 3})
    );
    assert_eq!(meta["page_info"]["rename_revisions"], json!([]));
    assert_eq!(meta["revision_info"]["path"], "/a");
}

#[tokio::test]
async fn invalid_changes_are_refused_without_effect() {
    let app = TestApp::new();
    let id = page_with(&app, &["1", "2", "3"]).await;
    app.post(&change(&id, "keep_from=2")).send().await.is(204);
    let draft = app.draft("/b").await;
    for (page, query, status, code) in [
        (&*id, "rollback_to=0", 404, "page_not_found"),
        (&id, "rollback_to=4", 404, "page_not_found"),
        (
            &id,
            "rollback_to=18446744073709551615",
            404,
            "page_not_found",
        ),
        (&id, "rollback_to=1", 410, "gone"),
        (&id, "keep_from=4", 422, "invalid_value"),
        (&id, "keep_from=18446744073709551615", 422, "invalid_value"),
        (&id, "", 400, "bad_request"),
        (&id, "rollback_to=2&keep_from=2", 400, "bad_request"),
        (&id, "rollback_to=x", 400, "bad_request"),
        (&id, "keep_from=-1", 400, "bad_request"),
        (&id, "keep_from=18446744073709551616", 400, "bad_request"),
        (UNKNOWN_ID, "rollback_to=1", 404, "page_not_found"),
        (UNKNOWN_ID, "keep_from=1", 404, "page_not_found"),
        (&draft.id, "rollback_to=1", 404, "draft"),
        (&draft.id, "keep_from=1", 404, "draft"),
        ("x", "keep_from=1", 400, "bad_request"),
    ] {
        let answer = app.post(&change(page, query)).send().await;
        answer.refused(status, code);
    }
    let list = app.get(&format!("/api/pages/{id}/revisions")).send().await;
    assert_eq!(list.json()["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn locked_page_needs_token_and_stays_locked() {
    let app = TestApp::new();
    let id = page_with(&app, &["one", "two"]).await;
    let held = app.lock(&id).await;
    for query in ["rollback_to=1", "keep_from=2"] {
        let address = change(&id, query);
        let error = app
            .post(&address)
            .send()
            .await
            .refused(423, "lock_required");
        assert_eq!(
            (&error["user_name"], &error["expire"]),
            (&json!("Aya"), &json!(held.expire))
        );
        let wrong = app.post(&address).token(UNKNOWN_ID).send().await;
        wrong.refused(403, "lock_invalid");
        let malformed = app.post(&address).header("x-lock-authentication", "x");
        malformed.send().await.refused(403, "lock_invalid");
    }
    for (query, status) in [("rollback_to=1", 200), ("keep_from=3", 204)] {
        let done = app.post(&change(&id, query)).token(&held.token);
        done.send().await.is(status);
    }
    app.save(&held, "three").await.is(200);
    let unlocked = app.post(&change(&id, "rollback_to=3")).token(&held.token);
    unlocked.send().await.refused(403, "lock_invalid");
}

#[tokio::test]
async fn only_author_of_rollback_amends_it() {
    let app = TestApp::new();
    let ben = app.post("/api/users").json(json!({"name": "Ben"}));
    ben.send().await.is(201);
    let id = page_with(&app, &["one", "two"]).await;
    let back = app.post(&change(&id, "rollback_to=1")).send().await;
    assert_eq!(back.is(200).json()["revision"], 3);
    let app = app.restart(|config| config.user = crate::support::name("Ben"));
    let amend = app.put(&format!("{}?amend=true", source(&id)));
    let amend = amend.header("if-match", "*").markdown("Ben's").send().await;
    amend.refused(403, "not_author");
}
