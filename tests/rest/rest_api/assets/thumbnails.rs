//! `GET /api/asset?id=&size=`: a thumbnail of a picture that belongs to a page.

use super::asset;
use crate::support::TestApp;
use crate::support::pictures::{fixture, png};

#[tokio::test]
async fn picture_has_thumbnails() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.txt", &png([200, 30, 40])).await;
    for (query, kind) in [
        ("size=16x12", "image/jpeg"),
        ("size=16x12&mode=shrink", "image/jpeg"),
        ("size=16x12&mode=stretch&format=png", "image/png"),
    ] {
        let address = format!("{}&{query}", asset(&id));
        let answer = app.get(&address).send().await;
        answer
            .is(200)
            .has("content-type", kind)
            .has("content-security-policy", "sandbox; default-src 'none'")
            .has("cache-control", "private, max-age=31536000, immutable");
        let tag = answer.header("etag").unwrap();
        let known = app.get(&address).header("if-none-match", tag);
        known.send().await.is(304);
    }
    let small = app.get(&(asset(&id) + "&size=16x12&format=png")).send();
    let small = small.await;
    let decoder = png::Decoder::new(std::io::Cursor::new(small.body.to_vec()));
    let info = decoder.read_info().unwrap();
    assert_eq!(info.info().size(), (16, 12));
}

#[tokio::test]
async fn non_pictures_have_no_thumbnail() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let text = app.add_asset(&page, "a.png", b"text").await;
    let answer = app.get(&(asset(&text) + "&size=16x12")).send().await;
    answer.refused(415, "not_a_picture");
    let broken = &fixture("broken/truncated.gif")[..13];
    let broken = app.add_asset(&page, "b.png", broken).await;
    let svg = app.add_asset(&page, "c.svg", b"<svg/>").await;
    for id in [&broken, &svg] {
        let answer = app.get(&(asset(id) + "&size=16x12")).send().await;
        answer.refused(422, "picture_undecodable");
    }
    for query in [
        "size=0x0",
        "size=big",
        "size=16x12&mode=x",
        "mode=x",
        "format=x",
    ] {
        let answer = app.get(&format!("{}&{query}", asset(&broken))).send();
        answer.await.refused(400, "bad_request");
    }
}

#[tokio::test]
async fn missing_file_has_no_thumbnail() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.png", &png([1, 2, 3])).await;
    std::fs::remove_file(app.asset_path(&id)).unwrap();
    let answer = app.get(&(asset(&id) + "&size=16x12")).send().await;
    answer.refused(404, "asset_file_missing");
    std::fs::remove_dir_all(app.base_dir().join("data/asset")).unwrap();
    let answer = app.get(&(asset(&id) + "&size=16x12")).send().await;
    answer.refused(404, "asset_file_missing");
    app.expect_fault("are missing");
}

#[tokio::test]
async fn asset_folder_is_no_root() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let id = app.add_asset(&page, "a.png", &png([1, 2, 3])).await;
    app.get(&(asset(&id) + "&size=16x12")).send().await.is(200);
    let roots = app.get("/api/roots").send().await;
    assert_eq!(roots.is(200).json(), serde_json::json!([]));
    let path = app.asset_path(&id);
    let source = crate::support::wiki::encoded(path.as_os_str().as_encoded_bytes());
    for address in ["/get", "/thumb"] {
        let answer = app.get(&format!("{address}?source={source}")).send().await;
        answer.refused(403, "outside_roots");
    }
}
