//! `/api/cache`: the size of the thumbnails, and making room.

use std::time::Duration;

use fumikura_server::Capacity;
use serde_json::{Value, json};

use crate::support::pictures::{in_root, png};
use crate::support::{HOST, TestApp};

async fn cache(app: &TestApp) -> Value {
    app.get("/api/cache").send().await.is(200).json()
}

/// Polls until the cache satisfies `is_so`, and returns it.
async fn wait_for(app: &TestApp, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..12_000 {
        let cache = cache(app).await;
        if is_so(&cache) {
            return cache;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{}", cache(app).await);
}

/// Makes `count` thumbnails of different sizes.
async fn make_thumbnails(app: &TestApp, root: &str, count: usize) {
    for size in 20..20 + count {
        let address = in_root("/thumb", root, "a.png");
        let address = format!("{address}&size={size}x{size}&format=png");
        app.get(&address).send().await.is(200);
    }
}

#[tokio::test]
async fn cache_usage_is_reported_and_survives_restart() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    let empty = wait_for(&app, |cache| cache["scanning"] == false).await;
    assert_eq!(
        empty,
        json!({
            "used_bytes": 0, "files": 0, "folder": app.base_dir().join("cache/thumbs").to_str(), "next_folder": null, "folder_fixed": false,
            "limit_bytes": 1_073_741_824, "limit_fixed": false, "high": 0.9, "low": 0.75,
            "scanning": false,
            "queue": {"len": 0, "capacity": 16, "workers": 1},
            "counters": {"hits": 0, "misses": 0, "generated": 0, "failed": 0, "evicted": 0},
        })
    );
    make_thumbnails(&app, &root, 2).await;
    make_thumbnails(&app, &root, 1).await;
    let two = cache(&app).await;
    assert_eq!(two["files"], 2, "{two}");
    assert!(two["used_bytes"].as_u64().unwrap() > 100, "{two}");
    assert_eq!(
        two["counters"],
        json!({"hits": 1, "misses": 2, "generated": 2, "failed": 0, "evicted": 0})
    );

    let again = app.restart(|_| {});
    let counted = wait_for(&again, |cache| {
        cache["scanning"] == false && cache["files"] == 2
    })
    .await;
    assert_eq!(counted["used_bytes"], two["used_bytes"]);
}

#[tokio::test]
async fn gc_request_frees_space_as_a_job() {
    let app = TestApp::with(|config| config.capacity = Capacity::new(1 << 30, 0.9, 1e-12).unwrap());
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    make_thumbnails(&app, &root, 3).await;
    let before = cache(&app).await;
    let started = app.post("/api/cache/gc").send().await;
    let id = started.is(202).json()["id"].as_str().unwrap().to_owned();
    wait_for(&app, |cache| cache["files"] == 0).await;
    let job = app.job_end(&id).await;
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&json!("cache_gc"), &json!("done"))
    );
    let freed = json!({"files": 3, "bytes": before["used_bytes"]});
    assert_eq!(job["result"], freed);
    assert_eq!(cache(&app).await["counters"]["evicted"], 3);
    make_thumbnails(&app, &root, 1).await;
}

#[tokio::test]
async fn full_cache_evicts_by_itself() {
    let app = TestApp::with(|config| config.capacity = Capacity::new(1000, 0.9, 0.5).unwrap());
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    make_thumbnails(&app, &root, 30).await;
    let kept = wait_for(&app, |cache| {
        cache["scanning"] == false && cache["used_bytes"].as_u64().unwrap() <= 900
    })
    .await;
    assert!(kept["counters"]["evicted"].as_u64().unwrap() > 0, "{kept}");
    assert!(kept["files"].as_u64().unwrap() > 0, "{kept}");
}

#[tokio::test]
async fn evicted_thumbnails_are_generated_again_identically() {
    let limit = 300 << 10;
    let app = TestApp::with(|config| config.capacity = Capacity::new(limit, 0.9, 0.75).unwrap());
    let photo = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    app.file("a.jpg", &std::fs::read(photo).unwrap());
    let root = app.root();
    let thumb = async |size: u32| {
        let address = in_root("/thumb", &root, "a.jpg");
        let address = format!("{address}&size={size}x{size}&format=png");
        let bytes = app.get(&address).send().await.is(200).body.clone();
        assert!(bytes.len() > 10_000, "{}", bytes.len());
        bytes
    };
    let first = thumb(100).await;
    for size in 101..140 {
        thumb(size).await;
    }
    let kept = wait_for(&app, |cache| {
        cache["scanning"] == false && cache["used_bytes"].as_u64().unwrap() <= limit * 9 / 10
    })
    .await;
    assert!(kept["counters"]["evicted"].as_u64().unwrap() > 0, "{kept}");
    assert!(
        kept["used_bytes"].as_u64().unwrap() > limit / 2,
        "no more than must goes: {kept}"
    );
    // The first evicted thumbnail is generated again, identically.
    assert_eq!(thumb(100).await, first);
    assert_eq!(cache(&app).await["counters"]["generated"], 41);
}

/// Each thumbnail is larger than the limit of all.
#[tokio::test]
async fn thumbnail_larger_than_limit_is_still_sent() {
    let app = TestApp::with(|config| config.capacity = Capacity::new(1 << 10, 0.9, 0.75).unwrap());
    let photo = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    app.file("a.jpg", &std::fs::read(photo).unwrap());
    let root = app.root();
    for size in 100..150 {
        let address = in_root("/thumb", &root, "a.jpg");
        let address = format!("{address}&size={size}x{size}&format=png");
        app.get(&address).send().await.is(200);
    }
    wait_for(&app, |cache| cache["files"] == 0).await;
}

#[tokio::test]
async fn limit_changes_at_once_and_is_saved() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    make_thumbnails(&app, &app.root(), 3).await;
    for refused in [0, (1 << 20) - 1, (1_u64 << 50) + 1] {
        let answer = app
            .put("/api/cache/limit")
            .json(json!({"limit_bytes": refused}));
        answer.send().await.refused(422, "invalid_value");
    }
    let limit = json!({"limit_bytes": 2 << 20});
    let changed = app.put("/api/cache/limit").json(limit.clone()).send();
    assert_eq!(changed.await.is(200).json()["limit_bytes"], 2 << 20);
    assert_eq!(cache(&app).await["limit_bytes"], 2 << 20);
    let written = std::fs::read_to_string(app.base_dir().join("config.toml")).unwrap();
    assert_eq!(written, "[thumbnails]\ncache_limit = \"2097152\"\n");
    let app = app.restart(|config| config.is_limit_fixed = true);
    assert_eq!(cache(&app).await["limit_fixed"], true);
    let fixed = app.put("/api/cache/limit").json(limit).send().await;
    fixed.refused(409, "set_by_environment");
}

#[tokio::test]
async fn folder_change_moves_thumbnails_at_next_launch() {
    let app = TestApp::new();
    app.file("a.png", &png([1, 2, 3]));
    let root = app.root();
    make_thumbnails(&app, &root, 3).await;
    let (client, cookie) = app.window().await;
    let choose = |folder: &std::path::Path| {
        let grant = app.inner.grant(folder.to_owned(), client.clone());
        let chosen = app.unauthenticated("PUT", "/api/cache/folder");
        let chosen = chosen
            .header("cookie", &cookie)
            .header("origin", &format!("http://{HOST}"));
        chosen.json(json!({"grant": grant})).send()
    };
    let wrong = app.put("/api/cache/folder").json(json!({"grant": "x"}));
    wrong.send().await.refused(403, "grant_invalid");
    // In a folder with other files the cache gets a subfolder; if that has other files too, the folder is refused.
    let busy = app.pictures();
    std::fs::create_dir(busy.join("fumikura-thumbnails")).unwrap();
    std::fs::write(busy.join("fumikura-thumbnails/mine"), "").unwrap();
    choose(&busy).await.refused(422, "invalid_value");
    std::fs::remove_file(busy.join("fumikura-thumbnails/mine")).unwrap();
    let to = busy.join("fumikura-thumbnails");
    let told = choose(&busy).await.is(200).json();
    assert_eq!(told["next_folder"], json!(to.to_str()));
    let file = app.base_dir().join("config.toml");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("moving_from"), "{written}");
    let app = app.restart(|config| {
        config.thumbs_moving_from = Some(std::mem::replace(&mut config.thumbs_dir, to.clone()));
    });
    let moved = wait_for(&app, |cache| cache["files"] == 3).await;
    assert_eq!(
        (&moved["folder"], &moved["next_folder"]),
        (&json!(to.to_str()), &Value::Null)
    );
    assert!(!app.base_dir().join("cache/thumbs").exists());
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(
        !written.contains("moving_from") && written.contains("folder"),
        "{written}"
    );
}
