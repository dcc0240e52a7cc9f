//! `GET /api/pages/resolve` and `GET /api/pages/{id}/path`.

use serde_json::json;

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::wiki::at;

#[tokio::test]
async fn path_resolves_in_every_spelling() {
    let app = TestApp::new();
    let id = app.page("/旅/が", "one").await;
    let held = app.lock(&id).await;
    app.save(&held, "two").await.is(200);
    for same in ["/旅/が", "/旅//か\u{3099}/", "/./旅/が"] {
        let found = app.get(&at("/api/pages/resolve", same)).send().await;
        assert_eq!(
            found.is(200).json(),
            json!({"id": id, "revision": 2, "title": null})
        );
    }
    let path = app.get(&format!("/api/pages/{id}/path")).send().await;
    assert_eq!(path.is(200).json(), json!({"path": "/旅/が"}));
}

#[tokio::test]
async fn missing_paths_and_ids_are_not_found() {
    let app = TestApp::new();
    for path in ["/none", "/none/beneath", "/旅"] {
        let answer = app.get(&at("/api/pages/resolve", path)).send().await;
        answer.refused(404, "page_not_found");
    }
    for (id, status, code) in [
        (UNKNOWN_ID, 404, "page_not_found"),
        ("x", 400, "bad_request"),
    ] {
        let answer = app.get(&format!("/api/pages/{id}/path")).send().await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn draft_is_found_with_its_holder() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let found = app.get("/api/pages/resolve?path=/a").send().await;
    let error = found.refused(404, "draft");
    assert_eq!(error["user_name"], "Aya");
    assert_eq!(error["expire"], json!(draft.expire));
    assert!(!error.to_string().contains(&draft.token));
    let path = app
        .get(&format!("/api/pages/{}/path", draft.id))
        .send()
        .await;
    assert_eq!(path.is(200).json()["path"], "/a");
}
