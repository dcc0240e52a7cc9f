//! `/api/jobs`: jobs are listed, paused and cancelled, and block no other work.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::rest_api::events::Stream;
use crate::support::TestApp;

/// The number of blocking threads of the application. A job uses one of them.
const THREADS: usize = 3;

/// Runs a test with [`THREADS`] blocking threads.
fn run<T: Future<Output = ()>>(test: T) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(THREADS);
    runtime.build().unwrap().block_on(test);
}

/// Occupies all blocking threads until dropped, so that a started job waits for its thread.
struct OccupiedThreads {
    _until: Vec<mpsc::Sender<()>>,
}

impl OccupiedThreads {
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

async fn start_job(app: &TestApp, path: &str) -> String {
    let started = app.post(path).send().await.is(202).json();
    started["id"].as_str().unwrap().to_owned()
}

async fn pause(app: &TestApp, id: &str, paused: bool) -> Value {
    let patch = app.patch(&format!("/api/jobs/{id}"));
    patch
        .json(json!({"paused": paused}))
        .send()
        .await
        .is(200)
        .json()
}

/// Polls until the job satisfies `is`, and returns it.
async fn wait_for(app: &TestApp, id: &str, is: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..12_000 {
        let job = app.get(&format!("/api/jobs/{id}")).send().await;
        let job = job.is(200).json();
        if is(&job) {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the job never came to that");
}

async fn wait_until_ended(app: &TestApp, id: &str) -> Value {
    wait_for(app, id, |job| !job["ended_at"].is_null()).await
}

/// Starts a job and pauses it in the middle of its work.
async fn start_paused(app: &TestApp, path: &str) -> String {
    let taken = OccupiedThreads::all();
    let id = start_job(app, path).await;
    assert_eq!(pause(app, &id, true).await["state"], "paused");
    drop(taken);
    let job = wait_for(app, &id, |job| job["total"] != 0).await;
    assert_eq!(job["state"], "paused");
    id
}

fn backups(app: &TestApp) -> PathBuf {
    app.base_dir().join("data/backups")
}

fn entries_of(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn paused_backup_blocks_no_other_work() {
    run(async {
        let app = TestApp::new();
        let page = app.page("/a", "before").await;
        let backup = start_paused(&app, "/api/backup").await;

        // Other work continues meanwhile.
        let check = start_job(&app, "/api/check").await;
        let job = wait_until_ended(&app, &check).await;
        assert_eq!(job["result"]["faults"], json!([]), "{job}");
        let held = app.lock(&page).await;
        app.save(&held, "after").await.is(200);
        assert_eq!(app.text(&page).await, "after");
        let job = wait_for(&app, &backup, |_| true).await;
        assert_eq!(job["state"], "paused");
        assert_eq!(job["result"], Value::Null);

        assert_eq!(pause(&app, &backup, false).await["state"], "running");
        let job = wait_until_ended(&app, &backup).await;
        assert_eq!(job["state"], "done", "{job}");
        assert_eq!(job["done"], job["total"]);
        let folder = job["result"]["folder"].as_str().unwrap().to_owned();
        let copy = TestApp::with(|config| config.data_dir = folder.into());
        assert_eq!(copy.text(&page).await, "before");
    });
}

#[test]
fn requested_backup_has_everything_saved_before() {
    run(async {
        let app = TestApp::new();
        let page = app.page("/a", "before").await;
        let taken = OccupiedThreads::all();
        let first = start_job(&app, "/api/backup").await;
        // It has not read anything yet.
        assert_eq!(start_job(&app, "/api/backup").await, first);
        pause(&app, &first, true).await;
        drop(taken);
        wait_for(&app, &first, |job| job["total"] != 0).await;

        let held = app.lock(&page).await;
        app.save(&held, "after").await.is(200);
        let second = start_job(&app, "/api/backup").await;
        let job = wait_until_ended(&app, &second).await;
        assert_eq!(job["state"], "done", "{job}");
        let folder = job["result"]["folder"].as_str().unwrap().to_owned();
        let copy = TestApp::with(|config| config.data_dir = folder.into());
        assert_eq!(copy.text(&page).await, "after");
        assert_eq!(wait_for(&app, &first, |_| true).await["state"], "paused");
        app.delete(&format!("/api/jobs/{first}"))
            .send()
            .await
            .is(204);
        wait_until_ended(&app, &first).await;
    });
}

#[test]
fn paused_job_does_not_stop_the_schedule() {
    run(async {
        let app = TestApp::new();
        let check = start_paused(&app, "/api/check").await;
        app.advance(Duration::from_secs(180));
        assert!(app.inner.backup_is_due().unwrap());
        app.delete(&format!("/api/jobs/{check}"))
            .send()
            .await
            .is(204);
        wait_until_ended(&app, &check).await;
    });
}

#[test]
fn cancelled_job_leaves_nothing_behind() {
    run(async {
        let app = TestApp::new();
        let backup = start_paused(&app, "/api/backup").await;
        assert_eq!(entries_of(&backups(&app)).len(), 1);
        let delete = app.delete(&format!("/api/jobs/{backup}"));
        delete.send().await.is(204);
        let job = wait_until_ended(&app, &backup).await;
        assert_eq!(job["state"], "cancelled", "{job}");
        assert_eq!(entries_of(&backups(&app)), Vec::<PathBuf>::new());

        let check = start_paused(&app, "/api/check").await;
        assert_eq!(start_job(&app, "/api/check").await, check);
        let delete = app.delete(&format!("/api/jobs/{check}"));
        delete.send().await.is(204);
        let job = wait_until_ended(&app, &check).await;
        assert_eq!(job["state"], "cancelled", "{job}");
        assert_eq!(job["result"], Value::Null);
    });
}

#[tokio::test]
async fn backups_of_one_second_get_distinct_names() {
    let app = TestApp::new();
    for name in ["120000Z", "120000Z-2", "120000Z-3"] {
        let id = start_job(&app, "/api/backup").await;
        let job = wait_until_ended(&app, &id).await;
        assert_eq!(job["state"], "done", "{job}");
        let folder = job["result"]["folder"].as_str().unwrap();
        assert!(
            folder.ends_with(&format!("fumikura-2026-11-18T{name}")),
            "{folder}"
        );
        assert!(Path::new(folder).join("wiki.redb").exists());
    }
    assert_eq!(entries_of(&backups(&app)).len(), 3);
}

#[tokio::test]
async fn job_progress_is_sent_as_events() {
    let app = TestApp::new();
    let mut stream = Stream::open(&app, None).await;
    let id = start_job(&app, "/api/backup").await;
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
