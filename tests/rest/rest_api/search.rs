//! `GET /api/search`.

use serde_json::{Value, json};

use crate::support::House;
use crate::support::wiki::encoded;

fn search(typed: &str) -> String {
    format!("/api/search?q={}", encoded(typed.as_bytes()))
}

async fn answer(house: &House, address: &str) -> Value {
    house.get(address).send().await.is(200).json()
}

async fn found(house: &House, address: &str) -> Vec<String> {
    let answer = answer(house, address).await;
    let items = answer["items"].as_array().unwrap().iter();
    let path = |item: &Value| item["path"]["text"].as_str().unwrap().to_owned();
    items.map(path).collect()
}

#[tokio::test]
async fn a_word_of_a_text_is_found_and_highlighted() {
    let house = House::new();
    let id = house.page("/旅/京都", "# 秋の旅\n\n😀ｻｰﾊﾞｰの管理\n").await;
    let answer = answer(&house, &search("サーバー")).await;
    let item = &answer["items"][0];
    assert_eq!(item["kind"], "page");
    assert_eq!(item["page_id"], json!(id));
    assert_eq!(item["title"], json!({"text": "秋の旅", "highlights": []}));
    assert_eq!(item["path"], json!({"text": "/旅/京都", "highlights": []}));
    // The smiling face is two units of UTF-16.
    assert_eq!(
        item["snippets"],
        json!([{"text": "😀ｻｰﾊﾞｰの管理", "highlights": [[2, 7]]}])
    );
    assert_eq!(answer["total"], 1);
    assert_eq!(answer["partial"], Value::Null);
    assert_eq!(answer["anchor"], Value::Null);
}

#[tokio::test]
async fn changes_count_at_once() {
    let house = House::new();
    let id = house.page("/numbat", "quokka words").await;
    assert_eq!(found(&house, &search("quokka")).await, ["/numbat"]);
    let held = house.lock(&id).await;
    house.save(&held, "wombat words").await.is(200);
    assert_eq!(found(&house, &search("quokka")).await, [""; 0]);
    assert_eq!(found(&house, &search("wombat")).await, ["/numbat"]);

    let renamed = format!("/api/pages/{id}/path?rename_to=/b");
    house.post(&renamed).send().await.is(200);
    assert_eq!(found(&house, &search("wombat")).await, ["/b"]);
    let moved = answer(&house, &search("/numbat")).await;
    assert_eq!(moved["items"][0]["moved_from"], "/numbat");

    house
        .delete(&format!("/api/pages/{id}"))
        .send()
        .await
        .is(204);
    assert_eq!(found(&house, &search("wombat")).await, [""; 0]);
    let deleted = format!("{}&deleted=true", search("wombat"));
    assert_eq!(found(&house, &deleted).await, ["/b"]);
}

#[tokio::test]
async fn answers_have_parts_and_prefixes() {
    let house = House::new();
    for path in ["/x/a", "/x/b", "/xy", "/z"] {
        house.page(path, "needle").await;
    }
    let first = answer(&house, &format!("{}&limit=3", search("needle"))).await;
    assert_eq!(first["total"], 4);
    let next = format!(
        "{}&limit=3&anchor={}",
        search("needle"),
        first["anchor"].as_str().unwrap()
    );
    let second = answer(&house, &next).await;
    assert_eq!(second["items"].as_array().unwrap().len(), 1);
    assert_eq!(second["anchor"], Value::Null);
    let below = format!("{}&prefix=/x", search("needle"));
    assert_eq!(found(&house, &below).await, ["/x/a", "/x/b"]);
    assert_eq!(
        found(&house, &search("regex:ne+dle path:/x")).await,
        ["/x/a", "/x/b"]
    );
}

#[tokio::test]
async fn bad_queries_are_answered_clearly() {
    let house = House::new();
    house.page("/a", "x").await;
    for typed in ["", "\"", "\u{7}", "-", "。"] {
        assert_eq!(found(&house, &search(typed)).await, [""; 0], "{typed:?}");
    }
    let long = "a".repeat(10_000);
    for typed in [
        &*long,
        "regex:x",
        r"path:/a regex:(\w{999}){999}",
        "after:soon",
    ] {
        let refused = house.get(&search(typed)).send().await;
        assert_eq!(refused.is(422).json()["code"], "invalid_value", "{typed:?}");
    }
    house.get("/api/search?q=x&limit=0").send().await.is(400);
    house.get("/api/search?q=x&anchor=x").send().await.is(400);
    house.get("/api/search").send().await.is(400);
}

#[tokio::test]
async fn tags_wanted_orphans_and_mentions_are_listed() {
    let house = House::new();
    let kyoto = house
        .page("/kyoto", "---\ntags: [旅, 寺]\n---\n# 京都\n")
        .await;
    house.page("/a", "京都へ。#旅").await;
    house.page("/b", "[京都](/kyoto) [x](/x)").await;
    assert_eq!(
        answer(&house, "/api/tags").await,
        json!([{"tag": "寺", "pages": 1}, {"tag": "旅", "pages": 2}])
    );
    let wanted = answer(&house, "/api/pages/wanted").await;
    let wanted = wanted.as_array().unwrap();
    assert!(wanted.contains(&json!({"path": "/x", "links": 1})));
    let orphans = answer(&house, "/api/pages/orphans").await;
    let orphans: Vec<_> = orphans
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["path"])
        .collect();
    assert_eq!(orphans, ["/a", "/b"]);
    let mentions = format!("/api/pages/{kyoto}/mentions");
    assert_eq!(found(&house, &mentions).await, ["/a"]);
}
