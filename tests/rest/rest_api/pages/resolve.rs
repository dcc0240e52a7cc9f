//! `GET /api/pages/resolve` and `GET /api/pages/{id}/path`.

use serde_json::json;

use super::NOBODY;
use crate::support::House;
use crate::support::wiki::at;

#[tokio::test]
async fn a_path_leads_to_its_page_however_it_is_written() {
    let house = House::new();
    let id = house.page("/旅/が", "one").await;
    let held = house.lock(&id).await;
    house.save(&held, "two").await.is(200);
    for same in ["/旅/が", "/旅//か\u{3099}/", "/./旅/が"] {
        let found = house.get(&at("/api/pages/resolve", same)).send().await;
        assert_eq!(
            found.is(200).json(),
            json!({"id": id, "revision": 2, "title": null})
        );
    }
    let path = house.get(&format!("/api/pages/{id}/path")).send().await;
    assert_eq!(path.is(200).json(), json!({"path": "/旅/が"}));
}

#[tokio::test]
async fn where_nothing_is_nothing_is_found() {
    let house = House::new();
    for path in ["/none", "/none/beneath", "/旅"] {
        let answer = house.get(&at("/api/pages/resolve", path)).send().await;
        answer.refused(404, "page_not_found");
    }
    for (id, status, code) in [(NOBODY, 404, "page_not_found"), ("x", 400, "bad_request")] {
        let answer = house.get(&format!("/api/pages/{id}/path")).send().await;
        answer.refused(status, code);
    }
}

#[tokio::test]
async fn a_draft_is_found_as_somebody_s() {
    let house = House::new();
    let draft = house.draft("/a").await;
    let found = house.get("/api/pages/resolve?path=/a").send().await;
    let error = found.refused(404, "draft");
    assert_eq!(error["user_name"], "Aya");
    assert_eq!(error["expire"], json!(draft.expire));
    assert!(!error.to_string().contains(&draft.token));
    let path = house
        .get(&format!("/api/pages/{}/path", draft.id))
        .send()
        .await;
    assert_eq!(path.is(200).json()["path"], "/a");
}
