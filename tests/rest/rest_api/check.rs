//! `/api/check` and `/api/jobs`.

use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn intact_wiki_has_no_faults() {
    let app = TestApp::new();
    let started = app.post("/api/check").send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let location = started.header("location").unwrap();
    assert_eq!(location, format!("/api/jobs/{id}"));
    let job = app.job_end(&id).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(
        job["result"],
        json!({"pages": 1, "revisions": 1, "faults": []})
    );
    let all = app.get("/api/jobs").send().await.is(200).json();
    assert_eq!(all[0]["id"], id.as_str());
}

#[tokio::test]
async fn ended_job_is_final_and_unknown_refused() {
    let app = TestApp::new();
    let started = app.post("/api/check").send().await.is(202).json();
    let id = started["id"].as_str().unwrap();
    let before = app.job_end(id).await;
    let path = format!("/api/jobs/{id}");
    let patch = app.patch(&path).json(json!({"paused": true}));
    assert_eq!(patch.send().await.is(200).json(), before);
    app.delete(&path).send().await.is(204);
    assert_eq!(app.job_end(id).await, before);

    let unknown = "/api/jobs/0";
    app.get(unknown).send().await.refused(404, "job_not_found");
    app.delete(unknown)
        .send()
        .await
        .refused(404, "job_not_found");
}

#[tokio::test]
async fn backup_opens_as_a_data_folder() {
    let app = TestApp::new();
    let id = app.post("/api/backup").send().await.is(202).json()["id"].clone();
    let job = app.job_end(id.as_str().unwrap()).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["done"], job["total"]);
    let folder = job["result"]["folder"].as_str().unwrap().to_owned();
    assert!(folder.ends_with("backups/fumikura-2026-11-18T120000Z"));

    let copy = TestApp::with(|config| config.data_dir = folder.into());
    let page = copy.get("/api/pages/resolve?path=/").send().await;
    let there = app.get("/api/pages/resolve?path=/").send().await;
    assert_eq!(page.is(200).json(), there.json());
    let id = copy.post("/api/check").send().await.is(202).json()["id"].clone();
    let job = copy.job_end(id.as_str().unwrap()).await;
    assert_eq!(job["result"]["faults"], json!([]), "{job}");
}
