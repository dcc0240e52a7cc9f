//! `GET /api/tasks`.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn open_tasks_are_listed_with_their_lines() {
    let app = TestApp::new();
    let id = app
        .page(
            "/a",
            "# A\n\n- [ ] **one** due:2026-12-01 #x\n- [x] two\n- [ ] three",
        )
        .await;
    let list = app
        .get("/api/tasks?below=/a&limit=1")
        .send()
        .await
        .is(200)
        .json();
    let expected = json!({
        "items": [{
            "page_id": id, "path": "/a", "title": "A", "line": 2,
            "written": "- [ ] **one** due:2026-12-01 #x", "text": "one #x",
            "due": "2026-12-01", "tags": ["x"],
        }],
        "total": 2,
        "tags": [{"tag": "x", "tasks": 1}],
    });
    assert_eq!(list, expected);
    let rest = app
        .get("/api/tasks?sort=page&offset=1&until=2026-11-30&below=/a&tag=x")
        .send()
        .await
        .is(200)
        .json();
    assert_eq!((&rest["items"], &rest["total"]), (&json!([]), &json!(0)));
    for (query, status, code) in [
        ("until=soon", 400, "bad_request"),
        ("limit=0", 400, "bad_request"),
        ("below=a", 400, "bad_request"),
    ] {
        let refused = app.get(&format!("/api/tasks?{query}")).send().await;
        refused.refused(status, code);
    }
}
