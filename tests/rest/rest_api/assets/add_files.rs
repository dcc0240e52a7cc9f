//! Files that the user chose in the window are added to a page.

use std::path::Path;

use fumikura_server::{AssetAddPicture, Client, ErrorCode};
use serde_json::{Value, json};

use crate::support::{LOCK, TestApp};

/// Adds the files of grants to a page. Returns the outcome of each.
async fn add(app: &TestApp, page: &str, grants: &[String], window: &Client) -> Vec<Value> {
    add_under(app, page, grants, window, false).await
}

async fn add_under(
    app: &TestApp,
    page: &str,
    grants: &[String],
    window: &Client,
    free_names: bool,
) -> Vec<Value> {
    let args = json!({"page_id": page, "grants": grants, "free_names": free_names});
    let added = app.command(window, "asset_add_files", args).await.unwrap();
    added.as_array().unwrap().clone()
}

/// Returns the code of an error in JSON.
fn code(code: ErrorCode) -> Value {
    serde_json::to_value(code).unwrap()
}

#[tokio::test]
async fn granted_files_are_added_under_own_names() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    let paths = [
        app.file("京都.txt", b"kyoto"),
        app.file("large.bin", &vec![1; 700_000]),
    ];
    let ((window, _), (other, _)) = (app.window().await, app.window().await);
    let grants = paths.map(|path| app.inner.grant(path, window.clone()));
    // Another window can't use the grants, nor can a program, and trying does not use them up.
    for added in add(&app, &page, &grants, &other).await {
        assert_eq!(added["error"]["code"], "grant_invalid");
    }
    let over_http = app.post(&format!("/api/pages/{page}/assets"));
    let over_http = over_http.json(json!({"grants": grants})).send().await;
    for added in over_http.is(200).json().as_array().unwrap() {
        assert_eq!(added["error"]["code"], "grant_invalid");
    }
    let added = add(&app, &page, &grants, &window).await;
    let listed = app.assets(&page, false).await;
    assert_eq!(listed.len(), 2);
    assert_eq!(added[0]["asset"]["file_name"], "京都.txt");
    assert!(added.iter().all(|added| listed.contains(&added["asset"])));
    // A grant is valid for one use.
    for added in add(&app, &page, &grants, &window).await {
        assert_eq!(added["error"]["code"], "grant_invalid");
    }
}

#[tokio::test]
async fn window_that_has_not_signed_in_runs_nothing() {
    let app = TestApp::new();
    let refused = app
        .command(&Client::default(), "cache_stats", json!({}))
        .await;
    assert_eq!(refused.unwrap_err()["code"], "unauthenticated");
}

#[tokio::test]
async fn taken_name_gets_a_number_on_request() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    app.add_asset(&page, "moss.png", b"x").await;
    app.add_asset(&page, "moss-2.png", b"x").await;
    let (window, _) = app.window().await;
    let grant = app
        .inner
        .grant(app.file("moss.png", b"another"), window.clone());
    let added = add_under(&app, &page, &[grant], &window, true).await;
    let asset = &added[0]["asset"];
    assert_eq!(asset["file_name"], "moss-3.png");
    assert_eq!(asset["original_name"], "moss.png");

    let picture = AssetAddPicture {
        page_id: page.parse().unwrap(),
        name: "moss.png".to_owned(),
        contents: b"\x89PNG\r\n\x1a\n".to_vec(),
    };
    let added = app
        .inner
        .page_files()
        .add_picture(picture.clone())
        .await
        .unwrap();
    let asset = serde_json::to_value(added.asset.unwrap()).unwrap();
    assert_eq!(asset["file_name"], "moss-4.png");
    assert_eq!(asset["mime"], "image/png");

    let contents = vec![1; (1 << 20) + 1];
    let huge = AssetAddPicture {
        contents,
        ..picture
    };
    let refused = app.inner.page_files().add_picture(huge).await.unwrap();
    assert_eq!(refused.error.unwrap().code, ErrorCode::TooLarge);
    assert_eq!(app.assets(&page, true).await.len(), 4);
}

#[tokio::test]
async fn refused_file_does_not_block_others() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    app.add_asset(&page, "taken.txt", b"x").await;
    let fifo = app.pictures().join("fifo");
    rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).unwrap();
    let cases = [
        (app.file("taken.txt", b"x"), ErrorCode::FileNameTaken),
        (app.file(b"\xff.txt", b"x"), ErrorCode::InvalidFileName),
        (app.file("a\nb", b"x"), ErrorCode::InvalidFileName),
        (
            app.file("huge.bin", &vec![1; (1 << 20) + 1]),
            ErrorCode::TooLarge,
        ),
        (app.pictures().join("missing"), ErrorCode::NotFound),
        (app.pictures(), ErrorCode::NotFound),
        (Path::new("/").to_owned(), ErrorCode::InvalidFileName),
        (fifo, ErrorCode::NotFound),
    ];
    let (paths, codes): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
    let good = app.file("good.txt", b"good");
    let grants = paths.into_iter().chain([good]);
    let (window, _) = app.window().await;
    let grants = grants.map(|path| app.inner.grant(path, window.clone()));
    let grants: Vec<String> = grants.collect();
    let mut added = add(&app, &page, &grants, &window).await;
    let good = added.pop().unwrap();
    assert_eq!(
        (&good["name"], &good["error"]),
        (&json!("good.txt"), &Value::Null)
    );
    let told: Vec<&Value> = added.iter().map(|added| &added["error"]["code"]).collect();
    assert_eq!(json!(told), json!(codes));
    assert_eq!(app.assets(&page, true).await.len(), 2);
    assert_eq!(app.stored_files(), 2);
}

/// The command refuses the same files as the address for uploads, for the same reasons.
#[tokio::test]
async fn granted_file_and_upload_share_refusals() {
    let app = TestApp::new();
    let page = app.page("/a", "text").await;
    app.add_asset(&page, "taken.txt", b"x").await;
    let deleted = app.page("/deleted", "text").await;
    let bin = app.delete(&format!("/api/pages/{deleted}"));
    bin.send().await.is(204);
    let dead = app.draft("/dead").await.id;
    app.advance(LOCK);
    let huge = vec![1; (1 << 20) + 1];
    let long = "a".repeat(256);
    let (window, _) = app.window().await;
    for (page, name, contents, expected) in [
        (&*page, "taken.txt", &b"x"[..], ErrorCode::FileNameTaken),
        (&page, "huge.bin", &huge, ErrorCode::TooLarge),
        (&page, "a\u{202e}b", b"x", ErrorCode::InvalidFileName),
        (&deleted, "new.txt", b"x", ErrorCode::Deleted),
        (&dead, "new.txt", b"x", ErrorCode::PageNotFound),
        (
            "01JD0000000000000000000000",
            "new.txt",
            b"x",
            ErrorCode::PageNotFound,
        ),
    ] {
        let grant = app.inner.grant(app.file(name, contents), window.clone());
        let added = add(&app, page, &[grant], &window).await;
        let error = &added[0]["error"];
        assert_eq!(error["code"], code(expected), "{name} to {page}");
        let encoded = crate::support::wiki::encoded(name.as_bytes());
        let upload = app.post(&format!("/api/pages/{page}/assets/{encoded}"));
        let upload = upload.body("text/plain", contents.to_vec()).send().await;
        let told = upload.json();
        assert_eq!(told["code"], error["code"]);
        assert_eq!(told["message"], error["message"], "{name} to {page}");
    }
    // No file on the machine can have such a name.
    let upload = app.post(&format!("/api/pages/{page}/assets/{long}"));
    let upload = upload.body("text/plain", "x").send().await;
    upload.refused(422, "invalid_file_name");
    assert_eq!(app.stored_files(), 1, "nothing else was left");
}
