//! `/api/mirror`: a folder that follows the wiki.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Answer, HOST, TestApp, redacted};

/// Returns the folder of a mirror that is up to date.
async fn mirrored(app: &TestApp) -> PathBuf {
    let folder = app.pictures().canonicalize().unwrap();
    choose(app, &folder).await.is(200);
    folder
}

async fn choose(app: &TestApp, folder: &Path) -> Answer {
    let choice = json!({"path": folder.to_str().unwrap()});
    app.put("/api/mirror").json(choice).send().await
}

async fn update(app: &TestApp) -> Value {
    app.post("/api/mirror").send().await.is(200).json()
}

async fn settle(app: &TestApp, how: &str, body: Value) -> Answer {
    let address = format!("/api/mirror/{how}");
    app.post(&address).json(body).send().await
}

async fn rewrite(app: &TestApp, id: &str, text: &str) {
    let held = app.lock(id).await;
    app.save(&held, text).await.is(200);
}

#[tokio::test]
async fn mirror_reports_what_it_has() {
    let app = TestApp::new();
    let none = app.get("/api/mirror").send().await.is(200).json();
    assert_eq!(
        (&none["folder"], &none["is_on"]),
        (&json!(null), &json!(false))
    );
    app.page("/a", "one").await;
    let folder = mirrored(&app).await;
    assert_eq!(
        fs::read_to_string(folder.join("pages/a.md")).unwrap(),
        "one"
    );
    let state = app.get("/api/mirror").send().await.is(200).json();
    insta::assert_json_snapshot!(redacted(state, &["folder"]), @r#"
    {
      "failure": null,
      "failure_message": null,
      "files": 0,
      "folder": "[folder]",
      "is_on": true,
      "outside": [],
      "pages": 2,
      "truncated": false,
      "updated_at": "2026-11-18T12:00:00Z",
      "written_at": "2026-11-18T12:00:00Z"
    }
    "#);
    let switch = |is_on| {
        let call = app.put("/api/mirror/switch");
        call.json(json!({"is_on": is_on})).send()
    };
    let off = switch(false).await.is(200).json();
    assert_eq!((&off["is_on"], &off["pages"]), (&json!(false), &json!(0)));
    app.page("/b", "two").await;
    update(&app).await;
    assert!(!folder.join("pages/b.md").exists());
    switch(true).await.is(200);
    assert!(folder.join("pages/b.md").exists());
    app.delete("/api/mirror").send().await.is(204);
    assert_eq!(update(&app).await["folder"], json!(null));
    assert!(folder.join("pages/b.md").exists());
}

#[tokio::test]
async fn edited_file_is_taken_over_or_written_again() {
    let app = TestApp::new();
    let id = app.page("/a", "one\n").await;
    let folder = mirrored(&app).await;
    let file = folder.join("pages/a.md");
    fs::write(&file, "outside\n").unwrap();
    rewrite(&app, &id, "two\n").await;
    let outside = json!([{"entry": "pages/a.md", "kind": "edited", "page_id": id}]);
    assert_eq!(update(&app).await["outside"], outside);
    let address = "/api/mirror/difference?entry=pages/a.md";
    let compared = app.get(address).send().await.is(200).json();
    assert_eq!(
        (&compared["path"], &compared["version"]),
        (&json!("/a"), &json!("2.0"))
    );
    assert_eq!(
        (&compared["added"], &compared["text"]),
        (&json!(1), &json!("outside\n"))
    );

    let shown = json!({"entry": "pages/a.md", "sha256": compared["sha256"], "version": "1.0"});
    let refused = settle(&app, "take-over", shown.clone()).await;
    refused.refused(412, "precondition_failed");
    let mut shown = shown;
    shown["version"] = json!("2.0");
    let held = app.lock(&id).await;
    settle(&app, "take-over", shown.clone())
        .await
        .refused(423, "lock_required");
    app.save(&held, "two\n").await.is(200);
    let taken = settle(&app, "take-over", shown.clone())
        .await
        .is(200)
        .json();
    assert_eq!(taken, json!({"page_id": id, "path": "/a", "revision": 3}));
    assert_eq!(app.text(&id).await, "outside\n");
    assert_eq!(update(&app).await["outside"], json!([]));

    fs::write(&file, "outside again\n").unwrap();
    update(&app).await;
    settle(&app, "write-again", shown)
        .await
        .refused(409, "changed_since");
    let entry = json!({"entry": "pages/a.md"});
    let state = settle(&app, "write-again", entry.clone())
        .await
        .is(200)
        .json();
    assert_eq!(state["outside"], json!([]));
    assert_eq!(fs::read_to_string(&file).unwrap(), "outside\n");

    fs::write(&file, "left\n").unwrap();
    app.delete(&format!("/api/pages/{id}")).send().await.is(204);
    let left = json!([{"entry": "pages/a.md", "kind": "left", "page_id": null}]);
    assert_eq!(update(&app).await["outside"], left);
    settle(&app, "take-over", entry.clone())
        .await
        .refused(410, "deleted");
    let state = settle(&app, "leave", entry.clone()).await.is(200).json();
    assert_eq!(state["outside"], json!([]));
    assert_eq!(fs::read_to_string(&file).unwrap(), "left\n");
    settle(&app, "leave", entry)
        .await
        .refused(404, "mirror_file_not_found");
}

#[tokio::test]
async fn unsuitable_folders_are_refused() {
    let app = TestApp::new();
    let base = app.base_dir();
    for name in ["data", "data/asset", "."] {
        fs::create_dir_all(base.join(name)).unwrap();
        choose(&app, &base.join(name))
            .await
            .refused(422, "folder_protected");
    }
    choose(&app, &base.join("gone"))
        .await
        .refused(404, "folder_unavailable");
    let pictures = app.pictures();
    fs::write(pictures.join("notes.md"), "mine").unwrap();
    choose(&app, &pictures)
        .await
        .refused(409, "folder_not_empty");
    choose(&app, &pictures.join("notes.md"))
        .await
        .refused(422, "not_a_folder");
    let both = app
        .put("/api/mirror")
        .json(json!({"grant": "a", "path": "/b"}));
    both.send().await.refused(400, "bad_request");
    let (window, cookie) = app.window().await;
    let by_window = |body: Value| {
        let call = app
            .unauthenticated("PUT", "/api/mirror")
            .header("cookie", &cookie);
        call.header("origin", &format!("http://{HOST}"))
            .json(body)
            .send()
    };
    let path = json!({"path": pictures.to_str().unwrap()});
    by_window(path).await.refused(403, "bearer_required");
    fs::remove_file(pictures.join("notes.md")).unwrap();
    let grant = app.inner.grant(pictures.clone(), window);
    by_window(json!({"grant": grant})).await.is(200);
    assert!(pictures.join("pages.md").exists());
}

#[tokio::test]
async fn vanished_folder_is_reported_and_taken_up_again() {
    let app = TestApp::new();
    let folder = mirrored(&app).await;
    let away = folder.with_file_name("away");
    fs::rename(&folder, &away).unwrap();
    fs::create_dir(&folder).unwrap();
    app.page("/a", "one").await;
    let state = update(&app).await;
    assert_eq!(state["failure"], "not_connected");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    let state = update(&app).await;
    assert_eq!(
        (&state["failure"], &state["pages"]),
        (&json!(null), &json!(2))
    );
    assert!(folder.join("pages/a.md").exists());
}
