//! `GET /api/asset?path=&file=`: resolves a page's path and a name to a file (docs/spec/wiki.md, Files).

use super::asset;
use crate::support::TestApp;
use crate::support::wiki::encoded;

fn at(path: &str, file: &str) -> String {
    let (path, file) = (encoded(path.as_bytes()), encoded(file.as_bytes()));
    format!("/api/asset?path={path}&file={file}")
}

#[tokio::test]
async fn path_and_name_redirect_to_the_file() {
    let app = TestApp::new();
    let page = app.page("/旅/京都", "text").await;
    let id = app.add_asset(&page, "地図.png", b"x").await;
    for (path, file) in [
        ("/旅/京都", "地図.png"),
        ("/旅/京都/", "地図.png"),
        ("/旅/奈良/../京都", "地図.png"),
        ("//旅/./京都", "地図.png"),
    ] {
        let found = app.get(&at(path, file)).send().await;
        found
            .is(302)
            .has("location", &asset(&id))
            .has("cache-control", "no-store");
    }
    let small = app.get(&(at("/旅/京都", "地図.png") + "&size=10x20&mode=shrink"));
    let small = small.send().await;
    let to = asset(&id) + "&size=10x20&mode=shrink&format=jpg";
    small.is(302).has("location", &to);
}

#[tokio::test]
async fn files_of_a_draft_are_found() {
    let app = TestApp::new();
    let draft = app.draft("/a").await;
    let id = app.add_asset(&draft.id, "a.png", b"x").await;
    let found = app.get(&at("/a", "a.png")).send().await;
    found.is(302).has("location", &asset(&id));
}

#[tokio::test]
async fn trashed_page_finds_files_by_former_path() {
    let app = TestApp::new();
    let page = app.page("/old", "text").await;
    let id = app.add_asset(&page, "a.png", b"x").await;
    let renamed = app.post(&format!("/api/pages/{page}/path?rename_to=/new"));
    renamed.send().await.is(200);
    let deleted = app.delete(&format!("/api/pages/{page}"));
    deleted.send().await.is(204);
    for path in ["/old", "/new"] {
        let address = at(path, "a.png");
        app.get(&address).send().await.is(404);
        let found = app.get(&format!("{address}&in_bin={page}")).send().await;
        found.is(302).has("location", &asset(&id));
    }
    let invalid = at("/old", "a.png") + "&in_bin=nobody";
    app.get(&invalid).send().await.refused(400, "bad_request");
}

#[tokio::test]
async fn names_are_normalized() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "が.png", b"x").await;
    let found = app.get(&at("/a", "か\u{3099}.png")).send().await;
    found.is(302).has("location", &asset(&id));
}

#[tokio::test]
async fn missing_and_invalid_targets_are_reported() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.png", b"x").await;
    app.add_asset(&page, "live.png", b"x").await;
    app.delete(&format!("/api/assets/{id}"))
        .send()
        .await
        .is(204);
    for (path, file, status, code) in [
        ("/a", "a.png", 404, "asset_not_found"),
        ("/a", "b.png", 404, "asset_not_found"),
        ("/b", "live.png", 404, "page_not_found"),
        ("/a", "..", 422, "invalid_file_name"),
        ("/a", "a/b", 422, "invalid_file_name"),
        ("/..", "a.png", 422, "invalid_path"),
        ("a", "a.png", 400, "bad_request"),
    ] {
        let answer = app.get(&at(path, file)).send().await;
        answer.refused(status, code);
    }
    let not_utf8 = app.get("/api/asset?path=/a&file=%ff").send().await;
    not_utf8.refused(400, "bad_request");
}
