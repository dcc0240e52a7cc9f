//! `/api/check` and `/api/jobs`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::House;

/// The job as it ended.
async fn ended(house: &House, id: &str) -> Value {
    for _ in 0..2000 {
        let job = house.get(&format!("/api/jobs/{id}")).send().await;
        let job = job.is(200).json();
        if !job["ended_at"].is_null() {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the job did not end");
}

#[tokio::test]
async fn a_wiki_that_is_whole_is_found_whole() {
    let house = House::new();
    let started = house.post("/api/check").send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    let location = started.header("location").unwrap();
    assert_eq!(location, format!("/api/jobs/{id}"));
    let job = ended(&house, &id).await;
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
    let before = ended(&house, id).await;
    let path = format!("/api/jobs/{id}");
    let patch = house.patch(&path).json(json!({"paused": true}));
    assert_eq!(patch.send().await.is(200).json(), before);
    house.delete(&path).send().await.is(204);
    assert_eq!(ended(&house, id).await, before);

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
    let job = ended(&house, id.as_str().unwrap()).await;
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["done"], job["total"]);
    let folder = job["result"]["folder"].as_str().unwrap().to_owned();
    assert!(folder.ends_with("backups/fumikura-2026-11-18T120000Z"));

    let copy = House::with(|config| config.data_dir = folder.into());
    let page = copy.get("/api/pages/resolve?path=/").send().await;
    let there = house.get("/api/pages/resolve?path=/").send().await;
    assert_eq!(page.is(200).json(), there.json());
    let id = copy.post("/api/check").send().await.is(202).json()["id"].clone();
    let job = ended(&copy, id.as_str().unwrap()).await;
    assert_eq!(job["result"]["faults"], json!([]), "{job}");
}
