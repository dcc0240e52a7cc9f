//! `/api/pages/{id}/lock`: every method, and the rights of the holder.

use std::time::Duration;

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::wiki::{HeldLock, lock};
use crate::support::{LOCK, TestApp};

#[tokio::test]
async fn lock_is_acquired_shown_and_released() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let free = json!({"locked": false, "user_name": null, "expire": null});
    let status = app.get(&lock(&id)).send().await;
    assert_eq!(status.is(200).json(), free);
    let held = app.lock(&id).await;
    assert_eq!(held.expire, "2026-11-18T12:05:00Z");
    let status = app.get(&lock(&id)).send().await;
    let expected = json!({"locked": true, "user_name": "Aya", "expire": held.expire});
    assert_eq!(status.is(200).json(), expected);
    let freed = app.delete(&lock(&id)).token(&held.token).send().await;
    freed.is(204);
    assert_eq!(app.get(&lock(&id)).send().await.json(), free);
}

#[tokio::test]
async fn no_answer_contains_the_token() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    for address in [
        lock(&id),
        format!("/api/pages/{id}/meta"),
        "/api/pages".to_owned(),
        "/wiki/a".to_owned(),
        "/edit/a".to_owned(),
    ] {
        let answer = app.get(&address).send().await;
        answer.is(200);
        assert!(!answer.text().contains(&held.token), "{answer:?}");
        assert_eq!(answer.header("x-page-lock"), None);
    }
    let refused = app.post(&lock(&id)).send().await;
    assert!(!refused.text().contains(&held.token), "{refused:?}");
}

#[tokio::test]
async fn locked_page_cannot_be_locked_again() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    let second = app.post(&lock(&id)).send().await;
    let error = second.refused(409, "locked");
    assert_eq!(
        (&error["user_name"], &error["expire"]),
        (&json!("Aya"), &json!(held.expire))
    );
    app.advance(LOCK + Duration::from_secs(60));
    let next = app.lock(&id).await;
    assert_ne!(next.token, held.token);
}

#[tokio::test]
async fn renewed_lock_has_new_token_and_full_duration() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    app.advance(Duration::from_secs(240));
    let renewed = app.put(&lock(&id)).token(&held.token).send().await;
    let renewed = HeldLock::new(id.clone(), renewed.is(204));
    assert_ne!(renewed.token, held.token);
    assert_eq!(renewed.expire, "2026-11-18T12:09:00Z");
    let old = app.put(&lock(&id)).token(&held.token).send().await;
    old.refused(403, "lock_invalid");
    let old = app.delete(&lock(&id)).token(&held.token).send().await;
    old.refused(403, "lock_invalid");
    app.save(&renewed, "two").await.is(200);
}

#[tokio::test]
async fn renewal_and_release_need_the_token() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    for call in [app.put(&lock(&id)), app.delete(&lock(&id))] {
        call.send().await.refused(403, "lock_invalid");
    }
    for call in [app.put(&lock(&id)), app.delete(&lock(&id))] {
        let answer = call.token(UNKNOWN_ID).send().await;
        answer.refused(403, "lock_invalid");
    }
    let other = app.page("/b", "other").await;
    let elsewhere = app.delete(&lock(&other)).token(&held.token).send().await;
    elsewhere.refused(403, "lock_invalid");
    let status = app.get(&lock(&id)).send().await;
    assert_eq!(status.json()["locked"], true);
}

#[tokio::test]
async fn beacon_releases_the_lock_by_its_body() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    let release = format!("{}/release", lock(&id));
    let beacon = |body: Vec<u8>| {
        let call = app.post(&release).header("origin", "http://127.0.0.1:4321");
        call.body("text/plain;charset=UTF-8", body).send()
    };
    for wrong in [&b""[..], b"x", UNKNOWN_ID.as_bytes(), b"\xff\xfe"] {
        let answer = beacon(wrong.to_vec()).await;
        answer.refused(403, "lock_invalid");
    }
    let long = beacon(vec![b'x'; 3 << 20]).await;
    long.refused(413, "too_large");
    beacon(held.token.clone().into_bytes()).await.is(204);
    let status = app.get(&lock(&id)).send().await;
    assert_eq!(status.json()["locked"], false);
    beacon(held.token.into_bytes())
        .await
        .refused(403, "lock_invalid");
}

#[tokio::test]
async fn draft_is_removed_with_its_lock() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    app.post(&format!("{}/release", lock(&draft.id)))
        .body("text/plain", draft.token.clone())
        .send()
        .await
        .is(204);
    app.get("/api/pages/resolve?path=/a")
        .send()
        .await
        .refused(404, "page_not_found");
    for call in [app.get(&lock(&draft.id)), app.post(&lock(&draft.id))] {
        call.send().await.refused(404, "page_not_found");
    }
    app.draft("/a").await;
}

#[tokio::test]
async fn missing_page_has_no_lock() {
    let app = TestApp::new();
    for (id, status, code) in [
        (UNKNOWN_ID, 404, "page_not_found"),
        ("x", 400, "bad_request"),
    ] {
        for call in [app.get(&lock(id)), app.post(&lock(id))] {
            call.send().await.refused(status, code);
        }
    }
    for call in [app.put(&lock(UNKNOWN_ID)), app.delete(&lock(UNKNOWN_ID))] {
        let status = call.token(UNKNOWN_ID).send().await.status;
        assert!([403, 404].contains(&status), "{status}");
    }
}

#[tokio::test]
async fn lock_survives_a_short_sleep() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let held = app.lock(&id).await;
    app.clock.sleep(Duration::from_secs(200));
    app.save(&held, "within its time").await.is(200);
}
