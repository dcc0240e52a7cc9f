//! Links between pages: stored as ids, served as paths, and reported in both directions.

use serde_json::{Value, json};

use super::NOBODY;
use crate::support::House;
use crate::support::wiki::source;

async fn raw(house: &House, id: &str) -> String {
    let answer = house.get(&format!("{}?raw=true", source(id))).send().await;
    answer.is(200).text().to_owned()
}

async fn asked(house: &House, id: &str, what: &str) -> Value {
    let answer = house.get(&format!("/api/pages/{id}/{what}")).send().await;
    answer.is(200).json()
}

#[tokio::test]
async fn a_source_has_paths_and_its_raw_form_has_ids() {
    let house = House::new();
    let garden = house.page("/庭", "").await;
    let id = house.page("/旅", "[a](庭#光) `[b](庭)`").await;
    assert_eq!(house.text(&id).await, "[a](/庭#光) `[b](庭)`");
    let kept = format!("[a](page:{garden}#光) `[b](庭)`");
    assert_eq!(raw(&house, &id).await, kept);
    let answer = house
        .get(&format!("/api/page?id={id}&raw=true"))
        .send()
        .await;
    assert_eq!(answer.is(200).text(), kept);
    let refused = house.get(&format!("{}?raw=x", source(&id))).send().await;
    refused.refused(400, "bad_request");
}

#[tokio::test]
async fn the_tag_is_of_the_text_as_it_is_served() {
    let house = House::new();
    house.page("/b", "").await;
    let draft = house.draft("/a").await;
    let saved = house.save(&draft, "[x](b)").await;
    let tag = saved.is(200).header("etag").unwrap().to_owned();
    let known = |tag: &str| {
        let call = house.get(&source(&draft.id)).header("if-none-match", tag);
        call.send()
    };
    known(&tag).await.is(304);
    let served = house.get(&source(&draft.id)).send().await;
    served.has("etag", &tag);
    let raw = house
        .get(&format!("{}?raw=true", source(&draft.id)))
        .send()
        .await;
    assert_ne!(raw.header("etag"), Some(&*tag));
    // Saving the text as it was served makes no new version.
    let held = house.lock(&draft.id).await;
    let again = house.save(&held, served.text()).await;
    again.is(200).has("etag", &tag);
    assert_eq!(again.json(), json!({"revision": 1, "warnings": []}));
}

#[tokio::test]
async fn a_page_that_comes_changes_the_tag_of_those_that_waited() {
    let house = House::new();
    let id = house.page("/a", "[x](b)").await;
    let before = house.get(&source(&id)).send().await;
    let tag = before.header("etag").unwrap().to_owned();
    house.page("/b", "").await;
    let after = house.get(&source(&id)).header("if-none-match", &tag);
    let after = after.send().await;
    assert_eq!(after.is(200).text(), "[x](/b)");
    let held = house.lock(&id).await;
    let saved = house.save(&held, before.text()).await;
    assert_eq!(saved.is(200).json()["revision"], 1);
}

#[tokio::test]
async fn links_are_told_in_both_directions() {
    let house = House::new();
    let garden = house.page("/庭", "# 枯山水").await;
    let text = format!("[[/庭]] [a](/nowhere) [b](page:{NOBODY}) [c](/庭#x)");
    let one = house.page("/旅/一", &text).await;
    let two = house.page("/旅/二", "# 題\n\n[a](../庭)").await;
    let expected = json!([
        {"kind": "path", "page_id": null, "path": "/nowhere", "title": null, "deleted": false},
        {"kind": "page", "page_id": NOBODY, "path": null, "title": null, "deleted": true},
        {"kind": "page", "page_id": garden, "path": "/庭", "title": "枯山水", "deleted": false},
    ]);
    assert_eq!(asked(&house, &one, "links").await, expected);
    let ids = |found: Value| -> Vec<String> {
        let item = |item: &Value| item["page_id"].as_str().unwrap().to_owned();
        found.as_array().unwrap().iter().map(item).collect()
    };
    let back = asked(&house, &garden, "backlinks").await;
    assert_eq!(back[0]["path"], "/旅/一");
    assert_eq!(ids(back), [one.clone(), two.clone()]);
    let first = asked(&house, &garden, "backlinks?limit=1").await;
    assert_eq!(ids(first), [&*one]);
    let rest = asked(&house, &garden, &format!("backlinks?after={one}")).await;
    assert_eq!(ids(rest), [&*two]);
    assert_eq!(asked(&house, &two, "backlinks").await, json!([]));
}

#[tokio::test]
async fn what_has_no_links_says_why() {
    let house = House::new();
    let draft = house.draft("/a").await;
    let page = house.page("/b", "").await;
    for what in ["links", "backlinks"] {
        let ask = |id: &str, query: &str| house.get(&format!("/api/pages/{id}/{what}{query}"));
        ask(&draft.id, "").send().await.refused(404, "draft");
        ask(NOBODY, "").send().await.refused(404, "page_not_found");
        ask("nonsense", "").send().await.refused(400, "bad_request");
    }
    for query in ["limit=0", "limit=1001", "after=nonsense"] {
        let answer = house.get(&format!("/api/pages/{page}/backlinks?{query}"));
        answer.send().await.refused(400, "bad_request");
    }
}
