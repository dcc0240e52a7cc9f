//! A draft with an expired lock is reported as missing, before and after the sweep.

use crate::support::{LOCK, TestApp};

#[tokio::test]
async fn expired_draft_is_reported_as_missing() {
    let app = TestApp::new();
    let draft = app.draft("/a/b").await;
    let of_draft = format!("/api/pages/{}", draft.id);
    app.get(&format!("{of_draft}/path")).send().await.is(200);
    app.advance(LOCK);
    for rest in [
        "/path",
        "/meta",
        "/parent",
        "/source",
        "/lock",
        "/assets",
        "/links",
        "/backlinks",
        "/revisions",
        "/history",
    ] {
        let answer = app.get(&format!("{of_draft}{rest}")).send().await;
        answer.refused(404, "page_not_found");
    }
    let of_page = app.get(&format!("/api/page?id={}", draft.id));
    of_page.send().await.refused(404, "page_not_found");
    let rename = app.post(&format!("{of_draft}/path?rename_to=/c"));
    rename.send().await.refused(404, "page_not_found");
    let upload = app.post(&format!("{of_draft}/assets/a.txt"));
    let upload = upload.body("text/plain", "x").send().await;
    upload.refused(404, "page_not_found");
    app.delete(&of_draft)
        .send()
        .await
        .refused(404, "page_not_found");
}
