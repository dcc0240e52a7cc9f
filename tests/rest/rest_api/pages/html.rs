//! `GET /api/pages/{id}/html`.

use super::UNKNOWN_ID;
use crate::support::TestApp;
use crate::support::pictures::png;

#[tokio::test]
async fn page_is_one_file_with_its_pictures() {
    let app = TestApp::new();
    app.page("/b", "# 別のページ\n").await;
    let text = "# 庭\n\nこけがとてもきれいに、ひろくそだっています。[[/b]] ![苔](asset:moss.png)\n\n> [!note]- x\n> y\n\n<script>alert(1)</script>\n";
    let id = app.page("/a", text).await;
    let call = app.post(&format!("/api/pages/{id}/assets/moss.png"));
    let picture = png([9, 99, 9]);
    call.body("application/octet-stream", picture)
        .send()
        .await
        .is(201);
    let answer = app.get(&format!("/api/pages/{id}/html")).send().await;
    answer
        .is(200)
        .has("content-type", "text/html; charset=utf-8")
        .has(
            "content-security-policy",
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
        );
    let html = answer.text();
    for part in [
        "<html lang=\"ja\">",
        "<title>庭</title>",
        "<a>別のページ</a>",
        "<img src=\"data:image/png;base64,",
        "alt=\"苔\"",
        "<details open class=\"callout callout-note\">",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(!html.contains("<script"), "{html}");
}

#[tokio::test]
async fn unknown_page_and_revision_are_named() {
    let app = TestApp::new();
    let id = app.page("/a", "x").await;
    let unknown = app.get(&format!("/api/pages/{UNKNOWN_ID}/html"));
    unknown.send().await.refused(404, "page_not_found");
    let missing = app.get(&format!("/api/pages/{id}/html?rev=9"));
    missing.send().await.refused(404, "page_not_found");
}
