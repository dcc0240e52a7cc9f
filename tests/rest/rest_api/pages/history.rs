//! `GET /api/pages/{id}/history`.

use serde_json::json;

use super::UNKNOWN_ID;
use super::revisions::page_with;
use crate::support::TestApp;

fn history(id: &str) -> String {
    format!("/api/pages/{id}/history")
}

#[tokio::test]
async fn history_is_written_in_markdown() {
    let app = TestApp::new();
    let id = page_with(&app, &["one", "two"]).await;
    let told = app.get(&history(&id)).send().await;
    told.is(200)
        .has("content-type", "text/markdown; charset=utf-8")
        .has("cache-control", "no-cache");
    insta::assert_snapshot!(told.text());
    let rename = format!("/api/pages/{id}/path?rename_to=/b");
    app.post(&rename).send().await.is(200);
    let told = app.get(&history(&id)).send().await;
    assert!(
        told.text()
            .starts_with("# History of /b\n\n- [Revision 3](/b?rev=3)")
    );
    assert!(told.text().contains("renamed from /a to /b"));
}

#[tokio::test]
async fn history_uses_the_set_or_browser_language() {
    let app = TestApp::new();
    let id = app.page("/a", "one").await;
    let begins = async |accepted: &str, begins: &str| {
        let told = app.get(&history(&id)).header("accept-language", accepted);
        let told = told.send().await;
        assert!(told.is(200).text().starts_with(begins), "{told:?}");
    };
    begins("ja", "# /a の履歴").await;
    begins("en", "# History of /a").await;
    let set = app.patch("/api/settings").json(json!({"language": "ja"}));
    set.send().await.is(200);
    begins("en", "# /a の履歴").await;
}

#[tokio::test]
async fn pages_without_history_are_refused() {
    let app = TestApp::new();
    let draft = app.draft("/b").await;
    for (id, status, code) in [
        (UNKNOWN_ID, 404, "page_not_found"),
        (&draft.id, 404, "draft"),
        ("x", 400, "bad_request"),
    ] {
        app.get(&history(id)).send().await.refused(status, code);
    }
}

#[tokio::test]
async fn history_lists_revisions_before_a_number() {
    let app = TestApp::new();
    let id = page_with(&app, &["one", "two", "three"]).await;
    for (query, revisions) in [
        ("", "321"),
        ("?before=18446744073709551615", "321"),
        ("?before=3", "21"),
        ("?before=2", "1"),
        ("?before=1", ""),
        ("?before=0", ""),
    ] {
        let told = app.get(&format!("{}{query}", history(&id))).send().await;
        let told = told.is(200).text();
        let listed = told
            .lines()
            .filter_map(|line| line.strip_prefix("- [Revision "));
        let listed: String = listed.map(|line| &line[..1]).collect();
        assert_eq!(listed, revisions, "{told}");
        assert!(!told.contains("not listed"), "{told}");
    }
    let nonsense = app.get(&format!("{}?before=x", history(&id)));
    nonsense.send().await.refused(400, "bad_request");
}
