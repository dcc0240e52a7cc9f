//! `/api/import`.

use std::io;

use axum::body::Body;
use axum::body::Bytes;
use futures_util::stream;
use serde_json::{Value, json};

use crate::rest_api::export::ended_job;
use crate::support::wiki::at;
use crate::support::{Answer, TestApp, name};

async fn export(app: &TestApp) -> Bytes {
    let archive = app.get("/api/export").send().await;
    archive.is(200).body.clone()
}

async fn import(app: &TestApp, query: &str, archive: impl Into<Body>) -> Answer {
    let call = app.post(&format!("/api/import{query}"));
    call.body("application/zip", archive).send().await
}

/// Returns the job of an import that was started.
async fn done(app: &TestApp, started: &Answer) -> Value {
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let location = started.header("location").unwrap();
    assert_eq!(location, format!("/api/jobs/{id}"));
    let job = ended_job(app).await;
    assert_eq!((&job["id"], &job["kind"]), (&json!(id), &json!("import")));
    job
}

/// Checks that the import has failed with this code, and returns the job's error.
#[track_caller]
fn failed<'j>(job: &'j Value, code: &str) -> &'j Value {
    assert_eq!(job["state"], "failed", "{job}");
    assert_eq!(job["error"]["code"], code, "{job}");
    assert_eq!(job["result"], Value::Null);
    &job["error"]
}

async fn other_wiki() -> TestApp {
    let app = TestApp::new();
    // Both applications generate the same ids, so they need different times.
    app.advance(std::time::Duration::from_secs(1));
    app
}

async fn full_wiki() -> TestApp {
    let app = TestApp::new();
    let page = app.page("/旅", "# 旅\n\nto [[/旅/京都]]\n").await;
    app.page("/旅/京都", "back to [旅](/旅)\n").await;
    let path = format!("/api/pages/{page}/assets/a.txt");
    let call = app.post(&path).body("application/octet-stream", "text");
    call.send().await.is(201);
    app
}

#[tokio::test]
async fn exported_archive_is_imported_by_another_wiki() {
    let (from, to) = (full_wiki().await, other_wiki().await);
    let archive = export(&from).await;
    let job = done(&to, &import(&to, "", archive.clone()).await).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["done"], job["total"]);
    assert_eq!(
        job["result"],
        json!({"created": 2, "replaced": 0, "unchanged": 1, "skipped": 0, "assets": 1,
            "ignored": 0, "warnings": [], "existing": []})
    );
    let resolved = |app: &TestApp| app.get(&at("/api/pages/resolve", "/旅")).send();
    let page = resolved(&to).await.is(200).json();
    assert_eq!(page, resolved(&from).await.is(200).json());
    let id = page["id"].as_str().unwrap();
    assert_eq!(to.text(id).await, from.text(id).await);
    let file = to
        .get("/api/asset?path=%2F%E6%97%85&file=a.txt")
        .send()
        .await;
    file.is(302);
    let checked = to.post("/api/check").send().await.is(202).json();
    let job = ended_job(&to).await;
    assert_eq!(
        (&job["id"], &job["result"]["faults"]),
        (&checked["id"], &json!([]))
    );
}

#[tokio::test]
async fn conflicting_pages_fail_skip_or_are_replaced() {
    let (from, to) = (full_wiki().await, other_wiki().await);
    let archive = export(&from).await;
    let mine = to.page("/旅", "mine").await;
    let job = done(&to, &import(&to, "", archive.clone()).await).await;
    assert_eq!(failed(&job, "path_taken")["path"], "/旅");
    assert_eq!(to.text(&mine).await, "mine");

    let held = to.lock(&mine).await;
    let replace = "?on_conflict=replace";
    let job = done(&to, &import(&to, replace, archive.clone()).await).await;
    let error = failed(&job, "locked");
    assert_eq!(
        (&error["path"], &error["user_name"]),
        (&json!("/旅"), &json!("Aya"))
    );
    let unlock = to.delete(&format!("/api/pages/{mine}/lock"));
    unlock.token(&held.token).send().await.is(204);

    let job = done(
        &to,
        &import(&to, "?on_conflict=skip", archive.clone()).await,
    )
    .await;
    assert_eq!(
        (&job["result"]["created"], &job["result"]["skipped"]),
        (&json!(1), &json!(2))
    );
    let existing = json!([{"page": "/旅/京都", "path": "/旅"}]);
    assert_eq!(job["result"]["existing"], existing);
    assert_eq!(to.text(&mine).await, "mine");
    let job = done(&to, &import(&to, replace, archive).await).await;
    let result = &job["result"];
    assert_eq!(
        (&result["replaced"], &result["unchanged"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(to.text(&mine).await, "# 旅\n\nto [[/旅/京都]]\n");

    let refused = import(&to, "?on_conflict=perhaps", "").await;
    refused.refused(400, "bad_request");
}

#[tokio::test]
async fn broken_archive_changes_nothing() {
    let (from, to) = (full_wiki().await, other_wiki().await);
    let archive = export(&from).await;
    for broken in [
        Bytes::new(),
        archive.slice(..archive.len() - 30),
        archive.slice(100..),
    ] {
        let job = done(&to, &import(&to, "", broken).await).await;
        assert_eq!(failed(&job, "invalid_archive")["fault"], "not_zip");
    }
    let kind = to
        .post("/api/import")
        .body("application/octet-stream", archive);
    kind.send().await.refused(415, "unsupported_media_type");
    to.post("/api/import")
        .send()
        .await
        .refused(415, "unsupported_media_type");
    let gone = to.get(&at("/api/pages/resolve", "/旅")).send().await;
    gone.refused(404, "page_not_found");
}

#[tokio::test]
async fn archive_faults_have_machine_readable_fields() {
    let (from, to) = (full_wiki().await, other_wiki().await);
    let mut archive = export(&from).await.to_vec();
    // The first byte after the file's own header, which ends with its name and some fields.
    let name = "pages/旅.files/a.txt".as_bytes();
    let at = archive.windows(name.len()).position(|bytes| bytes == name);
    let at = at.unwrap();
    let fields = usize::from(u16::from_le_bytes([archive[at - 2], archive[at - 1]]));
    archive[at + name.len() + fields] ^= 0x10;
    let job = done(&to, &import(&to, "", archive).await).await;
    let error = failed(&job, "invalid_archive");
    assert_eq!(error["fault"], "entry_unreadable");
    assert_eq!(error["entry"], "pages/旅.files/a.txt");

    let to = to.restart(|config| config.asset_limit = 3);
    let archive = export(&from).await;
    let job = done(&to, &import(&to, "", archive).await).await;
    let error = failed(&job, "too_large");
    assert_eq!(error["fault"], "file_too_large");
    assert_eq!(error["entry"], "pages/旅.files/a.txt");
    assert_eq!(error["limit"], 3);
}

#[tokio::test]
async fn too_large_or_truncated_archive_is_refused() {
    let app = TestApp::new();
    let long = vec![0; (4 << 20) + 1];
    let length = (long.len()).to_string();
    let told = app.post("/api/import").header("content-length", &length);
    let told = told.body("application/zip", long.clone()).send().await;
    told.refused(413, "too_large");
    let pieces = long
        .chunks(100_000)
        .map(|piece| Ok::<_, io::Error>(piece.to_vec()));
    let pieces: Vec<_> = pieces.collect();
    let untold = Body::from_stream(stream::iter(pieces));
    import(&app, "", untold).await.refused(413, "too_large");
    let cut = [
        Ok("PK"),
        Err(io::Error::from(io::ErrorKind::ConnectionReset)),
    ];
    let cut = Body::from_stream(stream::iter(cut));
    import(&app, "", cut).await.refused(400, "invalid_body");
    assert_eq!(app.get("/api/jobs").send().await.is(200).json(), json!([]));
    let data = app.base_dir().join("data");
    let left = std::fs::read_dir(data).unwrap().filter(|entry| {
        let name = entry.as_ref().unwrap().file_name();
        name.to_string_lossy().contains("tmp")
    });
    assert_eq!(left.count(), 0);
}

#[tokio::test]
async fn granted_archive_is_imported() {
    let (from, to) = (full_wiki().await, other_wiki().await);
    let file = to.base_dir().join("wiki.zip");
    std::fs::write(&file, export(&from).await).unwrap();
    let (window, cookie) = to.window().await;
    let (_, other) = to.window().await;
    let origin = format!("http://{}", crate::support::HOST);
    let post = |cookie: &str, grant: &str| {
        let call = to
            .unauthenticated("POST", "/api/import")
            .header("cookie", cookie);
        call.header("origin", &origin)
            .json(json!({"grant": grant}))
            .send()
    };
    let grant = to.inner.grant(file.clone(), window.clone());
    post(&other, &grant).await.refused(403, "grant_invalid");
    let job = done(&to, &post(&cookie, &grant).await).await;
    assert_eq!(job["result"]["created"], 2, "{job}");
    post(&cookie, &grant).await.refused(403, "grant_invalid");

    for nothing in [to.base_dir(), to.base_dir().join("gone")] {
        let grant = to.inner.grant(nothing, window.clone());
        post(&cookie, &grant).await.refused(404, "not_found");
    }
    std::fs::write(&file, vec![0; (4 << 20) + 1]).unwrap();
    let grant = to.inner.grant(file, window.clone());
    post(&cookie, &grant).await.refused(413, "too_large");
}

#[tokio::test]
async fn import_fails_before_registration() {
    let (from, to) = (full_wiki().await, TestApp::empty());
    let job = done(&to, &import(&to, "", export(&from).await).await).await;
    failed(&job, "no_user");
}

#[tokio::test]
async fn empty_wiki_restores_a_full_archive() {
    let from = full_wiki().await;
    let root = from.root();
    from.file("a.png", b"picture");
    let album = json!({"name": "旅", "items": [{"root": root, "path": "a.png"}]});
    from.post("/api/albums").json(album).send().await.is(201);
    // Reads the picture.
    from.run_job("/api/albums/find", json!(null)).await;
    let archive = from.get("/api/export?form=full").send().await;
    archive.is(200).has(
        "content-disposition",
        "attachment; filename=\"fumikura-full-2026-11-18T120000Z.zip\"",
    );
    // Without any user, and with one that `--user` named.
    for to in [
        TestApp::empty(),
        TestApp::with(|config| config.user = name("Zoe")),
    ] {
        let job = done(&to, &import(&to, "", archive.body.clone()).await).await;
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["done"], job["total"]);
        assert_eq!(
            job["result"],
            json!({"restored": true, "users": 1, "pages": 3, "revisions": 3, "assets": 1, "missing": []})
        );
        let me = to.get("/api/users/me").send().await.is(200).json();
        assert_eq!(me["name"], "Aya");
        let albums = to.get("/api/albums").send().await.is(200).json();
        assert_eq!(albums[0]["name"], "旅");
        let again = to
            .get("/api/export?form=full")
            .send()
            .await
            .is(200)
            .body
            .clone();
        assert!(again == archive.body, "the archives differ");
        let job = done(&to, &import(&to, "", archive.body.clone()).await).await;
        let message = failed(&job, "not_empty")["message"].as_str().unwrap();
        assert!(message.contains("has pages"), "{message}");
        let cut = archive.body.slice(..archive.body.len() - 1);
        let job = done(&to, &import(&to, "", cut).await).await;
        assert_eq!(failed(&job, "invalid_archive")["fault"], "not_zip");
    }
    let past = "/api/export?form=full&at=2026-11-18T11:00:00Z";
    from.get(past).send().await.refused(400, "bad_request");
}
