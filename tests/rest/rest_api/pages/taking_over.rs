//! `POST /api/pages/{id}/lock?take_over=true`: a user's own lock, after a tab or program that held it has
//! ended without releasing it.

use serde_json::json;

use super::NOBODY;
use crate::support::wiki::{Held, at, lock};
use crate::support::{House, LOCK, name};

async fn take_over(house: &House, id: &str) -> Held {
    let taken = house.post(&over(id)).send().await;
    Held::new(id.to_owned(), taken.is(204))
}

fn over(id: &str) -> String {
    format!("{}?take_over=true", lock(id))
}

#[tokio::test]
async fn one_s_own_lock_is_taken_over() {
    let house = House::new();
    let id = house.page("/a", "one").await;
    let lost = house.lock(&id).await;
    house.post(&lock(&id)).send().await.refused(409, "locked");
    let no = format!("{}?take_over=false", lock(&id));
    house.post(&no).send().await.refused(409, "locked");
    let taken = take_over(&house, &id).await;
    assert_ne!(taken.token, lost.token);
    house
        .save(&lost, "of the old tab")
        .await
        .refused(403, "lock_invalid");
    for call in [house.put(&lock(&id)), house.delete(&lock(&id))] {
        call.token(&lost.token)
            .send()
            .await
            .refused(403, "lock_invalid");
    }
    house.save(&taken, "of the new tab").await.is(200);
    // The page is unlocked now: the lock is acquired as usual.
    take_over(&house, &id).await;
}

#[tokio::test]
async fn the_text_of_a_new_page_is_not_locked_out_after_a_crash() {
    let house = House::new();
    let lost = house.draft("/新しい").await;
    let taken = house.post(&at("/api/pages", "/新しい")).send().await;
    let error = taken.refused(409, "path_taken");
    assert_eq!(error["page_id"], lost.id);
    assert_eq!(error["user_name"], "Aya");
    let resolved = house.get(&at("/api/pages/resolve", "/新しい")).send().await;
    assert_eq!(resolved.refused(404, "draft")["page_id"], lost.id);
    let held = take_over(&house, &lost.id).await;
    house
        .save(&lost, "of the old tab")
        .await
        .refused(403, "lock_invalid");
    house.save(&held, "first").await.is(200);
    assert_eq!(house.text(&lost.id).await, "first");
    // An existing page is not a draft.
    let taken = house.post(&at("/api/pages", "/新しい")).send().await;
    assert_eq!(taken.refused(409, "path_taken").get("page_id"), None);
}

#[tokio::test]
async fn somebody_else_s_lock_stays_theirs() {
    let house = House::new();
    house
        .post("/api/users")
        .json(json!({"name": "Ben"}))
        .send()
        .await
        .is(201);
    let page = house.page("/a", "one").await;
    let held = house.lock(&page).await;
    let draft = house.draft("/b").await;
    let house = house.restarted(|config| config.user = name("Ben"));
    for id in [&page, &draft.id] {
        let error = house.post(&over(id)).send().await.refused(409, "locked");
        assert_eq!(error["user_name"], "Aya");
    }
    let taken = house.post(&at("/api/pages", "/b")).send().await;
    let error = taken.refused(409, "path_taken");
    assert_eq!(
        (&error["user_name"], error.get("page_id")),
        (&json!("Aya"), None)
    );
    let resolved = house.get(&at("/api/pages/resolve", "/b")).send().await;
    assert_eq!(resolved.refused(404, "draft").get("page_id"), None);
    let status = house.get(&lock(&page)).send().await.json();
    assert_eq!(status["expire"], held.expire);
}

#[tokio::test]
async fn what_is_not_there_is_not_taken_over() {
    let house = House::new();
    let draft = house.draft("/a").await;
    house.advance(LOCK);
    for (id, status, code) in [
        (draft.id.as_str(), 404, "page_not_found"),
        (NOBODY, 404, "page_not_found"),
        ("nonsense", 400, "bad_request"),
    ] {
        house.post(&over(id)).send().await.refused(status, code);
    }
    let odd = format!("{}?take_over=perhaps", lock(&draft.id));
    house.post(&odd).send().await.refused(400, "bad_request");
}
