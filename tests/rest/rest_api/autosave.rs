//! `/api/journal` and `/api/journals`: autosave entries.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::wiki::{at, encoded};
use crate::support::{Answer, TestApp, redacted};

const NO_SUCH_PAGE: &str = "01JD0000000000000000000000";

async fn put(app: &TestApp, page: &str, tab: &str, body: Value) -> Answer {
    let path = format!("/api/journal/{page}?tab={}", encoded(tab.as_bytes()));
    app.put(&path).json(body).send().await
}

fn text(path: &str, seq: u64, source: &str) -> Value {
    json!({"path": path, "base_revision": null, "source": source, "seq": seq})
}

async fn list(app: &TestApp, address: &str) -> Vec<Value> {
    let list = app.get(address).send().await;
    list.is(200).json().as_array().unwrap().clone()
}

#[tokio::test]
async fn unsaved_text_is_returned_byte_for_byte() {
    let app = TestApp::new();
    let draft = app.draft("/旅").await;
    let odd = "\u{feff}か\u{3099}\r\n\0\u{1f5bb}\\\"";
    put(&app, &draft.id, "tab-1", text("/旅", 1, odd))
        .await
        .is(204);
    let entries = list(&app, &at("/api/journals", "/旅")).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["source"], odd);
    insta::assert_json_snapshot!(redacted(entries[0].clone(), &["id", "page_id", "source"]));
    assert_eq!(entries[0]["page_id"], draft.id);
}

#[tokio::test]
async fn each_tab_keeps_its_own_newest_text() {
    let app = TestApp::new();
    let page = app.page("/a", "saved").await;
    for (tab, seq, source) in [("one", 1, "a"), ("one", 2, "ab"), ("two", 1, "x")] {
        app.advance(Duration::from_secs(1));
        let base = json!({"path": "/a", "base_revision": 1, "source": source, "seq": seq});
        put(&app, &page, tab, base).await.is(204);
    }
    let entries = list(&app, "/api/journals?path=/a").await;
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
async fn entry_survives_its_draft_and_accepts_unknown_pages() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    put(&app, &draft.id, "tab", text("/a", 1, "typed"))
        .await
        .is(204);
    app.delete(&crate::support::wiki::lock(&draft.id))
        .token(&draft.token)
        .send()
        .await
        .is(204);
    put(&app, NO_SUCH_PAGE, "tab", text("/b", 1, "b"))
        .await
        .is(204);
    let entries = list(&app, "/api/journals?path=/a").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (&entries[0]["source"], &entries[0]["page_exists"]),
        (&json!("typed"), &json!(false))
    );
    assert_eq!(list(&app, "/api/journals").await.len(), 2);
    assert_eq!(list(&app, "/api/journals?path=/c").await.len(), 0);
}

#[tokio::test]
async fn entry_older_than_the_save_is_refused() {
    let app = TestApp::new();
    let page = app.page("/a", "one").await;
    let typed = |base: u64, seq: u64, source: &str| {
        let mut body = text("/a", seq, source);
        body["base_revision"] = json!(base);
        body
    };
    put(&app, &page, "tab", typed(1, 4, "two")).await.is(204);
    let held = app.lock(&page).await;
    let save = app.put(&format!("/api/pages/{page}/source?tab=tab"));
    save.token(&held.token).markdown("two").send().await.is(200);
    for seq in [1, 4, 5] {
        let late = put(&app, &page, "tab", typed(1, seq, "late")).await;
        let error = late.refused(409, "stale_sequence");
        assert_eq!((&error["revision"], error.get("seq")), (&json!(2), None));
    }
    assert_eq!(list(&app, "/api/journals").await.len(), 0);
    // The next editing session counts from the beginning.
    put(&app, &page, "tab", typed(2, 1, "three")).await.is(204);
    assert_eq!(list(&app, "/api/journals").await[0]["source"], "three");
}

#[tokio::test]
async fn long_text_is_listed_by_its_beginning() {
    let app = TestApp::new();
    let long = "あ".repeat(30_000);
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 1, &long))
        .await
        .is(204);
    let listed = list(&app, "/api/journals?path=/a").await.remove(0);
    assert_eq!(
        (&listed["source"], &listed["size"], &listed["beginning"]),
        (&Value::Null, &json!(90_000), &json!("あ".repeat(200)))
    );
    let id = listed["id"].as_str().unwrap();
    let address = format!("/api/journals/{id}");
    let whole = app.get(&address).send().await.is(200).json();
    assert_eq!(whole["source"], long);
    assert_eq!(whole["tab"], "tab");
    app.delete(&address).send().await.is(204);
    app.get(&address).send().await.refused(404, "not_found");
    app.get("/api/journals/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
}

#[tokio::test]
async fn entry_is_deleted_once() {
    let app = TestApp::new();
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 1, "x"))
        .await
        .is(204);
    let id = list(&app, "/api/journals").await[0]["id"].clone();
    let path = format!("/api/journals/{}", id.as_str().unwrap());
    let with_seq = |seq: &str| app.delete(&format!("{path}?seq={seq}"));
    // The client has seen an older state of the entry.
    let answer = with_seq("0").send().await;
    assert_eq!(answer.refused(409, "stale_sequence")["seq"], 1);
    with_seq("one").send().await.refused(400, "bad_request");
    assert_eq!(list(&app, "/api/journals").await.len(), 1);
    with_seq("1").send().await.is(204);
    app.delete(&path).send().await.refused(404, "not_found");
    app.delete("/api/journals/nonsense")
        .send()
        .await
        .refused(400, "bad_request");
    assert_eq!(list(&app, "/api/journals").await.len(), 0);
}

#[tokio::test]
async fn invalid_entries_are_refused() {
    let app = TestApp::new();
    let good = || text("/a", 1, "x");
    for tab in ["", &"t".repeat(65)] {
        put(&app, NO_SUCH_PAGE, tab, good())
            .await
            .refused(400, "bad_request");
    }
    put(&app, NO_SUCH_PAGE, &"t".repeat(64), good())
        .await
        .is(204);
    let no_tab = app.put(&format!("/api/journal/{NO_SUCH_PAGE}"));
    no_tab.json(good()).send().await.refused(400, "bad_request");
    put(&app, "nonsense", "tab", good())
        .await
        .refused(400, "bad_request");
    for (path, status, code) in [
        ("relative", 400, "bad_request"),
        ("/a/../..", 422, "invalid_path"),
        ("/a\nb", 422, "invalid_path"),
    ] {
        let answer = put(&app, NO_SUCH_PAGE, "tab", text(path, 2, "x")).await;
        answer.refused(status, code);
    }
    for body in [
        json!({"path": "/a", "seq": 1}),
        json!({"path": "/a", "seq": -1, "source": ""}),
        json!({"path": "/a", "seq": 1, "source": "", "more": 1}),
    ] {
        put(&app, NO_SUCH_PAGE, "tab", body)
            .await
            .refused(400, "invalid_body");
    }
    assert_eq!(list(&app, "/api/journals").await.len(), 1);
}

#[tokio::test]
async fn unsaved_text_has_the_page_size_limit() {
    let app = TestApp::new();
    let most = "あ".repeat(10 * 1024 * 1024 / 3);
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 1, &most))
        .await
        .is(204);
    // Each of these bytes is six bytes in JSON.
    let escaped = "\u{1}".repeat(10 * 1024 * 1024);
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 2, &escaped))
        .await
        .is(204);
    let longer = "x".repeat(10 * 1024 * 1024 + 1);
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 3, &longer))
        .await
        .refused(413, "too_large");
    let far_longer = "x".repeat(70 * 1024 * 1024);
    put(&app, NO_SUCH_PAGE, "tab", text("/a", 4, &far_longer))
        .await
        .refused(413, "too_large");
}
