//! Links between pages: stored as ids, served as paths, and reported in both directions.

use serde_json::{Value, json};

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::wiki::{at, source};

async fn raw(app: &TestApp, id: &str) -> String {
    let answer = app.get(&format!("{}?raw=true", source(id))).send().await;
    answer.is(200).text().to_owned()
}

async fn get_json(app: &TestApp, id: &str, what: &str) -> Value {
    let answer = app.get(&format!("/api/pages/{id}/{what}")).send().await;
    answer.is(200).json()
}

#[tokio::test]
async fn source_has_paths_and_raw_source_ids() {
    let app = TestApp::new();
    let garden = app.page("/庭", "").await;
    let id = app.page("/旅", "[a](庭#光) `[b](庭)`").await;
    assert_eq!(app.text(&id).await, "[a](/庭#光) `[b](庭)`");
    let kept = format!("[a](page:{garden}#光) `[b](庭)`");
    assert_eq!(raw(&app, &id).await, kept);
    let answer = app.get(&format!("/api/page?id={id}&raw=true")).send().await;
    assert_eq!(answer.is(200).text(), kept);
    let refused = app.get(&format!("{}?raw=x", source(&id))).send().await;
    refused.refused(400, "bad_request");
}

#[tokio::test]
async fn etag_covers_the_served_text() {
    let app = TestApp::new();
    app.page("/b", "").await;
    let draft = app.draft("/a").await;
    let saved = app.save(&draft, "[x](b)").await;
    let tag = saved.is(200).header("etag").unwrap().to_owned();
    let known = |tag: &str| {
        let call = app.get(&source(&draft.id)).header("if-none-match", tag);
        call.send()
    };
    known(&tag).await.is(304);
    let served = app.get(&source(&draft.id)).send().await;
    served.has("etag", &tag);
    let raw = app
        .get(&format!("{}?raw=true", source(&draft.id)))
        .send()
        .await;
    assert_ne!(raw.header("etag"), Some(&*tag));
    // Saving the text as it was served makes no new version.
    let held = app.lock(&draft.id).await;
    let again = app.save(&held, served.text()).await;
    again.is(200).has("etag", &tag);
    assert_eq!(
        again.json(),
        json!({"revision": 1, "warnings": [], "as_sent": true})
    );
}

#[tokio::test]
async fn new_page_changes_etags_of_waiting_links() {
    let app = TestApp::new();
    let id = app.page("/a", "[x](b)").await;
    let before = app.get(&source(&id)).send().await;
    let tag = before.header("etag").unwrap().to_owned();
    app.page("/b", "").await;
    let after = app.get(&source(&id)).header("if-none-match", &tag);
    let after = after.send().await;
    assert_eq!(after.is(200).text(), "[x](/b)");
    let held = app.lock(&id).await;
    let saved = app.save(&held, before.text()).await;
    assert_eq!(saved.is(200).json()["revision"], 1);
}

#[tokio::test]
async fn trashed_page_is_named_beside_its_successor() {
    let app = TestApp::new();
    let old = app.page("/庭", "").await;
    let id = app.page("/旅", "[[/庭]]").await;
    let deleted = app.delete(&format!("/api/pages/{old}")).send().await;
    deleted.is(204);
    app.page("/庭", "").await;
    assert_eq!(app.text(&id).await, "[[/庭@trash]]");
    let found = app.get(&at("/api/pages/resolve", "/庭@trash")).send().await;
    let error = found.refused(404, "page_not_found");
    assert_eq!(
        (&error["page_id"], &error["path"]),
        (&json!(old), &json!("/庭"))
    );
    let listed = app.get(&at("/api/pages/deleted", "/庭@trash")).send().await;
    assert_eq!(listed.is(200).json()[0]["page_id"], json!(old));

    // Without the mark the link leads to the new page, if the author has read the text with it.
    let text = app.get(&source(&id)).send().await;
    let tag = text.header("etag").unwrap();
    let digest = tag.trim_matches('"').split_once('-').unwrap().1;
    for (read, served) in [("0123456789abcdef", "[[/庭@trash]]"), (digest, "[[/庭]]")] {
        let save = app.put(&source(&id)).header("if-match", tag);
        let saved = save
            .header("x-page-read", read)
            .markdown("[[/庭]]")
            .send()
            .await;
        assert_eq!(saved.is(200).json()["as_sent"], served == "[[/庭]]");
        assert_eq!(app.text(&id).await, served);
    }
}

#[tokio::test]
async fn links_are_listed_in_both_directions() {
    let app = TestApp::new();
    let garden = app.page("/庭", "# 枯山水").await;
    let text = format!("[[/庭]] [a](/nowhere) [b](page:{UNKNOWN_ID}) [c](/庭#x)");
    let one = app.page("/旅/一", &text).await;
    let two = app.page("/旅/二", "# 題\n\n[a](../庭)").await;
    let expected = json!([
        {"kind": "path", "page_id": null, "path": "/nowhere", "title": null, "deleted": false},
        {"kind": "page", "page_id": UNKNOWN_ID, "path": null, "title": null, "deleted": true},
        {"kind": "page", "page_id": garden, "path": "/庭", "title": "枯山水", "deleted": false},
    ]);
    assert_eq!(get_json(&app, &one, "links").await, expected);
    let ids = |found: Value| -> Vec<String> {
        let item = |item: &Value| item["page_id"].as_str().unwrap().to_owned();
        found.as_array().unwrap().iter().map(item).collect()
    };
    let back = get_json(&app, &garden, "backlinks").await;
    assert_eq!(back[0]["path"], "/旅/一");
    assert_eq!(ids(back), [one.clone(), two.clone()]);
    let first = get_json(&app, &garden, "backlinks?limit=1").await;
    assert_eq!(ids(first), [&*one]);
    let rest = get_json(&app, &garden, &format!("backlinks?after={one}")).await;
    assert_eq!(ids(rest), [&*two]);
    assert_eq!(get_json(&app, &two, "backlinks").await, json!([]));
}

#[tokio::test]
async fn invalid_link_requests_are_refused() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let page = app.page("/b", "").await;
    for what in ["links", "backlinks"] {
        let ask = |id: &str, query: &str| app.get(&format!("/api/pages/{id}/{what}{query}"));
        ask(&draft.id, "").send().await.refused(404, "draft");
        ask(UNKNOWN_ID, "")
            .send()
            .await
            .refused(404, "page_not_found");
        ask("nonsense", "").send().await.refused(400, "bad_request");
    }
    for query in ["limit=0", "limit=1001", "after=nonsense"] {
        let answer = app.get(&format!("/api/pages/{page}/backlinks?{query}"));
        answer.send().await.refused(400, "bad_request");
    }
}
