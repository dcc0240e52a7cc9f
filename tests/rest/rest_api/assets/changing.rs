//! Renaming files and moving them to other pages, deleting, restoring and purging them.

use serde_json::{Value, json};

use super::{NOTHING, asset};
use crate::support::{Answer, House};

fn one(id: &str) -> String {
    format!("/api/assets/{id}")
}

async fn rename(house: &House, id: &str, name: &str) -> Answer {
    let call = house.patch(&one(id)).json(json!({"file_name": name}));
    call.send().await
}

async fn restore(house: &House, id: &str) -> Answer {
    house.post(&(one(id) + "/restore")).send().await
}

async fn give(house: &House, id: &str, page: &str) -> Answer {
    let address = format!("{}/owner?page_id={page}", one(id));
    house.post(&address).send().await
}

fn names(assets: &[Value]) -> Vec<&str> {
    let names = assets.iter().map(|asset| asset["file_name"].as_str());
    names.map(Option::unwrap).collect()
}

#[tokio::test]
async fn a_file_gets_another_name() {
    let house = House::new();
    let page = house.page("/a", "text").await;
    let id = house.brought(&page, "a.txt", b"x").await;
    house.brought(&page, "b.txt", b"x").await;
    let renamed = rename(&house, &id, "か\u{3099}.txt").await;
    let renamed = renamed.is(200).json();
    assert_eq!(renamed["file_name"], "が.txt");
    assert_eq!(renamed["original_name"], "a.txt");
    let taken = rename(&house, &id, "b.txt").await;
    taken.refused(409, "file_name_taken");
    for bad in ["", "..", "a/b", "a\n", "\u{202e}"] {
        let answer = rename(&house, &id, bad).await;
        answer.refused(422, "invalid_file_name");
    }
    for body in [json!({}), json!({"name": "a"}), json!({"file_name": 1})] {
        let answer = house.patch(&one(&id)).json(body).send().await;
        answer.refused(400, "invalid_body");
    }
    let unknown = rename(&house, NOTHING, "c.txt").await;
    unknown.refused(404, "asset_not_found");
    let listed = house.assets(&page, true).await;
    assert_eq!(names(&listed), ["b.txt", "が.txt"]);
}

#[tokio::test]
async fn a_deleted_file_frees_its_name_and_comes_back_when_it_is_free() {
    let house = House::new();
    let page = house.page("/a", "text").await;
    let old = house.brought(&page, "a.txt", b"old").await;
    restore(&house, &old).await.refused(409, "not_deleted");
    house.delete(&one(&old)).send().await.is(204);
    house
        .delete(&one(&old))
        .send()
        .await
        .refused(410, "deleted");
    rename(&house, &old, "b.txt").await.refused(410, "deleted");
    give(&house, &old, &page).await.refused(410, "deleted");
    assert!(house.assets(&page, false).await.is_empty());
    let listed = house.assets(&page, true).await;
    assert_eq!(listed[0]["state"], "deleted");
    assert_eq!(listed[0]["deleted_at"], "2026-11-18T12:00:00Z");
    let new = house.brought(&page, "a.txt", b"new").await;
    restore(&house, &old).await.refused(409, "file_name_taken");
    house.delete(&one(&new)).send().await.is(204);
    restore(&house, &old).await.is(204);
    let listed = house.assets(&page, false).await;
    assert_eq!(listed[0]["id"], old);
    restore(&house, NOTHING)
        .await
        .refused(404, "asset_not_found");
}

#[tokio::test]
async fn a_file_that_is_deleted_for_good_is_gone() {
    let house = House::new();
    let page = house.page("/a", "text").await;
    let live = house.brought(&page, "a.txt", b"x").await;
    let deleted = house.brought(&page, "b.txt", b"x").await;
    house.delete(&one(&deleted)).send().await.is(204);
    for id in [live, deleted] {
        let hard = one(&id) + "?hard=true";
        house.delete(&hard).send().await.is(204);
        let again = house.delete(&hard).send().await;
        again.refused(404, "asset_not_found");
        let gone = house.get(&asset(&id)).send().await;
        gone.refused(404, "asset_not_found");
    }
    assert_eq!(house.files(), 0);
    let odd = house.delete(&(one(NOTHING) + "?hard=perhaps")).send().await;
    odd.refused(400, "bad_request");
}

#[tokio::test]
async fn a_file_gets_another_page() {
    let house = House::new();
    let (from, to) = (
        house.page("/a", "text").await,
        house.page("/b", "text").await,
    );
    let id = house.brought(&from, "a.txt", b"x").await;
    let other = house.brought(&to, "a.txt", b"x").await;
    give(&house, &id, &to).await.refused(409, "file_name_taken");
    rename(&house, &other, "b.txt").await.is(200);
    give(&house, &id, &to).await.is(204);
    assert!(house.assets(&from, true).await.is_empty());
    let listed = house.assets(&to, true).await;
    assert_eq!(names(&listed), ["a.txt", "b.txt"]);
    let draft = house.draft("/c").await;
    give(&house, &id, &draft.id).await.refused(404, "draft");
    give(&house, &id, NOTHING)
        .await
        .refused(404, "page_not_found");
    give(&house, NOTHING, &to)
        .await
        .refused(404, "asset_not_found");
    give(&house, &id, "x").await.refused(400, "bad_request");
    let nobody = house.post(&(one(&id) + "/owner")).send().await;
    nobody.refused(400, "bad_request");
}

#[tokio::test]
async fn there_are_no_zombies_at_first() {
    let house = House::new();
    let page = house.page("/a", "text").await;
    let id = house.brought(&page, "a.txt", b"x").await;
    house.delete(&one(&id)).send().await.is(204);
    let zombies = house.get("/api/assets/zombies").send().await;
    assert_eq!(zombies.is(200).json(), json!([]));
}
