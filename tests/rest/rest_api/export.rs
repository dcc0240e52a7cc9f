//! `/api/export`.

use std::io::{Cursor, Read};
use std::time::Duration;

use axum::body::Body;
use fumikura_server::{FileToSave, WholeWiki};
use fumikura_wiki::ExportForm;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::support::TestApp;
use crate::support::pictures::sized_png;

/// Returns an app whose export does not fit into the buffers between server and client.
async fn full_wiki() -> TestApp {
    let app = TestApp::new();
    let page = app.page("/a", "# A\n").await;
    for number in 0..3 {
        let path = format!("/api/pages/{page}/assets/{number}.bin");
        let noise = noise(1 << 20, number);
        let call = app.post(&path).body("application/octet-stream", noise);
        call.send().await.is(201);
    }
    app
}

/// Returns incompressible bytes.
fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed + 0x9E37_79B9_7F4A_7C15;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// Returns the newest job, once it has ended.
pub(crate) async fn ended_job(app: &TestApp) -> Value {
    for _ in 0..12_000 {
        let jobs = app.get("/api/jobs").send().await.is(200).json();
        if !jobs[0]["ended_at"].is_null() {
            return jobs[0].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the job did not end");
}

async fn first_piece(body: &mut Body) -> usize {
    let piece = body.frame().await.unwrap().unwrap();
    piece.into_data().unwrap().len()
}

/// Reads to the end, and returns the length or the error.
async fn read_to_end(body: Body) -> Result<usize, axum::Error> {
    Ok(body.collect().await?.to_bytes().len())
}

#[tokio::test]
async fn archive_is_an_answer_and_a_job() {
    let app = full_wiki().await;
    let answer = app.get("/api/export").send().await;
    answer
        .is(200)
        .has("content-type", "application/zip")
        .has("cache-control", "no-store")
        .has(
            "content-disposition",
            "attachment; filename=\"fumikura-2026-11-18T120000Z.zip\"",
        );
    let mut archive = ZipArchive::new(Cursor::new(&answer.body)).unwrap();
    let mut file = Vec::new();
    let mut entry = archive.by_name("pages/a.files/1.bin").unwrap();
    entry.read_to_end(&mut file).unwrap();
    assert_eq!(file, noise(1 << 20, 1));

    let job = ended_job(&app).await;
    let location = answer.header("location").unwrap();
    assert_eq!(
        location,
        format!("/api/jobs/{}", job["id"].as_str().unwrap())
    );
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&json!("export"), &json!("done"))
    );
    assert_eq!(job["done"], job["total"]);
    assert_eq!(
        job["result"],
        json!({"pages": 2, "assets": 3, "missing": []})
    );
}

#[tokio::test]
async fn site_shows_smaller_pictures() {
    let app = TestApp::new();
    let page = app.page("/a", "# A\n\n![[moss.png]]\n").await;
    // Larger than a page of a site shows.
    let mut picture = sized_png(2000, 500, [9, 99, 9]);
    picture.resize(300 * 1024, 0);
    let path = format!("/api/pages/{page}/assets/moss.png");
    let call = app.post(&path).body("application/octet-stream", picture);
    let id = call.send().await.is(201).json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let answer = app.get("/api/export?form=site").send().await;
    answer.is(200).has(
        "content-disposition",
        "attachment; filename=\"fumikura-site-2026-11-18T120000Z.zip\"",
    );
    let mut archive = ZipArchive::new(Cursor::new(&answer.body)).unwrap();
    let mut entry = |name: &str| {
        let mut contents = Vec::new();
        let mut entry = archive.by_name(name).unwrap();
        entry.read_to_end(&mut contents).unwrap();
        contents
    };
    let thumbnail = entry(&format!("thumbnails/{id}.webp"));
    assert!(thumbnail.starts_with(b"RIFF"), "{thumbnail:?}");
    let page = String::from_utf8(entry("pages/a.html")).unwrap();
    let shown = format!("<a href=\"a.files/moss.png\"><img src=\"../thumbnails/{id}.webp\"");
    assert!(page.contains(&shown), "{page}");
    assert_eq!(entry("pages/a.files/moss.png").len(), 300 * 1024);
}

#[tokio::test]
async fn cancelled_export_aborts_its_answer() {
    let app = full_wiki().await;
    let mut body = app.get("/api/export").stream().await;
    assert!(first_piece(&mut body).await > 0);
    let jobs = app.get("/api/jobs").send().await.is(200).json();
    let job = format!("/api/jobs/{}", jobs[0]["id"].as_str().unwrap());
    assert_eq!(jobs[0]["state"], "running");
    app.delete(&job).send().await.is(204);
    assert!(read_to_end(body).await.is_err());
    assert_eq!(ended_job(&app).await["state"], "cancelled");
}

#[tokio::test]
async fn paused_export_continues_when_resumed() {
    let app = full_wiki().await;
    let mut body = app.get("/api/export").stream().await;
    let first = first_piece(&mut body).await;
    let jobs = app.get("/api/jobs").send().await.is(200).json();
    let job = format!("/api/jobs/{}", jobs[0]["id"].as_str().unwrap());
    let pause = |paused: bool| app.patch(&job).json(json!({"paused": paused})).send();
    assert_eq!(pause(true).await.is(200).json()["state"], "paused");
    let rest = tokio::spawn(read_to_end(body));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!rest.is_finished());
    pause(false).await.is(200);
    assert!(first + rest.await.unwrap().unwrap() > 3 << 20);
    assert_eq!(ended_job(&app).await["state"], "done");
}

#[tokio::test]
async fn disconnect_cancels_only_its_own_export() {
    let app = full_wiki().await;
    let mut gone = app.get("/api/export").stream().await;
    first_piece(&mut gone).await;
    let stays = app.get("/api/export").stream().await;
    drop(gone);
    assert!(read_to_end(stays).await.unwrap() > 3 << 20);
    assert_eq!(ended_job(&app).await["state"], "done");
    let jobs = app.get("/api/jobs").send().await.is(200).json();
    for _ in 0..12_000 {
        if app.get("/api/jobs").send().await.json()[1]["ended_at"].is_string() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let first = format!("/api/jobs/{}", jobs[1]["id"].as_str().unwrap());
    let first = app.get(&first).send().await.is(200).json();
    assert_eq!(first["state"], "cancelled");
}

#[tokio::test]
async fn vault_has_no_manifest() {
    let app = full_wiki().await;
    app.page("/b", "[[/a]]").await;
    let answer = app.get("/api/export?form=vault").send().await;
    answer.is(200).has(
        "content-disposition",
        "attachment; filename=\"fumikura-vault-2026-11-18T120000Z.zip\"",
    );
    let mut vault = ZipArchive::new(Cursor::new(answer.body.clone())).unwrap();
    assert_eq!(vault.len(), 3 + 3);
    let mut text = String::new();
    let mut page = vault.by_name("b.md").unwrap();
    page.read_to_string(&mut text).unwrap();
    assert_eq!(text, "[[a]]");
    let unknown = app.get("/api/export?form=nonsense").send().await;
    unknown.refused(400, "bad_request");
}

#[tokio::test]
async fn archive_is_saved_at_chosen_path() {
    let app = full_wiki().await;
    let wanted = || {
        FileToSave::Export(WholeWiki {
            form: ExportForm::Archive,
            at: None,
        })
    };
    let asked: FileToSave = serde_json::from_value(json!({"export": {}})).unwrap();
    let file = app.inner.local_files().open_to_save(asked).await.unwrap();
    assert_eq!(file.name(), "fumikura-2026-11-18T120000Z.zip");
    let target = app.base_dir().join("wiki.zip");
    app.inner
        .local_files()
        .save(file, target.clone())
        .await
        .unwrap();
    let archive = ZipArchive::new(std::fs::File::open(&target).unwrap()).unwrap();
    assert_eq!(archive.len(), 2 + 3 + 1);
    assert_eq!(ended_job(&app).await["result"]["assets"], 3);

    let before = json!({"export": {"at": "2026-11-18T11:59:00Z"}});
    let before: FileToSave = serde_json::from_value(before).unwrap();
    let file = app.inner.local_files().open_to_save(before).await.unwrap();
    assert_eq!(file.name(), "fumikura-2026-11-18T115900Z.zip");
    let target = app.base_dir().join("before.zip");
    app.inner
        .local_files()
        .save(file, target.clone())
        .await
        .unwrap();
    let archive = ZipArchive::new(std::fs::File::open(&target).unwrap()).unwrap();
    assert_eq!(archive.len(), 1, "only the manifest: there was no page yet");

    let nowhere = app.base_dir().join("missing/wiki.zip");
    let file = app
        .inner
        .local_files()
        .open_to_save(wanted())
        .await
        .unwrap();
    assert!(app.inner.local_files().save(file, nowhere).await.is_err());
    assert_eq!(ended_job(&app).await["state"], "failed");
}
