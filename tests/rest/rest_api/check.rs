//! `/api/check` and `/api/jobs`.

use std::fs;
use std::path::PathBuf;

use fumikura_hashes::HashFolder;
use serde_json::{Value, json};

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
        json!({"pages": 1, "revisions": 1, "faults": [], "repaired": [], "copy": null,
            "last_proved_backup": null})
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

#[tokio::test]
async fn damaged_file_is_repaired_from_a_backup() {
    let app = TestApp::new();
    let page = app.page("/a", "# A\n").await;
    let path = format!("/api/pages/{page}/assets/a.txt");
    let call = app.post(&path).body("application/octet-stream", "text");
    let file = call.send().await.is(201).json();
    let id = file["id"].as_str().unwrap();
    let started = app.post("/api/backup").send().await.is(202).json();
    let backup = app.job_end(started["id"].as_str().unwrap()).await;
    assert_eq!(backup["result"]["proved"], true, "{backup}");

    let asset = app.base_dir().join("data/asset");
    let stored = asset.join(&id[..2]).join(&id[2..5]).join(id);
    std::fs::write(&stored, "TEXT").unwrap();
    let check = async |query: &str| {
        let started = app.post(&format!("/api/check{query}")).send().await;
        let started = started.is(202).json();
        let job = app.job_end(started["id"].as_str().unwrap()).await;
        assert_eq!(job["state"], "done", "{job}");
        job["result"].clone()
    };
    let found = check("").await;
    let fault = json!({"place": "asset/", "words": format!("the contents of {id} have changed")});
    assert_eq!(found["faults"].as_array().unwrap().len(), 1);
    assert_eq!(found["faults"][0]["words"], fault["words"]);
    assert_eq!(found["faults"][0]["repairable"], true);
    assert_eq!(std::fs::read_to_string(&stored).unwrap(), "TEXT");

    let repaired = check("?repair=true").await;
    assert_eq!(
        (&repaired["faults"], &repaired["repaired"]),
        (&json!([]), &json!([fault]))
    );
    let copy = repaired["copy"].as_str().unwrap();
    assert!(
        copy.ends_with("backups/before-repair-2026-11-18T120000Z"),
        "{copy}"
    );
    assert_eq!(std::fs::read_to_string(&stored).unwrap(), "text");
    let again = check("?repair=true").await;
    assert_eq!(
        (&again["repaired"], &again["copy"]),
        (&json!([]), &json!(null))
    );
    // The copy is not listed as a backup.
    let backups = app.get("/api/backups").send().await.is(200).json();
    assert_eq!(backups["backups"].as_array().unwrap().len(), 1);
    let wrong = app.post("/api/check?repair=perhaps").send().await;
    wrong.refused(400, "bad_request");
}

/// Runs a check, and returns the places and words of its remaining and of its repaired faults.
async fn faults(app: &TestApp, query: &str) -> (Vec<String>, Vec<String>) {
    let started = app.post(&format!("/api/check{query}")).send().await;
    let started = started.is(202).json();
    let job = app.job_end(started["id"].as_str().unwrap()).await;
    assert_eq!(job["state"], "done", "{job}");
    let words = |name: &str| {
        let faults = job["result"][name].as_array().unwrap().iter();
        let line = |fault: &Value| {
            let [place, words] = ["place", "words"].map(|field| fault[field].as_str().unwrap());
            let mark = if fault["repairable"] == true { "+" } else { "" };
            format!("{mark}{place}: {words}")
        };
        faults.map(line).collect()
    };
    (words("faults"), words("repaired"))
}

#[tokio::test]
async fn cache_records_and_backups_are_checked() {
    let app = TestApp::new();
    assert_eq!(faults(&app, "").await, (vec![], vec![]));
    let started = app.post("/api/backup").send().await.is(202).json();
    let backup = app.job_end(started["id"].as_str().unwrap()).await;
    let folder = PathBuf::from(backup["result"]["folder"].as_str().unwrap());
    let backup = folder.file_name().unwrap().to_str().unwrap().to_owned();

    let shard = app.base_dir().join("cache/thumbs/a3/f5");
    fs::create_dir_all(&shard).unwrap();
    let thumbnail = shard.join("a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-85x85-crop.jpg");
    fs::write(&thumbnail, "no picture").unwrap();
    let records = app.base_dir().join("data/hashes");
    HashFolder::create(&records).unwrap();
    fs::write(records.join("~pictures~a.jpg"), "{").unwrap();
    fs::write(folder.join("backup.json"), "{").unwrap();

    let (found, _) = faults(&app, "").await;
    assert_eq!(found.len(), 4, "{found:#?}");
    assert_eq!(found[0], "+thumbnail cache: 1 thumbnail is damaged");
    assert_eq!(found[1], "+thumbnail cache: 1 file is not in the index");
    assert!(found[2].starts_with("hash records: ~pictures~a.jpg: "));
    let unlisted = format!("backups/: {backup} has no readable record");
    assert_eq!(found[3], unlisted);
    assert!(thumbnail.exists());

    let (lasting, repaired) = faults(&app, "?repair=true").await;
    assert_eq!(lasting, found[2..]);
    let expected = found[..2].iter().map(|line| line.trim_start_matches('+'));
    assert_eq!(repaired, expected.collect::<Vec<_>>());
    assert!(!thumbnail.exists());
}

#[tokio::test]
async fn mirror_is_checked_and_left_as_it_is() {
    let app = TestApp::new();
    app.page("/a", "one").await;
    let folder = app.pictures().canonicalize().unwrap();
    let choice = json!({"path": folder.to_str().unwrap()});
    app.put("/api/mirror").json(choice).send().await.is(200);
    let mirrored = folder.join("pages/a.md");
    assert_eq!(faults(&app, "").await, (vec![], vec![]));

    fs::write(&mirrored, "edited outside").unwrap();
    let edited = vec!["mirror: pages/a.md was edited outside".to_owned()];
    assert_eq!(faults(&app, "?repair=true").await, (edited, vec![]));
    assert_eq!(fs::read_to_string(&mirrored).unwrap(), "edited outside");

    fs::remove_dir_all(&folder).unwrap();
    let (gone, _) = faults(&app, "").await;
    assert_eq!(gone.len(), 1, "{gone:?}");
    assert!(gone[0].starts_with("mirror: "), "{gone:?}");
}
