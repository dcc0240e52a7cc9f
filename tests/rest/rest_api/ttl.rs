//! `/api/ttl`: policies, runs, and their removals.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::TestApp;
use crate::support::pictures::{in_root, png};

const DAY: Duration = Duration::from_secs(86_400);

async fn state(app: &TestApp) -> Value {
    app.get("/api/ttl").send().await.is(200).json()
}

async fn files(app: &TestApp) -> u64 {
    let cache: Value = app.get("/api/cache").send().await.is(200).json();
    cache["files"].as_u64().unwrap()
}

/// Requests a thumbnail of a size.
async fn read_thumbnail(app: &TestApp, root: &str, name: &str, size: u32) {
    let address = in_root("/thumb", root, name);
    let address = format!("{address}&size={size}x{size}");
    app.get(&address).send().await.is(200);
}

async fn set_policy(app: &TestApp, root: &str, policy: Value) {
    let address = format!("/api/roots/{root}/ttl-policy");
    app.put(&address).json(policy).send().await.is(200);
}

/// Runs the policies and returns the result.
async fn run(app: &TestApp) -> Value {
    let job = app.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(job["state"], "done", "{job}");
    job["result"].clone()
}

/// Returns a group of the cache.
fn group<'state>(state: &'state Value, name: &str) -> &'state Value {
    let mut groups = state["groups"].as_array().unwrap().iter();
    groups.find(|found| found["group"] == name).unwrap()
}

/// Returns the number of thumbnails of a group.
async fn blobs(app: &TestApp, name: &str) -> u64 {
    let state = state(app).await;
    let groups = state["groups"].as_array().unwrap().iter();
    let of = groups.filter(|found| found["group"] == name);
    of.map(|found| found["blobs"]["artifacts"].as_u64().unwrap())
        .sum()
}

/// Returns the number of folder indexes of a group.
async fn folder_indexes(app: &TestApp, name: &str) -> u64 {
    let state = state(app).await;
    group(&state, name)["manifests"]["artifacts"]
        .as_u64()
        .unwrap()
}

async fn wait_for_folder_index(app: &TestApp, name: &str) {
    for _ in 0..12_000 {
        if folder_indexes(app, name).await == 1 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never in {name}");
}

fn marked_counts(result: &Value) -> [&Value; 4] {
    [
        "marked_blobs",
        "marked_manifests",
        "marked_gone",
        "artifacts",
    ]
    .map(|name| &result[name])
}

#[tokio::test]
async fn policies_are_stored_and_validated() {
    let app = TestApp::new();
    let root = app.root();
    let address = format!("/api/roots/{root}/ttl-policy");
    let default =
        json!({"enabled": false, "ttl_days": 90, "remove_gone": false, "is_default": true});
    assert_eq!(app.get(&address).send().await.is(200).json(), default);
    assert_eq!(
        app.get("/api/ttl/default").send().await.is(200).json(),
        default
    );
    for (body, status, code) in [
        (
            json!({"enabled": true, "ttl_days": 0}),
            422,
            "invalid_value",
        ),
        (
            json!({"enabled": true, "ttl_days": 3651}),
            422,
            "invalid_value",
        ),
        (
            json!({"enabled": true, "ttl_days": -1}),
            400,
            "invalid_body",
        ),
        (
            json!({"enabled": true, "ttl_days": 1e300}),
            400,
            "invalid_body",
        ),
        (
            json!({"enabled": true, "ttl_days": "90"}),
            400,
            "invalid_body",
        ),
        (json!({"enabled": true}), 400, "invalid_body"),
    ] {
        for address in [&*address, "/api/ttl/default"] {
            let answer = app.put(address).json(body.clone()).send().await;
            answer.refused(status, code);
        }
    }
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 3650})).await;
    let changed = json!({"enabled": true, "ttl_days": 7, "remove_gone": true});
    app.put("/api/ttl/default")
        .json(changed)
        .send()
        .await
        .is(200);
    let app = app.restart(|_| {});
    let own = app.get(&address).send().await.is(200).json();
    assert_eq!(
        (&own["ttl_days"], &own["is_default"]),
        (&json!(3650), &json!(false))
    );
    app.delete(&address).send().await.is(204);
    let followed = app.get(&address).send().await.is(200).json();
    assert_eq!(
        (&followed["ttl_days"], &followed["is_default"]),
        (&json!(7), &json!(true))
    );
    let unknown = "/api/roots/01ARZ3NDEKTSV4RRFFQ69G5FAV/ttl-policy";
    app.get(unknown).send().await.refused(404, "root_not_found");
    app.delete(unknown)
        .send()
        .await
        .refused(404, "root_not_found");
}

#[tokio::test]
async fn unread_thumbnail_expires_after_its_days() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    read_thumbnail(&app, &root, "a.png", 30).await;
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 10})).await;
    let preview = format!("/api/ttl/preview?root={root}&ttl_days=10");
    app.advance(DAY * 10 - Duration::from_secs(1));
    let none = app.get(&preview).send().await.is(200).json();
    assert_eq!(none["artifacts"], 0);
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    app.advance(Duration::from_secs(1));
    let both = app.get(&preview).send().await.is(200).json();
    assert_eq!(both["artifacts"], 2);
    assert!(both["bytes"].as_u64().unwrap() > 100);
    // A thumbnail that is read before the run stays.
    read_thumbnail(&app, &root, "a.png", 30).await;
    let result = run(&app).await;
    assert_eq!(marked_counts(&result), [1, 0, 0, 1]);
    assert_eq!(files(&app).await, 1);
    let after = state(&app).await;
    assert_eq!(after["groups"][0]["blobs"]["artifacts"], 1);
    assert_eq!(after["groups"][0]["group"], json!(root));
    assert_eq!(after["removed"]["artifacts"], 1);
    assert_eq!(after["runs"][0]["trigger"], "request");
    assert_eq!(after["counts"]["expired_blobs"], 0);
    // Requested again: the period was too short.
    read_thumbnail(&app, &root, "a.png", 20).await;
    assert_eq!(
        state(&app).await["regrets"],
        json!({"evicted": 0, "expired": 1})
    );
}

#[tokio::test]
async fn only_delivered_reads_keep_a_thumbnail() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    for size in 20..25 {
        read_thumbnail(&app, &root, "a.png", size).await;
    }
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 10})).await;
    app.advance(DAY * 9);
    let address = |size: u32, rest: &str| {
        let address = in_root("/thumb", &root, "a.png");
        format!("{address}&size={size}x{size}{rest}")
    };
    app.call("HEAD", &address(20, "")).send().await.is(200);
    app.get(&address(21, "&priority=background"))
        .send()
        .await
        .is(200);
    let queue = in_root("/queue", &root, "a.png");
    app.get(&format!("{queue}&size=22x22")).send().await.is(200);
    let get = in_root("/get", &root, "a.png");
    app.get(&format!("{get}&size=23x23")).send().await.is(200);
    read_thumbnail(&app, &root, "a.png", 24).await;
    app.advance(DAY);
    assert_eq!(marked_counts(&run(&app).await), [3, 0, 0, 3]);
}

#[tokio::test]
async fn run_is_due_daily_and_serving_revives_artifacts() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 1})).await;
    app.inner.expiry().run_if_due().unwrap();
    let first = state(&app).await;
    assert_eq!(first["runs"][0]["trigger"], "schedule");
    assert_eq!(first["runs"].as_array().unwrap().len(), 1);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"].as_array().unwrap().len(), 1);
    app.advance(DAY);
    app.inner.expiry().run_if_due().unwrap();
    let second = state(&app).await;
    assert_eq!(second["runs"].as_array().unwrap().len(), 2);
    assert_eq!(second["runs"][0]["counts"]["expired_blobs"], 1);
    // Expired but not removed yet: it is served, and active again.
    read_thumbnail(&app, &root, "a.png", 20).await;
    let served = state(&app).await;
    assert_eq!(served["counts"]["expired_blobs"], 0);
    assert_eq!(files(&app).await, 1);
    // A launch makes up for a missed run only.
    let app = app.restart(|_| {});
    assert_eq!(state(&app).await["runs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn missing_root_keeps_its_thumbnails() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    set_policy(
        &app,
        &root,
        json!({"enabled": true, "ttl_days": 1, "remove_gone": true}),
    )
    .await;
    let elsewhere = app.base_dir().join("elsewhere");
    std::fs::rename(app.pictures(), &elsewhere).unwrap();
    app.advance(DAY * 100);
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    assert_eq!(state(&app).await["groups"][0]["away"], true);
    // An empty folder may be the mount point of an unmounted disk.
    std::fs::create_dir(app.pictures()).unwrap();
    set_policy(
        &app,
        &root,
        json!({"enabled": false, "ttl_days": 1, "remove_gone": true}),
    )
    .await;
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    std::fs::remove_dir(app.pictures()).unwrap();
    std::fs::rename(&elsewhere, app.pictures()).unwrap();
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 1})).await;
    assert_eq!(marked_counts(&run(&app).await), [1, 0, 0, 1]);
}

#[tokio::test]
async fn unmounted_disk_keeps_its_thumbnails() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    let empty = app.base_dir().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let empty = app.inner.local_files().open_folder(&empty).unwrap();
    read_thumbnail(&app, &root, "a.png", 20).await;
    read_thumbnail(&app, &root, "a.png", 30).await;
    for root in [&root, &empty] {
        set_policy(&app, root, json!({"enabled": true, "ttl_days": 10})).await;
    }
    let away = async || {
        let state = state(&app).await;
        [&root, &empty].map(|root| group(&state, root)["away"].clone())
    };
    // The mount point stays, as an empty folder.
    let elsewhere = app.base_dir().join("elsewhere");
    let unmount = || {
        std::fs::rename(app.pictures(), &elsewhere).unwrap();
        std::fs::create_dir(app.pictures()).unwrap();
    };
    let mount = || {
        std::fs::remove_dir(app.pictures()).unwrap();
        std::fs::rename(&elsewhere, app.pictures()).unwrap();
    };
    unmount();
    app.advance(DAY * 10);
    assert_eq!(away().await, [true, false]);
    let preview = format!("/api/ttl/preview?root={root}&ttl_days=10");
    let none = app.get(&preview).send().await.is(200).json();
    assert_eq!(none["artifacts"], 0);
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    // What has expired before is not removed either.
    mount();
    assert_eq!(away().await, [false, false]);
    app.advance(DAY);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["counts"]["expired_blobs"], 2);
    unmount();
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    mount();
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 2]);
}

#[tokio::test]
async fn thumbnails_of_deleted_pictures_are_removed_on_request() {
    let app = TestApp::new();
    for name in ["a.png", "b.png"] {
        app.file(name, &png([1, 2, 3]));
    }
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    read_thumbnail(&app, &root, "b.png", 20).await;
    std::fs::remove_file(app.pictures().join("a.png")).unwrap();
    app.advance(Duration::from_secs(60));
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 0, 0]);
    set_policy(
        &app,
        &root,
        json!({"enabled": false, "ttl_days": 90, "remove_gone": true}),
    )
    .await;
    assert_eq!(marked_counts(&run(&app).await), [0, 0, 1, 1]);
    assert_eq!(files(&app).await, 1);
}

#[tokio::test]
async fn rebuilt_index_expires_nothing_early() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    app.get(&in_root("/api/folders", &root, ""))
        .send()
        .await
        .is(200);
    read_thumbnail(&app, &root, "a.png", 20).await;
    let page = app.page("/p", "text").await;
    let asset = app.post(&format!("/api/pages/{page}/assets/c.png"));
    let asset = asset.body("image/png", png([7, 8, 9])).send().await;
    let id = asset.is(201).json()["id"].as_str().unwrap().to_owned();
    let small = app.get(&format!("/api/asset?id={id}&size=20x20"));
    small.send().await.is(200);
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 10})).await;
    let app = app.restart(|config| {
        let index = config.expiry_index().join("artifacts");
        std::fs::write(index, b"damaged").unwrap();
    });
    assert_eq!(state(&app).await["complete"], false);
    app.advance(DAY * 9);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["complete"], true);
    let counts = [&*root, "assets", "unknown"].map(|name| blobs(&app, name));
    assert_eq!(futures_util::future::join_all(counts).await, [1, 1, 0]);
    app.advance(DAY);
    assert_eq!(marked_counts(&run(&app).await)[0], 0);
    app.advance(DAY * 9);
    assert_eq!(marked_counts(&run(&app).await)[0], 1);
}

#[tokio::test]
async fn read_returns_a_thumbnail_to_its_group() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    read_thumbnail(&app, &root, "a.png", 30).await;
    let lose = |config: &mut fumikura_server::Config| {
        std::fs::remove_file(config.expiry_index().join("artifacts")).unwrap();
    };
    // No folder index names the picture.
    let app = app.restart(lose);
    app.advance(Duration::from_secs(60));
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(blobs(&app, "unknown").await, 2);
    read_thumbnail(&app, &root, "a.png", 20).await;
    assert_eq!(
        (blobs(&app, "unknown").await, blobs(&app, &root).await),
        (1, 1)
    );
    // A folder that is opened again has another id.
    app.delete(&format!("/api/roots/{root}"))
        .send()
        .await
        .is(204);
    let reopened = app.root();
    assert_ne!(reopened, root);
    read_thumbnail(&app, &reopened, "a.png", 20).await;
    let address = in_root("/get", &reopened, "a.png");
    let get = app.get(&format!("{address}&size=30x30")).send().await;
    get.is(200);
    assert_eq!(blobs(&app, &reopened).await, 2);
    // The group survives a restart, and so does that of a folder index, which is written after the answer.
    let list = in_root("/api/folders", &reopened, "");
    app.get(&list).send().await.is(200);
    wait_for_folder_index(&app, &reopened).await;
    let app = app.restart(|_| {});
    assert_eq!(blobs(&app, &reopened).await, 2);
    app.delete(&format!("/api/roots/{reopened}"))
        .send()
        .await
        .is(204);
    assert_eq!(folder_indexes(&app, &reopened).await, 1);
    let again = app.root();
    let list = in_root("/api/folders", &again, "");
    app.get(&list).send().await.is(200);
    wait_for_folder_index(&app, &again).await;
}

#[tokio::test]
async fn failed_removal_is_listed_and_retried() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    let address = in_root("/get", &root, "a.png");
    let path = app.get(&address).send().await;
    let path = std::path::PathBuf::from(path.is(200).text());
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 1})).await;
    // Something else is in its place.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    app.advance(DAY);
    let result = run(&app).await;
    assert_eq!(result["counts"]["error_blobs"], 1);
    let failed = state(&app).await["failures"][0].clone();
    assert_eq!(
        (&failed["attempts"], &failed["kind"]),
        (&json!(1), &json!("blob"))
    );
    assert!(
        failed["name"]
            .as_str()
            .unwrap()
            .ends_with("-85x85-crop.jpg")
    );
    let picture = json!({"root": root, "path": "a.png", "path_bytes": null});
    assert_eq!(failed["picture"], picture);
    std::fs::remove_dir(&path).unwrap();
    app.post("/api/ttl/retry")
        .json(json!({"key": "x"}))
        .send()
        .await
        .refused(400, "bad_request");
    let retry = json!({"key": failed["key"]});
    app.post("/api/ttl/retry").json(retry).send().await.is(204);
    let result = run(&app).await;
    assert_eq!(result["counts"]["error_blobs"], 0);
    assert_eq!(state(&app).await["failures"], json!([]));
}

#[tokio::test]
async fn clock_jump_suspends_expiry_for_an_hour() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 90})).await;
    app.clock.sleep(DAY * 365);
    let job = app.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(
        (&job["state"], &job["error"]["code"]),
        (&json!("failed"), &json!("clock_jumped"))
    );
    app.inner.expiry().run_if_due().unwrap();
    let told = state(&app).await;
    assert_eq!(
        (&told["runs"], told["clock_jumped_until"].is_null()),
        (&json!([]), false)
    );
    app.advance(Duration::from_secs(3600));
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"][0]["marked_blobs"], 1);
    // This launch begins a year before the last one ended.
    let app = app.restart(|_| {});
    assert!(!state(&app).await["clock_jumped_until"].is_null());
}

#[tokio::test]
async fn start_years_ahead_expires_nothing_for_an_hour() {
    const HOUR: Duration = Duration::from_secs(3600);
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    read_thumbnail(&app, &root, "a.png", 20).await;
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 90})).await;
    let check_idle = async |app: &TestApp| {
        let job = app.run_job("/api/ttl/run", json!({})).await;
        assert_eq!(job["error"]["code"], "clock_jumped", "{job}");
        app.inner.expiry().run_if_due().unwrap();
        let idle = state(app).await;
        assert_eq!(
            (&idle["runs"], &idle["overdue"]),
            (&json!([]), &json!(false))
        );
        assert!(!idle["clock_jumped_until"].is_null());
    };
    let app = app.restart_after(DAY * 1000);
    check_idle(&app).await;
    // Sleep is no hour of a steady clock.
    app.clock.sleep(HOUR * 2);
    check_idle(&app).await;
    app.advance(HOUR - Duration::from_secs(1));
    check_idle(&app).await;
    // The network corrects the clock just in time.
    app.clock.put_back(DAY * 1000);
    check_idle(&app).await;
    app.advance(HOUR);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"][0]["marked_blobs"], 0);
    // The clock is right: the program was not used for years.
    let app = app.restart_after(DAY * 1000);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"].as_array().unwrap().len(), 1);
    app.advance(HOUR);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"][0]["marked_blobs"], 1);
    // A run in the future does not stop the others.
    app.clock.put_back(DAY * 700);
    app.inner.expiry().run_if_due().unwrap();
    app.advance(HOUR);
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(state(&app).await["runs"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn missing_runs_are_reported_after_three_days() {
    let app = TestApp::new();
    let overdue = async |app: &TestApp| {
        let state = state(app).await;
        (state["overdue"].clone(), state["last_success"].clone())
    };
    assert_eq!(overdue(&app).await, (json!(false), Value::Null));
    app.inner.expiry().run_if_due().unwrap();
    let success = json!("2026-11-18T12:00:00Z");
    assert_eq!(overdue(&app).await, (json!(false), success.clone()));
    // Something else is in the place of the index.
    let index = app.base_dir().join("cache/ttl");
    let elsewhere = app.base_dir().join("elsewhere");
    std::fs::rename(&index, &elsewhere).unwrap();
    std::fs::write(&index, "").unwrap();
    app.advance(DAY * 3 - Duration::from_secs(1));
    app.inner.expiry().run_if_due().unwrap_err();
    assert_eq!(overdue(&app).await, (json!(false), success.clone()));
    app.advance(Duration::from_secs(1));
    assert_eq!(overdue(&app).await, (json!(true), success.clone()));
    std::fs::remove_file(&index).unwrap();
    std::fs::rename(&elsewhere, &index).unwrap();
    app.advance(Duration::from_secs(3600));
    app.inner.expiry().run_if_due().unwrap();
    assert_eq!(overdue(&app).await.0, false);
    // The program was off: a run is due, but has had no time yet.
    let app = app.restart_after(DAY * 10);
    assert_eq!(overdue(&app).await.0, false);
    app.advance(Duration::from_secs(300));
    assert_eq!(overdue(&app).await.0, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn path_in_an_answer_survives_expiry() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    set_policy(&app, &root, json!({"enabled": true, "ttl_days": 10})).await;
    // The removals go through the thumbnails in this order too.
    let ask_all = async || {
        let mut paths = Vec::new();
        for size in 20..60 {
            let address = in_root("/get", &root, "a.png");
            let answer = app.get(&format!("{address}&size={size}x{size}"));
            paths.push(PathBuf::from(answer.send().await.is(200).text()));
        }
        paths
    };
    ask_all().await;
    for _ in 0..25 {
        app.advance(DAY * 10);
        let (result, paths) = tokio::join!(run(&app), ask_all());
        for path in paths {
            assert!(path.exists(), "{}: {result}", path.display());
        }
    }
}

#[tokio::test]
async fn cache_is_cleared_by_root_or_entirely() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let other = app.base_dir().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("b.png"), png([4, 5, 6])).unwrap();
    let (root, other) = (
        app.root(),
        app.inner.local_files().open_folder(&other).unwrap(),
    );
    for size in 20..23 {
        read_thumbnail(&app, &root, "a.png", size).await;
        read_thumbnail(&app, &other, "b.png", size).await;
    }
    let job = app
        .run_job("/api/cache/clear", json!({"group": root}))
        .await;
    assert_eq!(
        (&job["result"]["files"], &job["result"]["failed"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(files(&app).await, 3);
    app.run_job("/api/cache/clear", json!({"group": "nothing"}))
        .await;
    assert_eq!(files(&app).await, 3);
    app.run_job("/api/cache/clear", json!({})).await;
    assert_eq!(files(&app).await, 0);
    read_thumbnail(&app, &root, "a.png", 20).await;
}

#[tokio::test]
async fn damaged_policies_are_reported_and_not_overwritten() {
    let app = TestApp::new();
    let file = app.base_dir().join("data/ttl.json");
    std::fs::write(&file, "{\"default\": {\"enabled\": true, \"ttl_days\": 0}}").unwrap();
    app.get("/api/ttl")
        .send()
        .await
        .refused(500, "settings_damaged");
    let policy = json!({"enabled": true, "ttl_days": 5});
    app.put("/api/ttl/default")
        .json(policy)
        .send()
        .await
        .refused(500, "settings_damaged");
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .contains("\"ttl_days\": 0")
    );
    let job = app.run_job("/api/ttl/run", json!({})).await;
    assert_eq!(job["state"], "failed");
}
