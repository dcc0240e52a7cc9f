//! `/api/journal` and `/api/journals`: autosave entries.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::wiki::{at, encoded};
use crate::support::{Answer, House, redacted};

const NO_SUCH_PAGE: &str = "01JD0000000000000000000000";

async fn put(house: &House, page: &str, tab: &str, body: Value) -> Answer {
    let path = format!("/api/journal/{page}?tab={}", encoded(tab.as_bytes()));
    house.put(&path).json(body).send().await
}

fn text(path: &str, seq: u64, source: &str) -> Value {
    json!({"path": path, "base_revision": null, "source": source, "seq": seq})
}

async fn list(house: &House, address: &str) -> Vec<Value> {
    let list = house.get(address).send().await;
    list.is(200).json().as_array().unwrap().clone()
}

#[tokio::test]
async fn unsaved_text_comes_back_to_the_byte() {
    let house = House::new();
    let draft = house.draft("/旅").await;
    let odd = "\u{feff}か\u{3099}\r\n\0\u{1f5bb}\\\"";
    put(&house, &draft.id, "tab-1", text("/旅", 1, odd))
        .await
        .is(204);
    let entries = list(&house, &at("/api/journals", "/旅")).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["source"], odd);
    insta::assert_json_snapshot!(redacted(entries[0].clone(), &["id", "page_id", "source"]));
    assert_eq!(entries[0]["page_id"], draft.id);
}

#[tokio::test]
async fn each_tab_keeps_its_own_newest_text() {
    let house = House::new();
    let page = house.page("/a", "saved").await;
    for (tab, seq, source) in [("one", 1, "a"), ("one", 2, "ab"), ("two", 1, "x")] {
        house.advance(Duration::from_secs(1));
        let base = json!({"path": "/a", "base_revision": 1, "source": source, "seq": seq});
        put(&house, &page, tab, base).await.is(204);
    }
    let entries = list(&house, "/api/journals?path=/a").await;
    let kept: Vec<_> = entries
        .iter()
        .map(|entry| (&entry["tab"], &entry["source"], &entry["base_revision"]))
        .collect();
    let (one, two, base) = (json!("one"), json!("two"), json!(1));
    assert_eq!(
        kept,
        [(&two, &json!("x"), &base), (&one, &json!("ab"), &base)]
    );
}

#[tokio::test]
async fn a_late_message_never_replaces_a_newer_one() {
    let house = House::new();
    let page = house.page("/a", "saved").await;
    put(&house, &page, "tab", text("/a", 5, "five"))
        .await
        .is(204);
    let late = put(&house, &page, "tab", text("/a", 4, "four")).await;
    assert_eq!(late.refused(409, "stale_sequence")["seq"], 5);
    // The same request again: the answer was lost, not the text.
    put(&house, &page, "tab", text("/a", 5, "five"))
        .await
        .is(204);
    put(&house, &page, "tab", text("/a", 0, "zero"))
        .await
        .refused(409, "stale_sequence");
    let entries = list(&house, "/api/journals").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["source"], "five");
}

#[tokio::test]
async fn it_outlives_the_draft_and_names_a_page_that_never_was() {
    let house = House::new();
    let draft = house.draft("/a").await;
    put(&house, &draft.id, "tab", text("/a", 1, "typed"))
        .await
        .is(204);
    house
        .delete(&crate::support::wiki::lock(&draft.id))
        .token(&draft.token)
        .send()
        .await
        .is(204);
    put(&house, NO_SUCH_PAGE, "tab", text("/b", 1, "b"))
        .await
        .is(204);
    let entries = list(&house, "/api/journals?path=/a").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (&entries[0]["source"], &entries[0]["page_exists"]),
        (&json!("typed"), &json!(false))
    );
    assert_eq!(list(&house, "/api/journals").await.len(), 2);
    assert_eq!(list(&house, "/api/journals?path=/c").await.len(), 0);
}

#[tokio::test]
async fn a_save_takes_this_tab_s_entry_along_and_leaves_the_others() {
    let house = House::new();
    let draft = house.draft("/a").await;
    for tab in ["mine", "other"] {
        put(&house, &draft.id, tab, text("/a", 1, tab))
            .await
            .is(204);
    }
    house
        .put(&format!("/api/pages/{}/source?tab=mine", draft.id))
        .token(&draft.token)
        .markdown("saved")
        .send()
        .await
        .is(200);
    let entries = list(&house, "/api/journals?path=/a").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["tab"], "other");
    assert_eq!(entries[0]["page_exists"], true);
}

#[tokio::test]
async fn what_was_typed_before_a_save_does_not_come_back_after_it() {
    let house = House::new();
    let page = house.page("/a", "one").await;
    let typed = |base: u64, seq: u64, source: &str| {
        let mut body = text("/a", seq, source);
        body["base_revision"] = json!(base);
        body
    };
    put(&house, &page, "tab", typed(1, 4, "two")).await.is(204);
    let held = house.lock(&page).await;
    let save = house.put(&format!("/api/pages/{page}/source?tab=tab"));
    save.token(&held.token).markdown("two").send().await.is(200);
    for seq in [1, 4, 5] {
        let late = put(&house, &page, "tab", typed(1, seq, "late")).await;
        let error = late.refused(409, "stale_sequence");
        assert_eq!((&error["revision"], error.get("seq")), (&json!(2), None));
    }
    assert_eq!(list(&house, "/api/journals").await.len(), 0);
    // The next editing session counts from the beginning.
    put(&house, &page, "tab", typed(2, 1, "three"))
        .await
        .is(204);
    assert_eq!(list(&house, "/api/journals").await[0]["source"], "three");
}

#[tokio::test]
async fn a_long_text_is_listed_by_its_beginning_and_asked_for_by_its_id() {
    let house = House::new();
    let long = "あ".repeat(30_000);
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 1, &long))
        .await
        .is(204);
    let listed = list(&house, "/api/journals?path=/a").await.remove(0);
    assert_eq!(
        (&listed["source"], &listed["size"], &listed["beginning"]),
        (&Value::Null, &json!(90_000), &json!("あ".repeat(200)))
    );
    let id = listed["id"].as_str().unwrap();
    let address = format!("/api/journals/{id}");
    let whole = house.get(&address).send().await.is(200).json();
    assert_eq!(whole["source"], long);
    assert_eq!(whole["tab"], "tab");
    house.delete(&address).send().await.is(204);
    house.get(&address).send().await.refused(404, "not_found");
    house
        .get("/api/journals/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn an_entry_is_thrown_away_once() {
    let house = House::new();
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 1, "x"))
        .await
        .is(204);
    let id = list(&house, "/api/journals").await[0]["id"].clone();
    let path = format!("/api/journals/{}", id.as_str().unwrap());
    let with_seq = |seq: &str| house.delete(&format!("{path}?seq={seq}"));
    // The client has seen an older state of the entry.
    let answer = with_seq("0").send().await;
    answer.refused(409, "stale_sequence");
    with_seq("one").send().await.refused(400, "bad_request");
    assert_eq!(list(&house, "/api/journals").await.len(), 1);
    with_seq("1").send().await.is(204);
    house.delete(&path).send().await.refused(404, "not_found");
    house
        .delete("/api/journals/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
    assert_eq!(list(&house, "/api/journals").await.len(), 0);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let house = House::new();
    let good = || text("/a", 1, "x");
    for tab in ["", &"t".repeat(65)] {
        put(&house, NO_SUCH_PAGE, tab, good())
            .await
            .refused(400, "bad_request");
    }
    put(&house, NO_SUCH_PAGE, &"t".repeat(64), good())
        .await
        .is(204);
    let no_tab = house.put(&format!("/api/journal/{NO_SUCH_PAGE}"));
    no_tab.json(good()).send().await.refused(400, "bad_request");
    put(&house, "nonsense", "tab", good())
        .await
        .refused(400, "bad_request");
    for (path, status, code) in [
        ("relative", 400, "bad_request"),
        ("/a/../..", 422, "invalid_path"),
        ("/a\nb", 422, "invalid_path"),
    ] {
        let answer = put(&house, NO_SUCH_PAGE, "tab", text(path, 2, "x")).await;
        answer.refused(status, code);
    }
    for body in [
        json!({"path": "/a", "seq": 1}),
        json!({"path": "/a", "seq": -1, "source": ""}),
        json!({"path": "/a", "seq": 1, "source": "", "more": 1}),
    ] {
        put(&house, NO_SUCH_PAGE, "tab", body)
            .await
            .refused(400, "invalid_body");
    }
    assert_eq!(list(&house, "/api/journals").await.len(), 1);
}

#[tokio::test]
async fn unsaved_text_is_as_long_as_a_page_may_be() {
    let house = House::new();
    let most = "あ".repeat(10 * 1024 * 1024 / 3);
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 1, &most))
        .await
        .is(204);
    // Each of these bytes is six bytes in JSON.
    let escaped = "\u{1}".repeat(10 * 1024 * 1024);
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 2, &escaped))
        .await
        .is(204);
    let longer = "x".repeat(10 * 1024 * 1024 + 1);
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 3, &longer))
        .await
        .refused(413, "too_large");
    let far_longer = "x".repeat(70 * 1024 * 1024);
    put(&house, NO_SUCH_PAGE, "tab", text("/a", 4, &far_longer))
        .await
        .refused(413, "too_large");
}
