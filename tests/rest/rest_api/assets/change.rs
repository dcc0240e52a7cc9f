//! Renaming files and moving them to other pages, deleting, restoring and purging them.

use serde_json::{Value, json};

use super::{UNKNOWN_ID, asset};
use crate::support::{Answer, TestApp};

fn address(id: &str) -> String {
    format!("/api/assets/{id}")
}

async fn rename(app: &TestApp, id: &str, name: &str) -> Answer {
    let call = app.patch(&address(id)).json(json!({"file_name": name}));
    call.send().await
}

async fn restore(app: &TestApp, id: &str) -> Answer {
    app.post(&(address(id) + "/restore")).send().await
}

async fn move_to_page(app: &TestApp, id: &str, page: &str) -> Answer {
    let address = format!("{}/owner?page_id={page}", address(id));
    app.post(&address).send().await
}

fn names(assets: &[Value]) -> Vec<&str> {
    let names = assets.iter().map(|asset| asset["file_name"].as_str());
    names.map(Option::unwrap).collect()
}

#[tokio::test]
async fn file_is_renamed_in_the_text() {
    let app = TestApp::new();
    let page = app.page("/a", "![](asset:a.txt)").await;
    let id = app.add_asset(&page, "a.txt", b"x").await;
    let rename = |name: &str| {
        let call = app.post(&(address(&id) + "/rename"));
        call.json(json!({"file_name": name})).send()
    };
    let renamed = rename("b c.txt").await.is(200).json();
    assert_eq!(renamed["asset"]["file_name"], "b c.txt");
    assert_eq!(renamed["revision"], 2);
    assert_eq!(app.text(&page).await, "![](asset:b%20c.txt)");
    app.lock(&page).await;
    rename("d.txt").await.refused(423, "lock_required");
    assert_eq!(app.text(&page).await, "![](asset:b%20c.txt)");
    assert_eq!(names(&app.assets(&page, true).await), ["b c.txt"]);
}

#[tokio::test]
async fn file_is_renamed() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"x").await;
    app.add_asset(&page, "b.txt", b"x").await;
    let renamed = rename(&app, &id, "か\u{3099}.txt").await;
    let renamed = renamed.is(200).json();
    assert_eq!(renamed["file_name"], "が.txt");
    assert_eq!(renamed["original_name"], "a.txt");
    let taken = rename(&app, &id, "b.txt").await;
    taken.refused(409, "file_name_taken");
    for bad in ["", "..", "a/b", "a\n", "\u{202e}"] {
        let answer = rename(&app, &id, bad).await;
        answer.refused(422, "invalid_file_name");
    }
    for body in [json!({}), json!({"name": "a"}), json!({"file_name": 1})] {
        let answer = app.patch(&address(&id)).json(body).send().await;
        answer.refused(400, "invalid_body");
    }
    let unknown = rename(&app, UNKNOWN_ID, "c.txt").await;
    unknown.refused(404, "asset_not_found");
    let listed = app.assets(&page, true).await;
    assert_eq!(names(&listed), ["b.txt", "が.txt"]);
}

#[tokio::test]
async fn deleted_file_frees_its_name_until_restored() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let old = app.add_asset(&page, "a.txt", b"old").await;
    restore(&app, &old).await.refused(409, "not_deleted");
    app.delete(&address(&old)).send().await.is(204);
    app.delete(&address(&old))
        .send()
        .await
        .refused(410, "deleted");
    rename(&app, &old, "b.txt").await.refused(410, "deleted");
    move_to_page(&app, &old, &page)
        .await
        .refused(410, "deleted");
    assert!(app.assets(&page, false).await.is_empty());
    let listed = app.assets(&page, true).await;
    assert_eq!(listed[0]["state"], "deleted");
    assert_eq!(listed[0]["deleted_at"], "2026-11-18T12:00:00Z");
    let new = app.add_asset(&page, "a.txt", b"new").await;
    restore(&app, &old).await.refused(409, "file_name_taken");
    app.delete(&address(&new)).send().await.is(204);
    restore(&app, &old).await.is(204);
    let listed = app.assets(&page, false).await;
    assert_eq!(listed[0]["id"], old);
    restore(&app, UNKNOWN_ID)
        .await
        .refused(404, "asset_not_found");
}

#[tokio::test]
async fn permanently_deleted_file_is_gone() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let live = app.add_asset(&page, "a.txt", b"x").await;
    let deleted = app.add_asset(&page, "b.txt", b"x").await;
    app.delete(&address(&deleted)).send().await.is(204);
    for id in [live, deleted] {
        let hard = address(&id) + "?hard=true";
        app.delete(&hard).send().await.is(204);
        let again = app.delete(&hard).send().await;
        again.refused(404, "asset_not_found");
        let gone = app.get(&asset(&id)).send().await;
        gone.refused(404, "asset_not_found");
    }
    assert_eq!(app.stored_files(), 0);
    let odd = app
        .delete(&(address(UNKNOWN_ID) + "?hard=perhaps"))
        .send()
        .await;
    odd.refused(400, "bad_request");
}

#[tokio::test]
async fn file_is_moved_to_another_page() {
    let app = TestApp::new();
    let (from, to) = (app.page("/a", "text").await, app.page("/b", "text").await);
    let id = app.add_asset(&from, "a.txt", b"x").await;
    let other = app.add_asset(&to, "a.txt", b"x").await;
    move_to_page(&app, &id, &to)
        .await
        .refused(409, "file_name_taken");
    rename(&app, &other, "b.txt").await.is(200);
    move_to_page(&app, &id, &to).await.is(204);
    assert!(app.assets(&from, true).await.is_empty());
    let listed = app.assets(&to, true).await;
    assert_eq!(names(&listed), ["a.txt", "b.txt"]);
    let draft = app.draft("/c").await;
    move_to_page(&app, &id, &draft.id)
        .await
        .refused(404, "draft");
    move_to_page(&app, &id, UNKNOWN_ID)
        .await
        .refused(404, "page_not_found");
    move_to_page(&app, UNKNOWN_ID, &to)
        .await
        .refused(404, "asset_not_found");
    move_to_page(&app, &id, "x")
        .await
        .refused(400, "bad_request");
    let without_owner = app.post(&(address(&id) + "/owner")).send().await;
    without_owner.refused(400, "bad_request");
}

#[tokio::test]
async fn deleted_file_is_no_orphan() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", b"x").await;
    app.delete(&address(&id)).send().await.is(204);
    let zombies = app.get("/api/assets/zombies").send().await;
    assert_eq!(zombies.is(200).json(), json!([]));
}
