//! `/api/check` and `/api/jobs`.

use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn a_wiki_that_is_whole_is_found_whole() {
    let house = House::new();
    let started = house.post("/api/check").send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let location = started.header("location").unwrap();
    assert_eq!(location, format!("/api/jobs/{id}"));
    let job = house.job_end(&id).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(
        job["result"],
        json!({"pages": 1, "revisions": 1, "faults": []})
    );
    let all = house.get("/api/jobs").send().await.is(200).json();
    assert_eq!(all[0]["id"], id.as_str());
}

#[tokio::test]
async fn an_ended_job_stays_as_it_is_and_an_unknown_one_is_refused() {
    let house = House::new();
    let started = house.post("/api/check").send().await.is(202).json();
    let id = started["id"].as_str().unwrap();
    let before = house.job_end(id).await;
    let path = format!("/api/jobs/{id}");
    let patch = house.patch(&path).json(json!({"paused": true}));
    assert_eq!(patch.send().await.is(200).json(), before);
    house.delete(&path).send().await.is(204);
    assert_eq!(house.job_end(id).await, before);

    let unknown = "/api/jobs/0";
    house
        .get(unknown)
        .send()
        .await
        .refused(404, "job_not_found");
    house
        .delete(unknown)
        .send()
        .await
        .refused(404, "job_not_found");
}

#[tokio::test]
async fn a_backup_is_a_data_folder_that_opens() {
    let house = House::new();
    let id = house.post("/api/backup").send().await.is(202).json()["id"].clone();
    let job = house.job_end(id.as_str().unwrap()).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["done"], job["total"]);
    let folder = job["result"]["folder"].as_str().unwrap().to_owned();
    assert!(folder.ends_with("backups/fumikura-2026-11-18T120000Z"));

    let copy = House::with(|config| config.data_dir = folder.into());
    let page = copy.get("/api/pages/resolve?path=/").send().await;
    let there = house.get("/api/pages/resolve?path=/").send().await;
    assert_eq!(page.is(200).json(), there.json());
    let id = copy.post("/api/check").send().await.is(202).json()["id"].clone();
    let job = copy.job_end(id.as_str().unwrap()).await;
    assert_eq!(job["result"]["faults"], json!([]), "{job}");
}
