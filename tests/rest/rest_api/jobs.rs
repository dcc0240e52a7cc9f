//! `/api/jobs`: jobs are listed, paused and cancelled, and block no other work.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::rest_api::events::Stream;
use crate::support::House;

/// The number of blocking threads of the application. A job uses one of them.
const THREADS: usize = 3;

/// Runs a test with [`THREADS`] blocking threads.
fn run<T: Future<Output = ()>>(test: T) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(THREADS);
    runtime.build().unwrap().block_on(test);
}

/// Occupies all blocking threads until dropped, so that a started job waits for its thread.
struct Taken {
    _until: Vec<mpsc::Sender<()>>,
}

impl Taken {
    fn all() -> Self {
        let take = |_| {
            let (until, dropped) = mpsc::channel::<()>();
            tokio::task::spawn_blocking(move || dropped.recv());
            until
        };
        Self {
            _until: (0..THREADS).map(take).collect(),
        }
    }
}

async fn started(house: &House, path: &str) -> String {
    let started = house.post(path).send().await.is(202).json();
    started["id"].as_str().unwrap().to_owned()
}

async fn pause(house: &House, id: &str, paused: bool) -> Value {
    let patch = house.patch(&format!("/api/jobs/{id}"));
    patch
        .json(json!({"paused": paused}))
        .send()
        .await
        .is(200)
        .json()
}

/// Polls until the job satisfies `is`, and returns it.
async fn once(house: &House, id: &str, is: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..4000 {
        let job = house.get(&format!("/api/jobs/{id}")).send().await;
        let job = job.is(200).json();
        if is(&job) {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the job never came to that");
}

async fn ended(house: &House, id: &str) -> Value {
    once(house, id, |job| !job["ended_at"].is_null()).await
}

/// Starts a job and pauses it in the middle of its work.
async fn paused(house: &House, path: &str) -> String {
    let taken = Taken::all();
    let id = started(house, path).await;
    assert_eq!(pause(house, &id, true).await["state"], "paused");
    drop(taken);
    let job = once(house, &id, |job| job["total"] != 0).await;
    assert_eq!(job["state"], "paused");
    id
}

fn backups(house: &House) -> PathBuf {
    house.outside().join("data/backups")
}

fn lying_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_backup_waits_while_it_is_paused_and_nobody_waits_for_it() {
    run(async {
        let house = House::new();
        let page = house.page("/a", "before").await;
        let backup = paused(&house, "/api/backup").await;

        // Other work continues meanwhile.
        let check = started(&house, "/api/check").await;
        let job = ended(&house, &check).await;
        assert_eq!(job["result"]["faults"], json!([]), "{job}");
        let held = house.lock(&page).await;
        house.save(&held, "after").await.is(200);
        assert_eq!(house.text(&page).await, "after");
        let job = once(&house, &backup, |_| true).await;
        assert_eq!(job["state"], "paused");
        assert_eq!(job["result"], Value::Null);

        assert_eq!(pause(&house, &backup, false).await["state"], "running");
        let job = ended(&house, &backup).await;
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["done"], job["total"]);
        let folder = job["result"]["folder"].as_str().unwrap().to_owned();
        let copy = House::with(|config| config.data_dir = folder.into());
        assert_eq!(copy.text(&page).await, "before");
    });
}

#[test]
fn a_job_that_is_cancelled_ends_and_leaves_nothing_behind() {
    run(async {
        let house = House::new();
        let backup = paused(&house, "/api/backup").await;
        assert_eq!(started(&house, "/api/backup").await, backup);
        assert_eq!(lying_in(&backups(&house)).len(), 1);
        let delete = house.delete(&format!("/api/jobs/{backup}"));
        delete.send().await.is(204);
        let job = ended(&house, &backup).await;
        assert_eq!(job["state"], "cancelled", "{job}");
        assert_eq!(lying_in(&backups(&house)), Vec::<PathBuf>::new());

        let check = paused(&house, "/api/check").await;
        assert_eq!(started(&house, "/api/check").await, check);
        let delete = house.delete(&format!("/api/jobs/{check}"));
        delete.send().await.is(204);
        let job = ended(&house, &check).await;
        assert_eq!(job["state"], "cancelled", "{job}");
        assert_eq!(job["result"], Value::Null);
    });
}

#[tokio::test]
async fn backups_of_the_same_second_have_names_of_their_own() {
    let house = House::new();
    for name in ["120000Z", "120000Z-2", "120000Z-3"] {
        let id = started(&house, "/api/backup").await;
        let job = ended(&house, &id).await;
        assert_eq!(job["state"], "done", "{job}");
        let folder = job["result"]["folder"].as_str().unwrap();
        assert!(
            folder.ends_with(&format!("fumikura-2026-11-18T{name}")),
            "{folder}"
        );
        assert!(Path::new(folder).join("wiki.redb").exists());
    }
    assert_eq!(lying_in(&backups(&house)).len(), 3);
}

#[tokio::test]
async fn how_a_job_goes_on_is_told_on_the_stream() {
    let house = House::new();
    let mut stream = Stream::open(&house, None).await;
    let id = started(&house, "/api/backup").await;
    let told = |state: &str, done: &Value, total: &Value| {
        json!({
            "type": "job.progress", "job_id": id, "kind": "backup", "state": state,
            "done": done, "total": total,
        })
    };
    let first = stream.next().await;
    assert_eq!(first.name, "job.progress");
    assert_eq!(first.data["job_id"], id.as_str());
    assert_eq!(first.data["state"], "running");
    let last = loop {
        let frame = stream.next().await;
        if frame.data["state"] != "running" {
            break frame.data;
        }
    };
    assert_eq!(last, told("done", &last["total"], &last["total"]));
    assert!(last["total"].as_u64() > Some(5), "{last}");
}
